// lax-friedrichs: finite volumes of first order on triangles, with the local Lax–Friedrichs flux (Rusanov 1962,
// doi:10.1016/0041-5553(62)90062-9), as a whole scheme of its own; a flux alone is a smaller file, as
// smooth_rusanov.cpp. Over a bed this scheme dissipates jumps of the elevation h = η − H instead of the depth
// (Xing & Shu 2005, doi:10.1016/j.jcp.2005.02.006), so that water at rest stays at rest.
//
// A triangle has the volume V = Aη and the momentum M = V v, a complex number in its own frame. Across an
// edge of length l the plane of the neighbour is turned into ours: w = u + i t are the components of v normal
// and tangential to the edge. From the left triangle L to the right one R flow
//
//     volume     l [ ½(η_L u_L + η_R u_R) − ½c (h_R − h_L) ],
//     momentum   l [ ½(η_L u_L w_L + η_R u_R w_R) − ½c (η_R w_R − η_L w_L) + p ],
//     p = |aₙ| (½η² + ¼(η_L + η_R)(h_other − h)),
//
// where p is the pressure that either side feels: over a level bed the mean of both ½|aₙ|η², at rest its own,
// and that adds up to zero around a triangle. A wall is a mirror; open boundaries have the flux of their own
// state (operators/boundary_flux.hpp).
//
// Rusanov's c is the larger |u| + √(|aₙ|η) of both sides. Its kinks would hold every method in time at second
// order, so we take a smooth bound on it: c⁴ = s_L⁴ + s_R⁴, s² = 5u² + 5/4 |aₙ|η ≥ (|u| + √(|aₙ|η))².
// Stable under forward Euler for Δt ≤ min A / Σ l c. For wet beds: a depth below zero ends a run as unstable.
#include "discretizations/discretization.hpp"
#include "discretizations/operators/boundary_flux.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/p1.hpp"
#include "discretizations/operators/surface_motion.hpp"

#include <cmath>
#include <limits>

namespace shoal {
namespace {

/// The water on one side of an edge.
struct Side {
  double depth, elevation;
  Tangent w;  ///< velocity: normal to the edge, left to right, and along it

  double discharge() const { return depth * w.real(); }
  Side mirrored() const { return {depth, elevation, -std::conj(w)}; }
};

struct Flux {
  double volume;
  Tangent momentum;
};

/// s⁴
double speed_4(const Side& side, double acceleration) {
  const double squared = 5 * side.w.real() * side.w.real() + 1.25 * acceleration * side.depth;
  return squared * squared;
}

double wave_speed(const Side& left, const Side& right, double acceleration) {
  return std::sqrt(std::sqrt(speed_4(left, acceleration) + speed_4(right, acceleration)));
}

Flux local_flux(const Side& left, const Side& right, double acceleration) {
  const double c = wave_speed(left, right, acceleration);
  return {0.5 * (left.discharge() + right.discharge()) - 0.5 * c * (right.elevation - left.elevation),
          0.5 * (left.discharge() * left.w + right.discharge() * right.w) -
              0.5 * c * (right.depth * right.w - left.depth * left.w)};
}

double pressure(const Side& own, const Side& other, double acceleration) {
  return acceleration *
         (0.5 * own.depth * own.depth + 0.25 * (own.depth + other.depth) * (other.elevation - own.elevation));
}

class LaxFriedrichs final : public Discretization {
 public:
  struct SchemeOptions {  // none of its own
    static Options<SchemeOptions> describe() { return {}; }
  };

  LaxFriedrichs(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                const Parameters& parameters)
      : Discretization(mesh, geometry, parameters) {
    cells_.location = Location::face;
    cells_.points.resize(3, faces());
    measure();
    cells_.bed.resize(faces());
    for (Index k = 0; k < faces(); ++k) {
      cells_.bed[k] = bed_depth(cells_.points.col(k));
      cells_.of_element.push_back(k);
    }
    set_layout("momentum", "m^4/s", Location::face, 2, faces());
    declare_outputs();
  }

  State project(const Fields& fields) const override {
    State state = zero_state(layout());
    Block volumes = state[volume()];
    for (Index k = 0; k < faces(); ++k) {
      const Vector3 x = cells_.points.col(k);
      volumes[k] = cells_.area[k] * (fields.depth ? fields.depth(x) : 1.0);
      if (fields.velocity) add_momentum(k, volumes[k] * in_plane(k, fields.velocity(x)), state);
    }
    return state;
  }

  /// Momentum that is turned with its triangle keeps its components; one that is stretched with it keeps the
  /// barycentric rates.
  void refresh(State* carried) override {
    std::swap(before_, frame_);
    measure();
    if (!carried || carried_velocity_ != CarriedVelocity::barycentric) return;
    for (Index k = 0; k < faces(); ++k) {
      const Tangent m = momentum(*carried, k);
      add_momentum(k, frame_[k].tangent(before_[k].rates(m)) - m, *carried);
    }
  }

  void lower(State& state) const override {
    for (Index k = 0; k < faces(); ++k) set_momentum(k, frame_[k].lowered(momentum(state, k)), state);
  }
  void raise(State& state) const override {
    for (Index k = 0; k < faces(); ++k) set_momentum(k, frame_[k].raised(momentum(state, k)), state);
  }
  void add_surface_velocity(const Points& surface_velocity, double scale, State& state) const override {
    for (Index k = 0; k < faces(); ++k)
      add_momentum(k, scale * state[volume()][k] * in_plane(k, face_velocity(mesh_, k, surface_velocity)),
                   state);
  }

  void add_rates(const State& state, const Forces& forces, Terms terms, double scale,
                 State& rate) const override {
    const ConstBlock volumes = state[volume()];
    compute_velocity(state);
    if (terms.has(Term::gravity)) {  // and advection, of the same flux
      add_fluxes(forces, scale, rate);
      add_open_fluxes(forces, scale, rate, [](const Side& from, double a) {
        return local_flux(from, from.mirrored(), a).momentum + pressure(from, from, a);  // the wall's
      });
    }
    const bool has_inflow = terms.has(Term::source) && forces.has_inflow;
    const Vector inflow = has_inflow ? add_inflow(volumes, forces, scale, rate) : Vector();
    for (Index k = 0; k < faces(); ++k) {
      Tangent sum = 0;
      if (terms.has(Term::force) && forces.has_body_force)
        sum += volumes[k] * Tangent(forces.body_force[k], forces.body_force[faces() + k]);
      if (terms.has(Term::coriolis) && forces.rotates)
        sum += Tangent(0, -forces.coriolis[k]) * momentum(state, k);
      if (terms.has(Term::friction)) sum -= forces.friction * momentum(state, k);
      if (has_inflow) sum += inflow[k] * velocity_[k];  // it comes with the velocity of the water there
      if (has_inflow && forces.has_own_velocity)        // or with its own
        sum += forces.own_inflow[k] *
               (Tangent(forces.own_velocity[k], forces.own_velocity[faces() + k]) - velocity_[k]);
      add_momentum(k, scale * sum, rate);
    }
  }

  /// A wall at which the water stands exerts the pressure of the water.
  void add_boundary_rates(const State& state, const Forces& forces, double scale,
                          State& rate) const override {
    compute_velocity(state);
    add_open_fluxes(forces, scale, rate, [](const Side& from, double a) { return pressure(from, from, a); });
  }
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override {
    places.push_back({edge, edge, set, kind, geometry_.edge_length[edge]});
  }
  bool discharge_is_source() const override { return false; }

  double stable_dt(const State& state, const Forces& forces, Terms terms) const override {
    compute_velocity(state);
    Vector outflow = Vector::Zero(faces());  // Σ l c
    for_each_edge([&](Index e, Index left, Index right, const Side& from, const Side& to) {
      const double speed = geometry_.edge_length[e] * wave_speed(from, to, forces.edge_acceleration[e]);
      outflow[left] += speed;
      if (right != Mesh::none) outflow[right] += speed;
    });
    double frequency = terms.has(Term::friction) ? forces.friction : 0;
    if (terms.has(Term::coriolis) && forces.rotates) frequency += forces.coriolis.cwiseAbs().maxCoeff();
    return 1 / (outflow.cwiseQuotient(cells_.area).maxCoeff() + frequency / 2);
  }

  void turn_velocity(double dt, const Forces& forces, State& state) const override {
    if (!forces.rotates) return;
    for (Index k = 0; k < faces(); ++k) {
      const Tangent m = momentum(state, k);
      set_momentum(k, std::polar(1.0, -dt * forces.coriolis[k]) * m, state);
    }
  }

  void add_velocity(const Points& velocity, State& state) const override {
    for (Index k = 0; k < faces(); ++k)
      add_momentum(k, state[volume()][k] * in_plane(k, velocity.col(k)), state);
  }

  double kinetic_energy(const State& state) const override {
    double sum = 0;
    for (Index k = 0; k < faces(); ++k) sum += 0.5 * std::norm(momentum(state, k)) / state[volume()][k];
    return sum;
  }

 private:
  Index faces() const { return mesh_.face_count(); }

  Tangent momentum(const State& state, Index k) const {
    const ConstBlock m = state[velocity()];
    return {m[k], m[faces() + k]};
  }
  void set_momentum(Index k, Tangent value, State& state) const {
    Block m = state[velocity()];
    m[k] = value.real();
    m[faces() + k] = value.imag();
  }
  void add_momentum(Index k, Tangent value, State& state) const {
    set_momentum(k, momentum(state, k) + value, state);
  }

  Tangent in_plane(Index k, const Vector3& v) const { return {v.dot(first_.col(k)), v.dot(second_.col(k))}; }
  Vector3 in_space(Index k, Tangent z) const { return z.real() * first_.col(k) + z.imag() * second_.col(k); }

  /// All that depends on positions: areas, frames, and the normals of the edges in the frames of both sides.
  void measure() {
    cells_.area = geometry_.face_area;
    face_frames(mesh_, geometry_, frame_);
    first_.resize(3, faces());
    second_.resize(3, faces());
    for (Array<Tangent>& normals : normal_) normals.resize(mesh_.edge_count());
    for (Index k = 0; k < faces(); ++k) {
      cells_.points.col(k) = geometry_.centroid(mesh_, k);
      const Vector3 edge = geometry_.corner(mesh_, k, 1) - geometry_.corner(mesh_, k, 0);
      const Vector3 normal = geometry_.face_normal.col(k);
      first_.col(k) = edge.normalized();
      second_.col(k) = normal.cross(Vector3(first_.col(k)));
      for (int corner = 0; corner < 3; ++corner) {
        const Index e = mesh_.face_edges(corner, k);
        const Tangent along = frame_[k].edge((corner + 1) % 3) / geometry_.edge_length[e];
        const Tangent outward = Tangent(0, -1) * along;
        const int side = mesh_.edge_faces(0, e) == k ? 0 : 1;
        normal_[side][e] = side == 0 ? outward : -outward;
      }
    }
  }

  void derive_forces(const Vector& normal_acceleration, const Forcing& forcing,
                     Forces& forces) const override {
    forces.edge_acceleration.resize(mesh_.edge_count());
    for (Index e = 0; e < mesh_.edge_count(); ++e)
      forces.edge_acceleration[e] =
          -0.5 * (normal_acceleration[mesh_.edges(0, e)] + normal_acceleration[mesh_.edges(1, e)]);
    if (forces.has_body_force) {
      edge_work(mesh_, geometry_.face_area, geometry_.cotangent, geometry_.x, forcing.body_acceleration,
                body_rates_);
      forces.body_force.resize(2 * faces());
      for (Index k = 0; k < faces(); ++k) {
        const Tangent force = frame_[k].tangent({body_rates_[k], body_rates_[faces() + k]});
        forces.body_force[k] = force.real();
        forces.body_force[faces() + k] = force.imag();
      }
    }
    if (forces.rotates) forces.coriolis = 2 * geometry_.face_normal.transpose() * forcing.rotation;
    if (!forces.moves) return;
    if (!forces.has_body_force) forces.body_force.setZero(2 * faces());
    forces.has_body_force = true;
    forces.surface_force.resize(2 * faces());
    surface_vorticity_.resize(faces());
    for (Index k = 0; k < faces(); ++k) {
      surface_vorticity_[k] = face_vorticity(mesh_, geometry_, k, forcing.surface_velocity);
      const Tangent force = centrifugal_force(mesh_, frame_[k], k, forcing.surface_velocity);
      forces.surface_force[k] = force.real();
      forces.surface_force[faces() + k] = force.imag();
    }
    forces.body_force += forces.surface_force;
    forces.coriolis += surface_vorticity_;
    average_to_vertices(mesh_, geometry_.face_area, surface_vorticity_, forces.surface_vorticity);
  }

  void compute_velocity(const State& state) const {
    depth_ = state[volume()].cwiseQuotient(cells_.area);
    velocity_.resize(faces());
    for (Index k = 0; k < faces(); ++k) velocity_[k] = momentum(state, k) / state[volume()][k];
  }

  Side side(Index k, Tangent normal) const {
    return {depth_[k], depth_[k] - cells_.bed[k], velocity_[k] * std::conj(normal)};
  }

  /// visit(edge, left face, right face or none, water on the left, water on the right or its mirror image)
  template <class Visit>
  void for_each_edge(const Visit& visit) const {
    for (Index e = 0; e < mesh_.edge_count(); ++e) {
      const Index left = mesh_.edge_faces(0, e), right = mesh_.edge_faces(1, e);
      const Side from = side(left, normal_[0][e]);
      visit(e, left, right, from, mesh_.is_wall(e) ? from.mirrored() : side(right, normal_[1][e]));
    }
  }

  void add_fluxes(const Forces& forces, double scale, State& rate) const {
    Block volume_rate = rate[volume()];
    for_each_edge([&](Index e, Index left, Index right, const Side& from, const Side& to) {
      const double a = forces.edge_acceleration[e], length = scale * geometry_.edge_length[e];
      const Flux flux = local_flux(from, to, a);
      volume_rate[left] -= length * flux.volume;
      add_momentum(left, -length * (flux.momentum + pressure(from, to, a)) * normal_[0][e], rate);
      if (right == Mesh::none) return;
      volume_rate[right] += length * flux.volume;
      add_momentum(right, length * (flux.momentum + pressure(to, from, a)) * normal_[1][e], rate);
    });
  }

  /// What flows through open edges, in place of the momentum flux instead(water there, |aₙ|).
  template <class Instead>
  void add_open_fluxes(const Forces& forces, double scale, State& rate, const Instead& instead) const {
    const OpenBoundary& open = forces.open_boundary;
    for (const OpenBoundary::Place& place : open.places) {
      const Index e = place.edge, k = mesh_.edge_faces(0, e);
      const Side from = side(k, normal_[0][e]);
      const double a = forces.edge_acceleration[e], length = scale * place.length;
      const BoundaryFlux flux = boundary_flux(place.kind, open.value[place.set], cells_.bed[k], from.depth,
                                              from.w.real(), from.w.imag(), a);
      rate[volume()][k] -= length * flux.volume;
      rate[boundary_volume()][place.set] -= length * flux.volume;
      rate[source_volume()][1] += length * flux.lacking;
      add_momentum(k, -length * (Tangent(flux.momentum, flux.tangential) - instead(from, a)) * normal_[0][e],
                   rate);
    }
  }

  void declare_outputs() {
    const auto face_area = [this]() -> const Vector& { return geometry_.face_area; };
    const auto velocities = [this](const State& state, auto& vectors) {
      compute_velocity(state);
      vectors.resize(3, faces());
      for (Index k = 0; k < faces(); ++k) vectors.col(k) = in_space(k, velocity_[k]);
    };
    add_output(
        {"velocity", "m/s", "v", Location::face, 3,
         [velocities](const State& state, const Forces&, Values& values) { velocities(state, values); },
         face_area});
    add_output({"depth_at_faces", "m", "η", Location::face, 1,
                [this](const State& state, const Forces&, Values& values) {
                  values = state[volume()].cwiseQuotient(cells_.area).transpose();
                },
                face_area});
    add_vertex_outputs(
        [this](const State& state, Vector& depth) {
          compute_velocity(state);
          average_to_vertices(mesh_, geometry_.face_area, depth_, depth);
        },
        [this, velocities](const State& state, const Forces&, Vector& vorticity) {
          velocities(state, face_velocity_);
          vorticity_from_faces(mesh_, geometry_, face_velocity_, vorticity);
        },
        [this]() -> const Vector& { return geometry_.vertex_area; });
  }

  Array<FaceFrame> frame_, before_;  // [nF] of the momentum, now and before the last move
  Points first_, second_;            // [3, nF] their axes in space
  Array<Tangent> normal_[2];         // [nE] left to right, in the frames of the left and of the right face

  mutable Vector depth_;              // [nF]
  mutable Array<Tangent> velocity_;   // [nF]
  mutable Points face_velocity_;      // [3, nF]
  mutable Vector body_rates_;         // [2·nF]
  mutable Vector surface_vorticity_;  // [nF]
};

}  // namespace

DiscretizationEntry lax_friedrichs() {
  DiscretizationEntry entry =
      describe_scheme<LaxFriedrichs>("lax-friedrichs",
                                     "depth and momentum on triangles; the local Lax–Friedrichs flux of "
                                     "elevation and momentum, first order, well balanced");
  entry.terms = Terms::all();
  entry.inseparable = Term::gravity | Term::advection;
  entry.dissipative = true;
  return entry;
}

}  // namespace shoal
