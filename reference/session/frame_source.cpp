#include "reference/session/frame_source.hpp"

namespace shoal {

void look_at(const ShownRun& run, RunView& view, FrameSnapshot& moment) {
  view.survey(run, false);
  moment.picture = view.picture(run);
  moment.surface = view.drawn_surface();
  moment.normals = view.normals();
  moment.depth = view.depth();
  moment.bed = view.bed();
  moment.has_velocity = run.has_velocity();
  moment.supports_foam = supports_foam(run);
  moment.has_acceleration = run.has_acceleration();
  moment.has_skeleton = run.skeleton().cols() > 0;
  if (run.has_velocity() && &run.triangles() == &run.mesh()) {
    Values velocity;
    run.sample("velocity", velocity);
    moment.velocity = velocity;
  }
  moment.scale = view.scale();
  moment.sources = view.markers();
  for (const ShownBody& body : view.bodies(run)) moment.bodies.push_back({body.name, body.pose.position});
  moment.fields = fields_of(run);
}

}  // namespace shoal
