// Scene `sphere-bump`: a hump of fluid on a sphere runs to the antipode, focuses there and returns.
#include "experiments/scenes/axisymmetric_reference.hpp"
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/legendre.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace shoal {
namespace {

// The three equations a scheme may converge to, one of which defines the errors without suffix.
constexpr const char* automatic = "auto";
constexpr const char* nonlinear = "nonlinear";
constexpr const char* no_advection = "nonlinear-no-advection";
constexpr const char* linear = "linear";

// At and below this amplitude/depth the three equations agree within 4e-4 of the elevation (t = 1, the worst
// of the samples), and the expansion has no discretization error of its own. At 0.1 the nonlinear solutions
// differ by 0.07 with and without advection, and the linear one by 0.3 from either.
constexpr double linear_below = 1e-4;

struct Bump {
  double radius, depth, gravity, amplitude, width;
  double elevation(double angle) const { return amplitude * std::exp(-(angle / width) * (angle / width)); }
};

/// The fine computation of a bump.
std::shared_ptr<AxisymmetricFlow> flow_of(const Bump& bump, bool advection) {
  // Against twice as many the error is 5e-5 of the elevation at t = 7.
  constexpr double cells_per_radian_of_width = 500;
  return shared_flow(
      {bump.radius, bump.depth, bump.gravity, bump.amplitude, bump.width, advection ? 1.0 : 0.0},
      {.radius = bump.radius,
       .gravity = bump.gravity,
       .depth = [bump](double angle) { return bump.depth + bump.elevation(angle); },
       .length = bump.width,
       .amplitude = std::abs(bump.amplitude),
       .advection = advection,
       .cells = static_cast<Index>(std::lround(cells_per_radian_of_width / bump.width))});
}

Reference nonlinear_reference(const std::string& name, const Bump& bump, const Vector3& center,
                              bool advection) {
  Reference reference = axisymmetric_reference(
      flow_of(bump, advection), [center](const Vector3& x) { return angle_between(x, center); });
  reference.name = reference.suffix = name;
  reference.equations = advection ? "nonlinear" : "no v·∇v";
  reference.advection = advection;
  return reference;
}

Reference linear_reference(const Bump& bump, const Vector3& center) {
  // The coefficients fall like exp(−(l·width)²/4): below 1e-17 of the largest at the 14th 1/width.
  const Index degree = std::max<Index>(64, static_cast<Index>(std::ceil(14 / bump.width)));
  const auto wave = std::make_shared<const LegendreWave>(
      [bump](double angle) { return bump.elevation(angle); }, degree, bump.radius, bump.depth, bump.gravity);
  Reference reference{linear, [wave, center](const Points& points, double time, Vector& depth) {
                        const Vector cosine =
                            (points.transpose() * center).cwiseQuotient(points.colwise().norm().transpose());
                        wave->evaluate(cosine, time, depth);
                      }};
  reference.suffix = reference.equations = linear;
  return reference;
}

/// "nonlinear-no-advection" → "nonlinear_no_advection", as in the names of datasets.
std::string suffix(std::string choice) {
  std::replace(choice.begin(), choice.end(), '-', '_');
  return choice;
}

/// All references, with the chosen one first and unnamed.
std::vector<Reference> references(const Bump& bump, const Vector3& center, const std::string& choice) {
  const std::string first = choice != automatic                                     ? choice
                            : std::abs(bump.amplitude) <= linear_below * bump.depth ? linear
                                                                                    : nonlinear;
  std::vector<Reference> list = {nonlinear_reference(nonlinear, bump, center, true),
                                 nonlinear_reference(suffix(no_advection), bump, center, false),
                                 linear_reference(bump, center)};
  const auto chosen =
      std::find_if(list.begin(), list.end(), [&](const Reference& r) { return r.name == suffix(first); });
  chosen->name.clear();
  std::rotate(list.begin(), chosen, chosen + 1);
  return list;
}

struct SphereBumpOptions {
  StillWaterOptions water;
  double radius = 1;       ///< m
  double amplitude = 0.1;  ///< m
  double width = 0.5;      ///< rad
  Vector3 center = Vector3::UnitZ();
  std::string reference = automatic;
  static Options<SphereBumpOptions> describe() {
    using O = SphereBumpOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .number("amplitude", "m", &O::amplitude, -unlimited, unlimited,
                "elevation at the center; more than -depth")
        .number("width", "rad", &O::width, 0.02, 1, "angle at which the elevation has fallen to 1/e")
        .direction("center", "", &O::center, "direction of the hump from the center of the sphere, x,y,z")
        .choice(
            "reference", &O::reference,
            {{automatic, automatic}, {nonlinear, nonlinear}, {no_advection, no_advection}, {linear, linear}},
            "equations whose solution defines the errors without suffix; the others have their names as "
            "suffix. auto: linear up to amplitude = 0.0001 depth, otherwise with or without v·∇v like the "
            "equations of the run");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const SphereBumpOptions& options) {
  const Bump bump{options.radius, options.water.depth, options.water.fluid.gravity, options.amplitude,
                  options.width};
  const Vector3 center = options.center;
  require_sphere(surface, bump.radius);
  require_wet(bump.amplitude, bump.depth);

  SceneInstance instance = still_water(surface, options.water);
  instance.end = 7;
  instance.sample_times = {0.025, 0.6, 1.0, 7.0};
  // Points lie on the facets, slightly below the sphere: only their direction is used.
  instance.initial.depth = [bump, center](const Vector3& x) {
    return bump.depth + bump.elevation(angle_between(x, center));
  };
  instance.references = references(bump, center, options.reference);
  instance.solution_of_the_run =
      options.reference == automatic && instance.references.front().suffix != linear;
  return instance;
}

}  // namespace

SceneEntry sphere_bump_scene() {
  return describe_scene(
      {.name = "sphere-bump",
       .summary =
           "a hump amplitude·exp(−(angle/width)²) on a sphere runs to the antipode, focuses and returns",
       .source =
           "Angst 2007, table 5.1; Angst 2008, table 1 (radius and depth are ours, chosen so that the wave "
           "focuses at t = 1)",
       .default_mesh = "icosphere:4",
       .default_dt = 1.0 / 60,
       .needs_edges = false},
      make);
}

}  // namespace shoal
