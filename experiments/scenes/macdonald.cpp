// Scene `macdonald`: steady flow with friction over a bed that was chosen for a given depth.
#include "experiments/scenes/common.hpp"
#include "solvers/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace shoal {
namespace {

enum class Profile { subcritical, supercritical, transcritical };

/// Steady flow with the discharge q per width, m²/s, and a given depth η(s), s = x/L from 0 to 1. The bed z follows from the
/// loss of head,
///
///     (z + η + q²/(2gη²))_x = −c v/g,
///
/// equivalent to z_x = (q²/(gη³) − 1) η_x − c v/g: only the friction has to be integrated. z(L) = −η(L).
class SteadyProfile {
 public:
  SteadyProfile(Profile profile, double gravity, const FrictionLaw& law, double length)
      : profile_(profile), gravity_(gravity), law_(law), length_(length) {
    loss_.assign(panels + 1, 0);
    for (int i = 0; i < panels; ++i)
      loss_[i + 1] = loss_[i] + loss_between(i / double(panels), (i + 1) / double(panels));
  }

  double discharge() const { return profile_ == Profile::supercritical ? 2.5 : 2; }
  double depth(double s) const {
    const double critical = std::cbrt(4 / gravity_), off = s - 0.5;  // of 2 m²/s
    switch (profile_) {
      case Profile::subcritical:
        return critical * (1 + std::exp(-16 * off * off) / 2);
      case Profile::supercritical:
        return critical * (1 - std::exp(-36 * off * off) / 5);
      default:
        return critical * (off <= 0 ? 1 - std::tanh(3 * off) / 3 : 1 - std::tanh(6 * off) / 6);
    }
  }
  double bed_depth(double s) const { return head(s) - head(1) + depth(1); }

 private:
  static constexpr int panels =
      200;  // an even number: the third derivative of `transcritical` jumps in the middle

  /// The depth of the bed below the line of zero head.
  double head(double s) const {
    const double eta = depth(s), v = discharge() / eta;
    const int panel = std::clamp(static_cast<int>(s * panels), 0, panels - 1);
    return eta + 0.5 * v * v / gravity_ + loss_[panel] + loss_between(panel / double(panels), s);
  }
  /// L ∫ c v/g ds, by Gauss's rule of order 10.
  double loss_between(double from, double to) const {
    constexpr double x[] = {0, 0.5384693101056831, 0.9061798459386640},
                     w[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    const double half = 0.5 * (to - from), middle = 0.5 * (from + to);
    double sum = w[0] * slope(middle);
    for (int i = 1; i < 3; ++i) sum += w[i] * (slope(middle - half * x[i]) + slope(middle + half * x[i]));
    return length_ * half * sum;
  }
  double slope(double s) const {
    const double eta = depth(s), v = discharge() / eta;
    return law_.per_length(eta) * v * v / gravity_;
  }

  Profile profile_;
  double gravity_;
  FrictionLaw law_;
  double length_;
  std::vector<double> loss_;  // of head from the inlet to the ends of the panels, m
};

struct MacdonaldOptions {
  FluidOptions fluid;
  Profile profile = Profile::subcritical;
  double manning = 0.033;  ///< s/m^(1/3)
  double chezy = 0;        ///< m^(1/2)/s
  static Options<MacdonaldOptions> describe() {
    using O = MacdonaldOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .choice("profile", &O::profile,
                {{"subcritical", Profile::subcritical},
                 {"supercritical", Profile::supercritical},
                 {"transcritical", Profile::transcritical}},
                "subcritical: 2 m²/s, deepest in the middle; supercritical: 2.5 m²/s, shallowest in the "
                "middle; transcritical: 2 m²/s, subcritical in the left half, supercritical in the right one")
        .number("manning", "s/m^(1/3)", &O::manning, 0, unlimited,
                "Manning's coefficient n of the bed, which is inclined accordingly; Delestre et al. take "
                "0.033, 0.04 "
                "(supercritical) and 0.0218 (transcritical)")
        .number("chezy", "m^(1/2)/s", &O::chezy, 0, unlimited,
                "Chézy's coefficient C of the bed, an alternative to manning; 0: none");
  }
};

void require_flat(const Surface& surface) {
  constexpr double tolerance = 1e-9;
  const Vector3 size = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
  if (size.z() > tolerance * size.x())
    throw Error(fmt::format("mesh '{}' is not flat: z varies by {}; use rectangle:NXxNY:LXxLY", surface.name,
                            size.z()));
}

double width_of(const Surface& surface, const Geometry& geometry, const std::string& name) {
  double length = 0;
  const BoundarySet& set =
      surface.mesh.boundary_sets[static_cast<std::size_t>(find_boundary_set(surface.mesh, name))];
  for (const Index edge : set.edges) length += geometry.edge_length[edge];
  return length;
}

SceneInstance make(const Surface& surface, const Geometry& geometry, const MacdonaldOptions& options) {
  require_flat(surface);
  find_boundary_set(surface.mesh, "right");
  const double gravity = options.fluid.gravity, begin = surface.x.row(0).minCoeff(),
               length = surface.x.row(0).maxCoeff() - begin;
  ShallowWaterOptions friction;
  friction.manning = options.manning;
  friction.chezy = options.chezy;
  const auto profile =
      std::make_shared<const SteadyProfile>(options.profile, gravity, friction.bed_friction(gravity), length);
  const double flux = profile->discharge();
  const auto place = [begin, length](const Vector3& x) { return (x.x() - begin) / length; };
  const auto velocity_at = [=](const Vector3& x) { return Vector3(flux / profile->depth(place(x)), 0, 0); };

  SceneInstance instance = still_water(surface, options.fluid, profile->depth(1));
  instance.bed_depth = [=](const Vector3& x) { return profile->bed_depth(place(x)); };
  instance.initial.depth = [=](const Vector3& x) { return profile->depth(place(x)); };
  instance.initial.velocity = velocity_at;
  instance.end = 1.5 * length;  // about four times as long as the water takes
  for (int quarter = 1; quarter <= 4; ++quarter)
    instance.sample_times.push_back(0.25 * quarter * instance.end);
  const double width = width_of(surface, geometry, "left"), inlet = profile->depth(0);
  BoundaryCondition entry = {"left", BoundaryKind::discharge, flux * width};
  if (options.profile == Profile::supercritical) entry = {"left", BoundaryKind::inflow, inlet, flux / inlet};
  const BoundaryKind outlet =
      options.profile == Profile::subcritical ? BoundaryKind::level : BoundaryKind::outflow;
  instance.forcing.boundaries = {entry, {"right", outlet, 0.0}};
  instance.references = {{.name = "",
                          .depth =
                              [=](const Points& points, double, Vector& depth) {
                                depth.resize(points.cols());
                                for (Eigen::Index i = 0; i < points.cols(); ++i)
                                  depth[i] = profile->depth(place(points.col(i)));
                              },
                          .velocity = [=](const Vector3& x, double) { return velocity_at(x); },
                          .advection = true,
                          .bed_friction = true}};
  return instance;
}

}  // namespace

SceneEntry macdonald_scene() {
  return describe_scene(
      {.name = "macdonald",
       .summary = "steady flow along x through a channel of uneven slope, balanced by friction at the bed; "
                  "starts from "
                  "the exact solution",
       .source =
           "MacDonald et al. 1997, doi:10.1061/(ASCE)0733-9429(1997)123:11(1041); Delestre et al. 2013, "
           "doi:10.1002/fld.3741, section 3.2",
       .default_mesh = "rectangle:200x2:1000x10:structured",
       .default_advection = "vector-invariant"},
      make);
}

}  // namespace shoal
