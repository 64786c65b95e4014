// fefv: mixed finite elements and finite volumes (Angst 2007, §4.4). Depth is piecewise linear with its
// unknowns on the barycentric dual cells of vertices; velocity is one tangential vector per triangle, stored
// as barycentric rates β꜀ = v·∇φ꜀ (1/s): v = β₁ (x₁−x₀) + β₂ (x₂−x₀), β₀ = −β₁−β₂.
//
//     gradient     β꜀ = Σᵢ pᵢ ∇φᵢ·∇φ꜀                                                (4.5)
//     mass flux    Vᵢ_t = Σₖ Aₖ η̄ₖ βᵢₖ, η̄ₖ the triangle's mean depth, zero if negative
//     momentum     vₖ_t = aₙ∇h + ½η∇aₙ + f/ρ                                         (5.13, without advection)
//     advection    −ζ̄ₖ n×v − G K,    Kᵢ = 1/Aᵢ Σₖ ⅓Aₖ ½|vₖ|²
//
// Then D(η) = −Gᵀ W diag(η̄) with W = diag(Aₖ), and energy is conserved. Derivation, other mass fluxes and
// the treatment of bad triangles: discretizations/fefv/fefv.md.
#pragma once

#include "discretizations/entry.hpp"
#include "discretizations/mesh/intrinsic.hpp"
#include "discretizations/operators/edge_laplacian.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/gather_sum.hpp"
#include "discretizations/operators/p1.hpp"
#include "discretizations/operators/shared_projection.hpp"
#include "discretizations/wave_scheme/wave_scheme.hpp"

#include <limits>

namespace shoal {

enum class FluxDepth { face, edge };
enum class Continuity { flux, advective };
/// The rotation term of the advection. projected: Hodge projection onto the span of gradients and curls of
/// the scheme (operators/hodge_projection.hpp), weighted by mass ηA; unweighted: the same weighted by A;
/// plain: no projection.
enum class Rotation { projected, unweighted, plain };

/// e_α·e_β of a triangle's edges e₁ = x₁−x₀, e₂ = x₂−x₀, m².
struct Metric {
  double g11, g12, g22;
};

struct FefvOptions {
  double lower_angle = 0;  ///< degree
  double cosine_limit = 0;
  bool zero_negative_cotangents = false;
  double max_divergence_edge = std::numeric_limits<double>::infinity();  ///< m
  bool intrinsic_laplacian = false;
  FluxDepth flux_depth = FluxDepth::face;
  DryOptions dry{};
  Continuity continuity = Continuity::flux;
  Rotation rotation = Rotation::projected;
  double projection_tolerance = 1e-7;
  int projection_iterations = 200;
  double projection_floor = 1e-6;
  static Options<FefvOptions> describe();
};

/// Operators per face, after the limits on bad triangles.
struct LimitedTriangles {
  Points cotangent;  // [3, nF]
  Vector flux_area;  // [nF] sₖ Aₖ
  Points stiffness;  // [3, nF] ½ s cot: weight in K(1) of the edge opposite to the corner
  /// ∇φ₁·∇φ₁, ∇φ₁·∇φ₂, ∇φ₂·∇φ₂ of the limited cotangents, m⁻²
  Vector gradient_11, gradient_12, gradient_22;
  Index clamped_angles = 0, clamped_cotangents = 0, clamped_fluxes = 0;
};

struct FefvScratch final : WaveScratch {
  // [3·nF + 1] inflow into the cells of all corners 0, then 1, then 2, m³/s; a final zero
  Vector corner_flux;
  Vector edge_weight;
  Vector inflow;         // [nV] −Aᵢ ∇·v
  Vector vertex_weight;  // [nV] weight of a projection; also used to transfer weights to intrinsic triangles
  Vector head, vertex_vorticity;  // [nV] K, m²/s²; ζ, 1/s
  State surface_flow;             // state whose velocity is ẋ
  Points transport;               // [3, nF] −v·∇v by upstream differences
  Vector from_rest;               // [faces] inflow at openings of water at rest, m³/s
  Vector others;  // [2·nF] rates projected together with the rotation: of forces and of entering water
  Vector rotation, volume_weight;  // [2·nF] rates, [nF] ηA or A, m³ or m²
  Points outside;                  // [3, nV] at crossings: Σ ℓ|flux|, Σ ℓ|flux| K, 1 once counted
  // Contains its last solutions, from which the next projection starts.
  std::unique_ptr<SharedProjection> projection;  // created on first use
  Index projection_geometry = 0;                 // geometry version for which it was built
  bool unconverged = false;                      // whether the last projection failed to converge
};

inline FefvScratch& of_fefv(Scratch& scratch) {
  return static_cast<FefvScratch&>(scratch);
}

class Fefv final : public WaveScheme, public FaceVelocity {
 public:
  using SchemeOptions = FefvOptions;
  static std::string unavailable(std::string_view capability, const FefvOptions& options);

  Fefv(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth, const Parameters& parameters,
       Terms of_equations);

  std::unique_ptr<Scratch> make_scratch() const override;
  State project(const Fields& fields) const override;
  void refresh(State* carried) override;
  void lower(State& state) const override;
  void raise(State& state) const override;
  void add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                            Scratch& scratch) const override;
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces,
                                       Scratch& scratch) const override;
  void add_velocity(const Points& velocity, State& state) const override;
  void project_initial_velocity(Terms terms, State& state, Scratch& scratch) const override;
  Vector* memory(Scratch& scratch) const override;
  double kinetic_energy(const State& state, Scratch& scratch) const override;
  void apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  double opening_power(const State& state, const Forces& forces, Terms terms,
                       Scratch& scratch) const override;

  const Field& barycentric_rates() const override { return velocity(); }
  static bool leaves_depth_to_transport(const FefvOptions& options) {
    return options.continuity == Continuity::advective;
  }
  bool leaves_depth_to_transport() const override { return leaves_depth_to_transport(options_); }

  Index sites() const override { return mesh_.face_count(); }
  void add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const override;
  void add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out,
                   Scratch& scratch) const override;
  void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out,
                     Scratch& scratch) const override;
  SymmetricMatrix stiffness_pattern() const override { return laplacian_.pattern(); }
  Index pattern_version() const override { return pattern_version_; }
  void assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix,
                Scratch& scratch) const override;

 private:
  const DryOptions& dry() const override { return options_.dry; }
  int cells_of_site(Index site, Index* cells) const override {
    for (int c = 0; c < 3; ++c) cells[c] = corner_[c][site];
    return 3;
  }
  void inflow_at_site(Index site, const double* flow, double* inflow) const override;
  void push_at_site(Index site, const double* p, double* flow) const override {
    const double d1 = p[0] - p[1], d2 = p[0] - p[2];
    flow[0] = limited_.gradient_11[site] * d1 + limited_.gradient_12[site] * d2;
    flow[1] = limited_.gradient_12[site] * d1 + limited_.gradient_22[site] * d2;
  }
  void potential_at_site(Index site, const double* flow, double* p) const override;
  double squared_speed(Index site, const double* flow) const override;
  void compute_speed(const State& state, const Forces& forces, Vector& speed, WaveScratch& s) const override;
  unsigned hold(Index site, unsigned closed, unsigned dry, double* flow) const override;
  void remove_flow_through(Index site, int corner, double* flow) const;
  void add_shore_flux(VectorIn flow, const Shore& shore, double scale, VectorOut volume,
                      WaveScratch& s) const override;
  void add_mass_flux(const State& state, double scale, VectorOut volume, WaveScratch& s) const override;
  void add_rotation(const State& state, const Forces& forces, Terms terms, const Films& films, double scale,
                    VectorOut flow, WaveScratch& s) const override;
  double stable_wave_dt(const State& state, const Forces& forces, WaveScratch& s) const override;
  double advection_frequency(const State& state, WaveScratch& s) const override;
  void split_body_acceleration(const Points& body_acceleration, Vector& body_force,
                               WaveScratch& /*s*/) const override {
    edge_work(mesh_, geometry_.face_area, geometry_.cotangent, geometry_.x, body_acceleration, body_force);
  }
  void derive_coriolis(const Vector3& rotation, Forces& forces, WaveScratch& s) const override;
  void add_surface_motion(const Points& surface_velocity, Forces& forces, WaveScratch& s) const override;
  void cell_acceleration(const Vector& at_vertices, Vector& at_cells, WaveScratch& /*s*/) const override {
    at_cells = at_vertices;
  }
  void site_mean(const Vector& at_cells, Vector& at_sites) const override;
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override;
  void declare_outputs();
  void refresh_operators();
  void turn_with_faces(State* carried);
  void limit_fluxes();
  void limit_cotangents();
  void follow_flips();
  // operators.cpp
  double highest_frequency_squared(Index face) const;
  template <class Depth>
  void add_transport(VectorIn flow, double scale, const Depth& depth, VectorOut out, FefvScratch& s) const;
  void add_dual_edge_flux(VectorIn flow, const Vector& cell_depth, double scale, const Vector& opening,
                          VectorOut out, FefvScratch& s) const;
  void add_advective_rate(VectorIn flow, const Vector& cell_depth, double scale, const Vector& opening,
                          VectorOut out, FefvScratch& s) const;
  void cotangent_weights(const Vector& face_weight, Vector& weights) const;
  void intrinsic_weights(const Vector& face_weight, Vector& weights, FefvScratch& s) const;
  void edge_weights(const Vector& face_weight, Vector& weights, FefvScratch& s) const;
  // advection.cpp
  Metric metric(Index face) const;
  BarycentricRates quarter_turn(Index face, BarycentricRates rates) const;
  Vector3 velocity_vector(const ConstBlock& flow, Index face) const;
  void compute_vorticity(VectorIn flow, Vector& vorticity, FefvScratch& s) const;
  SharedProjection& projection(FefvScratch& s) const;
  bool projects_apart(const Forces& forces) const;
  bool projects_with_depth(bool with_others, const Films& films, const FefvScratch& s) const;
  void project_rotation(const ConstBlock& flow, const Forces& forces, bool with_others, bool apart,
                        const Films& films, FefvScratch& s) const;
  double wave_energy(const Forces& forces, const FefvScratch& s) const;
  void project_others(const Films& films, FefvScratch& s) const;
  bool project_in(const Vector& weight, const Vector& density, double tolerance, double* rates,
                  FefvScratch& s) const;
  void weigh_with_depth(const Vector& cell_depth, const Vector& site_depth, Vector& volume_weight,
                        Vector& vertex_weight) const;
  void turn_in_space(double dt, const Forces& forces, State& state, FefvScratch& s) const;
  double power(const ConstBlock& flow, const double* rates, const Vector& volume_weight) const;
  // openings.cpp
  void open_vorticity(const ConstBlock& flow, const Array<Crossing>& crossings, Vector& vorticity,
                      FefvScratch& s) const;
  double inside_head(const ConstBlock& flow, const Vector& site_depth, Index vertex) const;
  double mean_square(const ConstBlock& flow, const Vector& site_depth, Index vertex,
                     const Vector3& direction) const;
  void open_head(const ConstBlock& flow, const Vector& site_depth, const Array<Crossing>& crossings,
                 Vector& head, FefvScratch& s) const;
  void add_entering_momentum(const ConstBlock& flow, const Array<Crossing>& crossings, double* rates) const;
  // dry_land.cpp
  void add_upstream_transport(const ConstBlock& flow, const Films& films, const Array<Crossing>& crossings,
                              double scale, VectorOut out, FefvScratch& s) const;

  const FefvOptions options_;
  const bool projects_turns_;  // whether the Coriolis force is projected when it acts separately from v·∇v

  Vector ones_;             // [nF]
  Vector edge_weight_;      // [nE] weights of K(1), for counting negative ones
  Array<Index> corner_[3];  // [nF]
  LimitedTriangles limited_;
  Array<Index> wall_corner_;  // 3·face + corner opposite to a wall edge
  GatherSum<6> ring_sum_;     // sums the corner flux around each vertex
  EdgeLaplacian laplacian_;
  Array<FaceFrame> frame_, before_;  // only with carried_velocity = rotated
  IntrinsicTriangulation delaunay_;  // its cotangents are the weights of K
  Index pattern_version_ = 0, geometry_version_ = 0;
};

/// Bound of ω² at unit wave speed, 1/m²: the largest eigenvalue of the triangle's stiffness with its share
/// A/3 of the lumped mass (Fried 1972). The bound is attained on equilateral meshes.
inline double Fefv::highest_frequency_squared(Index face) const {
  const double a = 0.5 * limited_.cotangent(0, face), b = 0.5 * limited_.cotangent(1, face),
               c = 0.5 * limited_.cotangent(2, face);
  const double eigenvalue =
      a + b + c + std::sqrt(std::max(0.0, a * a + b * b + c * c - a * b - b * c - c * a));
  return 3 * eigenvalue / geometry_.face_area[face];
}

inline Metric Fefv::metric(Index face) const {
  const double first = geometry_.edge_length[mesh_.face_edges(2, face)],
               second = geometry_.edge_length[mesh_.face_edges(1, face)];
  return {first * first, 2 * geometry_.face_area[face] * geometry_.cotangent(0, face), second * second};
}

[[gnu::always_inline]] inline Vector3 Fefv::velocity_vector(const ConstBlock& flow, Index face) const {
  if (mesh_.periodic()) {
    const Vector3 x0 = geometry_.corner(mesh_, face, 0);
    return flow[face] * (geometry_.corner(mesh_, face, 1) - x0) +
           flow[mesh_.face_count() + face] * (geometry_.corner(mesh_, face, 2) - x0);
  }
  const Vector3 x0 = geometry_.x.col(mesh_.faces(0, face));
  return flow[face] * (Vector3(geometry_.x.col(mesh_.faces(1, face))) - x0) +
         flow[mesh_.face_count() + face] * (Vector3(geometry_.x.col(mesh_.faces(2, face))) - x0);
}

DiscretizationEntry fefv();

}  // namespace shoal
