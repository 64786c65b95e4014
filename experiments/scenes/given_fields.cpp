#include "experiments/scenes/given_fields.hpp"

namespace shoal {

Options<GivenFieldOptions> GivenFieldOptions::describe() {
  using O = GivenFieldOptions;
  return Options<O>()
      .text("initial_elevation", "m", &O::initial_elevation,
            "h at t = 0: an expression in x, y, z, lambda, phi, r and the run's numbers (depth, gravity, …), "
            "or "
            "FILE.h5:DATASET, FILE.ply:PROPERTY with a value for each vertex or triangle; empty: the scene's "
            "own")
      .text("initial_velocity", "m/s", &O::initial_velocity,
            "v at t = 0: three of them, x,y,z in space, of which the tangential part counts, or two, to the "
            "east and to "
            "the north of a sphere; empty: the scene's own")
      .text("bed_depth", "m", &O::bed_depth,
            "H, how far the bed lies below h = 0; where it is less than -h the surface is dry; empty: the "
            "scene's own")
      .text("normal_acceleration", "m/s^2", &O::normal_acceleration,
            "a_n, also in t; negative where it holds the fluid on; empty: the scene's own, mostly -gravity")
      .text("body_acceleration", "m/s^2", &O::body_acceleration,
            "x,y,z in space or east,north, also in t, that acts beside g: its normal part presses, its "
            "tangential part "
            "drives; empty: the scene's own, mostly none")
      .text("rain", "m/s", &O::rain,
            "rate at which water falls on the surface, also in t; negative: is taken away, as far as it is "
            "there "
            "(sink_part); empty: the scene's own, mostly none")
      .text("rain_velocity", "m/s", &O::rain_velocity,
            "velocity in space that rain brings: x,y,z or east,north, also in t, of which the tangential "
            "part counts; "
            "water: that of the water it falls on; empty: none, it falls straight down and slows the water");
}

ParameterInfos given_field_parameters(const std::map<std::string, Value>& given) {
  ParameterInfos infos = describe_options<GivenFieldOptions>();
  std::erase_if(infos, [&](const ParameterInfo& info) { return !given.contains(info.name); });
  return infos;
}

}  // namespace shoal
