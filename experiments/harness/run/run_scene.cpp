// The scene and its solutions in a run.
#include "experiments/harness/run/run_scene.hpp"

#include "discretizations/mesh/formats/reader.hpp"
#include "experiments/harness/fields/given_fields.hpp"
#include "experiments/harness/fields/harmonic_solution.hpp"
#include "experiments/motions/clip_mixer.hpp"
#include "experiments/scenes/given_fields.hpp"
#include "solvers/inertia.hpp"
#include "solvers/shallow_water.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {
namespace {

bool is_sphere(const Surface& surface) {
  const Vector radius = surface.x.colwise().norm();
  return surface.mesh.closed() && radius.maxCoeff() - radius.minCoeff() <= 1e-6 * radius.maxCoeff();
}

bool is_uniform(const ScalarField& bed_depth, const Surface& surface) {
  const double first = bed_depth(surface.x.col(0));
  for (Eigen::Index i = 1; i < surface.x.cols(); ++i)
    if (bed_depth(surface.x.col(i)) != first) return false;
  return true;
}

/// The references of a scene on a surface in uniform translation, relative to which the water behaves as at rest.
void translate_references(SceneInstance& scene, const Surface& surface) {
  Points after;
  scene.motion(1, after);
  const Vector3 velocity = after.col(0) - surface.x.col(0);  // m in 1 s
  for (Reference& reference : scene.references) {
    reference.depth = [at_rest = reference.depth, velocity](const Points& points, double time,
                                                            Vector& depth) {
      at_rest(points.colwise() - time * velocity, time, depth);
    };
    if (!reference.velocity) continue;
    reference.velocity = [at_rest = reference.velocity, velocity](const Vector3& x, double time) {
      return at_rest(x - time * velocity, time);
    };
  }
}

/// The scene on its surface, with its own motion or that of the configuration.
SceneInstance place_scene(const Catalog& catalog, const RunConfiguration& c, const Surface& surface,
                          const Geometry& geometry, const Parameters& parameters, ClipMotion& clips) {
  SceneInstance scene = shoal::make_scene(catalog.scenes.find(c.scene), surface, geometry, parameters);
  give_solution(catalog.scenes.find(c.scene), parameters, scene);
  scene.choose_solution(c.advection != "none");
  if (!c.boundaries.empty()) {
    scene.forcing.boundaries = parse_boundaries(c.boundaries);
    scene.drop_references("it is only valid for the scene's default boundaries");
  }
  const ShallowWaterOptions options = read_options<ShallowWaterOptions>(parameters);
  const bool linear = options.friction > 0, quadratic = options.bed_friction(scene.gravity).acts();
  if (std::any_of(scene.references.begin(), scene.references.end(), [&](const Reference& one) {
        return !one.still && ((linear && !one.friction) || (quadratic && !one.bed_friction));
      }))
    scene.drop_references(linear ? "it is only valid without friction"
                                 : "it is only valid without friction at the bed");
  if (surface.mesh.periodic() && (scene.motion || c.motion != "none"))
    throw Refusal("mesh '" + surface.name + "' is periodic and cannot move");
  if (c.motion == "none") return scene;
  if (scene.motion)
    throw Refusal(
        fmt::format("scene '{}' moves its surface itself; motion = {} cannot be added", c.scene, c.motion));
  const MotionEntry& motion = catalog.motions.find(c.motion);
  if (motion.make_of_clips) {
    clips = motion.make_of_clips(surface, parameters);
    scene.motion = clips.motion;
  } else {
    scene.motion = motion.make(surface, parameters, static_cast<std::uint64_t>(c.seed));
  }
  if (motion.uniform) {
    if (read_options<InertiaOptions>(parameters).continued)
      translate_references(scene, surface);
    else
      scene.drop_references("it is only valid if the surface moved before the start, onset = continued");
    if (!scene.forcing.rotation.isZero(0))
      scene.drop_references("it is only valid without motion of the surface in a rotating frame");
    return scene;
  }
  if (!motion.stays_on_sphere || !is_sphere(surface)) {
    scene.drop_references("it is only valid for the surface at rest");
    return scene;
  }
  scene.starts_absolute = true;  // in space, the initial state is the same as on a mesh at rest
  for (Reference& reference : scene.references) reference.absolute = true;
  if (!is_uniform(scene.bed_depth, surface)) scene.drop_references("the bed moves with the mesh");
  return scene;
}

}  // namespace

SceneInstance make_run_scene(const Catalog& catalog, const RunConfiguration& c, const Surface& surface,
                             const Geometry& geometry, const Parameters& parameters, ClipMotion& clips) {
  SceneInstance scene = place_scene(catalog, c, surface, geometry, parameters, clips);
  give_fields(parameters, surface, geometry, scene);
  return scene;
}

void prepare_for_inputs(const RunConfiguration& c, const Parameters& parameters,
                        const std::shared_ptr<DragPath>& path, SceneInstance& scene) {
  scene.drop_references("it is only valid without inputs");
  if (!scene.coupling) scene.coupling.emplace();
  scene.coupling->configure(read_options<CouplingOptions>(parameters));
  if (scene.bodies.entrances.empty())
    scene.bodies.gravity =
        -scene.gravity * (stands_along_y(c.mesh) ? Vector3::UnitY() : Vector3::UnitZ()).eval();
  if (!scene.motion) return;
  Motion dragged = [base = scene.motion, path](double time, Points& x) {
    base(time, x);
    if (!path->empty()) x.colwise() += path->at(time);
  };
  dragged.shortest_period = scene.motion.shortest_period;
  dragged.corners = scene.motion.corners;
  scene.motion = std::move(dragged);
}

}  // namespace shoal
