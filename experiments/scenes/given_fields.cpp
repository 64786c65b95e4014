#include "experiments/scenes/given_fields.hpp"

namespace shoal {

Options<GivenFieldOptions> GivenFieldOptions::describe() {
  using O = GivenFieldOptions;
  return Options<O>()
      .text("initial_elevation", "m", &O::initial_elevation,
            "h at t = 0: an expression in x, y, z, lambda, phi, r and the run's numbers (depth, gravity, …), "
            "or FILE.h5:DATASET or FILE.ply:PROPERTY with a value per vertex or triangle; empty: the scene's "
            "own")
      .text("initial_velocity", "m/s", &O::initial_velocity,
            "v at t = 0: three components x,y,z in space, of which the tangential part is used, or two "
            "components east,north on a sphere; relative to the moving surface, but in the fixed frame where "
            "the surface stays a sphere (turning, sliding); empty: the scene's own")
      .text("bed_depth", "m", &O::bed_depth,
            "H, depth of the bed below h = 0; the surface is dry where H < -h; empty: the scene's own")
      .text("normal_acceleration", "m/s^2", &O::normal_acceleration,
            "a_n along the outward normal, may depend on t; negative where it presses the fluid onto the "
            "surface; empty: the scene's own, usually -gravity")
      .text("body_acceleration", "m/s^2", &O::body_acceleration,
            "acceleration in addition to g, x,y,z in space or east,north, may depend on t; its normal part "
            "changes the pressure, its tangential part drives the flow; empty: the scene's own, usually none")
      .text("rain", "m/s", &O::rain,
            "rate at which water falls on the surface, may depend on t; negative: removes water, as far as "
            "available (sink_part); empty: the scene's own, usually none")
      .text("rain_velocity", "m/s", &O::rain_velocity,
            "velocity of the rain in the fixed frame, x,y,z or east,north, may depend on t; its tangential "
            "part is used; water: that of the water below; empty: zero, so that rain slows the water");
}

ParameterInfos given_field_parameters(const std::map<std::string, Value>& given) {
  ParameterInfos infos = describe_options<GivenFieldOptions>();
  std::erase_if(infos, [&](const ParameterInfo& info) { return !given.contains(info.name); });
  return infos;
}

}  // namespace shoal
