// Bad input of every kind: the program explains the mistake in one sentence on standard error, ends with the right
// exit code, and writes nothing.
#include "experiments/harness/storage/hdf5.hpp"
#include "shoal.hpp"

#include <sys/stat.h>

#include <map>
#include <vector>

namespace shoal {
namespace {

namespace fs = std::filesystem;
using test::text_of, test::Shoal;

constexpr int users_mistake = 2, machines_failure = 3;

struct BadInput {
  std::string name;
  std::string arguments;               ///< after `shoal`, as the shell takes them
  std::vector<std::string> fragments;  ///< parts of the sentence: place, value, allowed values
  int exit_code = users_mistake;
};

std::ostream& operator<<(std::ostream& stream, const BadInput& input) {
  return stream << "shoal " << input.arguments;
}

// ---- the files that the rows name ------------------------------------------------------------------------

std::string little_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
  return bytes;
}

const std::string triangle_gltf = R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,
"count":3000000000,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";

/// Bytes that are no file of ours, the same every time.
std::string garbage() {
  std::string bytes;
  for (int k = 0; k < 500; ++k) bytes += static_cast<char>(k * 37 % 251);
  return bytes;
}

std::string long_lists() {
  std::string text = "scene = 'rest'\n";
  for (const char* key : {"dt", "end", "seed"}) {
    text += fmt::format("{} = [1", key);
    for (int k = 2; k <= 1000; ++k) text += fmt::format(", {}", k);
    text += "]\n";
  }
  return text;
}

/// "a.a.a…"
std::string deep_key() {
  constexpr int levels = 200'000;
  std::string key = "a";
  for (int k = 1; k < levels; ++k) key += ".a";
  return key;
}

/// `whole` is the content of a results file.
std::vector<std::pair<std::string, std::string>> files(const std::string& whole) {
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  std::vector<std::pair<std::string, std::string>> all = {
      {"cut.obj", "v 0 0 0\nv 1 0 0\nv 0 1"},
      {"cut.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n"},
      {"huge.off", "OFF\n4000000000 4000000000 0\n0 0 0\n"},
      {"cut.ply", ply + "0 0 0\n1 0 0\n"},
      {"huge.ply",
       "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
       "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\1\2\3"},
      {"cut.stl", "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0"},
      {"huge.stl", std::string(80, 'b') + little_endian(4000000000u) + std::string(50, '\0')},
      {"cut.gltf", triangle_gltf.substr(0, triangle_gltf.size() / 2)},
      {"huge.gltf", triangle_gltf},
      {"cut.glb", "glTF" + little_endian(2) + little_endian(1000) + little_endian(900) + "JSON{"},
      {"nan.obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n"},
      {"range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n"},
      {"flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"},
      {"fin.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n"},
      {"empty.obj", ""},
      {"picture.png", garbage()},
      {"empty.toml", ""},
      {"quote.toml", "scene = \"rest\n"},
      {"twice.toml", "scene = 'rest'\nscene = 'bump'\n"},
      {"binary.toml", garbage()},
      {"key.toml", "scene = 'rest'\nintegratr = 'newmark'\n"},
      {"value.toml", "scene = 'rest'\n  dt = [0.1, -0.1]\n"},
      {"scene.toml", "scene = \"re\\nst\"\n"},
      {"table.toml", "scene = 'rest'\nparameters = 3\n"},
      {"vector.toml", "scene = 'sphere-bump'\n[parameters]\ncenter = [0, 0, 1]\n"},
      {"amplitude.toml", "scene = ['bump', 'sphere-bump']\n[parameters]\namplitude = [0.1, -5]\n"},
      {"mesh.toml", "scene = 'bump'\nmesh = ['icosphere:1', 'icosfere:1']\n"},
      {"foreign.toml", "scene = 'bump'\nparameters.theta = 0.5\n"},
      {"petsc.toml",
       "scene = 'bump'\nintegrator = 'newmark'\nlinear_solver = 'petsc'\n"
       "parameters.options = '-ksp_view_mat ascii:stolen'\n"},
      {"lists.toml", long_lists()},
      {"top.toml", "scene = 'bump'\namplitude = 0.2\n"},
      {"deep.toml", "scene = 'rest'\n" + deep_key() + " = 1\n"},
      {"deep_header.toml", "scene = 'rest'\n[" + deep_key() + "]\nx = 1\n"},
      {"latin.toml", "scene = \"rest\xff\"\n"},
      {"name_of_lines.toml", "scene = 'rest'\nname = \"a\\nb\"\n"},
      {"unquoted.toml", "scene = 'rest'\nmesh = icosphere:4  # a sphere\n"},
      {"unquoted_list.toml", "scene = 'rest'\nintegrator = ['explicit', newmark]\n"},
      {"fraction.toml", "scene = 'bump'\ndt = [ 1 / 60, 0.1]\n"},
      {"noscene.toml", "dt = 0.1\n"},
      {"together.toml", "scene = 'rest'\ntogether = ['end', 'dt']\nend = [1, 2]\ndt = 0.1\n"},
      {"rule.toml", "scene = 'rest'\ndt = 'geometric:1:0:3'\n"},
      {"column.toml", "scene = 'rest'\n[[table]]\nfile = 'a.md'\ncolumns = ['id', 'enrgy_left']\n"},
      {"frontier.toml", "scene = 'rest'\ncompute = 'frontier'\n"},
      {"orders.toml", "scene = 'rest'\n[[table]]\nfile = 'a.md'\norders = 'spice'\n"},
      {"both.toml", "scene = 'rest'\n[[table]]\nfile = 'a.md'\norders = 'space'\ncolumns = 'id'\n"},
      {"errors.toml", "scene = 'rest'\n[[table]]\nfile = 'a.md'\nerrors = 'l2_error'\n"},
      {"suffix.toml", "scene = 'rest'\n[[table]]\nfile = 'a.mdd'\n"},
      {"from.toml", "scene = 'rest'\n[[figure]]\nfile = 'a.png'\nscript = 'columns.py'\nfrom = 'a.csv'\n"},
      {"empty.h5", ""},
      {"text.h5", "time,depth\n0,1\n"},
      {"cut.h5", whole.substr(0, 5000)},
      {"noise.h5", whole.substr(0, 96) + garbage()},
  };
  for (const char* extension : {"obj", "off", "ply", "stl", "gltf", "glb"})
    all.emplace_back(fmt::format("garbage.{}", extension), garbage());
  return all;
}

const std::vector<BadInput>& bad_inputs() {
  static const std::vector<BadInput> rows = {
      // names
      {"command", "rn rest", {"'rn'", "list, run", "did you mean 'run'?"}},
      {"command_of_help", "help tabel", {"'tabel'", "did you mean 'table'?"}},
      {"command_of_man", "man tabel", {"'tabel'", "did you mean 'table'?"}},
      {"shell", "completion bsh", {"'bsh'", "did you mean 'bash'?"}},
      {"dry_run_of_a_frontier",
       "sweep frontier.toml --dry-run",
       {"--dry-run", "'frontier.toml' is a frontier"}},
      {"option", "run rest --msh icosphere:2", {"'--msh'", "did you mean '--mesh'?"}},
      {"list_kind", "list scens", {"'scens'", "did you mean 'scenes'?"}},
      {"list_entry", "list scenes bmp", {"'bmp'", "did you mean 'bump'?"}},
      {"list_entry_of_another_kind",
       "list integrators torus",
       {"'torus' is one of the meshes, see list meshes torus"}},
      {"list_entry_without_kind",
       "list sphere-bump",
       {"'sphere-bump' is one of the scenes, see list scenes sphere-bump"}},
      {"parameter_as_option", "run bump --amplitude 0.2", {"'--amplitude'", "--param amplitude=VALUE"}},
      {"parameter_at_top_level", "sweep top.toml", {"top.toml:2:1: amplitude", "parameters.amplitude"}},
      {"fraction_without_quotes",
       "sweep fraction.toml",
       {"fraction.toml:2:", "a fraction requires quotes: \"1/60\""}},
      {"text_without_quotes",
       "sweep unquoted.toml",
       {"unquoted.toml:2:", "a text requires quotes: \"icosphere:4\""}},
      {"text_without_quotes_in_a_list",
       "sweep unquoted_list.toml",
       {"unquoted_list.toml:2:", "a text requires quotes: \"newmark\""}},
      {"text_that_is_not_utf8", "sweep latin.toml", {"latin.toml:1:", "invalid utf-8"}},
      {"name_of_two_lines",
       "sweep name_of_lines.toml",
       {"name_of_lines.toml:2:1: name", "cannot name a file"}},
      {"choice_in_an_expression",
       "run custom --param 'initial_elevation=if(x>0,1,0)'",
       {"'if'", "write conditionals as CONDITION ? A : B"}},
      {"name_that_is_nothing_like_others",
       "run custom --param initial_elevation=qq*x",
       {"'qq*x'", "is not known"}},
      {"scene", "run rset", {"'rset'", "sphere-bump", "did you mean 'rest'?"}},
      {"discretization",
       "run rest --discretization fevf",
       {"--discretization", "'fevf'", "did you mean 'fefv'?"}},
      {"integrator", "run rest --integrator newmrk", {"--integrator", "'newmrk'", "did you mean 'newmark'?"}},
      {"linear_solver",
       "run rest --integrator newmark --linear-solver chlmod",
       {"--linear-solver", "'chlmod'", "did you mean 'cholmod'?"}},
      {"mesh_family", "run rest --mesh icosphre:3", {"--mesh", "'icosphre'", "did you mean 'icosphere'?"}},
      {"mesh_argument",
       "run rest --mesh rectangle:3x3:structurd",
       {"--mesh", "'structurd'", "did you mean 'structured'?"}},
      {"parameter", "run rest --param depht=1", {"--param depht", "did you mean 'depth'?"}},
      {"parameter_of_another", "run rest --param theta=1", {"--param theta", "belongs to semi-implicit"}},
      {"column", "table whole.h5 --columns id,enrgy_left", {"'enrgy_left'", "did you mean 'energy_left'?"}},
      {"format", "table whole.h5 --as markdwn", {"--as", "'markdwn'", "text, md, csv, tex"}},
      {"extension", "run rest --mesh bunny.ojb", {"'.ojb'", "did you mean '.obj'?"}},
      {"pair", "run rest --discretization kinetic --integrator newmark", {"kinetic with newmark"}},
      // the command line's own
      {"argument_too_many", "run rest more", {"run", "'more'"}},
      {"argument_missing", "run", {"SCENE|FILE.toml is missing"}},
      {"value_missing", "run rest --end", {"--end requires a value"}},
      {"option_twice", "run rest --dt 0.1 --dt 0.2", {"--dt is given more than once"}},
      {"option_twice_beside_output",
       "run rest --end 2 --end 1 --output twice.h5",
       {"--end is given more than once"}},
      {"flag_with_value", "run rest --quiet=3", {"--quiet takes no value"}},
      {"parameter_twice", "run rest --param depth=1 --param depth=2", {"--param", "'depth' is given twice"}},
      {"parameter_without_value", "run rest --param depth", {"--param", "'depth'", "KEY=VALUE"}},
      // numbers
      {"dt_zero", "run rest --dt 0", {"--dt", "'0'", "a positive number, a fraction such as 1/60, or auto"}},
      {"dt_negative", "run rest --dt=-1", {"--dt", "'-1'", "a positive number"}},
      {"dt_nan", "run rest --dt nan", {"--dt", "'nan'", "a positive number"}},
      {"dt_infinite", "run rest --dt inf", {"--dt", "'inf'", "a positive number"}},
      {"dt_text", "run rest --dt soon", {"--dt", "'soon'", "a positive number"}},
      {"dt_over_zero", "run rest --dt 1/0", {"--dt", "'1/0'", "a positive number"}},
      {"dt_tiny", "run rest --dt 1e-300", {"--dt", "a step of 1e-300 s is too short"}},
      {"end_negative", "run rest --end=-1", {"--end", "'-1'", "a positive number of seconds"}},
      {"substeps_fraction", "run rest --substeps 1.5", {"--substeps", "'1.5'", "a whole number"}},
      {"substeps_absurd", "run rest --substeps 1e12", {"--substeps", "'1e12'", "at most 1000000"}},
      {"threads_zero", "run rest --threads 0", {"--threads", "'0'", "a whole number ≥ 1"}},
      {"snapshots_text", "run rest --snapshots 0.1,soon", {"--snapshots", "'soon'"}},
      {"snapshots_every_zero",
       "run rest --snapshots every:0",
       {"--snapshots", "'every:0'", "infinitely many"}},
      {"snapshots_absurd",
       "run rest --dt 1e-9 --snapshots every:1e-9",
       {"--snapshots", "'every:1e-9'", "1000000"}},
      {"parameter_negative", "run rest --param depth=-1", {"--param depth", "-1 is outside [1e-12, inf]"}},
      {"parameter_nan", "run rest --param depth=nan", {"--param depth", "nan is not finite"}},
      {"parameter_text", "run rest --param depth=deep", {"--param depth", "'deep' is not a number"}},
      {"parameter_fraction",
       "run bump --integrator newmark --linear-solver eigen-cg --param max_iterations=1.5",
       {"--param max_iterations", "1.5 is not a whole number"}},
      {"parameter_of_words_and_numbers",
       "run bump --integrator newmark --param reference_depth=meen",
       {"--param reference_depth", "'meen' is not a positive depth, 'mean', 'initial' or 'local'"}},
      {"parameter_pair", "run bump --param center=1,2", {"--param center", "'1,2'", "three numbers x,y,z"}},
      {"parameter_no_direction",
       "run sphere-bump --param center=0,0,0",
       {"--param center", "not a direction"}},
      {"petsc_option",
       "run bump --integrator newmark --linear-solver petsc --param 'options=-ksp_view_mat ascii:stolen'",
       {"--param options: '-ksp_view_mat ascii:stolen' is not on the allowlist", "--trust-options"}},
      {"petsc_option_that_runs_code",
       "run bump --integrator newmark --linear-solver petsc --param options=-ksp_monitor_python",
       {"--param options: '-ksp_monitor_python' is not on the allowlist", "--trust-options"}},
      {"petsc_option_that_crashes",
       "run bump --integrator newmark --linear-solver petsc --param 'options=-pc_type mg -pc_mg_levels 2'",
       {"--param options: -pc_type: 'mg' is not one of", "gamg", "--trust-options"}},
      {"petsc_preconditioner",
       "run bump --integrator newmark --linear-solver petsc --param preconditioner=mg",
       {"--param preconditioner", "'mg' is not one of icc, jacobi, sor, gamg, hypre"}},
      {"boundaries_blank",
       "run channel --boundaries ' '",
       {"--boundaries", "no condition given", "left = wall"}},
      {"boundary_kind",
       "run channel --boundaries 'left ='",
       {"'left ='", "the kind is missing", "wall, discharge, level, outflow, inflow, sponge"}},
      {"level_below_bed",
       "run channel --boundaries 'left = level -2'",
       {"--boundaries", "'left'", "not above the bed at -1"}},
      {"level_absurd", "run rest --mesh icosphere:40", {"--mesh", "level 40 is outside [0, 10]"}},
      {"cells_absurd",
       "run rest --mesh rectangle:1000000000x1",
       {"--mesh", "'1000000000x1'", "at most 10000000 cells"}},
      {"level_missing", "run rest --mesh icosphere", {"--mesh", "the level is missing, e.g. 'icosphere:4'"}},
      {"column_time",
       "table whole.h5 --columns energy_total@soon",
       {"'energy_total@soon'", "'soon' is not a time ≥ 0, max, min, mean or above:X"}},
      {"foreign_option",
       "harmonics whole.h5 --by latitude --speed 12",
       {"--speed", "not used by --by latitude", "only by --by time"}},
      {"speed_infinite",
       "harmonics whole.h5 --by time --speed inf",
       {"--speed", "'inf'", "not a finite number"}},
      // meshes
      {"mesh_missing", "run rest --mesh no.obj", {"--mesh", "'no.obj'", "there is no such file"}},
      {"mesh_empty", "inspect empty.obj", {"'empty.obj'", "empty"}},
      {"mesh_folder", "inspect folder.obj", {"'folder.obj'", "a directory"}},
      {"mesh_pipe", "inspect pipe.obj", {"'pipe.obj'", "not a file with an end"}},
      {"obj_cut", "inspect cut.obj", {"'cut.obj'", "line 3: vertex 2 has 2 coordinates"}},
      {"off_cut", "inspect cut.off", {"'cut.off'", "ends at line 4 where vertex 2 of 3 should be"}},
      {"ply_cut", "inspect cut.ply", {"'cut.ply'", "vertex 2 of 3: the file ends there"}},
      {"stl_cut", "inspect cut.stl", {"'cut.stl'", "cut short", "line 5"}},
      {"gltf_cut", "inspect cut.gltf", {"'cut.gltf'", "line 2, column", "invalid JSON"}},
      {"glb_cut", "inspect cut.glb", {"'cut.glb'", "should have 1000 bytes and has 21"}},
      {"obj_garbage", "inspect garbage.obj", {"'garbage.obj'", "is it an OBJ file?"}},
      {"off_garbage", "inspect garbage.off", {"'garbage.off'", "line 1"}},
      {"ply_garbage", "inspect garbage.ply", {"'garbage.ply'", "is it a PLY file?"}},
      {"stl_garbage", "inspect garbage.stl", {"'garbage.stl'", "neither STL text"}},
      {"gltf_garbage", "inspect garbage.gltf", {"'garbage.gltf'", "line 1, column 1", "invalid JSON"}},
      {"glb_garbage", "inspect garbage.glb", {"'garbage.glb'", "is it a GLB file?"}},
      {"off_counts_absurd", "inspect huge.off", {"vertex 1 of 4000000000"}},
      {"ply_counts_absurd", "inspect huge.ply", {"vertex 0 of 4000000000: the file ends there"}},
      {"stl_counts_absurd",
       "inspect huge.stl",
       {"4000000000 facets", "200000000084 bytes", "instead of 134"}},
      {"gltf_counts_absurd", "inspect huge.gltf", {"accessors[0]", "3000000000 elements", "36 bytes"}},
      {"mesh_nan", "run rest --mesh nan.obj", {"'nan.obj'", "vertex 1 is not finite"}},
      {"mesh_index", "run rest --mesh range.obj", {"'range.obj'", "face 0 names vertex 6, outside [0, 2]"}},
      {"mesh_without_area", "run rest --mesh flat.obj", {"'flat.obj'", "face 0 is degenerate"}},
      {"mesh_not_manifold", "run rest --mesh fin.obj", {"'fin.obj'", "edge (0, 1) is not manifold"}},
      {"mesh_of_no_kind", "inspect picture.png", {"'.png'", ".obj, .off, .ply"}},
      {"mesh_for_another_scene", "run sphere-bump --mesh rectangle:4x4", {"'rectangle:4x4' is not a sphere"}},
      // experiments
      {"experiment_missing", "sweep no.toml", {"'no.toml'", "no such file"}},
      {"experiment_empty", "sweep empty.toml", {"'empty.toml'", "empty"}},
      {"experiment_folder", "sweep folder.obj", {"'folder.obj'", "a directory"}},
      {"experiment_quote", "sweep quote.toml", {"quote.toml:1:14", "not TOML"}},
      {"experiment_key_twice", "sweep twice.toml", {"twice.toml:2:", "'scene'"}},
      {"experiment_binary", "sweep binary.toml", {"binary.toml:1:4", "not TOML"}},
      {"experiment_key", "sweep key.toml", {"key.toml:2:1", "did you mean 'integrator'?"}},
      {"experiment_value", "sweep value.toml", {"value.toml:2:3: dt", "'-0.1'", "a positive number"}},
      {"experiment_scene_of_two_lines",
       "sweep scene.toml",
       {"scene.toml:1:1", "'re?st'", "did you mean 'rest'?"}},
      {"experiment_no_table", "sweep table.toml", {"table.toml:2:1", "[parameters]"}},
      {"experiment_vector",
       "sweep vector.toml",
       {"vector.toml:3:1: center", "'0' is not three numbers", "\"0,0,1\"", "alternatives"}},
      {"experiment_parameter_of_scene",
       "sweep amplitude.toml",
       {"amplitude.toml:3:1: amplitude", "-5 leaves no fluid"}},
      {"experiment_mesh",
       "sweep mesh.toml",
       {"mesh.toml:2:1: mesh", "'icosfere:1'", "did you mean 'icosphere'?"}},
      {"experiment_parameter_unused",
       "sweep foreign.toml",
       {"foreign.toml:2:12", "theta", "belongs to semi-implicit"}},
      {"experiment_petsc_option",
       "sweep petsc.toml",
       {"petsc.toml:4:12: options: '-ksp_view_mat ascii:stolen' is not on the allowlist", "--trust-options"}},
      {"experiment_together",
       "sweep together.toml",
       {"together.toml:2:1: together", "must have the same length", "has 2", "has 1"}},
      {"experiment_rule",
       "sweep rule.toml",
       {"rule.toml:2:1: dt", "'geometric:1:0:3' reaches or crosses zero", "write geometric:A:B:N[:D]"}},
      {"experiment_column",
       "sweep column.toml",
       {"column.toml:4:18: columns", "did you mean 'energy_left'?"}},
      {"experiment_suffix", "sweep suffix.toml", {"suffix.toml:3:1: file", ".txt, .md, .csv, .tex"}},
      {"experiment_from", "figures from.toml", {"from.toml:5:1: from", "'a.csv' is not one of the tables"}},
      {"experiment_without_tables", "table rule.toml", {"rule.toml:2:1: dt"}},
      {"experiment_table_as", "table key.toml --as md", {"--as", "[[table]]"}},
      {"experiment_too_large", "sweep lists.toml", {"'lists'", "1e+09 combinations", "at most 100000"}},
      {"experiment_of_deep_keys", "sweep deep.toml", {"deep.toml:2", "more than 1000 levels"}},
      {"experiment_of_a_deep_header",
       "sweep deep_header.toml",
       {"deep_header.toml:2", "more than 1000 levels"}},
      {"experiment_without_scene", "sweep noscene.toml", {"'noscene'", "the scene is missing"}},
      // fields
      {"field_pipe",
       "run custom --param initial_elevation=pipe.h5:a",
       {"--param initial_elevation", "'pipe.h5'", "not a file with an end"}},
      {"field_without_name",
       "run custom --param initial_elevation=whole.h5:",
       {"--param initial_elevation", "'whole.h5:' names nothing in the file", "a dataset"}},
      {"field_group",
       "run custom --mesh icosphere:1 --param initial_elevation=whole.h5:/runs/",
       {"--param initial_elevation", "'runs' is a group; a dataset of it is allowed: 0001"}},
      {"field_root",
       "run custom --mesh icosphere:1 --param initial_elevation=whole.h5:/",
       {"--param initial_elevation", "'/' is a group"}},
      {"field_of_text",
       "run custom --mesh icosphere:1 --param initial_elevation=whole.h5:config",
       {"--param initial_elevation", "'config' does not contain integers or floating-point numbers"}},
      {"field_without_property",
       "run custom --param initial_elevation=cut.ply:",
       {"'cut.ply:' names nothing in the file", "a property"}},
      // orders
      {"orders_without_runs",
       "converge rest --mesh icosphere:1",
       {"two meshes of one family", "4 steps on one mesh"}},
      {"orders_of_meshes_of_two_families",
       "converge rest --mesh icosphere,uv-sphere:1 --orders space",
       {"two meshes of one family, e.g. --mesh icosphere:2,3"}},
      {"orders_without_solution",
       "converge bump --mesh icosphere:1,2",
       {"scene 'bump' has no solution", "in time", "4 steps"}},
      {"orders_of_what", "converge rest --orders tine", {"--orders", "'tine'", "did you mean 'time'?"}},
      {"orders_of_no_scene", "converge bumpf --mesh icosphere:1,2", {"'bumpf'", "did you mean 'bump'?"}},
      {"orders_of_results_with_options",
       "converge whole.h5 --dt 0.1",
       {"--dt", "'whole.h5' contains finished runs"}},
      {"orders_of_an_experiment_with_options",
       "converge key.toml --mesh icosphere:1,2",
       {"--mesh", "'key.toml' defines its own runs"}},
      {"orders_of_one_run", "converge whole.h5", {"no order can be computed"}},
      {"orders_of_an_unknown_error",
       "converge rest --mesh icosphere:1,2 --errors l2_eror",
       {"--errors", "'l2_eror'", "did you mean 'l2_error'?"}},
      {"orders_of_an_error_without_solution",
       "converge channel --discretization kinetic --mesh rectangle:10x2,20x4:10x1 --errors l1_error_velocity",
       {"--errors", "'l1_error_velocity'", "the solution of 'channel' has no velocity"}},
      {"orders_in_a_table",
       "sweep orders.toml",
       {"orders.toml:4:1: orders", "'spice'", "did you mean 'space'?"}},
      {"orders_with_columns",
       "sweep both.toml",
       {"both.toml:5:1: columns", "a table of orders has no columns"}},
      {"errors_without_orders",
       "sweep errors.toml",
       {"errors.toml:4:1: errors", "requires a table of orders"}},
      // results
      {"results_missing", "table no.h5", {"'no.h5'", "no such file"}},
      {"results_empty", "table empty.h5", {"'empty.h5'", "not an HDF5 file"}},
      {"results_text", "inspect text.h5", {"'text.h5'", "not an HDF5 file"}},
      {"results_folder", "table folder.obj", {"'folder.obj'", "not a file"}},
      {"results_cut", "table cut.h5", {"cut.h5", "damaged, cut off, or not complete"}, machines_failure},
      {"results_noise",
       "inspect noise.h5",
       {"noise.h5", "damaged, cut off, or not complete"},
       machines_failure},
      {"results_of_another_program", "table foreign.h5", {"'foreign.h5'", "not a results file of shoal"}},
      {"output_of_another_program",
       "run rest --fresh --output foreign.h5",
       {"'foreign.h5'", "not a results file of shoal"}},
      {"output_not_results", "run rest --fresh --output text.h5", {"'text.h5'", "not a results file"}},
      {"output_folder", "run rest --output folder.obj", {"'folder.obj'", "not a results file"}},
      {"output_of_another_run",
       "run rest --mesh icosphere:2 --output whole.h5",
       {"'whole.h5'",
        "a different configuration (there dt = 0.1, end = 0.2, mesh = icosphere:1, here dt = auto"}},
      {"output_without_name", "run rest --output ''", {"--output", "''"}},
      {"saves_without_interval", "run rest --save-every ''", {"--save-every", "''"}},
      {"output_xdmf", "run rest --output a.xdmf", {"'a.xdmf'", "use the extension .h5"}},
      {"output_in_a_file", "run rest --output text.h5/new.h5", {"'text.h5/new.h5'"}, machines_failure},
  };
  return rows;
}

/// The folder contains all files above, results of shoal, and objects that are not files.
class BadInputs : public Shoal, public testing::WithParamInterface<BadInput> {
 protected:
  BadInputs() {
    EXPECT_EQ(shoal("run rest --mesh icosphere:1 --dt 0.1 --end 0.2 --quiet --output whole.h5"), 0)
        << error_output();
    for (const auto& [name, content] : files(text_of(folder_ / "whole.h5")))
      std::ofstream(folder_ / name, std::ios::binary) << content;
    hdf5::File foreign(folder_ / "foreign.h5", hdf5::Access::create);
    foreign.root().set("title", "of another program");
    foreign.close();
    fs::create_directory(folder_ / "folder.obj");
    for (const char* name : {"pipe.obj", "pipe.h5"}) EXPECT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
  }

  /// Every file with its content.
  std::map<std::string, std::string> content() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / ""))
      all[entry.path().string()] = entry.is_regular_file() ? text_of(entry.path()) : "";
    all.erase((folder_ / "output").string());
    all.erase((folder_ / "complaint").string());
    return all;
  }
};

TEST_P(BadInputs, is_refused_in_one_sentence_and_nothing_is_written) {
  const auto before = content();
  EXPECT_EQ(shoal(GetParam().arguments), GetParam().exit_code);
  const std::string sentence = error_output();
  EXPECT_TRUE(sentence.starts_with("shoal: ")) << sentence;
  EXPECT_EQ(sentence.find('\n'), sentence.size() - 1) << sentence;
  for (const std::string& fragment : GetParam().fragments)
    EXPECT_NE(sentence.find(fragment), std::string::npos) << fragment << " is not in: " << sentence;
  EXPECT_EQ(text_of(folder_ / "output"), "");
  EXPECT_TRUE(content() == before) << "files have changed";
}

INSTANTIATE_TEST_SUITE_P(Program, BadInputs, testing::ValuesIn(bad_inputs()),
                         [](const auto& instance) { return instance.param.name; });

TEST_F(Shoal, copied_without_its_module_says_what_it_misses) {
  fs::copy_file(SHOAL_PROGRAM, folder_ / "copy");
  EXPECT_EQ(shoal("run sphere-bump --integrator semi-implicit --linear-solver petsc --output a.h5", "./copy"),
            machines_failure);
  EXPECT_EQ(error_output(),
            "shoal: cannot load the linear solver 'petsc' from libshoal_petsc.so, which should be beside the "
            "program: libshoal_petsc.so: cannot open shared object file: No such file or directory\n");
  EXPECT_FALSE(fs::exists(folder_ / "a.h5"));
}

TEST_F(Shoal, options_of_petsc_in_results_are_taken_only_where_they_are_trusted) {
  const std::string run =
      "run sphere-bump --integrator newmark --linear-solver petsc --mesh icosphere:1 --end 0.1 --quiet "
      "--param 'options=-ksp_view_mat ascii:matrix' --output a.h5";
  ASSERT_EQ(shoal(run + " --trust-options"), 0) << error_output();
  EXPECT_TRUE(fs::remove(folder_ / "matrix"));
  EXPECT_EQ(shoal("rerun a.h5"), users_mistake);
  EXPECT_NE(error_output().find("'-ksp_view_mat ascii:matrix' is not on the allowlist"), std::string::npos)
      << error_output();
  EXPECT_FALSE(fs::exists(folder_ / "matrix"));
  EXPECT_EQ(shoal("rerun a.h5 --quiet --trust-options"), 0) << error_output();
  EXPECT_TRUE(fs::exists(folder_ / "matrix"));
}

const std::string run_with_petsc =
    "run sphere-bump --integrator newmark --linear-solver petsc --mesh icosphere:1 --end 0.1 --quiet "
    "--output a.h5";

TEST_F(Shoal, files_that_petsc_would_read_by_itself_change_nothing) {
  fs::create_directory(folder_ / "home");
  for (const char* name : {".petscrc", "petscrc", "home/.petscrc"})
    std::ofstream(folder_ / name) << "-help\n-history stolen\n";
  EXPECT_EQ(shell(fmt::format("HOME=$PWD/home '{}' {}", SHOAL_PROGRAM, run_with_petsc)), 0) << error_output();
  EXPECT_EQ(output() + error_output(), "");
  EXPECT_FALSE(fs::exists(folder_ / "stolen"));
}

TEST_F(Shoal, libraries_in_the_current_folder_are_not_loaded) {
  const std::string module = (fs::path(SHOAL_PROGRAM).parent_path() / "libshoal_petsc.so").string();
  ASSERT_EQ(shell(fmt::format(
                "for name in $(ldd '{}' '{}' | sed -n 's/^\t\\(lib[^ ]*\\) => .*/\\1/p'); do echo > $name; "
                "done; echo > libshoal_petsc.so; ls | wc -l",
                SHOAL_PROGRAM, module)),
            0);
  EXPECT_GT(std::stoi(output()), 20) << "no names of libraries";
  EXPECT_EQ(shoal(run_with_petsc), 0) << error_output();
}

}  // namespace
}  // namespace shoal
