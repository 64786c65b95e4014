#include "reference/view/live_run.hpp"

#include "discretizations/mesh/closest_point.hpp"

namespace shoal {

LiveRun::LiveRun(const Simulation& simulation) : simulation_(simulation) {
  find_sources();
}

void LiveRun::find_sources() {
  const Coupling* coupling = simulation_.world().coupling(0);
  const std::size_t count = coupling ? coupling->sources().size() : 0;
  const Index cells = simulation_.discretization().cells().count();
  if (cells != cells_) places_.clear();
  cells_ = cells;
  if (places_.size() >= count) return;
  const Mesh& here = mesh();
  Faces faces(3, here.face_count());  // separate triangles, because those of a periodic mesh cross the seam
  Points corners(3, 3 * here.face_count());
  for (Index k = 0; k < here.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      faces(c, k) = 3 * k + c;
      corners.col(3 * k + c) = geometry().corner(here, k, c);
    }
  const SurfaceTree tree(faces, corners);
  while (places_.size() < count) {
    const SurfacePoint found = tree.closest(coupling->sources()[places_.size()].point);
    places_.push_back({found.face, found.weights});
  }
}

std::vector<ShownSource> LiveRun::sources() const {
  std::vector<ShownSource> shown;
  const Coupling* coupling = simulation_.world().coupling(0);
  if (!coupling) return shown;
  const double now = simulation_.world().time(), step = simulation_.dt();
  for (std::size_t i = 0; i < std::min(places_.size(), coupling->sources().size()); ++i) {
    const Source& source = coupling->sources()[i];
    if (source.interval.begin > now || source.interval.end <= now) continue;
    shown.push_back({.number = static_cast<int>(i) + 1,
                     .at = source.point,
                     .face = places_[i].face,
                     .weights = places_[i].weights,
                     .radius = source.radius,
                     .discharge = coupling->discharge(i, simulation_.discretization()),
                     .until = source.interval.end});
  }
  for (std::size_t i = 0; i < coupling->pushes().size(); ++i) {
    const Push& push = coupling->pushes()[i];
    constexpr double steps = 1.5;  // the push of the mouse lasts one step
    if (push.interval.begin > now || push.interval.end <= now ||
        !(push.interval.end - push.interval.begin > steps * step))
      continue;
    shown.push_back({.is_push = true,
                     .number = static_cast<int>(i) + 1,
                     .at = push.point,
                     .radius = push.width,
                     .acceleration = push.acceleration,
                     .until = push.interval.end});
  }
  return shown;
}

bool LiveRun::sample_cells(Vector& depth, Vector& elevation) const {
  const ShallowWater& water = simulation_.water();
  const Cells& cells = simulation_.discretization().cells();
  if (&triangles() != &mesh() || cells.location != Location::face) return false;
  depth.resize(mesh().face_count());
  elevation.resize(mesh().face_count());
  for (Index k = 0; k < mesh().face_count(); ++k) {
    const Index cell = cells.of_element[k];
    depth[k] = water.volume()[cell] / cells.area[cell];
    elevation[k] = depth[k] - cells.bed[cell];
  }
  return true;
}

const Mesh& LiveRun::triangles() const {
  return simulation_.discretization().triangles();
}

const Vector& LiveRun::area() const {
  return simulation_.discretization().find_output("depth_at_faces")->area();
}

std::vector<ShownField> LiveRun::fields() const {
  std::vector<ShownField> fields;
  for (const OutputInfo& output : simulation_.model().outputs())
    if (output.components == 1 && output.location != Location::edge)
      fields.push_back({output.name, output.unit, output.location});
  return fields;
}

void LiveRun::sample(const std::string& name, Values& values) const {
  simulation_.water().sample(name, values);
}

std::vector<ShownBody> LiveRun::bodies() const {
  std::vector<ShownBody> shown;
  const Bodies& bodies = simulation_.world().bodies();
  for (int i = 0; i < bodies.count(); ++i)
    if (bodies.is_present(i)) shown.push_back({bodies.name(i), &bodies.solid(i), bodies.pose(i)});
  return shown;
}

bool LiveRun::has_acceleration() const {
  const std::string& name = simulation_.present_configuration().discretization;
  return has_velocity() && simulation_.catalog().discretizations.find(name).inseparable.empty();
}

/// (v(q + δ f(q)) − v(q))/δ, which is exact if the velocity is linear in the unknowns.
void LiveRun::sample_acceleration(Values& values) const {
  const Discretization& scheme = simulation_.discretization();
  const ShallowWater& water = simulation_.water();
  const double delta = simulation_.dt();
  State after = water.state();
  scheme.add_rates(water.state(), water.forces(), Term::gravity | Term::force, delta, after, water.scratch());
  Values before;
  scheme.sample(water.state(), water.forces(), "velocity", before, water.scratch());
  scheme.sample(after, water.forces(), "velocity", values, water.scratch());
  values = (values - before) / delta;
}

}  // namespace shoal
