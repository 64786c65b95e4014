// semi-lagrangian and bfecc: the transport of velocities per triangle along traces, as the thesis does it
// with its variants, and with a second-order trace and correction.
#include "discretizations/transport/semi_lagrangian.hpp"

#include "solvers/advection/advection.hpp"

namespace shoal {
namespace {

class SemiLagrangianAdvection final : public Advection {
 public:
  SemiLagrangianAdvection(const Discretization& discretization, const SemiLagrangianOptions& options,
                          bool depth_too)
      : geometry_(discretization.geometry()),
        cells_(discretization.cells()),
        transport_(discretization.mesh(), options),
        depth_too_(depth_too) {
    transport_.refresh(geometry_);
  }

  void advect(const Vector& advecting_velocity, double dt, State& state, StageClock& clock) override {
    const auto stage = clock.measure(Stage::advection);
    if (depth_too_) {  // while the advecting velocity, which may be the flow, is what it was
      depth_ = state.volume.cwiseQuotient(cells_.area);
      transport_.advect_scalar(advecting_velocity, dt, depth_);
      state.volume = depth_.cwiseProduct(cells_.area);
    }
    transport_.advect(advecting_velocity, dt, state.flow);
  }

  void refresh(StageClock& clock) override {
    const auto stage = clock.measure(Stage::flattening);
    transport_.refresh(geometry_);
  }

 private:
  const Geometry& geometry_;
  const Cells& cells_;
  SemiLagrangian transport_;
  bool depth_too_;
  Vector depth_;  // [nV] m
};

/// Who declares it transports the depth; the scheme, which reads it too, then leaves v·∇η out of its rate.
const ParameterInfo continuity_parameter = choice(
    "continuity", {"flux", "advective"},
    "mass by its flux, or depth transported like the velocity and η ∇·v without flux, which loses mass "
    "(Layton & van de Panne 2002; explicit integrators only)");

bool advects_depth(const Parameters& parameters) {
  return parameters.text("continuity") == "advective";
}

std::string incompatibility(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  if (!scheme.offers_capability(Capability::face_velocity)) return "needs a velocity vector per triangle";
  if (!integrator.carries_velocity) return integrator.name + " carries no velocity that could be transported";
  return "";
}

FanWeight fan_weight(const Parameters& parameters) {
  return parameters.text("fan_weight") == "angle" ? FanWeight::angle : FanWeight::area;
}

const ParameterInfo fan_weight_parameter =
    choice("fan_weight", {"angle", "area"}, "what a triangle counts for in the velocity at a vertex");

/// With what both have in common; `options` adds what is their own.
AdvectionEntry entry_of(std::string name, std::string summary, ParameterInfos own,
                        SemiLagrangianOptions (*options)(const Parameters&)) {
  AdvectionEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.parameters = std::move(own);
  for (const ParameterInfo& info :
       {fan_weight_parameter, continuity_parameter, advection_interval_parameter()})
    entry.parameters.push_back(info);
  entry.incompatibility = incompatibility;
  entry.make = [options](const Discretization& discretization, const Parameters& parameters) {
    SemiLagrangianOptions chosen = options(parameters);
    chosen.weight = fan_weight(parameters);
    chosen.barycentre = parameters.text("interpolation") == "barycentre";
    return std::make_unique<SemiLagrangianAdvection>(discretization, chosen, advects_depth(parameters));
  };
  return entry;
}

}  // namespace

AdvectionEntry semi_lagrangian() {
  return entry_of(
      "semi-lagrangian",
      "first-order trace back over the triangles and interpolation where it ends (Angst 2007, 5.2)",
      {choice("trace", {"each-triangle", "start"},
              "velocity that a trace follows: of each triangle it crosses, or of its start, turned over the "
              "edges (Shi & Yu 2004)"),
       choice("interpolation", {"barycentre", "vertices"},
              "on the three parts of a triangle around its barycentre, or from the vertices alone")},
      [](const Parameters& parameters) {
        return SemiLagrangianOptions{.trace = parameters.text("trace") == "start"
                                                  ? TraceVelocity::of_the_start
                                                  : TraceVelocity::of_each_triangle};
      });
}

AdvectionEntry bfecc() {
  return entry_of(
      "bfecc",
      "semi-Lagrangian with a second-order trace and the error of a transport forth and back taken off "
      "(Dupont & Liu 2003), limited to the values where the trace ends",
      {choice("interpolation", {"vertices", "barycentre"},
              "from the vertices alone, or on the three parts of a triangle around its barycentre, with "
              "which the correction grows at small Courant numbers"),
       choice("limiter", {"on", "off"}, "keep to the range of the values around where a trace ends")},
      [](const Parameters& parameters) {
        return SemiLagrangianOptions{.corrected = true, .limited = parameters.text("limiter") == "on"};
      });
}

}  // namespace shoal
