// Tables of orders of convergence, computed from the runs of a results file.
//
// Runs that differ only in mesh resolution and time step form a line. Orders in space compare meshes of one family over the mean
// edge length h; the time step may decrease with h. Orders in time compare runs on one mesh over Δt with the run of the
// shortest step, so that the spatial error cancels.
#pragma once

#include "experiments/harness/results/order_fit.hpp"
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/results/text_table.hpp"

namespace shoal {

/// The errors whose orders are computed. An error is any numeric column of the table of runs (`shoal table`) at the end of the
/// run. In time, l1_, l2_ and linf_error, also with the suffix _elevation, _velocity or _own_velocity, are the same norms of
/// the difference from the run of the shortest step, with cells, triangles and edges weighted by their areas at rest.
struct OrderRequest {
  bool space = true, time = true;
  std::vector<std::string> errors;      ///< empty: l2 of depth, velocity and, if different, own velocity
  std::vector<std::string> where = {};  ///< conditions on the runs, as in TableView
};

/// Parses "space", "time" or "both". Errors begin with `where`.
OrderRequest order_request(const std::string& axes, const std::string& where,
                           std::vector<std::string> errors);

/// Whether the name is that of a norm used to compare runs in time, e.g. "l2_error_velocity".
bool is_error_norm(const std::string& name);

/// Why the planned runs will not have these orders, or "".
std::string no_order(const std::vector<RunConfiguration>& plan, const OrderRequest& request);

/// A message that runs of a scene without a solution have no order in space.
std::string no_solution(const std::string& scene);

/// One run of a line.
struct OrderPoint {
  std::string at;         ///< "level 3", "40x10", "Δt = 0.01 s"
  double x = 0;           ///< h, m, or Δt, s
  double h = 0;           ///< mean length of the edges, m
  double dt = 0;          ///< s
  bool finished = false;  ///< otherwise the numbers below are NaN
  double error = 0;       ///< NaN if the run has none
  double at_start = 0;    ///< the error at t = 0, a lower bound for reconstructed values; NaN if none
  double order = 0;       ///< from the previous point; NaN if none
  /// The error exceeds a third of the solution; for errors of the depth, which would drown in it, that of the elevation.
  bool is_large = false;
};

/// Runs of decreasing h or Δt and the orders of their errors.
struct OrderLine {
  bool in_space = true;
  std::vector<Cell> settings;  ///< values of the attributes in which lines differ, see Orders
  std::string mesh;            ///< the family in space, the mesh in time
  std::string error;           ///< "l2_error"
  std::vector<OrderPoint> points;
  OrderFit fit;
  bool repeats = false;  ///< errors of own unknowns that equal those of the velocity's line
  /// The order between its two finest meshes is more than 0.3 below that of another family with the same settings.
  bool falls_short = false;
  /// Its orders between neighbours differ by more than 0.3, so that the fitted one is of no single regime.
  bool is_unsettled() const;
};

struct Orders {
  std::vector<std::string> attributes;  ///< discretization, integrator, and others that differ
  std::vector<OrderLine> lines;
  std::vector<std::string> notes;  ///< on runs that did not finish or had negative depth
};

/// Throws Error if no orders can be computed from the runs, or no run has one of the errors.
Orders find_orders(const Results& results, const OrderRequest& request);

/// Text, Markdown and LaTeX: a row per line with the errors (with `digits` significant digits), the orders between neighbours,
/// and the fitted order with its standard error, with marks where the errors are not asymptotic; a further row gives the error at t = 0 if it is not zero. LaTeX omits
/// attributes that are the same in all rows. CSV: a row per point.
std::string format_orders(const Orders& orders, TableFormat format, int digits = 4);

/// The keys and names above, for the help of the command line.
std::string orders_help();

}  // namespace shoal
