// Datasets and attributes of /spectrum.
#include "experiments/harness/spectrum/spectrum_file.hpp"

#include "experiments/harness/run/recorder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace shoal {
namespace {

void record_counts(hdf5::Group& group, const ModeCounts& counts) {
  for (const auto& [name, value] :
       {std::pair("depth_unknowns", counts.depth_unknowns),
        std::pair("velocity_unknowns", counts.velocity_unknowns),
        std::pair("constant_modes", counts.constant), std::pair("physical_waves", counts.waves),
        std::pair("spurious_waves", counts.spurious_waves), std::pair("stationary_flows", counts.stationary),
        std::pair("spurious_stationary_flows", counts.spurious_stationary),
        std::pair("decaying_flows", counts.damped),
        std::pair("spurious_decaying_flows", counts.spurious_damped),
        std::pair("growing_modes", counts.growing)})
    group.set(name, std::int64_t{value});
}

}  // namespace

const std::vector<std::string>& spectrum_columns() {
  static const std::vector<std::string> names = {"discretization",   "mesh_name",
                                                 "depth_unknowns",   "velocity_unknowns",
                                                 "physical_waves",   "spurious_waves",
                                                 "stationary_flows", "spurious_stationary_flows",
                                                 "decaying_flows",   "spurious_decaying_flows"};
  return names;
}

hdf5::Group record_spectrum(const Catalog& catalog, hdf5::File& file, const Spectrum& spectrum, bool shapes) {
  hdf5::Group group = file.root().create_group("spectrum");
  record_configuration(group, catalog, spectrum.configuration);
  record_outcome(group, {"finished", "", 0, 0});
  group.set("mesh", spectrum.mesh_hash);
  group.set("depth", spectrum.depth);
  group.set("gravity", spectrum.gravity);
  group.set("vertices", std::int64_t{spectrum.vertices});
  group.set("area", spectrum.area);
  group.set("stable_dt", spectrum.stable_dt);
  group.set("forward_euler_limit", spectrum.forward_euler_limit);
  group.set("complete", std::int64_t{spectrum.all});
  group.set("lowest", std::int64_t{spectrum.lowest});
  group.set("residual", spectrum.residual);
  if (spectrum.continuous) group.set("continuous", spectrum.continuous->surface);
  record_counts(group, spectrum.counts);

  const auto write = [&](const char* name, const char* unit, const char* meaning, const auto& value) {
    std::vector<double> values;
    for (const DiscreteMode& mode : spectrum.modes) values.push_back(value(mode));
    hdf5::Dataset dataset = group.write(name, {values.size()}, values);
    dataset.set("unit", unit);
    dataset.set("meaning", meaning);
  };
  const auto level = [&](const DiscreteMode& mode) -> const ContinuousLevel* {
    return mode.level < 0 ? nullptr : &spectrum.continuous->levels[static_cast<std::size_t>(mode.level)];
  };
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  write("angular_frequency", "1/s", "ω of the scheme",
        [](const auto& mode) { return mode.angular_frequency; });
  write("decay_rate", "1/s", "γ in e^{−γt}", [](const auto& mode) { return mode.decay_rate; });
  write("share", "1", "share of the elevation in the lowest continuous waves, one per vertex",
        [](const auto& mode) { return mode.share; });
  write("spurious", "1", "1 if the mode corresponds to no continuous mode",
        [](const auto& mode) { return mode.spurious ? 1.0 : 0.0; });
  write("wavenumber", "1/m", "k of the continuous wave: ω = √(gH) k",
        [&](const auto& mode) { return level(mode) ? level(mode)->wavenumber : none; });
  write("level_multiplicity", "1", "continuous waves of that k", [&](const auto& mode) {
    return level(mode) ? static_cast<double>(level(mode)->multiplicity) : none;
  });
  if (shapes) {
    const auto rows = static_cast<std::uint64_t>(spectrum.shapes.cols());
    const auto columns = static_cast<std::uint64_t>(spectrum.shapes.rows());
    group.write("shapes", {rows, columns},
                std::span(spectrum.shapes.data(), static_cast<std::size_t>(spectrum.shapes.size())));
  }
  return group;
}

void require_same_request(const std::filesystem::path& file, const hdf5::Group& root, Index lowest,
                          bool shapes) {
  if (!root.is_group("spectrum")) return;
  const hdf5::Group spectrum = root.open_group("spectrum");
  const bool same_modes = spectrum.has_attribute("lowest")
                              ? spectrum.integer("lowest") == lowest
                              : (spectrum.integer("complete") != 0) == (lowest == 0);
  if (same_modes && (shapes || !spectrum.has("shapes"))) return;
  throw Error(fmt::format(
      "output '{}': the file contains {}; use --fresh to replace it, or --output for another file",
      file.string(), same_modes ? "shapes, saved by --shapes" : "another selection of modes (--lowest)"));
}

}  // namespace shoal
