// semi-lagrangian and bfecc: transport of velocities per triangle along traces: that of Angst 2007 with its
// variants, and one with second-order traces and error correction. Both transport either the vector or the
// one-form with the head ½|v|² (transport/one_form.md); a passive field is transported without the head.
#include "discretizations/transport/semi_lagrangian.hpp"

#include "solvers/advection/advection.hpp"

namespace shoal {
namespace {

class SemiLagrangianAdvection final : public Advection {
 public:
  SemiLagrangianAdvection(const RightSide& right_side, const SemiLagrangianOptions& options, bool one_form)
      : right_side_(right_side),
        scheme_(*right_side.offered<FaceVelocity>()),
        transport_(right_side.mesh(), options),
        one_form_(one_form) {
    transport_.refresh(right_side.geometry());
  }

  StepReport advect(const State& advecting, double dt, State& state, StageClock& clock) override {
    const auto stage = clock.measure(Stage::advection);
    const ConstBlock velocity = advecting[scheme_.barycentric_rates()];
    if (scheme_.leaves_depth_to_transport()) {  // before the velocity, which `advecting` may alias, changes
      Block volume = state[right_side_.volume()];
      const Vector& area = right_side_.cells().area;
      depth_ = volume.cwiseQuotient(area);
      transport_.advect_scalar(velocity, dt, depth_);
      volume = depth_.cwiseProduct(area);
    }
    Block carried = state[scheme_.barycentric_rates()];
    if (one_form_)
      transport_.advect_one_form(velocity, dt, &advecting == &state, carried);
    else
      transport_.advect(velocity, dt, carried);
    if (!transport_.have_traces_stayed())
      return {false,
              "a trace crosses more than one layer of the triangles around its start, and a part of a "
              "surface has one; "
              "use smaller steps"};
    return {};
  }

  void refresh(StageClock& clock) override {
    const auto stage = clock.measure(Stage::flattening);
    transport_.refresh(right_side_.geometry());
  }

 private:
  const RightSide& right_side_;
  const FaceVelocity& scheme_;
  SemiLagrangian transport_;
  bool one_form_;
  Vector depth_;  // [nV] m
};

/// Common options.
struct TransportOptions {
  bool one_form = false;
  FanWeight fan_weight = FanWeight::angle;
  AdvectionIntervalOptions interval;
  static Options<TransportOptions> describe() {
    using O = TransportOptions;
    return Options<O>()
        .choice("carries", &O::one_form, {{"vector", false}, {"one-form", true}},
                "the transported quantity. vector: the velocity vector, by parallel transport along each "
                "trace; one-form: its circulations along edges, which preserves gradients and circulations "
                "around loops (Nabizadeh et al. 2022, doi:10.1145/3528223.3530120)")
        .choice("fan_weight", &O::fan_weight, {{"angle", FanWeight::angle}, {"area", FanWeight::area}},
                "weight of a triangle in the velocity at a vertex")
        .part(&O::interval, AdvectionIntervalOptions::describe());
  }
};

struct SemiLagrangianAdvectionOptions {
  TraceVelocity trace = TraceVelocity::of_each_triangle;
  bool barycentre = true;
  TransportOptions common;
  static Options<SemiLagrangianAdvectionOptions> describe() {
    using O = SemiLagrangianAdvectionOptions;
    return Options<O>()
        .choice("trace", &O::trace,
                {{"each-triangle", TraceVelocity::of_each_triangle},
                 {"start", TraceVelocity::of_the_start},
                 {"middle", TraceVelocity::of_the_middle}},
                "velocity along a trace. each-triangle: that of each triangle it crosses; start: that of "
                "its start, rotated across the edges (Shi & Yu 2004); middle: that of its midpoint, second "
                "order in time")
        .choice("interpolation", &O::barycentre, {{"barycentre", true}, {"vertices", false}},
                "interpolation on the three parts of a triangle around its barycentre, or from the vertices "
                "alone")
        .part(&O::common, TransportOptions::describe());
  }
  SemiLagrangianOptions transport() const {
    return {.trace = trace, .weight = common.fan_weight, .barycentre = barycentre};
  }
};

struct BfeccOptions {
  bool barycentre = false;
  bool limiter = true;
  TransportOptions common;
  static Options<BfeccOptions> describe() {
    using O = BfeccOptions;
    return Options<O>()
        .choice("interpolation", &O::barycentre, {{"vertices", false}, {"barycentre", true}},
                "interpolation from the vertices alone, or on the three parts of a triangle around its "
                "barycentre, with which the correction grows at small Courant numbers")
        .choice("limiter", &O::limiter, {{"on", true}, {"off", false}},
                "limit the result to the range of the values around the end of each trace")
        .part(&O::common, TransportOptions::describe());
  }
  SemiLagrangianOptions transport() const {
    return {.weight = common.fan_weight, .barycentre = barycentre, .corrected = true, .limited = limiter};
  }
};

std::string incompatibility(const DiscretizationEntry& scheme, const IntegratorEntry& integrator,
                            const Parameters& options) {
  const std::string reason = scheme.unavailable<FaceVelocity>(options);
  if (!reason.empty()) return reason;
  if (!integrator.carries_velocity) return integrator.name + " carries no velocity to transport";
  return "";
}

template <class AdvectionOptions>
AdvectionEntry entry_of(std::string name, std::string summary, int reach) {
  AdvectionEntry entry;
  entry.reach = [reach](const DiscretizationEntry&) { return reach; };
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.parameters = describe_options<AdvectionOptions>();
  entry.incompatibility = incompatibility;
  entry.make = [](const RightSide& right_side, const Parameters& parameters) {
    const auto options = read_options<AdvectionOptions>(parameters);
    return std::make_unique<SemiLagrangianAdvection>(right_side, options.transport(),
                                                     options.common.one_form);
  };
  return entry;
}

}  // namespace

AdvectionEntry semi_lagrangian() {
  return entry_of<SemiLagrangianAdvectionOptions>(
      "semi-lagrangian",
      "first-order trace back across the triangles and interpolation at its end (Angst 2007, 5.2)", 2);
}

AdvectionEntry bfecc() {
  return entry_of<BfeccOptions>(
      "bfecc",
      "semi-Lagrangian with second-order traces and back-and-forth error compensation (Dupont & Liu 2003), "
      "limited to the values around the end of each trace",
      6);
}

}  // namespace shoal
