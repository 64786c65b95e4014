// dec: C-grid from discrete exterior calculus with the circumcentric dual (Angst 2007, §4.2.2; Desbrun et al.
// 2006). Depth per triangle at its circumcentre, normal velocity u_e per edge, from left to right. l_e is the
// length of an edge, d_e = d_L + d_R that of its dual, d_T = ½ l_e cot(angle of T opposite to e):
//
//   gradient     (G p)_e = (p_R − p_L)/d_e
//   mass flux    V_T_t = ∓ Σ l_e h_e u_e,    h_e = (d_L η_L + d_R η_R)/d_e, zero if negative
//   advection    −ζ n×v − G K, in the form that keeps energy; Coriolis: f for ζ
//
// so that D(η) = −Gᵀ W diag(h), W = diag(l_e d_e), and energy is kept. Derivation: discretizations/dec/dec.md.
#pragma once

#include "discretizations/entry.hpp"
#include "discretizations/mesh/intrinsic.hpp"
#include "discretizations/mesh/quality.hpp"
#include "discretizations/operators/edge_laplacian.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/gather_sum.hpp"
#include "discretizations/operators/p1.hpp"
#include "discretizations/wave_scheme/wave_scheme.hpp"

namespace shoal {

enum class Dual { circumcentric, intrinsic, barycentric };

enum class EdgeDepth { automatic, plain, convex };

struct DecOptions {
  Dual dual = Dual::circumcentric;
  EdgeDepth edge_depth = EdgeDepth::automatic;
  double degenerate_dual = shoal::degenerate_dual;
  double max_froude = 0.5;
  double min_dual = 0.1;
  DryOptions dry{};
  static Options<DecOptions> describe();
};

class Dec final : public WaveScheme {
 public:
  using SchemeOptions = DecOptions;
  static std::string unavailable(std::string_view capability, const DecOptions& options) {
    return options.dry.unavailable(capability);
  }

  /// Throws Refusal naming the first edge whose dual length is negative.
  Dec(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth, const Parameters& parameters,
      Terms of_equations);

  State project(const Fields& fields) const override;
  /// Keeps cells and sites. Dual edges shorter than min_dual · l_e get that length, in G and W alike, so that
  /// D = −Gᵀ W diag(h) holds, and are counted (clamped_duals); h_e then tends to the mean of both depths,
  /// which it is where an edge is no longer Delaunay.
  void refresh(State* carried) override;
  void lower(State& state) const override;
  void raise(State& state) const override;
  void add_surface_velocity(const Points& surface_velocity, double scale, State& state) const override;
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces) const override;
  void add_velocity(const Points& velocity, State& state) const override;
  double kinetic_energy(const State& state) const override;
  void apply_coriolis(double dt, const Forces& forces, State& state) const override;
  double opening_power(const State& state, const Forces& forces, Terms terms) const override;
  const Mesh* own_triangulation() const override {
    return triangulation_.flips.empty() ? nullptr : &triangulation_.mesh;
  }

  Index sites() const override { return site_edge_->size(); }
  void add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const override;
  void add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out) const override;
  void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const override;
  SymmetricMatrix stiffness_pattern() const override { return laplacian_.pattern(); }
  void assemble(const Vector& diagonal, double scale, const Vector& weight,
                SymmetricMatrix& matrix) const override;

 private:
  const DryOptions& dry() const override { return options_.dry; }
  int cells_of_site(Index site, Index* cells) const override {
    cells[0] = left_cell_[site];
    cells[1] = right_cell_[site];
    return 2;
  }
  void inflow_at_site(Index site, const double* flow, double* inflow) const override {
    inflow[1] = site_length_[site] * flow[0];
    inflow[0] = -inflow[1];
  }
  void push_at_site(Index site, const double* p, double* flow) const override {
    flow[0] = (p[0] - p[1]) * inverse_dual_[site];
  }
  double squared_speed(Index site, const double* flow) const override;
  unsigned hold(Index site, unsigned closed, unsigned dry, double* flow) const override;
  void add_mass_flux(const State& state, double scale, VectorOut volume) const override;
  void add_rotation(const State& state, const Forces& forces, Terms terms, double scale,
                    VectorOut flow) const override;
  double stable_wave_dt(const State& state, const Forces& forces) const override;
  double advection_frequency(const State& state) const override;
  void split_body_acceleration(const Points& body_acceleration, Vector& body_force) const override;
  void derive_coriolis(const Vector3& rotation, Vector& coriolis) const override;
  void add_surface_motion(const Points& surface_velocity, Forces& forces) const override;
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override;
  void declare_outputs();
  void compute_face_velocity(const State& state, const Forces& forces, Values& velocity) const;
  void find_openings(const State& state, const Forces& forces) const;
  void compute_head(VectorIn flow) const;
  void open_head() const;
  void add_entering_momentum(VectorIn flow, double scale, VectorOut out, ExactSum* power = nullptr) const;
  Array<Index> sites_of_cell_, first_site_;  // compressed: the sites of cell i are from first_site_[i] on
  void cell_acceleration(const Vector& at_vertices, Vector& at_cells) const override;
  void site_mean(const Vector& at_cells, Vector& at_sites) const override;
  bool inseparable(Index edge) const;
  void merge_faces();
  void unfold_cells();
  void measure_areas();
  void measure_centres();
  void place_cells();
  void collect_sites();
  void measure_sites();
  void collect_vorticity_terms();
  void measure_vorticity_terms();
  FaceFrame frame(Index face) const;
  Tangent along(Index edge, int side) const;
  Tangent unfolded_arm(Index edge, int side, double across) const;
  template <class Value>
  void sum_moments_of(const Value& value) const;
  void sum_moments(VectorIn flow) const;
  void sum_moments(const Vector& depth, VectorIn flow) const;
  void compute_vorticity(VectorIn flow) const;
  void weigh_vorticity(const Vector& of_cells) const;
  void add_vorticity_term(VectorIn flow, double scale, VectorOut out) const;
  void measure_edge_directions();
  void compute_cell_velocity(VectorIn flow) const;
  void leave_films_to_transport() const;
  void add_upstream_transport(VectorIn flow, double scale, VectorOut out) const;
  void add_drift(VectorIn flow, const Forces& forces, double scale, VectorOut out) const;
  template <class Depth>
  void add_transport(VectorIn flow, double scale, const Depth& depth, VectorOut out) const;
  Index cell_of(Index face) const { return cells_.of_element[face]; }
  /// Of the edges that this process owns.
  Range own_sites() const;
  Index edge_of(Index site) const { return (*site_edge_)[site]; }
  double part_length(Index edge, int side) const;
  double dual_length(Index edge) const;
  Vector3 centre_weights(Index face) const;
  Vector3 centre(Index face) const;
  void measure_bed_change(Vector& change) const;
  Vector3 edge_middle(Index edge, int side) const;
  Vector3 arm(Index edge, int side) const;
  double normal_speed(const Points& surface_velocity, Index edge, int side) const;
  void split_surface_velocity(const Points& surface_velocity) const;
  void measure_centre_velocity(const Points& surface_velocity) const;
  void compute_surface_vorticity(const Points& surface_velocity) const;
  Vector3 chord_normal(Index face) const;
  Vector3 outward_normal(Index edge, int side) const;
  void measure_normals() const;

  const DecOptions options_;
  const bool convex_edge_depth_;
  IntrinsicTriangulation triangulation_;
  EdgeLaplacian laplacian_;

  // Velocity sites: the interior edges with a positive dual length, compact.
  std::shared_ptr<Array<Index>> site_edge_ = std::make_shared<Array<Index>>();  // [sites] edge
  Edges site_cells_;                                                            // [2, sites] left, right cell
  Vector site_length_;                                                          // [sites] l_e
  Vector site_dual_;                                                            // [sites] d_e
  Vector inverse_dual_;                                                         // [sites] 1/d_e
  Vector delaunay_weight_;  // [sites] 1 above the least d_e, falling to 0 where an edge ceases to be Delaunay
  Vector left_part_;        // [sites] d_L/d_e
  Vector left_share_;       // [sites] of η_L in h_e
  Array<Index> left_cell_, right_cell_;  // [sites] rows of site_cells_
  GatherSum<3> cell_sum_;                // of site_flux_ around each cell

  Vector voronoi_area_;                      // [nV]
  Vector bed_at_start_, bed_at_vertices_;    // [cells] and [nV] H, m
  Vector bed_change_, bed_change_at_start_;  // [cells] H at the centre less that at the first corner
  bool barycentric_ = false;
  Vector min_dual_of_site_;  // [sites] d_e/l_e
  Index clamped_shares_ = 0, clamped_duals_ = 0;
  Vector site_area_,
      stretch_;  // [sites] of the two triangles together, m²; l A'/(l' A), where velocities are stretched

  // Merged cells are unfolded into the plane of their first face.
  struct Unfolded {
    Index edge;
    int side;  // of the face that is known
  };
  Array<Unfolded> unfolding_;  // from the first face of each merged cell to all others
  Array<Index> merged_face_;   // faces of cells that have several
  Array<Tangent> face_turn_;   // [nF] from a face's frame to its cell's
  Array<Tangent>
      centre_shift_;            // [nF] from the face's circumcentre to the cell's centre, in the face's frame
  Array<Tangent> cell_centre_;  // [cells] mean of the circumcentres, from that of the first face

  Array<Tangent>
      edge_direction_[2];    // [sites] of the edge in the frame of the left, the right cell; for films
  Array<Tangent> centroid_;  // [cells] seen from the cell's centre; for films
  mutable Array<Tangent> cell_velocity_, cell_transport_;  // [cells] v and −v·∇v there
  mutable Vector exchange_, leaving_;  // [cells] inflow, m³/s; outflow of unit depth, m²/s

  // For advection and the Coriolis term.
  Vector moment_x_, moment_y_,
      moment_size_;           // [2·sites] l_e d_e σ_T n_e and its length: left cells, right cells
  Vector inverse_site_area_;  // [sites] 1/(l_e d_e)
  Vector moment_sum_;         // [cells] Σ l_e d_e |σ_T|
  Vector turn_bound_;         // [cells] Σ l_e d_e σ_T²/A_T: the norm of ζ n× is at most ζ times this
  Vector wave_number_;        // [cells] highest frequency of a wave of unit speed, 1/m
  Array<Index> wall_edge_;
  Array<Tangent> wall_along_;    // [walls] the edge as a vector of its cell
  GatherSum<6> vertex_sum_;      // of site_flux_ around each vertex
  GatherSum<3> corner_sum_;      // of vertices around each cell
  Vector inverse_corners_;       // [cells]
  Vector inverse_voronoi_area_;  // [nV] zero where the area is not positive, at obtuse corners of walls
  Vector ones_;                  // [sites]

  mutable Vector vorticity_, cell_vorticity_;  // [nV + 1] ζ and a zero, [cells]
  mutable Vector sum_x_, sum_y_, sum_;         // [cells]
  mutable Vector factor_, head_;               // [cells] ζ/(H A), K
  mutable Vector term_, next_;                 // [sites]
  /// An edge of the boundary with a flux through it, during add_rotation().
  struct Opening {
    Crossing crossing;
    Tangent moment;  // l_e times the arm from the centre of the cell, in its frame, m²
    Tangent edge;    // the edge as a vector in that frame, m
    double across;   // l_e d_T, m²

    Index cell() const { return crossing.place.at; }
  };
  mutable Array<Opening> openings_;
  mutable Points outside_;  // [3, cells] at openings: Σ ℓ|flux|, Σ ℓ|flux| K, whether it is done

  // Where the mesh moves.
  Array<Index> part_of_vertex_;  // connected parts of the mesh
  mutable Array<CentroidVelocity> part_velocity_;
  mutable Points translation_, own_motion_;  // [3, parts] velocity of the centroid, [3, nV] ẋ less that
  mutable Points centre_velocity_, drift_;  // [3, cells] ċ, and w = ċ less the ẋ of the point of the triangle

  mutable bool normals_measured_ = false;  // in the present geometry
  mutable Points chord_normal_;            // [3, nF]
  mutable Points outward_normal_[2];       // [3, nE] of the left and the right face

  mutable Vector site_flux_;  // [2·sites + 1] what leaves the left cells, then the right ones, m³/s; a zero
  mutable Vector site_weight_;
  mutable Vector face_value_, body_rates_;  // [nF], [2·nF]
};

DiscretizationEntry dec();

}  // namespace shoal
