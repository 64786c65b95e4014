// From runs to lines of runs, and from these to tables.
#include "experiments/harness/results/orders.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "experiments/harness/results/table.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace shoal {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr double tolerated_loss = 0.3;   // of order, relative to the best family
constexpr double large_error = 1.0 / 3;  // of the solution
constexpr double shown_at_start = 0.01;  // part of the error, above which that at t = 0 is shown
constexpr std::size_t min_steps = 4;     // of an order in time, which ignores the second shortest

const std::vector<std::string>& usual_errors() {
  static const std::vector<std::string> names = {"l2_error", "l2_error_velocity", "l2_error_own_velocity"};
  return names;
}

std::string what_orders_need(const OrderRequest& request) {
  std::vector<std::string> needs;
  if (request.space) needs.push_back("in space, two meshes of one family, e.g. --mesh icosphere:2,3");
  if (request.time)
    needs.push_back(fmt::format("in time, {} steps on one mesh, e.g. --dt geometric:0.02:0.0025:{}",
                                min_steps, min_steps));
  return "no order can be computed, which requires " + join(needs, ", or ");
}

/// "; 'rectangle:8x8:1x1' and 'rectangle:16x16:2x2' differ in more than their resolution" of two meshes of one generator, or "".
std::string difference_of_families(const std::map<std::string, std::set<std::string>>& meshes) {
  std::map<std::string, std::string> mesh_of_generator;
  for (const auto& [family, names] : meshes) {
    const std::string& mesh = *names.begin();
    const auto [other, is_first] = mesh_of_generator.emplace(mesh.substr(0, mesh.find(':')), mesh);
    if (!is_first)
      return fmt::format("; '{}' and '{}' differ in more than their resolution", other->second, mesh);
  }
  return "";
}

// ---- meshes ----------------------------------------------------------------------------------------------

/// The triangles of a run, at rest.
struct RecordedMesh {
  std::vector<double> x;            // [nV, 3]
  std::vector<std::int64_t> faces;  // [nF, 3]
  std::vector<double> face_area;    // [nF]
  double edge_length = 0;           // mean over the edges
  struct Edge {
    double length = 0, area = 0;  // a third of each adjacent triangle
  };
  std::map<std::pair<std::int64_t, std::int64_t>, Edge> edges;  // by their ends

  RecordedMesh(const hdf5::Group& mesh, const hdf5::Group& run)
      : x(mesh.open_dataset("vertices").read()),
        faces((run.has("faces") ? run : mesh).open_dataset("faces").read_integers()) {
    const auto is_vertex = [&](std::int64_t i) {
      return i >= 0 && static_cast<std::size_t>(i) < x.size() / 3;
    };
    if (x.size() % 3 != 0 || faces.size() % 3 != 0 || !std::ranges::all_of(faces, is_vertex))
      throw MachineError(fmt::format("{}: its vertices and faces are not those of a mesh", mesh.where()));
    for (std::size_t k = 0; k < faces.size(); k += 3) {
      std::array<Vector3, 3> corner;
      for (std::size_t c = 0; c < 3; ++c)
        corner[c] = Vector3::Map(&x[3 * static_cast<std::size_t>(faces[k + c])]);
      face_area.push_back(0.5 * (corner[1] - corner[0]).cross(corner[2] - corner[0]).norm());
      for (std::size_t c = 0; c < 3; ++c) {
        Edge& edge = edges[std::minmax(faces[k + c], faces[k + (c + 1) % 3])];
        edge.length = (corner[(c + 1) % 3] - corner[c]).norm();
        edge.area += face_area.back() / 3;
      }
    }
    for (const auto& [ends, edge] : edges) edge_length += edge.length / static_cast<double>(edges.size());
  }

  /// m² of the values at vertices, faces or edges: a third of each triangle at a vertex or an edge.
  std::vector<double> areas(const std::string& location, const hdf5::Group& mesh,
                            const hdf5::Group& run) const {
    if (location == "face") return face_area;
    if (location == "vertex") {
      std::vector<double> area(x.size() / 3);
      for (std::size_t i = 0; i < faces.size(); ++i)
        area[static_cast<std::size_t>(faces[i])] += face_area[i / 3] / 3;
      return area;
    }
    const std::vector<std::int64_t> ends =
        (run.has("edges") ? run : mesh).open_dataset("edges").read_integers();
    std::vector<double> area;
    for (std::size_t e = 0; e + 1 < ends.size(); e += 2) {
      const auto edge = edges.find(std::minmax(ends[e], ends[e + 1]));
      area.push_back(edge == edges.end() ? 0 : edge->second.area);
    }
    return area;
  }
};

hdf5::Group mesh_of(const Results& results, const RecordedRun& run) {
  return results.root().open_group("meshes").open_group(run.group().text("mesh"));
}

// ---- differences to the run of the shortest step ---------------------------------------------------------

/// The norm and quantity named by "l2_error_velocity".
struct Difference {
  std::string norm;      ///< "l1", "l2", "linf"
  std::string quantity;  ///< "", "elevation", "velocity", "own_velocity"
};

std::optional<Difference> difference_of(const std::string& error) {
  for (const char* norm : {"l1", "l2", "linf"})
    for (const char* quantity : {"", "elevation", "velocity", "own_velocity"})
      if (error == fmt::format("{}_error{}{}", norm, *quantity ? "_" : "", quantity))
        return Difference{norm, quantity};
  return std::nullopt;
}

/// The error whose size tells how large another one is: "l2_error_elevation@max" for "l2_error@max". "" for other columns.
std::string measure_of(const std::string& error) {
  for (const std::string norm : {"l1_error", "l2_error", "linf_error"}) {
    if (!error.starts_with(norm)) continue;
    const std::string rest = error.substr(norm.size());
    for (const char* quantity : {"_elevation", "_velocity", "_own_velocity"})
      if (rest.starts_with(quantity)) return error;
    return norm + "_elevation" + rest;
  }
  return "";
}

/// The dataset of the snapshots; "" if the run has none.
std::string dataset_of(const hdf5::Group& run, const std::string& quantity) {
  if (quantity.empty() || quantity == "elevation") return "depth";
  const hdf5::Group snapshots = run.open_group("snapshots");
  if (quantity == "own_velocity" && snapshots.has("normal_velocity")) return "normal_velocity";
  return snapshots.has("velocity") ? "velocity" : "";
}

std::vector<double> last_row(const hdf5::Group& snapshots, const std::string& name) {
  const hdf5::Dataset dataset = snapshots.open_dataset(name);
  return dataset.read_rows(dataset.rows() - 1, 1);
}

/// ‖a − b‖/‖b‖ at the end of two runs on one mesh; NaN if they end at different times.
double difference(const Results& results, const RecordedRun& run, const RecordedRun& finest,
                  const Difference& what) {
  const std::string name = dataset_of(run.group(), what.quantity);
  if (name.empty()) return unknown;
  const hdf5::Group a = run.group().open_group("snapshots"), b = finest.group().open_group("snapshots");
  if (a.open_dataset("time").rows() == 0 || b.open_dataset("time").rows() == 0) return unknown;
  const double end = last_row(b, "time").front();
  if (!(std::abs(last_row(a, "time").front() - end) <= 1e-9 * end)) return unknown;
  const std::vector<double> values = last_row(a, name), exact = last_row(b, name);
  if (values.size() != exact.size()) return unknown;
  std::vector<double> size = exact;
  if (what.quantity == "elevation") {
    const std::vector<double> bed = finest.group().open_dataset("bed_depth").read();
    if (bed.size() != size.size()) return unknown;
    for (std::size_t i = 0; i < size.size(); ++i) size[i] -= bed[i];
  }
  const hdf5::Group mesh = mesh_of(results, run);
  const std::vector<double> area =
      RecordedMesh(mesh, run.group()).areas(b.open_dataset(name).text("location"), mesh, run.group());
  if (area.empty() || values.size() % area.size() != 0) return unknown;
  const std::size_t components = values.size() / area.size();
  double error = 0, scale = 0;
  for (std::size_t i = 0; i < area.size(); ++i) {
    double apart = 0, length = 0;  // squared
    for (std::size_t c = components * i; c < components * (i + 1); ++c) {
      apart += (values[c] - exact[c]) * (values[c] - exact[c]);
      length += size[c] * size[c];
    }
    if (what.norm == "linf") {
      error = std::max(error, std::sqrt(apart));
      scale = std::max(scale, std::sqrt(length));
    } else {
      error += area[i] * (what.norm == "l2" ? apart : std::sqrt(apart));
      scale += area[i] * (what.norm == "l2" ? length : std::sqrt(length));
    }
  }
  if (!(scale > 0)) return unknown;
  return what.norm == "l2" ? std::sqrt(error / scale) : error / scale;
}

std::vector<double> all(const OrderLine& line, double OrderPoint::*value) {
  std::vector<double> values;
  for (const OrderPoint& point : line.points) values.push_back(point.*value);
  return values;
}

/// Of each point and the one before; NaN at the first.
std::vector<double> orders_between(std::span<const double> x, std::span<const double> error) {
  std::vector<double> orders(x.size(), unknown);
  for (std::size_t i = 1; i < x.size(); ++i)
    orders[i] = fit_order(x.subspan(i - 1, 2), error.subspan(i - 1, 2)).order;
  return orders;
}

// ---- lines -----------------------------------------------------------------------------------------------

/// A run with the data that determine its line.
struct Member {
  const RecordedRun* run;
  std::size_t index;  ///< in the file
  MeshResolution mesh;
  double h = 0, dt = 0;  ///< 0 if the run was refused before they were known
  bool finished = false;
};

std::string level_text(const std::string& resolution) {
  const bool level = resolution.find_first_not_of("0123456789") == std::string::npos;
  return level ? "level " + resolution : resolution;
}

class Finder {
 public:
  Finder(const Results& results, const OrderRequest& request) : results_(results), request_(request) {
    for (const RecordedRun* run : runs_where(results, request.where))
      add(*run, static_cast<std::size_t>(run - results.runs().data()));
    if (members_.empty())
      throw Error(fmt::format(
          "there is no run for an order{}",
          request.where.empty() ? "" : fmt::format(" where {}", fmt::join(request.where, " and "))));
    std::vector<std::string> attributes;
    for (const KeyEntry& key : run_keys())
      if (key.column == KeyColumn::in_orders_too) attributes.push_back(key.attribute);
    attributes_ = varying_attributes(results.runs(), std::move(attributes));
    attributes_.insert(attributes_.begin(), {"discretization", "integrator"});
    drop_dependent();
    for (const char* more : {"substeps", "t_end"})
      if (ambiguous()) attributes_.push_back(more);
  }

  Orders find() {
    Orders orders;
    orders.attributes = attributes_;
    const auto groups = grouped();
    for (const auto& group : groups) {
      if (request_.space) add_lines_in_space(group, orders.lines);
      if (request_.time) add_lines_in_time(group, orders.lines);
    }
    if (orders.lines.empty()) throw_no_orders();
    std::stable_partition(orders.lines.begin(), orders.lines.end(),
                          [](const OrderLine& line) { return line.in_space; });
    if (request_.errors.empty()) mark_repeated(orders.lines);
    mark_families(orders.lines);
    orders.notes = notes();
    return orders;
  }

 private:
  void add(const RecordedRun& run, std::size_t index) {
    const hdf5::Group& group = run.group();
    if (!group.has_attribute("mesh_name")) return;
    Member member{&run, index, split_resolution(group.text("mesh_name"))};
    member.finished = run.outcome().outcome == "finished";
    if (group.has_attribute("dt")) member.dt = group.number("dt");
    if (group.has_attribute("mesh")) {
      const std::string hash = group.text("mesh");
      if (!edge_length_.count(hash))
        edge_length_[hash] = RecordedMesh(mesh_of(results_, run), group).edge_length;
      member.h = edge_length_[hash];
    }
    members_.push_back(member);
  }

  /// Drops attributes determined by earlier ones, as gravity is by the scene, because they do not distinguish lines.
  void drop_dependent() {
    std::vector<std::string> kept;
    for (const std::string& name : attributes_) {
      std::map<std::vector<Cell>, Cell> value;
      const bool dependent = std::ranges::all_of(members_, [&](const Member& member) {
        std::vector<Cell> others;
        for (const std::string& other : kept) others.push_back(run_attribute(*member.run, other));
        const Cell own = run_attribute(*member.run, name);
        return value.try_emplace(others, own).first->second == own;
      });
      if (!dependent || kept.size() < 2) kept.push_back(name);  // discretization and integrator always
    }
    attributes_ = kept;
  }

  std::vector<Cell> settings(const Member& member) const {
    std::vector<Cell> cells;
    for (const std::string& name : attributes_) cells.push_back(run_attribute(*member.run, name));
    return cells;
  }

  /// Whether no attribute, mesh or step distinguishes two runs.
  bool ambiguous() const {
    std::set<std::tuple<std::vector<Cell>, std::string, double>> known;
    for (const Member& member : members_)
      if (member.finished &&
          !known.emplace(settings(member), member.run->group().text("mesh_name"), member.dt).second)
        return true;
    return false;
  }

  using Group = std::vector<Member>;

  /// By settings and family, in the order of the file.
  std::vector<Group> grouped() const {
    std::vector<Group> groups;
    std::map<std::pair<std::vector<Cell>, std::string>, std::size_t> place;
    for (const Member& member : members_) {
      const auto [found, is_new] = place.try_emplace({settings(member), member.mesh.family}, groups.size());
      if (is_new) groups.emplace_back();
      groups[found->second].push_back(member);
    }
    return groups;
  }

  /// Splits a group by mesh; each part is in descending order of the step.
  static std::vector<Group> by_mesh(const Group& group) {
    std::vector<Group> meshes;
    for (const Member& member : group) {
      const auto same = std::ranges::find_if(
          meshes, [&](const Group& mesh) { return mesh.front().mesh.resolution == member.mesh.resolution; });
      if (same != meshes.end())
        same->push_back(member);
      else
        meshes.push_back({member});
    }
    for (Group& mesh : meshes)
      std::ranges::stable_sort(mesh, [](const Member& a, const Member& b) { return a.dt > b.dt; });
    std::ranges::stable_sort(meshes,
                             [](const Group& a, const Group& b) { return a.front().h > b.front().h; });
    return meshes;
  }

  /// The runs with the k-th longest step on each mesh form one line.
  void add_lines_in_space(const Group& group, std::vector<OrderLine>& lines) {
    const std::vector<Group> meshes = by_mesh(group);
    if (meshes.size() < 2) return;
    std::size_t steps = 0;
    for (const Group& mesh : meshes) steps = std::max(steps, mesh.size());
    for (const std::string& error : errors(true))
      for (std::size_t k = 0; k < steps; ++k) {
        OrderLine line{true, settings(group.front()), group.front().mesh.family, error, {}, {}};
        for (const Group& mesh : meshes) {
          if (k >= mesh.size()) continue;
          const Member& member = mesh[k];
          line.points.push_back(point(member, level_text(member.mesh.resolution), member.h,
                                      member.finished ? values(error)[member.index] : unknown));
          line.points.back().at_start = at_start(member, error);
          line.points.back().is_large = member.finished && recorded_size(error, member.index) > large_error;
        }
        finish(std::move(line), meshes.front().front().finished, lines);
      }
  }

  void add_lines_in_time(const Group& group, std::vector<OrderLine>& lines) {
    for (const Group& mesh : by_mesh(group)) {
      Group steps;
      for (const Member& member : mesh)
        if (member.dt > 0) steps.push_back(member);
      const auto finest =
          std::find_if(steps.rbegin(), steps.rend(), [](const Member& m) { return m.finished; });
      if (steps.size() < min_steps || finest == steps.rend()) continue;
      for (const std::string& error : errors(false)) {
        const std::optional<Difference> what = difference_of(error);
        OrderLine line{false, settings(group.front()), mesh.front().run->group().text("mesh_name"), error, {},
                       {}};
        for (std::size_t i = 0; i + 2 < steps.size(); ++i) {
          const Member& member = steps[i];
          const double value = !member.finished ? unknown
                               : what           ? difference(results_, *member.run, *finest->run, *what)
                                                : values(error)[member.index];
          line.points.push_back(point(member, fmt::format("Δt = {:.5g} s", member.dt), member.dt, value));
          const double size = !member.finished ? unknown
                              : what           ? difference(results_, *member.run, *finest->run,
                                                            difference_of(measure_of(error)).value())
                                               : recorded_size(error, member.index);
          line.points.back().is_large = size > large_error;
        }
        finish(std::move(line), steps.front().finished, lines);
      }
    }
  }

  static OrderPoint point(const Member& member, std::string at, double x, double error) {
    return {.at = std::move(at),
            .x = x,
            .h = member.h,
            .dt = member.dt,
            .finished = member.finished,
            .error = error,
            .at_start = unknown};
  }

  /// Skips lines whose runs finished without such an error.
  static void finish(OrderLine line, bool finished, std::vector<OrderLine>& lines) {
    const std::vector<double> x = all(line, &OrderPoint::x), error = all(line, &OrderPoint::error),
                              order = orders_between(x, error);
    for (std::size_t i = 0; i < x.size(); ++i) line.points[i].order = order[i];
    if (finished && std::ranges::none_of(error, [](double e) { return std::isfinite(e); })) return;
    line.fit = fit_order(x, error);
    lines.push_back(std::move(line));
  }

  /// In space, only recorded errors, unless nothing else is requested.
  std::vector<std::string> errors(bool space) const {
    std::vector<std::string> names = request_.errors.empty() ? usual_errors() : request_.errors;
    const ColumnOffer offer(results_);
    if (space && (request_.errors.empty() || request_.time))
      std::erase_if(names, [&](const std::string& name) {
        return difference_of(name) && !offer.diagnostics.count(name);
      });
    return names;
  }

  const std::vector<double>& values(const std::string& error) {
    const auto [found, is_new] = values_.try_emplace(error);
    if (is_new) found->second = column_values(results_, error);
    return found->second;
  }

  /// The error of the run relative to what moves; NaN if it is not known.
  double recorded_size(const std::string& error, std::size_t index) {
    const std::string measure = measure_of(error);
    if (!ColumnOffer(results_).diagnostics.count(measure.substr(0, measure.find('@')))) return unknown;
    return values(measure)[index];
  }

  double at_start(const Member& member, const std::string& error) const {
    if (!member.finished || error.find("_error") == std::string::npos) return unknown;
    const std::vector<double> rows = member.run->diagnostics(error);
    return rows.empty() ? unknown : rows.front();
  }

  /// Marks lines of own unknowns that repeat the line of the velocity, as when the unknowns are the vectors on triangles.
  static void mark_repeated(std::vector<OrderLine>& lines) {
    const auto same = [](const OrderPoint& a, const OrderPoint& b) {
      return a.at == b.at &&
             (std::abs(a.error - b.error) <= 1e-9 * b.error || (std::isnan(a.error) && std::isnan(b.error)));
    };
    for (OrderLine& line : lines)
      line.repeats =
          line.error == "l2_error_own_velocity" && std::ranges::any_of(lines, [&](const OrderLine& other) {
            return other.error == "l2_error_velocity" && other.in_space == line.in_space &&
                   other.mesh == line.mesh && other.settings == line.settings &&
                   std::equal(line.points.begin(), line.points.end(), other.points.begin(),
                              other.points.end(), same);
          });
  }

  static void mark_families(std::vector<OrderLine>& lines) {
    for (OrderLine& line : lines)
      for (const OrderLine& other : lines)
        if (line.in_space && other.in_space && other.error == line.error && other.settings == line.settings &&
            other.points.back().order - line.points.back().order > tolerated_loss)
          line.falls_short = true;
  }

  [[noreturn]] void throw_no_orders() {
    if (std::ranges::none_of(members_, [](const Member& member) { return member.finished; }))
      throw Error(fmt::format("no order, because no run finished; {}", notes().front()));
    if (request_.space && no_order(planned(), request_).empty() &&
        !ColumnOffer(results_).diagnostics.count(usual_errors().front()))
      throw Error(no_solution(members_.front().run->group().text("scene")));
    for (const std::string& error : request_.errors) values(error);  // throws if none is recorded
    throw Error(what_orders_need(request_));
  }

  /// The data required by no_order().
  std::vector<RunConfiguration> planned() const {
    std::vector<RunConfiguration> plan;
    for (const Member& member : members_) {
      RunConfiguration configuration;
      configuration.mesh = member.run->group().text("mesh_name");
      if (member.dt > 0) configuration.dt = member.dt;
      plan.push_back(configuration);
    }
    return plan;
  }

  /// "fefv explicit on icosphere:3 (0003): unstable: …", once for all runs to which it applies.
  std::vector<std::string> notes() const {
    std::vector<std::pair<std::string, std::string>> notes;  // run and reason
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> ids;
    for (const Member& member : members_) {
      if (member.finished && member.run->outcome().reason.empty()) continue;
      const hdf5::Group& run = member.run->group();
      const std::pair note(
          fmt::format("{} {} on {}", run.text("discretization"), run.text("integrator"),
                      run.text("mesh_name")),
          fmt::format("{}: {}", member.run->outcome().outcome, one_line(member.run->outcome().reason)));
      if (!ids.count(note)) notes.push_back(note);
      ids[note].push_back(member.run->id());
    }
    std::vector<std::string> lines;
    for (const auto& note : notes)
      lines.push_back(fmt::format("{} ({}): {}", note.first, join(ids[note]), note.second));
    return lines;
  }

  const Results& results_;
  const OrderRequest& request_;
  std::vector<Member> members_;
  std::vector<std::string> attributes_;
  std::map<std::string, double> edge_length_;  // by mesh
  std::map<std::string, std::vector<double>> values_;
};

// ---- tables ----------------------------------------------------------------------------------------------

Cell known(double value) {
  return std::isfinite(value) ? Cell(value) : Cell("");
}

std::string order_text(double order) {
  if (!std::isfinite(order)) return "";
  return (order < 0 ? "−" : "") + fmt::format("{:.2f}", std::abs(order));
}

bool has_large(const OrderLine& line) {
  return std::ranges::any_of(line.points, [](const OrderPoint& point) { return point.is_large; });
}

/// Of an order from the previous point.
std::string mark_at(const OrderLine& line, std::size_t i) {
  const bool is_marked = i > 0 && std::isfinite(line.points[i].order) &&
                         (line.points[i].is_large || line.points[i - 1].is_large);
  return is_marked ? " !" : "";
}

std::string fit_text(const OrderFit& fit, const std::string& marks) {
  std::string text = order_text(fit.order);
  constexpr double shows = 0.005;  // with two digits
  if (std::isfinite(fit.standard_error))
    text += fit.standard_error < shows ? fmt::format(" ± {:.1g}", fit.standard_error)
                                       : fmt::format(" ± {:.2f}", fit.standard_error);
  return text.empty() ? "" : text + marks;
}

/// "0.1" or "0.1 … 0.025"
std::string steps_text(const std::vector<OrderPoint>& points) {
  double longest = 0, shortest = std::numeric_limits<double>::infinity();
  for (const OrderPoint& point : points) {
    if (!std::isfinite(point.dt)) continue;
    longest = std::max(longest, point.dt);
    shortest = std::min(shortest, point.dt);
  }
  if (longest == 0) return "";
  return longest - shortest < 1e-9 * longest ? fmt::format("{:.4g}", longest)
                                             : fmt::format("{:.4g} … {:.4g}", longest, shortest);
}

/// The headings of the points of all lines, from coarse to fine; in space relative to the first point of a line, since scenes
/// differ in size.
std::vector<std::string> places(const std::vector<const OrderLine*>& lines) {
  std::map<std::string, std::pair<double, int>> size;
  for (const OrderLine* line : lines)
    for (const OrderPoint& point : line->points) {
      auto& [sum, count] = size[point.at];
      const double unit = line->in_space ? line->points.front().x : 1;
      if (!(point.x > 0 && unit > 0)) continue;
      sum += std::log(point.x / unit);
      ++count;
    }
  std::vector<std::string> names;
  for (const auto& [name, ignored] : size) names.push_back(name);
  const auto mean = [&](const std::string& name) {
    return size[name].first / std::max(1, size[name].second);
  };
  std::ranges::stable_sort(names,
                           [&](const std::string& a, const std::string& b) { return mean(a) > mean(b); });
  return names;
}

/// With spaces at which no line ends.
std::string unbroken(std::string text) {
  for (std::size_t at = 0; (at = text.find(' ', at)) != std::string::npos;) text.replace(at, 1, "\u00a0");
  return text;
}

/// Whether lines in space differ only in their steps.
bool steps_tell_apart(const Orders& orders) {
  std::set<std::tuple<std::vector<Cell>, std::string, std::string>> known;
  return !std::ranges::all_of(orders.lines, [&](const OrderLine& line) {
    return !line.in_space || line.repeats || known.emplace(line.settings, line.mesh, line.error).second;
  });
}

TextTable wide_table(const Orders& orders, bool in_space, bool with_steps) {
  std::vector<const OrderLine*> lines;
  for (const OrderLine& line : orders.lines)
    if (line.in_space == in_space && !line.repeats) lines.push_back(&line);
  TextTable table;
  for (const std::string& name : orders.attributes) table.headings.push_back({in_words(name), false});
  table.headings.push_back({"mesh", false});
  if (with_steps) table.headings.push_back({"Δt [s]", false});
  table.headings.push_back({"error", false});
  const std::vector<std::string> names = places(lines);
  for (const std::string& name : names) {
    table.headings.push_back({unbroken(name)});
    if (&name != &names.front()) table.headings.push_back({"order", false});
  }
  table.headings.push_back({"fitted", false});
  const auto add_row = [&](const OrderLine& line, const std::string& error, const std::vector<double>& values,
                           const std::vector<double>& between, const std::string& fit) {
    std::vector<Cell> row = line.settings;
    row.emplace_back(line.mesh);
    if (with_steps) row.emplace_back(steps_text(line.points));
    row.emplace_back(error);
    for (const std::string& name : names) {
      const auto point = std::ranges::find(line.points, name, &OrderPoint::at);
      const auto i = static_cast<std::size_t>(point - line.points.begin());
      const bool here = point != line.points.end();
      row.push_back(here ? known(values[i]) : Cell(""));
      if (&name != &names.front()) row.emplace_back(here ? order_text(between[i]) + mark_at(line, i) : "");
    }
    row.emplace_back(fit);
    table.rows.push_back(std::move(row));
  };
  for (const OrderLine* line : lines) {
    const std::string error = in_words(line->error);
    add_row(
        *line, error, all(*line, &OrderPoint::error), all(*line, &OrderPoint::order),
        fit_text(line->fit, fmt::format("{}{}{}", has_large(*line) ? " !" : "",
                                        line->is_unsettled() ? " ?" : "", line->falls_short ? " ↓" : "")));
    if (std::ranges::none_of(line->points, [](const OrderPoint& point) {
          return point.at_start > shown_at_start * point.error;
        }))
      continue;
    const std::vector<double> x = all(*line, &OrderPoint::x), start = all(*line, &OrderPoint::at_start);
    add_row(*line, error + ", t = 0", start, orders_between(x, start), fit_text(fit_order(x, start), ""));
  }
  return table;
}

TextTable long_table(const Orders& orders) {
  TextTable table;
  table.headings = {{"refined"}};
  for (const std::string& name : orders.attributes) table.headings.push_back({name});
  for (const char* name :
       {"mesh", "at", "h", "dt", "error", "finished", "value", "at_start", "order", "fitted_order",
        "fitted_standard_error", "falls_short", "is_large", "is_unsettled"})
    table.headings.push_back({name});
  for (const OrderLine& line : orders.lines)
    for (const OrderPoint& point : line.points) {
      std::vector<Cell> row = {line.in_space ? "space" : "time"};
      row.insert(row.end(), line.settings.begin(), line.settings.end());
      row.insert(
          row.end(),
          {line.mesh, point.at, point.h, point.dt, line.error, point.finished ? 1.0 : 0.0, known(point.error),
           known(point.at_start), known(point.order), known(line.fit.order), known(line.fit.standard_error),
           line.falls_short ? 1.0 : 0.0, point.is_large ? 1.0 : 0.0, line.is_unsettled() ? 1.0 : 0.0});
      table.rows.push_back(std::move(row));
    }
  return table;
}

}  // namespace

bool OrderLine::is_unsettled() const {
  double least = unknown, most = unknown;  // fmin and fmax ignore NaN
  for (const OrderPoint& point : points) {
    least = std::fmin(least, point.order);
    most = std::fmax(most, point.order);
  }
  return most - least > tolerated_loss;
}

OrderRequest order_request(const std::string& axes, const std::string& where,
                           std::vector<std::string> errors) {
  choice({"space", "time", "both"}, axes, where);
  return {axes != "time", axes != "space", std::move(errors)};
}

bool is_error_norm(const std::string& name) {
  return difference_of(name).has_value();
}

std::string no_order(const std::vector<RunConfiguration>& plan, const OrderRequest& request) {
  std::map<std::string, std::set<std::string>> meshes;  // of each family
  std::map<std::string, std::set<double>> steps;        // on each mesh
  for (const RunConfiguration& c : plan) {
    meshes[split_resolution(c.mesh).family].insert(c.mesh);
    if (c.dt) steps[c.mesh].insert(*c.dt);
  }
  std::size_t max_meshes = 0, max_steps = 0;
  for (const auto& [family, names] : meshes) max_meshes = std::max(max_meshes, names.size());
  for (const auto& [mesh, lengths] : steps) max_steps = std::max(max_steps, lengths.size());
  if ((request.space && max_meshes >= 2) || (request.time && max_steps >= min_steps)) return "";
  return what_orders_need(request) + (request.space ? difference_of_families(meshes) : "");
}

std::string no_solution(const std::string& scene) {
  return fmt::format(
      "scene '{}' has no solution for orders in space; orders in time compare runs with each other and "
      "require {} steps on one mesh, e.g. --dt geometric:0.02:0.0025:{}",
      scene, min_steps, min_steps);
}

Orders find_orders(const Results& results, const OrderRequest& request) {
  return Finder(results, request).find();
}

std::string format_orders(const Orders& orders, TableFormat format, int digits) {
  if (format == TableFormat::csv) return format_table(long_table(orders), format);
  std::string text;
  const auto has = [&](bool in_space) {
    return std::ranges::any_of(orders.lines,
                               [&](const OrderLine& line) { return line.in_space == in_space; });
  };
  for (const bool in_space : {true, false}) {
    if (!has(in_space)) continue;
    if (!text.empty()) text += "\n";
    // Pages omit columns before the errors that do not distinguish lines.
    const bool with_steps = in_space && (format != TableFormat::latex || steps_tell_apart(orders));
    TextTable table = wide_table(orders, in_space, with_steps);
    if (format == TableFormat::latex)
      text += take_out_constants(table, orders.attributes.size() + (with_steps ? 3 : 2), digits);
    text += format_table(table, format, digits);
  }
  if (format == TableFormat::latex) return text;
  std::vector<std::string> notes;
  if (std::ranges::any_of(orders.lines, has_large))
    notes.push_back(
        "! not asymptotic: an error exceeds a third of the solution (an error of the depth: of the "
        "elevation)");
  if (std::ranges::any_of(orders.lines, [](const OrderLine& line) { return line.is_unsettled(); }))
    notes.push_back(fmt::format("? not asymptotic: the orders between neighbours differ by more than {}",
                                tolerated_loss));
  if (std::ranges::any_of(orders.lines, [](const OrderLine& line) { return line.falls_short; }))
    notes.push_back(
        fmt::format("↓ the order between the finest meshes is more than {} lower than that of another family",
                    tolerated_loss));
  if (std::ranges::any_of(orders.lines, [](const OrderLine& line) {
        return std::ranges::any_of(line.points, [](const OrderPoint& point) {
          return point.finished && !std::isfinite(point.error);
        });
      }))
    notes.push_back(
        "– for a finished run: the error is not recorded, e.g. for vectors on the scheme's own triangles, "
        "which have no position in space");
  notes.insert(notes.end(), orders.notes.begin(), orders.notes.end());
  for (const std::string& note : notes)
    text += (&note == &notes.front() ? "\n" : "") + as_line(note, format) + "\n";
  return text;
}

std::string orders_help() {
  return fmt::format(R"(Errors, separated by commas (default: {}, as far as available):
  l1_, l2_, linf_error       error of the depth at the scheme's points at the end, divided by the norm of the
                             solution
  ..._error_elevation        error of the elevation, divided by the largest norm of the solution so far
  ..._error_velocity         likewise for the velocity on the triangles; in space only if the scene's solution
                             has a velocity
  ..._error_own_velocity     the same in the scheme's own unknowns: normal velocities at edges, otherwise as
                             above
  ..._error...@max           the largest over the recorded rows instead of that at the end; in space
  any other column of 'table'  energy_drift, l2_error_linear, ...
Orders in space compare with the scene's solution, over the mean edge length, from mesh to mesh of one family. If
the error at t = 0 is not zero, as for a reconstructed velocity, it is shown below. Orders in time compare with
the run with the shortest step and require at least {} steps on one mesh; the second shortest step is ignored,
because its difference would mostly be the error of the shortest. Marks at orders mean that the errors are
not asymptotic: ! one exceeds a third of the solution, ? the orders between neighbours differ by more than {}.
)",
                     join(usual_errors()), min_steps, tolerated_loss);
}

}  // namespace shoal
