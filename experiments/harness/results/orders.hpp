// Tables of orders of convergence, computed from the runs of a results file.
//
// Runs that differ in nothing but the resolution of their mesh and the time step belong together. In space they are
// compared from mesh to mesh of one family, over the mean length h of the edges; the time step may fall with h. In time
// they are compared on one mesh over Δt, with the run of the shortest step, so that the mesh's share of the error
// cancels.
#pragma once

#include "experiments/harness/results/order_fit.hpp"
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/results/text_table.hpp"

namespace shoal {

/// What orders are taken of. An error is any column of numbers of the table of runs (`shoal table`), at the end of the
/// run. In time l1_, l2_ and linf_error and those with _elevation, _velocity and _own_velocity behind are the same norms
/// of the difference to the run of the shortest step, cells, triangles and edges weighted with their areas at rest.
struct OrderRequest {
  bool space = true, time = true;
  std::vector<std::string> errors;      ///< empty: l2 of depth, velocity, and own velocity where that differs
  std::vector<std::string> where = {};  ///< conditions on the runs, as of TableView
};

/// "space", "time" or "both". Throws Error with `where` in front.
OrderRequest order_request(const std::string& axes, const std::string& where,
                           std::vector<std::string> errors);

/// Whether the name is that of a norm that runs are compared by in time, "l2_error_velocity".
bool is_error_norm(const std::string& name);

/// Why runs that are planned will have no such orders, or "".
std::string no_order(const std::vector<RunConfiguration>& plan, const OrderRequest& request);

/// That the runs of a scene without a solution have no order in space.
std::string no_solution(const std::string& scene);

/// One run of a line.
struct OrderPoint {
  std::string at;         ///< "level 3", "40x10", "Δt = 0.01 s"
  double x = 0;           ///< h, m, or Δt, s
  double h = 0;           ///< mean length of the edges, m
  double dt = 0;          ///< s
  bool finished = false;  ///< else the numbers below are NaN
  double error = 0;       ///< NaN where the run has none
  double at_start = 0;    ///< the same at t = 0, a floor of what is reconstructed; NaN where there is none
  double order = 0;       ///< from the point before; NaN where there is none
};

/// Runs of falling h or Δt and what their errors come to.
struct OrderLine {
  bool in_space = true;
  std::vector<Cell> settings;  ///< of the attributes by which lines differ, see Orders
  std::string mesh;            ///< in space the family, in time the mesh
  std::string error;           ///< "l2_error"
  std::vector<OrderPoint> points;
  OrderFit fit;
  bool repeats = false;  ///< errors of own unknowns that are those of the line of the velocity
  /// The order between its finest meshes is more than 0.3 below that of another family with the same settings.
  bool falls_short = false;
};

struct Orders {
  std::vector<std::string> attributes;  ///< discretization, integrator, and what else differs
  std::vector<OrderLine> lines;
  std::vector<std::string> notes;  ///< on the runs that did not finish, or went below a depth of zero
};

/// Throws Error if the runs hold nothing to take the order of, or none has one of the errors.
Orders find_orders(const Results& results, const OrderRequest& request);

/// Text, Markdown and LaTeX: a row per line with the errors, the orders between neighbours, and the order fitted to all
/// with its standard error, errors with so many significant digits; LaTeX without the columns that tell nothing apart; below an error that is there at t = 0 already a row of that. CSV: a row per point.
std::string format_orders(const Orders& orders, TableFormat format, int digits = 4);

/// The keys and names above, for the command line's help.
std::string orders_help();

}  // namespace shoal
