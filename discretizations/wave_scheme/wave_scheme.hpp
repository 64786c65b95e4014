// What fefv and dec share: depth and velocity on different elements, exchanged by a gradient and its adjoint.
// A scheme derives from this, implements the operators of Wave, and defines its accelerations and means.
// Derivation: discretizations/wave_scheme/wave_scheme.md.
#pragma once

#include "discretizations/capabilities.hpp"
#include "discretizations/common/array.hpp"

namespace shoal {

/// Dry land never pushes. With dry_outflow = open a site is closed, without flux, gradient, force and velocity, where a cell
/// without water stands above the water beside it, by as much as opposes the force there; that is all, and a cell may lose
/// water that it has not. Closed (after
/// Angst 2007, appendix A), nothing leaves a cell no deeper than `depth`, nor one shallower than upstream_ratio of another at
/// the site against the pressure there: velocity is held by the cone of those that take nothing out. The flux has
/// the depth of the cell that the water leaves where the depths differ by more than upstream_ratio, and gradient and force its
/// weight. Mass is exact, since what does not leave one cell does not enter another. v·∇v in and beside water with
/// η̄ ≤ advection_depth, or faster than advection_froude times its waves, is taken from upstream: there a centred v·∇v steepens
/// without a pressure to speak of, and without bound. Derivation: discretizations/wave_scheme/wave_scheme.md, Dry land.
struct DryOptions {
  bool closed = false;
  double depth = 1e-4;            ///< m
  double advection_depth = 1e-2;  ///< m
  double advection_froude = 1;
  double upstream_ratio = 0.3;  ///< of the least to the largest depth at a site
  bool emptied = false;         ///< after every step what is below zero is set to zero, which makes water
  static Options<DryOptions> describe();
  /// "" or the reason why a capability cannot be offered.
  std::string unavailable(std::string_view capability) const;
};

/// A velocity site beside dry land.
struct ShoreSite {
  Index site;
  unsigned dry, held;  // its cells: without water; of these, those that its velocity would take water from
  double flow[2];      // its velocity without that
  double taken[2];     // and that
};

/// Where a state has dry cells, or with dry_outflow = closed films.
struct Shore {
  bool found = false;  // else of what follows only the depths of the cells are valid
  Vector cell_depth;   // [cells] V/A
  Vector mean_depth;   // [sites] η̄ before it is cut at zero
  Vector flow_depth;   // [sites] of the flux
  Vector opening;      // [sites] its part of η̄
  Array<Index> closed_sites;
  Array<ShoreSite> sites;  // where dry_outflow = closed
};

/// Where v·∇v is taken from upstream.
struct Films {
  bool any = false;     // else what follows is not valid
  Array<char> in_film;  // [cells] whether one of its sites has no more than the advection_depth
  Vector advected;      // [sites] 1 where none of its cells is, 0 elsewhere
};

/// At the places of open boundaries.
struct OpenPlaces {
  Vector interior_inflow;  // [places] what flows into their cells from inside
  Vector conductance;      // [places] ℓ c, m²/s
  Vector depth;            // [places] η, m
  Vector all_leaving;      // [places] u, m/s, where all that arrives leaves; else 0
};

/// Water that crosses the boundary at a place of an open boundary, or of a discharge.
struct Crossing {
  OpenBoundary::Place place;
  double depth;       ///< m, of the cell
  double speed;       ///< m/s, outwards; at most critical, but for inflows and where all leaves
  double out;         ///< m³/s
  bool enters;        ///< or may do so: an inflow
  bool all_leaves;    ///< faster than waves
  double tangential;  ///< m/s, of an inflow: of the water that enters, to the left of the inward normal
  /// m/s, by which more leaves the interior than crosses, V_t/(η Σℓ), Σℓ over all that is open of the cell; or of a
  /// subcritical inflow than is given
  double excess = 0;

  double flux() const { return speed * depth; }  ///< m²/s, outwards
  /// Of water that enters with a velocity of its own, through an inflow or a discharge.
  bool brings_velocity() const {
    return enters && (place.kind == BoundaryKind::inflow || place.kind == BoundaryKind::discharge);
  }
  /// That velocity, m/s, where `outward` is the normal of the edge in the surface and `along` the edge, as unit vectors.
  Vector3 velocity_outside(const Vector3& outward, const Vector3& along) const {
    return speed * outward - tangential * along;
  }
  /// K that acts in a cell at an opening, where that of the velocities around is `inside`, and the part in it that is
  /// normal to the edge `normal`, m²/s².
  double head(double inside, double normal) const;
};

/// What the rates of such a scheme leave from one line to the next.
struct WaveScratch : Scratch {
  Vector cell_depth, site_depth;  // [cells] V/A, [sites] η̄
  Shore shore;
  Films films;
  OpenPlaces open;
  Array<Crossing> crossings;
  Vector flux, volume_rate;       // [cells] m³/s
  Vector open_length;             // [cells] m, of the crossings at each
  State filled;                   // with cells at discharges that have got their depth
  Array<char> leaves;             // [vertices] all 0 in between, and the next, too
  Eigen::Matrix2Xd around;        // [2, vertices] Σ A ζ, Σ A of the triangles around
  Vector pressure, shore_weight;  // [cells], [sites] s times the opening
  Array<Index> closed_now;        // the sites of the velocity whose rates are added
  Array<ShoreSite> shore_now;
  Vector held;                       // the rates of the closed sites, then of the shore sites
  Vector admitted_flow;              // [velocity]
  Vector inflow_depth, site_inflow;  // [cells], [sites] m/s
  Points mesh_acceleration;          // [3, nV] where mesh and frame move
  Vector mesh_force;                 // the same at the velocity sites
  Points vertex_normals;             // [3, nV]
  Vector unit_depth;                 // [sites] 1
  Vector weighted_bed, squared;      // [cells] √|a| H, [sites] s²
};

inline WaveScratch& of_waves(Scratch& scratch) {
  return static_cast<WaveScratch&>(scratch);
}

class WaveScheme : public Discretization,
                   public MovesWithSurface,
                   public OpensBoundaries,
                   public TurnsVelocity,
                   public Split,
                   public Wave,
                   public DryLand {
 public:
  void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                 Scratch& scratch) const override;
  void add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                      Scratch& scratch) const override;
  void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                          Scratch& scratch) const override;
  void add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale, VectorOut rate,
                         Scratch& scratch) const override;
  /// 2/Σ of the highest frequencies of the terms: waves by stable_wave_dt(), open boundaries, advection, f_c,
  /// friction; and no longer than a cell beside dry land or in a film takes to lose its water.
  double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const override;

  void separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const override;

  void pressure(VectorIn volume, const Forces& forces, Vector& p) const override;
  void site_depth(VectorIn volume, Vector& depth, Scratch& scratch) const override;
  void close_dry_sites(VectorIn volume, const Forces& forces, Vector& depth, Scratch& scratch) const override;
  void stop_on_dry_land(State& state, const Forces& forces, Scratch& scratch) const override;

  /// Adds clamped_depths, the sites whose mean depth is negative and taken as zero, and dry_sites, those that are
  /// closed; with dry_outflow = closed film_sites, those around which v·∇v is taken from upstream.
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces,
                                       Scratch& scratch) const override;

 protected:
  WaveScheme(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters);

  virtual const DryOptions& dry() const = 0;
  /// The cells around a velocity site: 2 or 3.
  virtual int cells_of_site(Index site, Index* cells) const = 0;
  /// What flows into each of them at unit depth with the velocity `flow` of the site: −(D(1) u) of it alone, m²/s.
  virtual void inflow_at_site(Index site, const double* flow, double* inflow) const = 0;
  /// flow = −G p of the site alone, `p` at its cells.
  virtual void push_at_site(Index site, const double* p, double* flow) const = 0;
  /// The p with that flow; in the first cell zero.
  virtual void potential_at_site(Index site, const double* flow, double* p) const = 0;
  /// Of the velocity `flow` of a site, or of the part of it that the site has, m²/s².
  virtual double squared_speed(Index site, const double* flow) const = 0;
  /// `flow` becomes the nearest velocity of the site, in its kinetic energy, with which nothing flows through the cells in
  /// `closed` and nothing out of those in `dry` (bits, in their order). Returns those that this holds back.
  virtual unsigned hold(Index site, unsigned closed, unsigned dry, double* flow) const = 0;

  /// volume += scale · V_t = −scale · D(η) u, as if no site were closed.
  virtual void add_mass_flux(const State& state, double scale, VectorOut volume, WaveScratch& s) const = 0;
  /// The same of a velocity that takes nothing out of dry cells, with the depths of the flux.
  virtual void add_shore_flux(VectorIn flow, const Shore& shore, double scale, VectorOut volume,
                              WaveScratch& s) const {
    add_outflow(flow, -scale, shore.flow_depth, volume, s);
  }
  /// flow += scale · (−(ζ + f_c) n×v − G K) in the form that keeps energy; ζ and K only with the term
  /// advection, f_c only with the term coriolis. At least one of them acts. With films ζ of the cells in them counts as zero,
  /// and G K is taken with the weights `advected`.
  virtual void add_rotation(const State& state, const Forces& forces, Terms terms, const Films& films,
                            double scale, VectorOut flow, WaveScratch& s) const = 0;
  /// The longest substep of symplectic Euler for waves, s: Δt = 2/ω.
  virtual double stable_wave_dt(const State& state, const Forces& forces, WaveScratch& s) const = 0;
  /// The largest of |v| ω/c + |ζ| over the elements, with ω/c the highest frequency of a wave of unit speed
  /// there: what an explicit step of the advection must resolve, 1/s.
  virtual double advection_frequency(const State& state, WaveScratch& s) const = 0;

  /// The tangential part of a body acceleration [3, nV] at the velocity sites.
  virtual void split_body_acceleration(const Points& body_acceleration, Vector& body_force,
                                       WaveScratch& s) const = 0;
  /// f_c at the elements where add_rotation() needs it, with coriolis_of() the faces.
  virtual void derive_coriolis(const Vector3& rotation, Vector& coriolis, WaveScratch& s) const = 0;
  /// Adds what a motion of the mesh with ẋ [3, nV] does: its vorticity to forces.coriolis, ∇½|ẋ|² to
  /// forces.body_force, and sets surface_vorticity.
  virtual void add_surface_motion(const Points& surface_velocity, Forces& forces, WaveScratch& s) const = 0;
  /// aₙ at cells from the field at vertices.
  virtual void cell_acceleration(const Vector& at_vertices, Vector& at_cells, WaveScratch& s) const = 0;
  /// Mean of the cells around each velocity site; of depths, η̄ before it is cut at zero.
  virtual void site_mean(const Vector& at_cells, Vector& at_sites) const = 0;
  void derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                     Scratch& scratch) const override;
  std::unique_ptr<SchemeForces> make_forces() const override { return std::make_unique<WaveForces>(); }
  void inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch& scratch) const override;
  /// To be called once the triangles are known, which may be the scheme's own.
  void find_boundary_faces(const Mesh& triangles);
  /// V/A.
  void compute_cell_depth(VectorIn volume, Vector& depth) const;
  /// 2Ω·n of a face of `mesh`, whose own normal is `normal`: the mean of the vertices, as of the vorticity, so that f_c
  /// is carried as the vorticity is. A flow along lines of equal f_c then changes neither: the flux of f_c v out of a
  /// dual cell is Σ ½(f_j + f_k)(ψ_k − ψ_j)/3, zero where ψ is linear in f. At a boundary the normals of vertices are
  /// of first order, and the face takes its own.
  double coriolis_of(const Mesh& mesh, Index face, const Vector3& normal, const Points& vertex_normals,
                     const Vector3& rotation) const;
  /// To be called once cells_.area is known.
  void cells_changed() { inverse_area_ = cells_.area.cwiseInverse(); }

  Vector inverse_area_;  ///< [cells]

  /// s.shore, s.films of this state, for what is measured apart from the rates.
  const Films& look_for_films(const State& state, const Forces& forces, WaveScratch& s) const;
  /// volume += scale · V_t of the cells but for what crosses the boundary. s.shore becomes that of the state, with the depths
  /// of this flux.
  void add_flux(const State& state, const Forces& forces, double scale, VectorOut volume,
                WaveScratch& s) const;
  /// Of all places, then of all sources. As add_flux().
  const Array<Crossing>& find_crossings(const State& state, const Forces& forces, WaveScratch& s) const;
  /// ζ of vertices where water leaves and none enters becomes the mean of the others in the triangles around.
  void let_vorticity_leave(const Mesh& mesh, const Vector& face_area, const Array<Crossing>& crossings,
                           VectorOut vorticity, WaveScratch& s) const;

 private:
  bool discharge_is_source() const override { return true; }
  double dry_depth() const { return dry().closed ? dry().depth : 0; }
  void find_shore(const State& state, const Forces& forces, Shore& shore) const;
  void hold_rate(const ShoreSite& shore, const Forces& forces, bool takes, double* acceleration) const;
  void turn_at_land(ShoreSite& at, const Forces& forces, Shore& shore) const;
  double emptying_rate(const State& state, const Forces& forces, WaveScratch& s) const;
  double stable_dt_of_terms(const State& state, const Forces& forces, Terms terms, WaveScratch& s) const;
  double depth_of_flow(Index site, const double* flow, const Shore& shore) const;
  unsigned opposed_films(Index site, double depth, const Vector& cell_depth) const;
  bool stands_above_water(Index site, const Forces& acting, const Vector& cell_depth) const;
  void find_films(const State& state, const Forces& forces, const Shore& shore, Films& films) const;
  Index count_films(const State& state, const Forces& forces, const Shore& shore) const;
  bool is_film(Index site, const State& state, const Forces& forces, const Shore& shore) const;
  void add_force(const Vector& force, const Shore& shore, double scale, VectorOut rate) const;
  void add_terms(const State& state, const Forces& forces, Terms terms, double scale, VectorOut rate,
                 WaveScratch& s) const;
  void add_mixing(const State& state, const Forces& forces, double scale, VectorOut rate,
                  WaveScratch& s) const;
  void measure_net_flow(const State& state, const Forces& forces, double scale, WaveScratch& s) const;
  void measure_open_places(const State& state, const Forces& forces, OpenPlaces& open) const;
  double flow_into(const OpenBoundary& boundary, Index place, double scale, const OpenPlaces& open) const;
  double depth_outside(const OpenBoundary& boundary, Index place) const;
  void find_supercritical(const State& state, const Forces& forces, double scale, WaveScratch& s) const;
  void add_open_flux(const Forces& forces, double scale, const OpenPlaces& open, State& rate) const;
  void lacking_discharge(const ConstBlock& volume, const Forces& forces, Vector& lacking) const override;
  static double discharge_out(const OpenBoundary::Place& place, double depth, const Forces& forces);
  bool fill(const State& state, const Forces& forces, State& filled) const;
  double boundary_frequency(const State& state, const Forces& forces, WaveScratch& s) const;

  Array<char> on_boundary_;      // [nV] 1 or 0
  Array<Index> boundary_faces_;  // of own_triangulation(), where there is one: with a vertex on the boundary
};

}  // namespace shoal
