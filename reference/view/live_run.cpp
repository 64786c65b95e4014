#include "reference/view/live_run.hpp"

namespace shoal {

LiveRun::LiveRun(const Simulation& simulation)
    : simulation_(simulation), bed_(simulation.surface().mesh.vertex_count) {
  for (Index i = 0; i < bed_.size(); ++i)
    bed_[i] = simulation.scene().bed_depth(simulation.surface().x.col(i));
}

const Mesh& LiveRun::triangles() const {
  const Mesh* own = simulation_.discretization().own_triangulation();
  return own ? *own : mesh();
}

const Vector& LiveRun::area() const {
  return simulation_.discretization().find_output("depth_at_faces")->area();
}

std::vector<ShownField> LiveRun::fields() const {
  std::vector<ShownField> fields;
  for (const Output& output : simulation_.discretization().outputs())
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
  for (int i = 0; i < bodies.count(); ++i) shown.push_back({&bodies.solid(i), bodies.pose(i)});
  return shown;
}

bool LiveRun::has_acceleration() const {
  const std::string& name = simulation_.present_configuration().discretization;
  return has_velocity() && simulation_.catalog().discretizations.find(name).inseparable.empty();
}

/// (v(q + δ f(q)) − v(q))/δ, which is exact where the velocity is linear in the unknowns.
void LiveRun::sample_acceleration(Values& values) const {
  const Discretization& scheme = simulation_.discretization();
  const ShallowWater& water = simulation_.water();
  const double delta = simulation_.dt();
  State after = water.state();
  scheme.add_rates(water.state(), water.forces(), Term::gravity | Term::force, delta, after);
  Values before;
  scheme.find_output("velocity")->evaluate(water.state(), water.forces(), before);
  scheme.find_output("velocity")->evaluate(after, water.forces(), values);
  values = (values - before) / delta;
}

}  // namespace shoal
