// dec: C-grid from discrete exterior calculus with the circumcentric dual (Angst 2007, §4.2.2; Desbrun et al.
// 2006). Depth per triangle at its circumcentre; normal velocity u_e per edge, positive from left to right.
// l_e is the length of an edge, d_e = d_L + d_R that of its dual, d_T = ½ l_e cot(angle of T opposite to e):
//
//     gradient     (G p)_e = (p_R − p_L)/d_e
//     mass flux    V_T_t = ∓ Σ l_e h_e u_e,    h_e = (d_L η_L + d_R η_R)/d_e, zero if negative
//     advection    −ζ n×v − G K in energy-conserving form, or donor-cell fluxes of momentum (momentum.cpp);
//                  Coriolis: f instead of ζ
//
// Then D(η) = −Gᵀ W diag(h) with W = diag(l_e d_e), and energy is conserved. Derivation:
// discretizations/dec/dec.md.
#pragma once

#include "discretizations/dec/linear_vorticity.hpp"
#include "discretizations/entry.hpp"
#include "discretizations/operators/edge_laplacian.hpp"
#include "discretizations/operators/gather_sum.hpp"
#include "discretizations/operators/p1.hpp"

#include <optional>

namespace shoal {

/// Also contains the contributions of a moving mesh to head and rotation (dec.md, Moving meshes).
struct DecForces final : WaveForces {
  Vector drift_head, drift_rotation;  ///< [2·sites]
  /// [nV] ∫ φ f_c and the circulation of ẋ, m²/s; only with vorticity = linear
  Vector circulation;

  static const DecForces& of(const Forces& forces) { return forces.own.as<DecForces>(); }
  static DecForces& of(Forces& forces) { return forces.own.as<DecForces>(); }
  std::unique_ptr<SchemeForces> clone() const override { return std::make_unique<DecForces>(*this); }
};

/// A boundary edge with a flux through it.
struct Opening {
  Crossing crossing;
  Tangent moment;  // l_e times the arm from the centre of the cell to the edge, in the cell's frame, m²
  Tangent edge;    // the edge vector in that frame, m
  double across;   // l_e d_T, m²

  Index cell() const { return crossing.place.at; }
};
using Openings = Array<Opening>;

/// One vector per cell, in its frame.
struct CellVectors {
  Vector x, y;
};

/// ζ at the vertices, followed by a zero; and the mean of ζ over the corners of each cell.
struct Vorticity {
  Vector at_vertices, at_cells;
};

/// ẋ = T + own, where T is the velocity of the centroid of each connected component, and quantities derived
/// from it.
struct SurfaceVelocity {
  Points translation, own;  // [3, parts], [3, nV]
  // [3, cells] ċ, velocity of the centre; w = ċ minus ẋ at the material point of the centre
  Points centre, drift;
};

struct DecScratch final : WaveScratch {
  // [2·sites + 1] flux out of the left cells, then out of the right ones, m³/s; a final zero
  Vector site_flux;
  Vector site_weight;  // [sites]
  Openings openings;
  CellVectors moment;
  Vorticity rotation;
  Vector weight_sum, factor;  // [cells]; ζ/(H A)
  Vector head, inside_head;   // [cells] A K
  Vector term, next;          // [sites]
  LinearVorticityScratch linear;
  Points outside;  // [3, cells] at openings: Σ ℓ|flux|, Σ ℓ|flux| K, 1 once counted
  Array<Tangent> cell_velocity, cell_transport;  // [cells] v, −v·∇v
  Vector exchange, leaving;                      // [cells] inflow, m³/s; outflow at unit depth, m²/s
  Vector net_inflow;                             // [cells] m³/s
  Vector donor_flux;                             // [sites] from the left to the right cell, m³/s
  SurfaceVelocity surface;
  Vector face_value;  // [nF]
  // [3, nF] of a force: at the cell's centre, relative to the midpoint of the edge opposite to each corner
  Points potential;
};

inline DecScratch& of_dec(Scratch& scratch) {
  return static_cast<DecScratch&>(scratch);
}

class Dec final : public WaveScheme {
 public:
  using SchemeOptions = DecOptions;
  static std::string unavailable(std::string_view capability, const DecOptions& options);

  /// Throws Refusal naming the first edge whose dual length is negative.
  Dec(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth, const Parameters& parameters,
      Terms of_equations);

  std::unique_ptr<Scratch> make_scratch() const override;
  State project(const Fields& fields) const override;
  /// Keeps cells and sites; DualMesh::refresh() describes the treatment of short dual edges.
  void refresh(State* carried) override;
  void lower(State& state) const override;
  void raise(State& state) const override;
  void add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                            Scratch& scratch) const override;
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces,
                                       Scratch& scratch) const override;
  void add_velocity(const Points& velocity, State& state) const override;
  double kinetic_energy(const State& state, Scratch& scratch) const override;
  void apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  double opening_power(const State& state, const Forces& forces, Terms terms,
                       Scratch& scratch) const override;
  const Mesh* own_triangulation() const override {
    return dual_.has_flips() ? &triangulation_.mesh : nullptr;
  }

  Index sites() const override { return site_.count(); }
  void add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const override;
  void add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out,
                   Scratch& scratch) const override;
  void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out,
                     Scratch& scratch) const override;
  SymmetricMatrix stiffness_pattern() const override { return laplacian_.pattern(); }
  void assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix,
                Scratch& scratch) const override;

 private:
  const DryOptions& dry() const override { return options_.dry; }
  bool moves_momentum() const override { return options_.momentum; }
  int cells_of_site(Index site, Index* cells) const override {
    cells[0] = site_.left_cell[site];
    cells[1] = site_.right_cell[site];
    return 2;
  }
  void inflow_at_site(Index site, const double* flow, double* inflow) const override {
    inflow[1] = site_.length[site] * flow[0];
    inflow[0] = -inflow[1];
  }
  void potential_at_site(Index site, const double* flow, double* p) const override {
    p[0] = 0;
    p[1] = -flow[0] * site_.dual[site];
  }
  void push_at_site(Index site, const double* p, double* flow) const override {
    flow[0] = (p[0] - p[1]) * site_.inverse_dual[site];
  }
  double squared_speed(Index site, const double* flow) const override;
  void compute_speed(const State& state, const Forces& forces, Vector& speed, WaveScratch& s) const override;
  unsigned hold(Index site, unsigned closed, unsigned dry, double* flow) const override;
  void add_mass_flux(const State& state, double scale, VectorOut volume, WaveScratch& s) const override;
  void add_shore_flux(VectorIn flow, const Shore& shore, double scale, VectorOut volume,
                      WaveScratch& s) const override;
  void add_rotation(const State& state, const Forces& forces, Terms terms, const Films& films, double scale,
                    VectorOut flow, WaveScratch& s) const override;
  double stable_wave_dt(const State& state, const Forces& forces, WaveScratch& s) const override;
  double advection_frequency(const State& state, WaveScratch& s) const override;
  void split_body_acceleration(const Points& body_acceleration, Vector& body_force,
                               WaveScratch& s) const override;
  void derive_coriolis(const Vector3& rotation, Forces& forces, WaveScratch& s) const override;
  void add_surface_motion(const Points& surface_velocity, Forces& forces, WaveScratch& s) const override;
  void separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const override;
  std::unique_ptr<SchemeForces> make_forces() const override { return std::make_unique<DecForces>(); }
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override;
  void cell_acceleration(const Vector& at_vertices, Vector& at_cells, WaveScratch& s) const override;
  void site_mean(const Vector& at_cells, Vector& at_sites) const override;

  void declare_outputs();
  void collect_sites_of_cells();
  void collect_vorticity_terms();
  void measure_moments();
  void bound_linear_turns();
  void measure_edge_directions();
  void measure_bed_change(Vector& change) const;
  Index cell_of(Index face) const { return dual_.cell_of(face); }
  /// The sites on edges owned by this process.
  Range own_sites() const override;
  Index edge_of(Index site) const { return site_.of(site); }
  template <class Depth>
  void add_transport(VectorIn flow, double scale, const Depth& depth, VectorOut out, DecScratch& s) const;
  void compute_face_velocity(const State& state, const Forces& forces, Values& velocity, DecScratch& s) const;

  // advection.cpp
  template <class Value>
  void sum_moments_of(const Value& value, CellVectors& sum, DecScratch& s) const;
  void sum_moments(VectorIn flow, CellVectors& sum, DecScratch& s) const;
  void sum_moments(const Vector& depth, VectorIn flow, CellVectors& sum, DecScratch& s) const;
  void compute_vorticity(VectorIn flow, const Openings& openings, Vorticity& vorticity, DecScratch& s) const;
  void collect_circulation(const Vorticity* relative, const Forces* frame, DecScratch& s) const;
  void weigh_vorticity(const Vector& of_cells, const Vector& site_depth, Vector& factor, DecScratch& s) const;
  void add_vorticity_term(VectorIn flow, const Vector& site_depth, const Vector& factor,
                          const Openings& openings, double scale, VectorOut out, DecScratch& s) const;
  void rotate_linearly(VectorIn flow, const Vector& site_depth, const Openings& openings,
                       DecScratch& s) const;
  void compute_head(VectorIn flow, const Vector& site_depth, Vector& head, DecScratch& s) const;
  // openings.cpp
  const Openings& find_openings(const State& state, const Forces& forces, DecScratch& s) const;
  void open_head(const Openings& openings, const CellVectors& moment, Vector& head, DecScratch& s) const;
  void add_entering_momentum(VectorIn flow, const Vector& site_depth, const Openings& openings, double scale,
                             VectorOut out, ExactSum* power = nullptr) const;
  // films.cpp
  void zero_film_vorticity(const Films& films, Vector& cell_vorticity) const;
  void compute_cell_velocity(VectorIn flow, const Openings& openings, DecScratch& s) const;
  void add_upstream_transport(VectorIn flow, const Films& films, const Openings& openings, double scale,
                              VectorOut out, DecScratch& s) const;
  // momentum.cpp
  void add_donor_flux(VectorIn flow, const Vector& depth, const double* open, double scale, VectorOut volume,
                      DecScratch& s) const;
  void move_momentum(VectorIn flow, const Forces& forces, const Openings& openings, double scale,
                     Vector& term, DecScratch& s) const;
  double emptying_frequency(VectorIn flow, DecScratch& s) const;
  // surface_motion.cpp
  void find_parts();
  void split_surface_velocity(const Points& surface_velocity, SurfaceVelocity& surface) const;
  double translation_at_site(const SurfaceVelocity& surface, Index site, const Points& centres) const;
  double normal_speed(const Points& surface_velocity, Index edge, int side) const;
  void measure_centre_velocity(const Points& surface_velocity, SurfaceVelocity& surface) const;
  void compute_surface_vorticity(const Points& surface_velocity, Vorticity& vorticity) const;
  void add_drift(VectorIn flow, const Forces& forces, const Vector& cell_vorticity, double scale,
                 Vector& head, VectorOut out, DecScratch& s) const;

  const DecOptions options_;
  DualMesh dual_;
  const IntrinsicTriangulation& triangulation_;  // owned by dual_
  const VelocitySites& site_;                    // owned by dual_
  EdgeLaplacian laplacian_;
  std::optional<LinearVorticity> linear_;    // with vorticity = linear
  GatherSum<3> cell_sum_;                    // sums the site flux around each cell
  Array<Index> sites_of_cell_, first_site_;  // compressed rows: the sites of cell i start at first_site_[i]
  Vector ones_;                              // [sites]
  Vector stretch_;                           // [sites] l/A before the last refresh

  /// H at the centre of each cell minus H at the first corner of its face, now and at the start.
  struct Bed {
    Vector at_start, at_vertices;  // [cells], [nV] H, m
    Vector change, change_at_start;
  } bed_;

  /// Used by advection and Coriolis term.
  struct Moments {
    Vector x, y, size;   // [2·sites] l_e d_e σ_T n_e and its norm: left cells, right cells
    Vector sum;          // [cells] Σ l_e d_e |σ_T|
    Vector turn_bound;   // [cells] ζ times this bounds the norm of ζ n×
    Vector wave_number;  // [cells] highest frequency of a wave of unit speed, 1/m
  } moment_;
  Vector inverse_site_area_;  // [sites] 1/(l_e d_e)
  Array<Index> wall_edge_;
  Array<Tangent> wall_along_;    // [walls] the edge vector in the frame of its cell
  GatherSum<6> vertex_sum_;      // sums the site flux around each vertex
  GatherSum<3> corner_sum_;      // sums vertex values over the corners of each cell
  Vector inverse_corners_;       // [cells]
  Vector inverse_voronoi_area_;  // [nV] zero where the area is not positive (obtuse corners at walls)

  Array<Tangent>
      // [sites] unit vector along the edge in the frame of the left, the right cell; only with dry_outflow =
      // closed or advection_form = momentum
      edge_direction_[2];
  Array<Tangent> centroid_;  // [cells] centroid relative to the cell's centre; likewise

  /// A connected component of the surface.
  struct Component {
    Index first_vertex = Mesh::none;  // if this process owns it
    Array<Index> faces;               // the own ones
  };
  std::unique_ptr<Renewal> renewal_of_sites_;  // null: the mesh is the whole surface
  Array<Index> part_of_vertex_;                // [nV]
  Array<Component> parts_;
};

DiscretizationEntry dec();

}  // namespace shoal
