// Boundaries of an open surface: conditions on the mesh's named sets of edges, as the user writes them, and
// the data that a scheme derives from them.
//
// With n the outward normal, a = |aₙ|, c = √(aη), h = η − H, and still water h = 0 outside:
//
//     wall        no flux
//     discharge   Q flows in through the whole set, Q/Σℓ per length
//     level       h = L at the boundary; the discharge follows from the outgoing characteristic.
//                 With advection vector-invariant, water enters from rest outside: h + v²/2g = L
//     outflow     waves leave: the state between the outgoing characteristic and still water outside,
//                 linearised η v·n = c h (Flather 1976, Mém. Soc. R. Sci. Liège 10, 141)
//     inflow      water of depth η and velocity (u, w) enters, u along the inward normal, w to its left: the
//                 complete boundary data of a supercritical inflow
//
// A discharge requires |Q|/Σℓ < ηc: it enters with at most the critical velocity, and its outflow is limited
// to the critical flux; the difference is counted as mass_lacking. At a supercritical outflow (u > c) through
// a level or an outflow, no characteristic enters and the state inside determines the flux; in finite
// volumes, only if no bore from the outside level moves in against it. Water enters through a discharge along
// the inward normal: use an inflow for a flow oblique to the boundary.
#pragma once

#include "discretizations/common/array.hpp"

#include <string>
#include <vector>

namespace shoal {

struct Mesh;

/// A function of time: linear between the given times, constant before the first and after the last.
class TimeSeries {
 public:
  TimeSeries(double constant = 0) : times_{0}, values_{constant} {}
  /// As many values as times, at least one; times in ascending order.
  TimeSeries(std::vector<double> times, std::vector<double> values)
      : times_(std::move(times)), values_(std::move(values)) {}

  bool constant() const { return times_.size() == 1; }
  double at(double time) const;
  /// (1/dt) ∫ over [time, time + dt], exact: the sum over steps equals the integral of the series.
  double mean(double time, double dt) const;

  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }

 private:
  double integral(double time) const;  // from times_.front()
  std::vector<double> times_, values_;
};

enum class BoundaryKind { wall, discharge, level, outflow, inflow };

/// One row of the list of kinds.
struct BoundaryKindEntry {
  std::string name;
  BoundaryKind kind;
  /// The values after the name, in order; the last `optional` of them may be omitted and are then zero.
  struct Value {
    std::string name, unit;
  };
  std::vector<Value> values;
  std::size_t optional;
  std::string summary;

  std::string written() const;  ///< "SET = inflow DEPTH SPEED [TANGENTIAL]"
};
const std::vector<BoundaryKindEntry>& boundary_kinds();

/// The condition on one set of edges. Sets without one are walls.
struct BoundaryCondition {
  std::string set;  ///< a name of Mesh::boundary_sets
  BoundaryKind kind = BoundaryKind::wall;
  TimeSeries value = {};  ///< Q, m³/s into the domain; L, m above the rest level; η, m, of an inflow
  TimeSeries speed = {}, tangential = {};  ///< of an inflow: u along the inward normal, w to its left, m/s
  /// Whether the flux through the boundary depends on the state; such fluxes belong to the term gravity.
  bool follows_state() const { return kind != BoundaryKind::wall && kind != BoundaryKind::discharge; }
  bool varies() const { return !(value.constant() && speed.constant() && tangential.constant()); }
};
using BoundaryConditions = std::vector<BoundaryCondition>;

/// "left = discharge 0.3; right = outflow; top = level 0:1,10:1.2; bottom = inflow 0.5 2". Throws
/// SettingError "boundaries", which lists the allowed values.
BoundaryConditions parse_boundaries(const std::string& text);

/// The index of the set called `name`. Throws SettingError "boundaries" if the mesh has no such set.
Index find_boundary_set(const Mesh& mesh, const std::string& name);

/// Fluxes through the boundary at a scheme's own places (cells, or edges in its own order). Storage is
/// reused.
struct OpenBoundary {
  struct Place {
    Index at;    ///< cell, or edge in the scheme's own order
    Index edge;  ///< of the mesh
    Index set;
    BoundaryKind kind;
    double length;  ///< ℓ, m
    /// ℓ as a fraction of the lengths at `at` with a prescribed depth (levels and inflows)
    double share = 0;
    double together = 0;  ///< Σℓ at `at`, m
  };
  /// The prescribed values at one instant.
  struct Value {
    double value = 0;  ///< L, m; Q/Σℓ, m²/s; η, m
    double speed = 0, tangential = 0;
  };
  Array<Place> places;   ///< fluxes that belong to the term gravity
  Array<Place> sources;  ///< discharges, in schemes that treat them as the term source
  /// Sets with entries in `places` and in `sources`, on the whole surface: on a part of it, all places of a
  /// set may belong to other processes.
  Array<Index> flux_sets, source_sets;
  bool any() const { return !flux_sets.empty() || !source_sets.empty(); }
  Array<Value> value;  ///< [sets]
};

}  // namespace shoal
