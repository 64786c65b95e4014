// Kinetic fluxes across edges, and the sums over triangles.
#include "discretizations/kinetic.hpp"

#include "discretizations/operators/p1.hpp"

#include <cmath>
#include <limits>

namespace shoal {
namespace {

/// Mass and normal momentum of the particles of (η, u) that move in +n.
struct HalfFlux {
  double mass, momentum;
};

HalfFlux half_flux(double depth, double u, double acceleration) {
  const double reach = std::sqrt(1.5 * acceleration * depth);  // √3 c̃
  const double density = reach / (3 * acceleration);           // η/(2√3 c̃), finite as η → 0
  const double a = std::max(0.0, u - reach), b = std::max(0.0, u + reach);
  return {density * 0.5 * (b * b - a * a), density * (b * b * b - a * a * a) / 3};
}

}  // namespace

DiscretizationEntry kinetic() {
  ParameterInfos parameters = common_parameters();
  parameters.push_back(
      number("dry_depth", "m", 1e-12, 0, 1e300, "below this depth the velocity M/V is taken as zero"));
  DiscretizationEntry entry = describe<Kinetic>("kinetic",
                                                "depth and momentum on triangles; kinetic finite volumes, "
                                                "first order, well balanced (Angst 2007, 4.3.3)",
                                                parameters);
  entry.transports_momentum = true;
  return entry;
}

Kinetic::Kinetic(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                 const Parameters& parameters)
    : Discretization(mesh, geometry, parameters), dry_depth_(parameters.number("dry_depth")) {
  const Index faces = mesh.face_count();
  cells_.location = Location::face;
  cells_.area = geometry.face_area;
  cells_.points.resize(3, faces);
  cells_.bed.resize(faces);
  cells_.of_element.resize(static_cast<std::size_t>(faces));
  for (Index k = 0; k < faces; ++k) {
    cells_.points.col(k) = geometry.centroid(mesh, k);
    cells_.bed[k] = bed_depth(cells_.points.col(k));
    cells_.of_element[static_cast<std::size_t>(k)] = k;
  }
  frame_.resize(static_cast<std::size_t>(mesh.edge_count()));
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    EdgeFrame& frame = frame_[static_cast<std::size_t>(e)];
    const Vector3 along = geometry.x.col(mesh.edges(1, e)) - geometry.x.col(mesh.edges(0, e));
    frame.length = along.norm();
    frame.tangent = along / frame.length;
    const Vector3 left = geometry.face_normal.col(mesh.edge_faces(0, e));
    frame.normal_left = frame.tangent.cross(left);
    frame.normal_right = frame.normal_left;
    if (!mesh.is_wall(e)) {
      const Vector3 right = geometry.face_normal.col(mesh.edge_faces(1, e));
      frame.normal_right = frame.tangent.cross(right);
    }
  }
  flux_.resize(static_cast<std::size_t>(mesh.edge_count()));
}

void Kinetic::forcing_changed() {
  edge_acceleration_.resize(mesh_.edge_count());
  for (Index e = 0; e < mesh_.edge_count(); ++e)
    edge_acceleration_[e] =
        -0.5 * (normal_acceleration_[mesh_.edges(0, e)] + normal_acceleration_[mesh_.edges(1, e)]);
}

State Kinetic::project(const Fields& fields) const {
  State state;
  state.volume.resize(cells_.count());
  state.flow.setZero(3 * cells_.count());
  for (Index k = 0; k < cells_.count(); ++k) {
    const Vector3 x = cells_.points.col(k), normal = geometry_.face_normal.col(k);
    state.volume[k] = cells_.area[k] * (fields.depth ? fields.depth(x) : 1.0);
    if (!fields.velocity) continue;
    const Vector3 velocity = fields.velocity(x);
    state.flow.segment<3>(3 * k) = state.volume[k] * (velocity - normal * normal.dot(velocity));
  }
  return state;
}

void Kinetic::face_depth(const State& state, Vector& depth) const {
  depth = state.volume.cwiseQuotient(cells_.area);
}

void Kinetic::face_velocity(const State& state, Points& velocity) const {
  velocity.resize(3, cells_.count());
  for (Index k = 0; k < cells_.count(); ++k) {
    if (state.volume[k] > dry_depth_ * cells_.area[k])
      velocity.col(k) = state.flow.segment<3>(3 * k) / state.volume[k];
    else
      velocity.col(k).setZero();
  }
}

/// Hydrostatic reconstruction: both sides are cut at the higher bed; what a side loses of its own hydrostatic
/// pressure is given back to it, so that a level surface exerts no net force.
Kinetic::EdgeFlux Kinetic::edge_flux(Index edge) const {
  const EdgeFrame& frame = frame_[static_cast<std::size_t>(edge)];
  const double acceleration = edge_acceleration_[edge];
  const Index left = mesh_.edge_faces(0, edge);
  const double normal_left = velocity_.col(left).dot(frame.normal_left);
  const double tangential_left = velocity_.col(left).dot(frame.tangent);

  if (mesh_.is_wall(edge)) {  // the mirror image across the wall: no mass, twice the outgoing half's momentum
    const double momentum = 2 * half_flux(std::max(0.0, depth_[left]), normal_left, acceleration).momentum;
    return {0, momentum, momentum, 0};
  }
  const Index right = mesh_.edge_faces(1, edge);
  const double normal_right = velocity_.col(right).dot(frame.normal_right);
  const double tangential_right = velocity_.col(right).dot(frame.tangent);

  const double bed = std::min(cells_.bed[left], cells_.bed[right]);  // H counts downwards
  const double depth_left = std::max(0.0, depth_[left] - cells_.bed[left] + bed);
  const double depth_right = std::max(0.0, depth_[right] - cells_.bed[right] + bed);
  const HalfFlux out = half_flux(depth_left, normal_left, acceleration);
  const HalfFlux in = half_flux(depth_right, -normal_right, acceleration);

  const double momentum = out.momentum + in.momentum;
  const double half = 0.5 * acceleration;
  return {out.mass - in.mass,                                                             //
          momentum + half * (depth_[left] * depth_[left] - depth_left * depth_left),      //
          momentum + half * (depth_[right] * depth_[right] - depth_right * depth_right),  //
          out.mass * tangential_left - in.mass * tangential_right};
}

void Kinetic::add_rates(const State& state, double scale, State& target) const {
  face_depth(state, depth_);
  face_velocity(state, velocity_);
  for (Index e = 0; e < mesh_.edge_count(); ++e) flux_[static_cast<std::size_t>(e)] = edge_flux(e);

  for (Index k = 0; k < cells_.count(); ++k) {
    double mass = 0;
    Vector3 momentum = Vector3::Zero();
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh_.face_edges(c, k);
      const EdgeFrame& frame = frame_[static_cast<std::size_t>(e)];
      const EdgeFlux& flux = flux_[static_cast<std::size_t>(e)];
      const bool is_left = mesh_.edge_faces(0, e) == k;
      const double outward = is_left ? frame.length : -frame.length;
      const Vector3& normal = is_left ? frame.normal_left : frame.normal_right;
      mass += outward * flux.mass;
      momentum += outward * ((is_left ? flux.normal_left : flux.normal_right) * normal +
                             flux.tangential * frame.tangent);
    }
    target.volume[k] -= scale * mass;
    target.flow.segment<3>(3 * k) -= scale * momentum;
  }
}

double Kinetic::stable_dt(const State& state) const {
  face_depth(state, depth_);
  face_velocity(state, velocity_);
  double dt = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < cells_.count(); ++k) {
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh_.face_edges(c, k);
      const EdgeFrame& frame = frame_[static_cast<std::size_t>(e)];
      const Vector3& normal = mesh_.edge_faces(0, e) == k ? frame.normal_left : frame.normal_right;
      sum += frame.length * (std::abs(velocity_.col(k).dot(normal)) +
                             std::sqrt(1.5 * edge_acceleration_[e] * std::max(0.0, depth_[k])));
    }
    if (sum > 0) dt = std::min(dt, cells_.area[k] / sum);
  }
  return dt;
}

std::vector<ClampCount> Kinetic::clamp_counts(const State& state) const {
  std::vector<ClampCount> counts = Discretization::clamp_counts(state);
  face_depth(state, depth_);
  counts.push_back({"dry_cells", static_cast<Index>((depth_.array() <= dry_depth_).count())});
  return counts;
}

double Kinetic::kinetic_energy(const State& state) const {
  face_velocity(state, velocity_);
  double sum = 0;
  for (Index k = 0; k < cells_.count(); ++k) sum += state.flow.segment<3>(3 * k).dot(velocity_.col(k));
  return 0.5 * sum;
}

void Kinetic::vertex_vorticity(const State& state, Vector& vorticity) const {
  face_velocity(state, velocity_);
  vorticity_from_faces(mesh_, geometry_, velocity_, vorticity);
}

void Kinetic::vertex_depth(const State& state, Vector& depth) const {
  face_depth(state, depth_);
  average_to_vertices(mesh_, geometry_.face_area, depth_, depth);
}

}  // namespace shoal
