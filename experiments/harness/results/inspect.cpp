// `shoal inspect`: the contents of a results file and how to reproduce it, or the quality of a mesh.
#include "experiments/harness/results/inspect.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/characters/character.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/quality.hpp"

#include <fmt/format.h>

#include <sstream>

namespace shoal {
namespace {

std::string indented(const std::string& text) {
  std::istringstream stream(text);
  std::string result;
  for (std::string line; std::getline(stream, line);) result += line.empty() ? "\n" : "    " + line + "\n";
  return result;
}

std::string describe_provenance(const hdf5::Group& root) {
  std::string libraries;
  for (const char c : root.text("library_versions")) libraries += c == '\n' ? ", " : std::string(1, c);
  const auto text = [&](const char* name) { return one_line(root.text(name)); };
  return fmt::format(
      "  created    {}\n  command    {}\n  code       commit {}{}\n  compiler   {}\n  flags      {}\n"
      "  machine    {}, {} thread(s)\n  libraries  {}\n",
      text("created_utc"), text("command"), text("git_commit"),
      root.integer("git_dirty") ? ", with uncommitted changes" : "", text("compiler"), text("flags"),
      text("cpu"), root.integer("threads"), libraries);
}

std::string describe_meshes(const hdf5::Group& root) {
  std::string text = "\nmeshes\n";
  const hdf5::Group meshes = root.open_group("meshes");
  for (const std::string& hash : meshes.names()) {
    const hdf5::Group mesh = meshes.open_group(hash);
    std::string line = fmt::format("  {}  {} ({}), {} vertices", hash, mesh.text("name"), mesh.text("source"),
                                   mesh.open_dataset("vertices").rows());
    if (mesh.has("faces")) line += fmt::format(", {} faces", mesh.open_dataset("faces").rows());
    if (mesh.has_attribute("closed"))  // of a surface
      line +=
          fmt::format(", {}, Euler characteristic {}", mesh.integer("closed") ? "closed" : "with boundary",
                      mesh.integer("euler_characteristic"));
    text += one_line(line) + "\n";
  }
  return text;
}

std::string describe_run(const RecordedRun& run) {
  const hdf5::Group& group = run.group();
  const Outcome& outcome = run.outcome();
  const auto number = [&](const char* name) {
    return group.has_attribute(name) ? fmt::format("{:.6g}", group.number(name)) : std::string("auto");
  };
  std::string text = fmt::format("  {}  {} on {}, {} with {}, dt = {} s, substeps {}: {}", run.id(),
                                 group.text("scene"), group.text("mesh_name"), group.text("discretization"),
                                 group.text("integrator"), number("dt"), number("substeps"), outcome.outcome);
  if (outcome.outcome != "refused")
    text += fmt::format(" at t = {:.6g} s, step {}", outcome.t_reached, outcome.steps);
  if (!outcome.reason.empty()) text += fmt::format("; {}", outcome.reason);
  if (group.has("snapshots"))
    text += fmt::format("; {} snapshots", group.open_group("snapshots").open_dataset("time").rows());
  return one_line(text) + "\n";
}

}  // namespace

std::string describe_results(const Results& results, const std::filesystem::path& path) {
  const hdf5::Group root = results.root();
  std::string text =
      fmt::format("{}: results of shoal, format {}\n\n", path.string(), root.integer("format_version"));
  text += describe_provenance(root);
  text += describe_meshes(root);
  if (root.has("spectrum")) {
    const hdf5::Group spectrum = root.open_group("spectrum");
    return text + fmt::format("\nspectrum\n  {} modes of {} on {}\n\nto reproduce it: the command above\n",
                              spectrum.open_dataset("angular_frequency").rows(),
                              one_line(spectrum.text("discretization")),
                              one_line(spectrum.text("mesh_name")));
  }
  text += "\nruns\n";
  for (const RecordedRun& run : results.runs()) text += describe_run(run);
  if (root.has("frontier"))
    text += fmt::format("  {} stability frontiers ('shoal table' shows them)\n",
                        root.open_group("frontier").names().size());
  const std::string config = root.open_dataset("config").read_text();
  text += fmt::format(
      "\nto reproduce it with the code of that commit, save the lines below as NAME.toml and run\n"
      "  shoal {} NAME.toml --output NEW.h5{}\n\n{}",
      root.has("frontier") ? "frontier" : "sweep", plugin_options(root), indented(config));
  return text;
}

std::string describe_mesh(const std::string& mesh, double weld) {
  const Surface surface = load_surface(mesh, 1, weld);
  std::string text = quality_report(surface, assess(surface, make_geometry(surface.mesh, surface.x)));
  if (!has_skin(surface)) return text;
  try {
    return text + fmt::format("skin: {}\n", describe(load_character(surface)));
  } catch (const Error& error) {
    return text + fmt::format("skin: cannot move the surface ({})\n", error.what());
  }
}

}  // namespace shoal
