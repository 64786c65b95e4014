// Forcing with its clamp, and the names of what schemes offer.
#include "discretizations/discretization.hpp"

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

/// The largest aₙ allowed under gravity g. Throws Error if the text is no such limit.
double acceleration_limit(const std::string& text, double gravity) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  if (text == "auto") return -0.05 * gravity;
  const double limit = parse_parameter(text, "normal_acceleration_max", "a number ≤ 0, 'auto' or 'none'");
  if (limit <= 0) return limit;
  throw parameter_error("normal_acceleration_max",
                        text + " is above zero, where the equations are ill-posed; 'none' lets the run fail");
}

}  // namespace

std::string to_string(Capability capability) {
  switch (capability) {
    case Capability::split:
      return "split rates";
    case Capability::wave:
      return "wave operators";
    case Capability::dissipative:
      return "a dissipative flux";
    case Capability::face_velocity:
      return "a velocity per triangle";
    case Capability::vector_invariant:
      return "vector-invariant rates";
  }
  return "";
}

bool DiscretizationEntry::offers_capability(Capability capability) const {
  return std::find(offers.begin(), offers.end(), capability) != offers.end();
}

Discretization::Discretization(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters)
    : mesh_(mesh),
      geometry_(geometry),
      carried_velocity_(parameters.has("carried_velocity") && parameters.text("carried_velocity") == "rotated"
                            ? CarriedVelocity::rotated
                            : CarriedVelocity::barycentric),
      normal_acceleration_max_(parameters.text("normal_acceleration_max")) {
  acceleration_limit(normal_acceleration_max_, 1);  // a mistake is found here, before any step
}

void Discretization::set_forcing(const Forcing& forcing) {
  const double limit = acceleration_limit(normal_acceleration_max_, forcing.gravity);
  normal_acceleration_ = forcing.normal_acceleration;
  body_acceleration_ = forcing.body_acceleration;
  rotation_ = forcing.rotation;
  if (body_acceleration_.size()) {
    vertex_normals(mesh_, geometry_, normals_);
    for (Index i = 0; i < mesh_.vertex_count; ++i)
      normal_acceleration_[i] += body_acceleration_.col(i).dot(normals_.col(i));
  }
  clamped_accelerations_ = 0;
  for (double& acceleration : normal_acceleration_) {
    if (!(acceleration > limit)) continue;  // a NaN stays one
    acceleration = limit;
    ++clamped_accelerations_;
  }
  forcing_changed();
}

std::vector<ClampCount> Discretization::clamp_counts(const State& /*state*/) const {
  return {{"clamped_accelerations", clamped_accelerations_}};
}

ParameterInfos common_parameters() {
  return {
      text("normal_acceleration_max", "m/s^2", "auto",
           "aₙ is kept at or below this: a number, 'none' (lets the run fail), or 'auto', −0.05 gravity")};
}

ParameterInfos moving_surface_parameters() {
  return {choice("carried_velocity", {"barycentric", "rotated"},
                 "velocities on moving triangles: stretched with them, or turned with them")};
}

}  // namespace shoal
