// Scene `carrier-greenspan`: a periodic wave runs up and down a plane beach, with a moving shoreline.
#include "experiments/scenes/beach_wave.hpp"
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <limits>

namespace shoal {
namespace {

// The second zero of J₁: the left end of the channel is where, in linear theory, the wave has a crest and the velocity is zero, and
// where a prescribed elevation does not resonate.
constexpr double zero_of_velocity = 7.015586669815619;
constexpr int periods = 20, values_per_period = 256;  // of the prescribed elevation

struct CarrierGreenspanOptions {
  FluidOptions fluid;
  double slope = 0.1, offshore = 8, amplitude = 0.6;  ///< 1, m, 1
  static Options<CarrierGreenspanOptions> describe() {
    using O = CarrierGreenspanOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("slope", "", &O::slope, min_positive, unlimited, "rise of the bed per metre along x")
        .number("offshore", "m", &O::offshore, min_positive, unlimited,
                "distance of the still shoreline from the left end of the mesh")
        .number("amplitude", "", &O::amplitude, 0, 0.99,
                "A; the shoreline moves by 0.0813 A offshore to either side, and at A = 1 the wave breaks");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const CarrierGreenspanOptions& options) {
  require_flat_basin(surface);
  find_boundary_set(surface.mesh, "left");
  const double left = surface.x.row(0).minCoeff(), length = surface.x.row(0).maxCoeff() - left;
  const double offshore = options.offshore, slope = options.slope, shore = left + offshore;
  const double unit = 16 * offshore / (zero_of_velocity * zero_of_velocity);
  if (const double reach = offshore + 0.25 * options.amplitude * unit; reach >= length)
    throw parameter_error(
        "offshore", fmt::format("{} lets the water run up to {:.6g} m from the left end of the mesh '{}', "
                                "which is {} m long",
                                offshore, reach, surface.name, length));
  const BeachWave wave(slope, unit, options.amplitude, options.fluid.gravity);

  SceneInstance instance = still_water(surface, options.fluid, slope * offshore);
  instance.end = 2 * wave.period();
  for (int quarter = 1; quarter <= 8; ++quarter)
    instance.sample_times.push_back(0.125 * quarter * instance.end);
  instance.bed_depth = [=](const Vector3& x) { return slope * (shore - x.x()); };
  const double last = periods * wave.period();
  const auto depth = [=](const Vector3& x, double time) {
    return time <= last ? wave.at(x.x() - shore, time).depth : std::numeric_limits<double>::quiet_NaN();
  };
  const auto velocity = [=](const Vector3& x, double time) -> Vector3 {
    return (time <= last ? wave.at(x.x() - shore, time).velocity : std::numeric_limits<double>::quiet_NaN()) *
           Vector3::UnitX();
  };
  instance.initial.depth = [=](const Vector3& x) { return depth(x, 0); };
  instance.initial.velocity = [=](const Vector3& x) { return velocity(x, 0); };
  std::vector<double> times, levels;
  for (int i = 0; i <= periods * values_per_period; ++i) {
    times.push_back(wave.period() * i / values_per_period);
    levels.push_back(wave.at(-offshore, times.back()).elevation);
  }
  instance.forcing.boundaries = {{"left", BoundaryKind::level, TimeSeries(times, levels)}};
  instance.references = {solution_at_points(depth, velocity)};
  instance.references.front().advection = true;
  return instance;
}

}  // namespace

SceneEntry carrier_greenspan_scene() {
  return describe_scene(
      {.name = "carrier-greenspan",
       .summary = "a periodic wave, prescribed at left, runs up and down a plane beach; the shoreline moves",
       .source = "Carrier & Greenspan 1958, J. Fluid Mech. 4, 97, doi:10.1017/S0022112058000331, section 3",
       .default_mesh = "rectangle:200x4:10x0.2",
       .default_advection = "vector-invariant",
       .defaults = {{"dry_outflow", "closed"}}},
      make);
}

}  // namespace shoal
