// Common part of fefv and dec: depth and velocity on different elements, coupled by a gradient and its
// adjoint. A scheme derives from WaveScheme, implements the operators of Wave, and defines its accelerations
// and averages. Derivation: discretizations/wave_scheme/wave_scheme.md.
#pragma once

#include "discretizations/bed_friction.hpp"
#include "discretizations/capabilities.hpp"
#include "discretizations/common/array.hpp"

namespace shoal {

/// Treatment of dry cells, which never exert pressure.
///
/// dry_outflow = open: a velocity site is closed (zero flux, gradient, force and velocity) where a dry cell
/// stands above the water beside it, including the potential of the force there. There is no other treatment,
/// so that cells may be drained below zero.
///
/// dry_outflow = closed (after Angst 2007, appendix A): no water leaves a cell that is no deeper than
/// `depth`, nor, against the pressure gradient, a cell shallower than upstream_ratio times the deepest cell
/// of the site. The velocity of a site is projected onto the cone of velocities that drain no such cell.
/// Where the depths at a site differ by more than upstream_ratio, the flux uses the upstream depth, and
/// gradient and force are weighted accordingly. Mass is exact: a flux that does not leave one cell does not
/// enter another. In and beside water with η̄ ≤ advection_depth, or faster than advection_froude times its
/// waves, v·∇v uses upstream differences: in a thin film the centred advection term grows without bound,
/// because the pressure gradient that would balance it vanishes with the depth.
///
/// Derivation: discretizations/wave_scheme/wave_scheme.md, Dry land.
struct DryOptions {
  bool closed = false;
  double depth = 1e-4;            ///< m
  double advection_depth = 1e-2;  ///< m
  double advection_froude = 1;
  double upstream_ratio = 0.3;  ///< smallest over largest depth at a site
  bool emptied = false;         ///< set negative depths to zero after every step, which adds mass
  static Options<DryOptions> describe();
  /// The reason why a capability is unavailable under these options, or "".
  std::string unavailable(std::string_view capability) const;
};

/// A velocity site beside dry cells. Bit i of a mask stands for cell i of the site.
struct ShoreSite {
  Index site;
  // cells that must not be drained (dry, or films); those of them that the velocity would drain
  unsigned dry, held;
  double flow[2];   // its velocity after the projection
  double taken[2];  // the part removed by the projection
};

/// Dry cells of a state, or with dry_outflow = closed also films. A scheme that moves momentum always has one.
struct Shore {
  bool found = false;  // if false, only cell_depth is valid
  Vector cell_depth;   // [cells] V/A
  Vector mean_depth;   // [sites] η̄ before clamping at zero
  Vector flow_depth;   // [sites] depth in the mass flux
  Vector opening;      // [sites] flow_depth/mean_depth, or η_m/mean_depth
  Array<Index> closed_sites;
  Array<ShoreSite> sites;  // only with dry_outflow = closed
};

/// Where v·∇v uses upstream differences.
struct Films {
  bool any = false;  // if false, the rest is not valid
  bool own = false;  // whether a site of this process is a film; on a part, ghosts at the rim may be anything
  Array<char> in_film;  // [cells] whether one of its sites is a film
  Vector advected;      // [sites] 1 if none of its cells is in a film, else 0
};

/// Quantities at the places of open boundaries.
struct OpenPlaces {
  Vector interior_inflow;  // [places] flux from the interior into the cell of the place
  Vector conductance;      // [places] ℓ c, m²/s
  Vector depth;            // [places] η, m
  Vector all_leaving;      // [places] u, m/s, where the outflow is supercritical; else 0
};

/// Flux through the boundary at a place of an open boundary or a discharge.
struct Crossing {
  OpenBoundary::Place place;
  double depth;       ///< m, of the cell
  double speed;       ///< m/s, outwards; at most critical, except at inflows and supercritical outflows
  double out;         ///< m³/s
  bool enters;        ///< water enters, or may enter (inflow)
  bool all_leaves;    ///< the outflow is supercritical
  double tangential;  ///< m/s, velocity of entering water (inflow) to the left of the inward normal
  /// m/s, excess of the flux from the interior over the flux through the boundary, V_t/(η Σℓ), with Σℓ over
  /// all open lengths of the cell; at a subcritical inflow the excess over the prescribed flux.
  double excess = 0;

  double flux() const { return speed * depth; }  ///< m²/s, outwards
  /// Whether water enters with a prescribed velocity, through an inflow or a discharge.
  bool brings_velocity() const {
    return enters && (place.kind == BoundaryKind::inflow || place.kind == BoundaryKind::discharge);
  }
  /// That velocity, m/s; `outward` is the unit normal of the edge within the surface, `along` the unit
  /// tangent.
  Vector3 velocity_outside(const Vector3& outward, const Vector3& along) const {
    return speed * outward - tangential * along;
  }
  /// The head K, m²/s², that acts in a cell at an opening; `inside` is K from the surrounding velocities,
  /// `normal` its part normal to the edge.
  double head(double inside, double normal) const;
};

/// Work arrays of the rates.
struct WaveScratch : Scratch {
  Vector cell_depth, site_depth;  // [cells] V/A, [sites] η̄
  Vector speed;                   // [sites] m/s
  Shore shore;
  Films films;
  OpenPlaces open;
  Array<Crossing> crossings;
  Vector flux, volume_rate;       // [cells] m³/s
  Vector open_length;             // [cells] m, total length of the crossings at each
  State filled;                   // the state with critical depth at discharges, see fill()
  Array<char> leaves;             // [vertices] all 0 between calls; so is `around`
  Eigen::Matrix2Xd around;        // [2, vertices] Σ A ζ, Σ A of the triangles around
  Vector pressure, shore_weight;  // [cells], [sites] s · opening
  Array<Index> closed_now;        // closed sites of the velocity whose rates are added
  Array<ShoreSite> shore_now;
  Vector held;                       // previous rates at the closed sites, then at the shore sites
  Vector admitted_flow;              // [velocity]
  Vector inflow_depth, site_inflow;  // [cells], [sites] m/s
  Points mesh_acceleration;          // [3, nV] if the mesh moves in a rotating frame
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
                   public DryLand,
                   public BedFriction {
 public:
  void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                 Scratch& scratch) const override;
  void add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                      Scratch& scratch) const override;
  void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                          Scratch& scratch) const override;
  void add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale, VectorOut rate,
                         Scratch& scratch) const override;
  /// 2/Σ of the highest frequencies of the terms: waves (stable_wave_dt()), open boundaries, advection, f_c
  /// and friction; at most the time in which a cell beside dry land or in a film would be drained.
  double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const override;

  void separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const override;

  void pressure(VectorIn volume, const Forces& forces, Vector& p) const override;
  void site_depth(VectorIn volume, Vector& depth, Scratch& scratch) const override;
  void close_dry_sites(VectorIn volume, const Forces& forces, Vector& depth, Scratch& scratch) const override;
  void stop_on_dry_land(State& state, const Forces& forces, Scratch& scratch) const override;
  SiteFlow site_flow(const State& state, const Forces& forces, Scratch& scratch) const override;
  Block slowed(State& state) const override { return state[velocity()]; }

  /// Adds clamped_depths, the number of sites whose negative mean depth is taken as zero, and dry_sites, the
  /// number of closed sites; with dry_outflow = closed also film_sites, where v·∇v uses upstream differences.
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces,
                                       Scratch& scratch) const override;

 protected:
  WaveScheme(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters);
  /// The velocity sites that this process owns; by default they are triangles.
  virtual Range own_sites() const;

  virtual const DryOptions& dry() const = 0;
  /// Whether the scheme moves momentum with the water. Its mass flux then has the depth of the cell that water leaves, and
  /// pressure and force act on the mean η_m of the depths at a site, u_t = (η_m/η̄)(−s G p + …), because the pressures
  /// ½αη² of the cells then cancel in the sum of all momentum. η_m is at most (number of cells at the site) · η̄.
  virtual bool moves_momentum() const { return false; }
  /// The cells around a velocity site: 2 or 3.
  virtual int cells_of_site(Index site, Index* cells) const = 0;
  /// inflow [cells of the site] = −D(1) of the velocity `flow` of this site alone, m²/s: flux into each cell
  /// at unit depth.
  virtual void inflow_at_site(Index site, const double* flow, double* inflow) const = 0;
  /// flow = −G p at this site alone; `p` [cells of the site].
  virtual void push_at_site(Index site, const double* p, double* flow) const = 0;
  /// The inverse: the p [cells of the site] with p[0] = 0 and −G p = flow.
  virtual void potential_at_site(Index site, const double* flow, double* p) const = 0;
  /// |v|² of the velocity `flow` of a site, or the contribution of the component stored there, m²/s².
  virtual double squared_speed(Index site, const double* flow) const = 0;
  /// speed [sites] = |v| of the whole vector, m/s.
  virtual void compute_speed(const State& state, const Forces& forces, Vector& speed,
                             WaveScratch& s) const = 0;
  /// Projects `flow`, orthogonally in the kinetic energy, onto the velocities of the site with zero flux
  /// through the cells in `closed` and no outflow from the cells in `dry` (bit masks in the order of the
  /// cells). Returns the cells whose constraint is active.
  virtual unsigned hold(Index site, unsigned closed, unsigned dry, double* flow) const = 0;

  /// volume += scale · V_t = −scale · D(η) u, without regard to closed sites.
  virtual void add_mass_flux(const State& state, double scale, VectorOut volume, WaveScratch& s) const = 0;
  /// The same with the flux depths of `shore`, for a velocity that drains no dry cell.
  virtual void add_shore_flux(VectorIn flow, const Shore& shore, double scale, VectorOut volume,
                              WaveScratch& s) const {
    add_outflow(flow, -scale, shore.flow_depth, volume, s);
  }
  /// flow += scale · (−(ζ + f_c) n×v − G K) in the energy-conserving form; ζ and K only with the term
  /// advection, f_c only with the term coriolis. At least one of the two is present. With films, ζ of the
  /// cells in them counts as zero and G K is weighted by `advected`.
  virtual void add_rotation(const State& state, const Forces& forces, Terms terms, const Films& films,
                            double scale, VectorOut flow, WaveScratch& s) const = 0;
  /// The largest stable substep of symplectic Euler for waves, s: Δt = 2/ω.
  virtual double stable_wave_dt(const State& state, const Forces& forces, WaveScratch& s) const = 0;
  /// The largest |v| ω/c + |ζ| over the elements, 1/s, where ω/c is the highest frequency of a wave of unit
  /// speed there: the frequency that an explicit step of the advection must resolve.
  virtual double advection_frequency(const State& state, WaveScratch& s) const = 0;

  /// The tangential part of a body acceleration [3, nV] at the velocity sites.
  virtual void split_body_acceleration(const Points& body_acceleration, Vector& body_force,
                                       WaveScratch& s) const = 0;
  /// forces.coriolis = f_c at the elements where add_rotation() uses it; coriolis_of() gives that of a face.
  virtual void derive_coriolis(const Vector3& rotation, Forces& forces, WaveScratch& s) const = 0;
  /// Adds the effect of a mesh that moves with ẋ [3, nV]: its vorticity to forces.coriolis, ∇½|ẋ|² to
  /// forces.body_force; sets surface_vorticity.
  virtual void add_surface_motion(const Points& surface_velocity, Forces& forces, WaveScratch& s) const = 0;
  /// aₙ at cells from the field at vertices.
  virtual void cell_acceleration(const Vector& at_vertices, Vector& at_cells, WaveScratch& s) const = 0;
  /// Mean over the cells around each velocity site; applied to depths, η̄ before clamping at zero.
  virtual void site_mean(const Vector& at_cells, Vector& at_sites) const = 0;
  void derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                     Scratch& scratch) const override;
  std::unique_ptr<SchemeForces> make_forces() const override { return std::make_unique<WaveForces>(); }
  void inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch& scratch) const override;
  /// Call once the triangles are fixed, which may be the scheme's own.
  void find_boundary_faces(const Mesh& triangles);
  /// depth [cells] = V/A.
  void compute_cell_depth(VectorIn volume, Vector& depth) const;
  /// f_c = 2Ω·n of a face of `mesh` with the normal `normal`: the mean over its vertices, as for the
  /// vorticity, so that f_c is transported like the vorticity. A flow along lines of constant f_c then
  /// changes neither: the flux of f_c v out of a dual cell is Σ ½(f_j + f_k)(ψ_k − ψ_j)/3, zero where ψ is
  /// linear in f. Vertex normals at a boundary are only first-order accurate; faces there use their own
  /// normal.
  double coriolis_of(const Mesh& mesh, Index face, const Vector3& normal, const Points& vertex_normals,
                     const Vector3& rotation) const;
  bool on_boundary(Index vertex) const { return on_boundary_[vertex]; }
  /// Call once cells_.area is set.
  void cells_changed() { inverse_area_ = cells_.area.cwiseInverse(); }

  Vector inverse_area_;  ///< [cells]

  /// Computes s.shore and s.films of this state, for measurements outside of the rates.
  const Films& update_films(const State& state, const Forces& forces, WaveScratch& s) const;
  /// volume += scale · V_t of the cells, without fluxes through the boundary. Sets s.shore to that of the
  /// state, with the flux depths of this call.
  void add_flux(const State& state, const Forces& forces, double scale, VectorOut volume,
                WaveScratch& s) const;
  /// Fluxes at all places, then at all sources. Sets s.shore like add_flux().
  const Array<Crossing>& find_crossings(const State& state, const Forces& forces, WaveScratch& s) const;
  /// At vertices where water leaves and none enters, replaces ζ by the mean over the other vertices of the
  /// triangles around.
  void extrapolate_vorticity(const Mesh& mesh, const Vector& face_area, const Array<Crossing>& crossings,
                             VectorOut vorticity, WaveScratch& s) const;

 private:
  bool discharge_is_source() const override { return true; }
  double dry_depth() const { return dry().closed || moves_momentum() ? dry().depth : 0; }
  /// No site is closed, and nothing is a film, where all water is deeper.
  double film_depth() const {
    return dry().closed ? std::max(dry().depth, dry().advection_depth) : dry_depth();
  }
  bool resists_inertia(VectorIn volume) const override;
  void find_shore(const State& state, const Forces& forces, Shore& shore) const;
  void hold_rate(const ShoreSite& shore, const Forces& forces, bool takes, double* acceleration) const;
  void decelerate_at_land(ShoreSite& at, const Forces& forces, Shore& shore) const;
  double emptying_rate(const State& state, const Forces& forces, WaveScratch& s) const;
  double stable_dt_of_terms(const State& state, const Forces& forces, Terms terms, WaveScratch& s) const;
  double depth_of_flow(Index site, const double* flow, const Shore& shore) const;
  unsigned opposed_films(Index site, double depth, const Vector& cell_depth) const;
  bool stands_above_water(Index site, const Forces& acting, const Vector& cell_depth) const;
  void find_films(const State& state, const Forces& forces, const Shore& shore, Films& films) const;
  Index count_films(const State& state, const Forces& forces, const Shore& shore) const;
  bool is_film(Index site, const State& state, const Forces& forces, const Shore& shore) const;
  void resist_inertia(const Vector& inertia, const Shore& shore, double scale, VectorOut rate) const;
  void add_force(const Vector& force, const Shore& shore, double scale, VectorOut rate) const;
  void add_terms(const State& state, const Forces& forces, Terms terms, double scale, VectorOut rate,
                 WaveScratch& s) const;
  void add_mixing(const State& state, const Forces& forces, double scale, VectorOut rate,
                  WaveScratch& s) const;
  void measure_interior_inflow(const State& state, const Forces& forces, double scale, WaveScratch& s) const;
  void measure_open_places(const State& state, const Forces& forces, OpenPlaces& open) const;
  double flow_into(const OpenBoundary& boundary, Index place, double scale, const OpenPlaces& open) const;
  double depth_outside(const OpenBoundary& boundary, Index place) const;
  void find_supercritical(const State& state, const Forces& forces, double scale, WaveScratch& s) const;
  void add_open_flux(const Forces& forces, double scale, const OpenPlaces& open, State& rate) const;
  void lacking_discharge(const ConstBlock& volume, const Forces& forces, Vector& lacking) const override;
  static double discharge_out(const OpenBoundary::Place& place, double depth, const Forces& forces);
  bool fill(const State& state, const Forces& forces, State& filled) const;
  double boundary_frequency(const State& state, const Forces& forces, bool advects, WaveScratch& s) const;

  Array<char> on_boundary_;  // [nV] 1 or 0
  // of own_triangulation() if there is one: faces with a vertex on the boundary
  Array<Index> boundary_faces_;
};

}  // namespace shoal
