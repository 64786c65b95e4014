// The commands of `shoal`, their options and help, and the exit code of each outcome and error.
#include "experiments/harness/program/command_line.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/harness/program/list.hpp"
#include "experiments/harness/program/products.hpp"
#include "experiments/harness/program/remesh.hpp"
#include "experiments/harness/program/run_options.hpp"
#include "experiments/harness/results/diff.hpp"
#include "experiments/harness/results/earlier.hpp"
#include "experiments/harness/results/inspect.hpp"
#include "experiments/harness/results/orders.hpp"
#include "experiments/harness/results/rerun.hpp"
#include "experiments/harness/spectrum/frontier.hpp"
#include "experiments/harness/spectrum/spectrum_file.hpp"
#include "experiments/harness/storage/provenance.hpp"
#include "experiments/harness/sweep/execute.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "solvers/linear/petsc_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace shoal {
namespace {

constexpr int different = 1, not_finished = 1, signal_base = 128;
constexpr int max_rows = 1 << 30;

/// "3 finished (1 with a remark), 1 refused"
std::string summary(const std::vector<Outcome>& outcomes) {
  const auto remarkable = std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
    return o.outcome == "finished" && !o.reason.empty();
  });
  std::vector<std::string> parts;
  for (const std::string_view kind : shoal::outcomes) {
    const auto count =
        std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return o.outcome == kind; });
    if (count > 0) parts.push_back(fmt::format("{} {}", count, kind));
    if (remarkable > 0 && parts.size() == 1 && kind == "finished")
      parts.back() += fmt::format(" ({} with a remark)", remarkable);
  }
  return parts.empty() ? "no runs" : join(parts);
}

/// For the example of a scene: what makes its run one of the equations that its solution is of, or possible at all.
std::string options_for(const std::string& scene) {
  static const std::map<std::string, std::string> options = {
      {"solid-rotation", " --advection semi-lagrangian"},
      {"dam-wet", " --discretization kinetic"},
      {"channel", " --discretization kinetic"},
      {"breathing-zonal-flow", " --integrator ssprk3 --advection vector-invariant"},
      {"pulsating-ellipsoid", " --integrator ssprk3 --advection vector-invariant"},
      {"spin-up", " --integrator ssprk3 --advection vector-invariant"},
      {"zonal-ridge", " --integrator ssprk3 --advection vector-invariant"},
      {"williamson-2", " --integrator ssprk3 --advection vector-invariant"}};
  const auto found = options.find(scene);
  return found == options.end() ? "" : found->second;
}

/// For `sweep -h`.
std::string experiment_help() {
  return "Lists multiply, in the order written; every key may be a list:\n"
         "  dt = [\"1/60\", 0.025]            numbers, also fractions in quotes\n"
         "  dt = \"geometric:1/60:1/960:5\"  5 numbers in equal ratios; arithmetic:A:B:N in equal "
         "differences;\n"
         "                                  a further :D rounds to D significant digits\n"
         "  together = [\"mesh\", \"dt\"]       these lists advance together, where the first of them "
         "stands;\n"
         "                                  parameters.NAME for a parameter that is named like a key\n"
         "  [[case]]                        inherits, overrides and adds keys; the cases run one after "
         "another\n"
         "  compute = \"frontier\"            largest stable steps (see frontier -h) instead of runs\n"
         "  jobs = 2                        --jobs where it is not given\n"
         "Made of the results, in their folder; these change no run:\n"
         "  [[table]]                       file = \"table.md\" or a list (.txt, .md, .csv, .tex),\n"
         "                                  columns = [\"id\", \"outcome\"] (see table -h), format = "
         "\"md\";\n"
         "                                  where = \"dt<=1/60\", order = [\"dt\"], digits = 3: which runs, "
         "how sorted;\n"
         "                                  orders = \"space\", \"time\" or \"both\" in place of columns, "
         "with\n"
         "                                  errors = [\"l2_error\"] (see converge -h)\n"
         "  [[figure]]                      file = \"columns.png\", script = \"columns.py\" of "
         "scripts/plots,\n"
         "                                  from = \"table.csv\" (default: the results), arguments = "
         "[\"dt\", ...];\n"
         "                                  'figures' prints the commands that draw them\n";
}

class CommandLine {
 public:
  CommandLine(Catalog catalog, int argc, const char* const* argv)
      : catalog_(std::move(catalog)), argc_(argc), argv_(argv) {
    app_.name("shoal");
    app_.set_help_flag("-h,--help", "print this help");
    app_.set_version_flag("--version", [] {
      const BuildInfo& build = build_info();
      return fmt::format("shoal {} (commit {}{})", build.version, build.git_commit,
                         build.git_dirty ? ", modified" : "");
    });
    app_.footer(example("run sphere-bump --mesh icosphere:3 --end 1 --output results/try.h5"));
    app_.allow_extras();
    add_list();
    add_run();
    add_sweep();
    add_converge();
    add_table();
    add_figures();
    add_inspect();
    add_spectrum();
    add_rerun();
    add_diff();
    add_frontier();
    add_remesh();
  }

  int execute() {
    if (argc_ <= 1) {
      print(app_.help());
      return 0;
    }
    const std::vector<std::string> names = commands();
    if (const std::string first = argv_[1];  // before a -h after it takes effect
        first.rfind('-', 0) != 0 && std::find(names.begin(), names.end(), first) == names.end())
      throw_no_command(first);
    if (!parse_arguments(app_, argc_, argv_, [&] { check_extras(); })) return 0;
    for (const std::string& plugin : plugins_) load_plugin(plugin, catalog_);
    run_id_ = run_id(run_id_);
    if (list_->parsed()) return list();
    if (run_->parsed()) return run();
    if (sweep_->parsed()) return sweep();
    if (converge_->parsed()) return converge();
    if (table_->parsed()) return table();
    if (figures_->parsed()) return figures();
    if (inspect_->parsed()) return inspect();
    if (spectrum_->parsed()) return spectrum();
    if (rerun_->parsed()) return rerun();
    if (diff_->parsed()) return diff();
    if (frontier_->parsed()) return frontier();
    if (remesh_->parsed()) return remesh();
    throw Error("no command is given: choose from " + join(commands()));
  }

 private:
  /// The last lines of a help text; with the program as it was called, so that the line works as printed.
  std::string example(const std::string& arguments) const {
    return fmt::format("Example:\n  {} {}", shell_quoted(argv_[0]), arguments);
  }

  CLI::App* add_command(const std::string& name, const std::string& help, const std::string& footer) {
    CLI::App* command = app_.add_subcommand(name, help);
    command->allow_extras();
    command
        ->add_option("--plugin", plugins_,
                     "a shared library that adds schemes, scenes, …; may be given more than once")
        ->type_name("LIB.so")
        ->allow_extra_args(false);
    command->footer(footer);
    return command;
  }

  void add_list() {
    list_ = add_command("list", "scenes, meshes, schemes …: what there is, and each with its parameters",
                        example("list scenes sphere-bump"));
    list_->add_option("KIND", list_request_.kind, "scenes, meshes …; 'list' alone shows the kinds");
    list_->add_option("NAME", list_request_.name, "the entry to be shown in full");
    list_->add_flag("--json", list_request_.json, "as a JSON array")->disable_flag_override();
    list_->add_option("--folder", list_request_.folder, "where to look for experiments; default experiments")
        ->type_name("DIR");
  }

  void add_run() {
    run_ = add_command(
        "run", "one run of a scene, or of a file that holds one; run SCENE -h shows its parameters", "");
    run_->footer([this] {
      const std::string& scene = values_.at("scene");
      if (scene.empty()) return example("run sphere-bump --mesh icosphere:3 --end 1 --output results/try.h5");
      return make_list(catalog_, {"scenes", scene}) + "\n" +
             example(scene == "custom"
                         ? "run custom --mesh icosphere:3 --end 1 --param "
                           "'initial_elevation=0.1*exp(-(x^2 + y^2 + (z-1)^2)/0.3^2)' --output "
                           "results/custom.h5"
                         : fmt::format("run {0}{1} --output results/{0}.h5", scene, options_for(scene)));
    });
    run_->add_option(
            "SCENE|FILE.toml", values_["scene"],
            "name of the scene (list scenes), or an experiment of one run, such as a recorded session")
        ->required();
    add_options(
        *run_, [](const RunOption&) { return true; }, values_);
    add_parameter_option(*run_, parameters_);
    add_saving(*run_);
    add_output_options(*run_, "default results/SCENE/SCENE.h5");
  }

  void add_sweep() {
    sweep_ = add_command(
        "sweep", "all runs of an experiment file, and its tables; started again, it goes on where it stopped",
        experiment_help() + "\n" + example("sweep experiments/sphere-integrators.toml"));
    sweep_->add_option("EXPERIMENT.toml", file_, "keys of 'run', each with a value or a list, see below")
        ->required();
    add_jobs(*sweep_);
    add_saving(*sweep_);
    add_output_options(*sweep_, "default results/NAME/NAME.h5");
  }

  void add_converge() {
    converge_ = add_command(
        "converge", "orders of convergence in space and time, over families of meshes",
        "With a scene its runs are computed: each option but --param and --boundaries may "
        "be a list, as a,b; the lists\n"
        "multiply. With an experiment file its runs are computed as 'sweep' does, with results the table is "
        "printed again.\n"
        "Started again, it goes on where it stopped. Lists of meshes: icosphere,random-sphere:2,3,4 are "
        "three of "
        "each (list meshes).\n" +
            orders_help() + "A figure of it:\n  " + shell_quoted(argv_[0]) +
            " converge FILE.h5 --as csv > orders.csv && /usr/bin/python3 "
            "scripts/plots/convergence.py orders.csv\n" +
            example("converge sphere-mode --discretization dec,fefv --integrator ssprk3 --mesh "
                    "icosphere,jittered-sphere:2,3,4 --dt auto --end 1 "
                    "--param dual=intrinsic --output results/try-orders.h5"));
    converge_
        ->add_option("SCENE|EXPERIMENT.toml|FILE.h5", file_,
                     "a scene with the options below, an experiment file, or results")
        ->required();
    for (const RunOption& option : run_options())
      if (!is_recording(option.key))
        converge_->add_option(option_name(option.key), values_[option.key], option.help)
            ->type_name(option.placeholder);
    add_parameter_option(*converge_, parameters_);
    converge_->add_option("--orders", orders_, "space, time or both; default both, as far as the runs go")
        ->type_name("AXIS");
    converge_->add_option("--errors", columns_, "names separated by commas, see below")->type_name("A,B,...");
    converge_->add_option("--where", where_, "only the runs for which all conditions hold (table -h)")
        ->type_name("CONDITIONS");
    converge_->add_option("--digits", digits_, "significant digits of errors; default 4; csv has all")
        ->type_name("N");
    converge_->add_option("--as", format_, "text, md, csv or tex; default text")->type_name("FORMAT");
    add_jobs(*converge_);
    add_saving(*converge_);
    add_output_options(*converge_,
                       "default results/NAME/NAME.h5, of a scene results/converge-SCENE/converge-SCENE.h5");
  }

  void add_jobs(CLI::App& command) {
    command
        .add_option("--jobs", jobs_,
                    "runs that are computed at once, each in a process of its own; default: key jobs of the "
                    "experiment, or 1")
        ->type_name("N");
  }

  void add_saving(CLI::App& command) {
    command
        .add_option("--save-every", save_every_,
                    "seconds of computing after which a run is saved, and from where it goes on if it is "
                    "interrupted; "
                    "default 30")
        ->type_name("S");
  }

  void add_output_options(CLI::App& command, const std::string& fallback) {
    command.add_option("--output", output_, "results; " + fallback)->type_name("FILE.h5");
    command.add_flag("--fresh", fresh_, "replace an existing results file")->disable_flag_override();
    command.add_flag("--quiet", quiet_, "no progress")->disable_flag_override();
    command
        .add_flag_callback(
            "--trust-options", [] { trust_petsc_options(true); },
            "options of PETSc that are not on the list are taken as they are: they can write files and run "
            "code")
        ->disable_flag_override();
  }

  void add_table() {
    table_ =
        add_command("table", "one row per run of a results file",
                    column_help() + "\n" +
                        example("run sphere-bump --mesh icosphere:3 --end 1 --output results/try.h5 && " +
                                shell_quoted(argv_[0]) + " table results/try.h5 --as md"));
    table_
        ->add_option("FILE.h5|EXPERIMENT.toml", file_,
                     "results; or an experiment, whose tables are written anew beside its results")
        ->required();
    table_->add_option("MORE.h5", more_files_, "more results, in the same table");
    table_->add_option("--as", format_, "text, md, csv or tex; default text")->type_name("FORMAT");
    table_->add_option("--columns", columns_, "names separated by commas, see below")->type_name("A,B,...");
    table_
        ->add_option("--where", where_,
                     "only the runs for which all conditions hold, e.g. 'discretization=fefv,dt<=1/60'; = != "
                     "< <= > >=")
        ->type_name("CONDITIONS");
    table_->add_option("--order", order_, "by these columns, -NAME from the largest on")
        ->type_name("A,B,...");
    table_->add_option("--digits", digits_, "significant digits of numbers; default 4; csv has all")
        ->type_name("N");
    table_->add_option("--output", output_, "results of an experiment; default results/NAME/NAME.h5")
        ->type_name("FILE.h5");
  }

  void add_figures() {
    figures_ = add_command(
        "figures", "the commands that draw the figures of an experiment file, one a line",
        fmt::format(
            "Python draws them, from the root of the repository and after 'sweep':\n  {} figures FILE.toml "
            "| xargs -r -L 1 /usr/bin/python3\n",
            shell_quoted(argv_[0])) +
            example("figures experiments/sphere-integrators.toml"));
    figures_->add_option("EXPERIMENT.toml", file_, "with entries [[figure]] (see sweep -h)")->required();
    figures_->add_option("--output", output_, "results of the experiment; default results/NAME/NAME.h5")
        ->type_name("FILE.h5");
  }

  void add_inspect() {
    inspect_ = add_command("inspect", "what is in a results file and how to get it again; a mesh's quality",
                           example("inspect icosphere:4"));
    inspect_->add_option("FILE.h5|MESH", file_, "results, a mesh file or a generated mesh")->required();
    add_weld(*inspect_);
  }

  void add_weld(CLI::App& command) {
    command
        .add_option(
            "--weld", weld_,
            "vertices of a file that are nearer than this, in m, become one; default: within 1e-12 of the "
            "diagonal of the box, of STL 1e-6")
        ->type_name("L");
  }

  void add_spectrum() {
    spectrum_ = add_command("spectrum",
                            "frequencies of all linear waves of a scheme on a mesh, beside those of the "
                            "continuous equations, and how "
                            "many are spurious",
                            example("spectrum --mesh icosphere:2"));
    spectrum_
        ->add_option("--discretization", values_["discretization"],
                     "scheme in space; default: the first of the list")
        ->type_name("NAME");
    spectrum_->add_option("--mesh", values_["mesh"], "surface; default icosphere:3")
        ->type_name("NAME[:args]|FILE");
    add_parameter_option(*spectrum_, parameters_);
    spectrum_
        ->add_option("--lowest", lowest_, "only the K lowest modes, for meshes too large for all of them")
        ->type_name("K");
    spectrum_->add_option("--rows", rows_, "rows of the table at most, 0 for all; default 20")
        ->type_name("N");
    spectrum_->add_option("--as", format_, "text, md, csv or tex; default text")->type_name("FORMAT");
    spectrum_->add_option("--output", output_, "keeps the frequencies of all modes")->type_name("FILE.h5");
    spectrum_->add_flag("--shapes", shapes_, "keeps the shapes too")->disable_flag_override();
    spectrum_->add_flag("--fresh", fresh_, "replace an existing results file")->disable_flag_override();
  }

  void add_frontier() {
    frontier_ = add_command("frontier",
                            "the largest stable time step of every combination of an experiment, by "
                            "bisection; started again, it goes on "
                            "where it stopped",
                            example("frontier experiments/stability.toml"));
    frontier_
        ->add_option("EXPERIMENT.toml", file_, "keys of 'run' but for dt, end, snapshots and diagnostics")
        ->required();
    frontier_->add_option("--steps", steps_, "steps that a stable run does; default 2000")->type_name("N");
    frontier_->add_option("--bracket", bracket_, "relative width of the bracket at the end; default 0.01")
        ->type_name("X");
    frontier_
        ->add_option("--most", most_,
                     "largest step tried, in units of substeps times the scheme's stable step; default 128")
        ->type_name("X");
    add_output_options(*frontier_, "default results/NAME/NAME.h5");
    add_jobs(*frontier_);
    frontier_->add_option("--as", format_, "of the table: text, md, csv or tex; default text")
        ->type_name("FORMAT");
  }

  void add_remesh() {
    remesh_ = add_command(
        "remesh", "a surface with nearly equilateral triangles of one size, its skin and clips taken along",
        "Without --vertices and --edge-length the triangles stay. GLB files hold single precision.\n" +
            example("remesh figure figure-600.glb --vertices 600"));
    remesh_->add_option("MESH", file_, "a mesh file or a generated mesh")->required();
    remesh_->add_option("OUTPUT", other_file_, ".glb, with skin and clips if there are, .obj or .ply")
        ->required();
    remesh_->add_option("--vertices", vertices_, "exactly so many")->type_name("N");
    remesh_->add_option("--edge-length", edge_length_, "about so long, in m")->type_name("L");
    add_weld(*remesh_);
    remesh_
        ->add_flag(
            "--repair", repair_,
            "of a file that is no manifold: drops faces that name a vertex twice or are there already, flips "
            "those without area, takes edges of three and more faces apart, and splits vertices where parts "
            "meet")
        ->disable_flag_override();
    remesh_->add_option("--height", height_, "scales it so that the longest side of its box is so long, in m")
        ->type_name("H");
    remesh_->add_flag("--keep-largest", keep_largest_, "drops all pieces but the one of the largest area")
        ->disable_flag_override();
  }

  void add_rerun() {
    const std::string file = "results/try.h5";
    rerun_ = add_command(
        "rerun", "the same runs again, from what a results file records",
        example(fmt::format("run sphere-bump --mesh icosphere:3 --end 1 --output {0} && {1} rerun {0}", file,
                            shell_quoted(argv_[0]))));
    rerun_->add_option("FILE.h5", file_, "results; meshes from files must still be there")->required();
    rerun_->add_option("--run", run_id_, "this run only")->type_name("ID");
    add_jobs(*rerun_);
    add_saving(*rerun_);
    add_output_options(*rerun_, "default FILE.rerun.h5 or FILE.rerun-ID.h5");
  }

  void add_diff() {
    diff_ = add_command(
        "diff",
        "what differs between two results files: code, configuration, numbers; exit code 0 equal, 1 "
        "different",
        "Date, command, machine and timing are not compared.\n" +
            example(fmt::format(
                "run sphere-bump --mesh icosphere:3 --end 1 --output {0} && {1} rerun {0} && {1} diff {0} "
                "results/try.rerun.h5",
                "results/try.h5", shell_quoted(argv_[0]))));
    diff_->add_option("A.h5", file_, "results")->required();
    diff_->add_option("B.h5", other_file_, "results")->required();
    diff_
        ->add_option(
            "--rtol", rtol_,
            "numbers are equal up to this part of the largest magnitude of their dataset; default 0, bit "
            "for bit")
        ->type_name("X");
    diff_->add_option("--run", run_id_, "this run of the first file only, and the one like it in the second")
        ->type_name("ID");
    diff_->add_flag("--numbers", numbers_only_, "only the numbers decide the exit code")
        ->disable_flag_override();
  }

  std::vector<std::string> commands() const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands(nullptr)) names.push_back(command->get_name());
    return names;
  }

  /// Arguments that no command or option takes, and an output without a name.
  void check_extras() const {
    for (const CLI::App* command : app_.get_subcommands()) {
      if (const CLI::Option* output = command->get_option_no_throw("--output");
          output != nullptr && output->count() > 0 && output->results().front().empty())
        throw Error("--output: '' is not the name of a file");
      refuse_remaining(*command, catalog_, command->get_name() + ": ");
    }
    for (const std::string& word : app_.remaining()) throw_no_command(word);
  }

  [[noreturn]] void throw_no_command(const std::string& word) const {
    throw Error(fmt::format("there is no command '{}': choose from {}{}", word, join(commands()),
                            did_you_mean(word, commands())));
  }

  int list() const {
    print(make_list(catalog_, list_request_));
    return 0;
  }

  /// One run in a file, which says all that options could.
  Experiment run_of_file(const std::string& file) const {
    std::vector<std::string> others = {"--param"};
    for (const RunOption& option : run_options()) others.push_back(option_name(option.key));
    for (const std::string& option : others)
      if (run_->count(option) > 0)
        throw Error(fmt::format("{}: '{}' gives its run itself; it goes with a scene", option, file));
    Experiment experiment = read_experiment(file);
    if (const std::size_t count = experiment.frontier ? 0 : expand(catalog_, experiment).size(); count != 1)
      throw Error(fmt::format("'{}' holds {}, not one run: `shoal {} {}` computes it", file,
                              count == 0 ? "a frontier" : fmt::format("{} runs", count),
                              count == 0 ? "frontier" : "sweep", file));
    return experiment;
  }

  int run() const {
    const std::string& scene = values_.at("scene");
    const Experiment experiment = std::filesystem::path(scene).extension() == ".toml"
                                      ? run_of_file(scene)
                                      : run_experiment(*run_, scene, values_, parameters_);
    const Execution execution = carry_out(experiment, true);
    if (execution.signal != 0) return signal_base + execution.signal;
    const Outcome& outcome = execution.outcomes.front();
    if (outcome.outcome == "finished") return 0;
    if (outcome.outcome == "interrupted")
      throw MachineError(fmt::format("{}; the results hold run {} up to t = {:.6g} s", outcome.reason,
                                     run_id(std::size_t{0}), outcome.t_reached));
    if (quiet_)
      say(fmt::format("shoal: {} at t = {:.6g} s: {}\n", outcome.outcome, outcome.t_reached, outcome.reason));
    return not_finished;
  }

  int sweep() const {
    const Experiment experiment = read_experiment(file_);
    if (experiment.frontier) return frontier_of(experiment, {}, TableFormat::text);
    check_products(experiment);
    const Execution execution = carry_out(experiment, false);
    if (execution.signal != 0) return signal_base + execution.signal;
    make_tables(experiment);
    return 0;
  }

  int converge() {
    const TableFormat format = table_format(format_, "--as");
    OrderRequest request = order_request(
        orders_, "--orders", columns_.empty() ? std::vector<std::string>{} : split_at_commas(columns_));
    if (!where_.empty()) request.where = split_at_commas(where_);
    const int digits = whole_number(digits_, "--digits", 1, most_digits);
    const bool is_experiment = std::filesystem::path(file_).extension() == ".toml";
    const bool is_results = has_hdf5_signature(file_) || std::filesystem::path(file_).extension() == ".h5";
    if (is_experiment || is_results) refuse_run_options(is_results);
    if (!is_results) {
      const Experiment experiment = is_experiment ? read_experiment(file_) : convergence_experiment();
      if (experiment.frontier) throw Error(fmt::format("experiment '{}': a frontier has no order", file_));
      check_products(experiment);
      require_order(experiment, request);
      const Execution execution = carry_out(experiment, false);
      if (execution.signal != 0) return signal_base + execution.signal;
      make_tables(experiment);
      file_ = execution.output;
    }
    print(from_results([&] { return format_orders(find_orders(Results(file_), request), format, digits); }));
    return 0;
  }

  /// Options of a scene where `file_` says all that they could.
  void refuse_run_options(bool is_results) const {
    std::vector<std::string> others = {"--param"};
    for (const RunOption& option : run_options())
      if (!is_recording(option.key)) others.push_back(option_name(option.key));
    if (is_results) others.insert(others.end(), {"--jobs", "--output", "--fresh"});
    for (const std::string& option : others)
      if (converge_->count(option) > 0)
        throw Error(fmt::format("{}: '{}' {}; it goes with a scene{}", option, file_,
                                is_results ? "holds runs that are done" : "gives its runs itself",
                                is_results && option[2] != 'p' ? " or an experiment file" : ""));
  }

  /// The product of the lists given.
  Experiment convergence_experiment() const {
    catalog_.scenes.find(file_);
    Experiment experiment;
    experiment.name = "converge-" + file_;
    experiment.settings.push_back({"scene", false, {file_}, "converge"});
    for (const RunOption& option : run_options()) {
      const std::string name = option_name(option.key);
      if (is_recording(option.key) || converge_->count(name) == 0) continue;
      Setting setting{option.key, false, {}, name};
      const std::string& text = values_.at(option.key);
      const bool whole = setting.key == "mesh" || setting.key == "boundaries" ||
                         setting.key == "inputs";  // which have commas of their own
      for (const std::string& part : whole ? std::vector<std::string>{text} : split_at_commas(text)) {
        const std::vector<Value> values = alternatives_of(setting.key, false, part, name);
        setting.alternatives.insert(setting.alternatives.end(), values.begin(), values.end());
      }
      experiment.settings.push_back(std::move(setting));
    }
    // Errors are taken at the end; a reference that is computed goes on from row to row.
    experiment.settings.push_back({"diagnostics", false, {std::string("every:100")}, "converge"});
    experiment.settings.push_back({"snapshots", false, {std::string("0")}, "converge"});
    read_parameters(parameters_, experiment);
    return experiment;
  }

  /// Throws Error, before anything is computed, where the runs will have no order, or none of an error asked for.
  void require_order(const Experiment& experiment, const OrderRequest& request) const {
    std::vector<PlannedRun> plan = expand(catalog_, experiment);
    std::erase_if(plan, [](const PlannedRun& run) { return !run.refusal.empty(); });
    std::vector<RunConfiguration> configurations;
    for (const PlannedRun& run : plan) configurations.push_back(run.configuration);
    const std::string problem = no_order(configurations, request);
    if (!problem.empty()) throw Error(problem);
    const bool in_time =
        request.time && no_order(configurations, {.space = false, .time = true, .errors = {}}).empty();
    try {
      const Surface surface = load_surface(catalog_, configurations.front());
      const Simulation first(catalog_, configurations.front(), surface);
      if (!in_time && request.errors.empty() && first.scene().references.empty())
        throw Error(no_solution(configurations.front().scene));
      ColumnOffer offer = planned_columns(catalog_, plan);
      const Diagnostics diagnostics(first);
      for (const Quantity& quantity : diagnostics.quantities()) offer.diagnostics.insert(quantity.name);
      for (const std::string& error : request.errors)
        if (!in_time && is_error_norm(error) && error.find("velocity") != std::string::npos &&
            offer.diagnostics.count(error) == 0)
          throw Error(
              fmt::format("--errors: there is no '{}' in space: the solution of '{}' has no velocity; in "
                          "time the runs are "
                          "compared with one another, which needs several --dt on one mesh",
                          error, configurations.front().scene));
      Experiment asked;
      asked.tables.emplace_back();
      // In time there are norms of what runs without a solution do not record.
      std::vector<PlacedText>& names = in_time ? asked.tables.front().errors : asked.tables.front().columns;
      for (const std::string& error : request.errors) names.push_back({error, "--errors"});
      for (const std::string& condition : request.where)
        asked.tables.front().where.push_back({condition, "--where"});
      check_columns(asked, offer);
    } catch (const Refusal&) {  // the outcome of that run
    }
  }

  void make_tables(const Experiment& experiment) const {
    if (experiment.tables.empty()) return;
    const std::filesystem::path output = output_of(experiment);
    std::error_code unknown;
    std::optional<OutputLock> lock;
    if (std::filesystem::exists(output, unknown)) lock.emplace(output);
    const std::vector<std::string> made = unpacked(read_in_a_process({output}, [&] {
      std::vector<std::string> texts;
      for (const Product& table : tables_of(catalog_, experiment, output))
        texts.insert(texts.end(), {table.path.string(), table.text});
      return packed(texts);
    }));
    std::string written;
    for (std::size_t i = 0; i + 1 < made.size(); i += 2) {
      replace_file(made[i], made[i + 1]);
      written += made[i] + "\n";
    }
    if (!quiet_ && !experiment.quiet) say_done(written);
  }

  /// What a command has done, where the result is a file: not worth a failure.
  static void say_done(const std::string& text) {
    try {
      print(text);
    } catch (const MachineError&) {
    }
  }

  std::string from_results(const std::function<std::string()>& read) const {
    std::vector<std::filesystem::path> files = {file_};
    if (!other_file_.empty()) files.emplace_back(other_file_);
    files.insert(files.end(), more_files_.begin(), more_files_.end());
    return read_in_a_process(files, read);
  }

  int rerun() {
    const Rerun rerun = rerun_from_text(
        from_results([&] { return to_text(make_rerun(catalog_, Results(file_), file_, run_id_)); }));
    check_meshes(catalog_, rerun);
    for (const std::string& note : rerun.notes) say(note + "\n");
    if (output_.empty())
      output_ = std::filesystem::path(file_)
                    .replace_extension(run_id_.empty() ? ".rerun.h5" : fmt::format(".rerun-{}.h5", run_id_))
                    .string();
    std::error_code missing;
    if (std::filesystem::equivalent(output_, file_, missing))
      throw Error(fmt::format("--output: '{}' is the file whose runs are repeated; name another", output_));
    const Execution execution = carry_out(rerun.experiment, false);
    return execution.signal != 0 ? signal_base + execution.signal : 0;
  }

  int diff() const {
    Comparison comparison;
    comparison.rtol = parse_number(rtol_, "--rtol");
    if (!(comparison.rtol >= 0)) throw Error(fmt::format("--rtol: '{}' is not a number ≥ 0", rtol_));
    comparison.run = run_id_;
    comparison.numbers_only = numbers_only_;
    const std::string report = from_results([&] {
      const DiffReport found = shoal::diff(Results(file_), Results(other_file_), comparison);
      return (found.equal ? '=' : '!') + found.text;
    });
    print(report.substr(1));
    return report.front() == '=' ? 0 : different;
  }

  /// Where the name of the results was not chosen and belongs to others, the next free one is taken. Tables and figures of an
  /// experiment are of the results that have its name.
  Execution carry_out(const Experiment& experiment, bool single) const {
    ExecutionOptions options;
    options.output = output_of(experiment);
    const std::filesystem::path first = options.output;
    const bool is_free = output_.empty() && experiment.output.empty() && experiment.tables.empty() &&
                         experiment.figures.empty();
    options.fresh = fresh_;
    options.quiet = quiet_ || experiment.quiet;
    options.single = single;
    options.jobs = jobs_of(experiment);
    if (!save_every_.empty()) options.save_interval = parse_number(save_every_, "--save-every");
    if (!(options.save_interval >= 0 && options.save_interval <= 1e9))
      throw Error(fmt::format("--save-every: '{}' is not a time from 0 to 1e9 s", save_every_));
    options.command = command();
    Execution execution;
    std::string others;  // what the file of the first name holds
    for (int number = 2; execution.output.empty(); ++number) try {
        execution = shoal::execute(catalog_, experiment, options);
      } catch (const OtherResults& found) {
        constexpr int most = 1000;
        if (!is_free || number > most) throw;
        if (others.empty()) others = found.contents();
        options.output = first;
        options.output.replace_filename(
            fmt::format("{}-{}{}", first.stem().string(), number, first.extension().string()));
      }
    if (!options.quiet && options.output != first)
      say_done(fmt::format("'{}' holds {} and stays\n", first.string(), others));
    if (!options.quiet)
      say_done(fmt::format("{}: {}{}{}\n", one_line(options.output.string()), summary(execution.outcomes),
                           execution.not_begun > 0 ? fmt::format(", {} not begun", execution.not_begun) : "",
                           execution.signal == 0 ? ""
                           : fresh_              ? "; without --fresh the same command goes on"
                                                 : "; the same command goes on"));
    return execution;
  }

  int table() const {
    if (std::filesystem::path(file_).extension() == ".toml") return tables_of_experiment();
    if (table_->count("--output") > 0)
      throw Error("--output: only the tables of an experiment file are written");
    const TableFormat format = table_format(format_, "--as");
    const auto parts = [](const std::string& text) {
      return text.empty() ? std::vector<std::string>{} : split_at_commas(text);
    };
    const TableView view{.columns = parts(columns_),
                         .where = parts(where_),
                         .order = parts(order_),
                         .digits = whole_number(digits_, "--digits", 1, most_digits)};
    std::vector<std::filesystem::path> files = {file_};
    files.insert(files.end(), more_files_.begin(), more_files_.end());
    print(from_results([&] { return table_of(Results(files), format, view); }));
    return 0;
  }

  /// Writes the tables anew and computes nothing.
  int tables_of_experiment() const {
    if (!more_files_.empty())
      throw Error(fmt::format("'{}': beside an experiment no results are taken", more_files_.front()));
    for (const char* option : {"--as", "--columns", "--where", "--order", "--digits"})
      if (table_->count(option) > 0)
        throw Error(fmt::format("{}: the entries [[table]] of '{}' say this themselves", option, file_));
    const Experiment experiment = read_experiment(file_);
    check_products(experiment);
    if (experiment.tables.empty()) throw Error(fmt::format("experiment '{}': it has no [[table]]", file_));
    make_tables(experiment);
    return 0;
  }

  int figures() const {
    const Experiment experiment = read_experiment(file_);
    check_products(experiment);
    print(figure_commands(experiment, output_of(experiment)));
    return 0;
  }

  int inspect() const {
    const bool results = has_hdf5_signature(file_) || std::filesystem::path(file_).extension() == ".h5";
    print(results ? from_results([&] { return describe_results(Results(file_), file_); })
                  : describe_mesh(file_, length(weld_, "--weld")));
    return 0;
  }

  int frontier() const {
    const TableFormat format = table_format(format_, "--as");
    const Experiment experiment = read_experiment(file_);
    FrontierRule rule;
    rule.steps = whole_number(steps_, "--steps", 1, max_rows);
    rule.bracket = parse_number(bracket_, "--bracket");
    rule.most = parse_number(most_, "--most");
    if (!(rule.bracket >= 1e-6 && rule.bracket <= 1))
      throw Error(fmt::format("--bracket: {} is outside [1e-6, 1]", bracket_));
    if (!(rule.most >= 1 && rule.most <= 1e6))
      throw Error(fmt::format("--most: {} is outside [1, 1e6]", most_));
    return frontier_of(experiment, rule, format);
  }

  int frontier_of(const Experiment& experiment, const FrontierRule& rule, TableFormat format) const {
    check_products(experiment);
    FrontierOptions options;
    options.rule = rule;
    options.output = output_of(experiment);
    options.fresh = fresh_;
    options.quiet = quiet_ || experiment.quiet;
    options.jobs = jobs_of(experiment);
    options.command = command();
    if (const int signal = map_frontier(catalog_, experiment, options)) return signal_base + signal;
    if (!options.quiet)
      print(read_in_a_process({options.output}, [&] {
        return format_table(frontier_grid(Results(options.output).root(), format), format);
      }));
    make_tables(experiment);
    return 0;
  }

  static double length(const std::string& text, const char* option) {
    if (text.empty()) return 0;
    const double value = parse_number(text, option);
    if (!(value > 0)) throw Error(fmt::format("{}: '{}' is not a length > 0", option, text));
    return value;
  }

  int remesh() const {
    RemeshRequest request;
    request.input = file_;
    request.output = followed(other_file_);
    if (!vertices_.empty()) request.vertices = whole_number(vertices_, "--vertices", 4, max_rows);
    request.edge_length = length(edge_length_, "--edge-length");
    request.weld = length(weld_, "--weld");
    request.height = length(height_, "--height");
    request.keep_largest = keep_largest_;
    request.repair = repair_;
    say_done(remesh_file(request));
    return 0;
  }

  int jobs_of(const Experiment& experiment) const {
    return jobs_.empty() ? experiment.jobs : whole_number(jobs_, "--jobs", 1, max_jobs);
  }

  /// Scene `rest` with what was given.
  Experiment spectrum_experiment() const {
    Experiment experiment;
    experiment.name = "spectrum";
    experiment.settings.push_back({"scene", false, {"rest"}, "spectrum"});
    for (const auto& [key, fallback] : {std::pair("discretization", catalog_.discretizations.front().name),
                                        std::pair("mesh", std::string("icosphere:3"))}) {
      const bool given = spectrum_->count(option_name(key)) > 0;
      experiment.settings.push_back({key, false, {given ? values_.at(key) : fallback}, option_name(key)});
    }
    read_parameters(parameters_, experiment);
    return experiment;
  }

  int spectrum() const {
    const TableFormat format = table_format(format_, "--as");
    const int rows = whole_number(rows_, "--rows", 0, max_rows);
    const Experiment experiment = spectrum_experiment();
    SpectrumRequest request;
    request.configuration = expand(catalog_, experiment).front().configuration;
    if (!lowest_.empty()) request.lowest = whole_number(lowest_, "--lowest", 1, max_rows);
    if (output_.empty() && (shapes_ || fresh_))
      throw Error(fmt::format("{} needs --output", shapes_ ? "--shapes" : "--fresh"));
    const std::filesystem::path output = followed(output_);
    const auto look = [&] {  // a spectrum of the same request may be replaced
      return look_at(
          catalog_, output, fresh_, expand(catalog_, experiment), Contents::spectrum,
          [&](const hdf5::Group& root) { require_same_request(output, root, request.lowest, shapes_); });
    };
    if (!output.empty()) look();
    const Spectrum found = compute_spectrum(catalog_, request);
    if (shapes_ && found.shapes.size() == 0)
      throw Error("--shapes: only schemes with wave operators give them");
    if (!output.empty()) {
      const OutputLock lock(output);
      look();  // again: another program may have written it meanwhile
      hdf5::File file = create_results(catalog_, output, experiment, command());
      record_mesh(file.root().open_group("meshes"), load_surface(catalog_, request.configuration));
      record_spectrum(catalog_, file, found, shapes_);
      file.close();
      remove_leftovers(output);
    }
    print(describe_spectrum(found, format, rows));
    return 0;
  }

  std::string output_of(const Experiment& experiment) const {
    return followed(!output_.empty()             ? output_
                    : !experiment.output.empty() ? experiment.output
                                                 : fmt::format("results/{0}/{0}.h5", experiment.name));
  }

  /// As typed.
  std::string command() const {
    std::vector<std::string> words;
    for (int i = 0; i < argc_; ++i) words.push_back(shell_quoted(argv_[i]));
    return join(words, " ");
  }

  Catalog catalog_;
  int argc_;
  const char* const* argv_;
  CLI::App app_{
      "Shallow water on curved triangle meshes: runs schemes, compares them, tabulates the results."};
  CLI::App *list_ = nullptr, *run_ = nullptr, *sweep_ = nullptr, *table_ = nullptr, *inspect_ = nullptr,
           *converge_ = nullptr, *figures_ = nullptr, *spectrum_ = nullptr, *rerun_ = nullptr,
           *diff_ = nullptr, *frontier_ = nullptr, *remesh_ = nullptr;
  ListRequest list_request_;
  std::string where_, order_, digits_ = "4";  // of a table
  std::string file_, other_file_, run_id_, rtol_ = "0", output_, format_ = "text", columns_, orders_ = "both",
                                           jobs_, save_every_, lowest_, rows_ = "20", steps_ = "2000",
                                           bracket_ = "0.01", most_ = "128", vertices_, edge_length_, height_,
                                           weld_;
  std::vector<std::string> more_files_;
  std::map<std::string, std::string> values_;
  std::vector<std::string> parameters_, plugins_;
  bool fresh_ = false, quiet_ = false, shapes_ = false, numbers_only_ = false, keep_largest_ = false,
       repair_ = false;
};

}  // namespace

int run_command_line(Catalog catalog, int argc, const char* const* argv) {
  return exit_code_of("shoal", [&] { return CommandLine(std::move(catalog), argc, argv).execute(); });
}

}  // namespace shoal
