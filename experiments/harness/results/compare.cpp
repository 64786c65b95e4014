// Fields of two runs at the points of one of them, and the norms of their difference.
#include "experiments/harness/results/compare.hpp"

#include "experiments/harness/fields/surface_interpolation.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/run_fields.hpp"
#include "experiments/harness/results/table.hpp"
#include "experiments/scenes/given_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace shoal {
namespace {

constexpr double same_time = 1e-9;  // relative to the later end

const std::vector<std::string>& compared_fields() {
  static const std::vector<std::string> names = {"depth", "elevation", "velocity"};
  return names;
}

double longest_edge(const Faces& faces, const Points& x) {
  double longest = 0;
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    for (int c = 0; c < 3; ++c)
      longest = std::max(longest, (x.col(faces(c, k)) - x.col(faces((c + 1) % 3, k))).norm());
  return longest;
}

/// Throws Error if a vertex of one surface is farther from the other than the longest edge of both.
void require_same_surface(const RunFields& mine, const Points& x, const RunFields& theirs,
                          const Points& reference_x) {
  const double allowed = std::max(longest_edge(mine.faces(), x), longest_edge(theirs.faces(), reference_x));
  const double apart = std::max(SurfaceInterpolation(theirs.faces(), reference_x, x).distance().maxCoeff(),
                                SurfaceInterpolation(mine.faces(), x, reference_x).distance().maxCoeff());
  if (!(apart <= allowed))
    throw Error(fmt::format(
        "mesh '{}' and mesh '{}' of the reference are different surfaces: a vertex of one is {:.3g} m from "
        "the other, farther than the longest edge, {:.3g} m",
        mine.mesh_name(), theirs.mesh_name(), apart, allowed));
}

/// The reference at the places of a field, [components, n].
Eigen::MatrixXd reference_at(const Places& places, const RunFields& theirs, const Points& x,
                             const std::string& name, const Eigen::MatrixXd& values) {
  const SurfaceInterpolation at(theirs.faces(), x, places.points, places.normals);
  if (theirs.location(name) == "vertex") return at.from_vertices(values);
  const Points centres = theirs.centres(x, name);
  if (values.rows() == 1) return at.from_faces(values, centres);
  Points vectors = at.vectors_from_faces(values, centres);
  for (Eigen::Index i = 0; i < vectors.cols(); ++i)
    vectors.col(i) = turned(vectors.col(i), at.normal().col(i), places.normals.col(i));
  return vectors;
}

/// l1, l2 and linf, relative to the reference; empty if that is zero or a value is not finite.
std::array<Cell, 3> norms(const Eigen::MatrixXd& values, const Eigen::MatrixXd& reference,
                          const Vector& area) {
  const Vector error = (values - reference).colwise().norm(), size = reference.colwise().norm();
  const auto ratio = [](double a, double b) -> Cell {
    return b > 0 && std::isfinite(a) && std::isfinite(b) ? Cell(a / b) : Cell("");
  };
  return {ratio(area.dot(error), area.dot(size)),
          ratio(std::sqrt(area.dot(error.cwiseAbs2())), std::sqrt(area.dot(size.cwiseAbs2()))),
          ratio(error.maxCoeff<Eigen::PropagateNaN>(), size.maxCoeff<Eigen::PropagateNaN>())};
}

/// Rows of snapshots at the same time.
std::vector<std::pair<std::size_t, std::size_t>> common_rows(const std::vector<double>& a,
                                                             const std::vector<double>& b) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  if (a.empty() || b.empty()) return rows;
  const double tolerance = same_time * std::max(std::abs(a.back()), std::abs(b.back()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (std::abs(a[i] - b[j]) <= tolerance) {
        rows.emplace_back(i, j);
        break;
      }
  return rows;
}

std::string listed(const std::vector<double>& times) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> texts;
  for (const double time : times) texts.push_back(fmt::format("{:.6g}", time));
  if (texts.size() > shown) {
    texts.erase(texts.begin() + shown - 1, texts.end() - 1);
    texts.insert(texts.end() - 1, "…");
  }
  return texts.empty() ? "none" : join(texts) + " s";
}

/// Remarks on runs, each listed once with its runs.
class Remarks {
 public:
  using Entry = std::pair<std::string, std::vector<std::string>>;
  void add(const std::string& text, const std::string& run) {
    const auto known = std::ranges::find_if(all_, [&](const Entry& one) { return one.first == text; });
    if (known == all_.end())
      all_.push_back({text, {run}});
    else
      known->second.push_back(run);
  }
  const std::vector<Entry>& all() const { return all_; }

 private:
  std::vector<Entry> all_;
};

std::string named(const std::vector<std::string>& runs) {
  constexpr std::size_t most = 8;
  if (runs.size() == 1) return "run " + runs.front();
  return runs.size() <= most ? "runs " + join(runs)
                             : fmt::format("{} runs, from {} on", runs.size(), runs.front());
}

class Comparer {
 public:
  Comparer(const Catalog& catalog, const Results& mine, const Results& theirs, const ReferenceChoice& choice)
      : catalog_(catalog), mine_(mine), theirs_(theirs), choice_(choice) {}

  ReferenceErrors errors() {
    result_.table.headings = {{"run", false},
                              {"discretization", false},
                              {"mesh", false, "mesh_name"},
                              {"reference run", false, "reference"},
                              {"reference mesh", false, "reference_mesh"},
                              {"time [s]", true, "time"},
                              {"field", false},
                              {"l1 error", true, "l1_error"},
                              {"l2 error", true, "l2_error"},
                              {"linf error", true, "linf_error"}};
    Remarks problems;
    for (const RecordedRun* run : chosen(mine_, choice_.run, "--run")) {
      try {
        add(*run);
      } catch (const Error& error) {
        problems.add(error.what(), run->id());
      }
    }
    if (mine_.runs().empty()) throw Error("the first file contains no runs");
    if (result_.table.rows.empty())
      throw Error(
          fmt::format("run {}: {}", problems.all().front().second.front(), problems.all().front().first));
    for (const auto& [text, runs] : differences_.all())
      result_.notes.push_back(fmt::format("{}: {}", named(runs), text));
    for (const auto& [text, runs] : problems.all())
      result_.notes.push_back(fmt::format("left out {}: {}", named(runs), text));
    return std::move(result_);
  }

 private:
  static std::vector<const RecordedRun*> chosen(const Results& results, const std::string& id,
                                                const std::string& option) {
    std::vector<const RecordedRun*> runs;
    for (const RecordedRun& run : results.runs())
      if (id.empty() || run.id() == id) runs.push_back(&run);
    if (runs.empty() && !id.empty())
      throw Error(fmt::format("{}: the {} file contains no run '{}'", option,
                              option == "--run" ? "first" : "second", id));
    return runs;
  }

  /// The run of the second file to compare with.
  const RecordedRun& reference_of(const RecordedRun& run) const {
    const std::string scene = run.group().text("scene", "");
    const RecordedRun* best = nullptr;
    std::set<std::string> others;
    for (const RecordedRun* one : chosen(theirs_, choice_.reference, "--reference")) {
      if (one->group().text("scene", "") != scene)
        others.insert(one->group().text("scene", "none"));
      else if (one->group().has("snapshots") &&
               (!best || one->group().number("vertices", 0) > best->group().number("vertices", 0)))
        best = one;
    }
    if (best) return *best;
    if (others.empty()) throw Error("the second file contains no run with snapshots to compare with");
    throw Error(fmt::format("scene '{}', but the reference is of '{}'", scene,
                            join({others.begin(), others.end()}, "', '")));
  }

  void add(const RecordedRun& run) {
    const RecordedRun& reference = reference_of(run);
    if (!run.group().has("snapshots")) throw Error("no snapshots");
    const RunFields mine(mine_, run), theirs(theirs_, reference);
    const auto rows = common_rows(mine.times(), theirs.times());
    const bool both_run = mine.times().size() > 1 && theirs.times().size() > 1;  // beyond the initial state
    const bool only_start = rows.size() == 1 && rows.front() == std::pair<std::size_t, std::size_t>();
    if (rows.empty() || (both_run && only_start))
      throw Error(fmt::format("no snapshot time{} in common with the reference run {}: {}; there {}",
                              both_run ? " after the start" : "", reference.id(), listed(mine.times()),
                              listed(theirs.times())));
    std::vector<std::pair<std::string, std::string>> names;  // of the datasets
    std::vector<std::string> fields;
    for (const std::string& field : compared_fields())
      if (const std::string a = mine.dataset(field), b = theirs.dataset(field); !a.empty() && !b.empty()) {
        names.emplace_back(a, b);
        fields.push_back(field);
      }
    if (fields.empty())
      throw Error(fmt::format("none of {} on triangles in common with the reference run {}",
                              join(compared_fields()), reference.id()));
    require_same_surface(mine, mine.positions(rows.front().first), theirs,
                         theirs.positions(rows.front().second));
    for (const auto& [i, j] : rows) {
      const Points x = mine.positions(i), reference_x = theirs.positions(j);
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const auto& [a, b] = names[f];
        const Places places = mine.places(x, a);
        const Eigen::MatrixXd values = mine.values(a, i);
        Eigen::MatrixXd exact = theirs.values(b, j);
        if (exact.rows() != values.rows())
          throw Error(
              fmt::format("'{}' has {} components, in the reference {}", a, values.rows(), exact.rows()));
        if (!same_places(mine, a, theirs, b)) exact = reference_at(places, theirs, reference_x, b, exact);
        std::vector<Cell> row = {run.id(),           run.group().text("discretization", ""),
                                 mine.mesh_name(),   reference.id(),
                                 theirs.mesh_name(), mine.times()[i],
                                 fields[f]};
        for (Cell& norm : norms(values, exact, places.area)) row.push_back(std::move(norm));
        result_.table.rows.push_back(std::move(row));
      }
    }
    note_differences(run, reference);
  }

  static bool same_places(const RunFields& mine, const std::string& a, const RunFields& theirs,
                          const std::string& b) {
    const auto dual = [](const RunFields& fields) { return fields.run().group().text("dual", ""); };
    return mine.mesh_hash() == theirs.mesh_hash() && mine.location(a) == theirs.location(b) &&
           (mine.location(a) == "vertex" || a == "velocity" || dual(mine) == dual(theirs));
  }

  /// Whether an attribute belongs to the problem, in contrast to the method.
  bool defines_problem(const std::string& name, const hdf5::Group& run) const {
    static const std::set<std::string> always = {"motion",  "boundaries", "inputs", "gravity",
                                                 "density", "files_hash", "seed"};
    if (always.count(name) || name.starts_with("friction")) return true;
    const auto declares = [&](const ParameterInfos& infos) {
      return std::ranges::any_of(infos, [&](const ParameterInfo& info) { return info.name == name; });
    };
    const std::string scene = run.text("scene", ""), motion = run.text("motion", "");
    return declares(describe_options<GivenFieldOptions>()) ||
           (catalog_.scenes.has(scene) && declares(catalog_.scenes.find(scene).parameters)) ||
           (catalog_.motions.has(motion) && declares(catalog_.motions.find(motion).parameters));
  }

  void note_differences(const RecordedRun& mine, const RecordedRun& theirs) {
    const hdf5::Group &a = mine.group(), &b = theirs.group();
    std::set<std::string> names;
    for (const hdf5::Group* group : {&a, &b})
      for (const std::string& name : group->attribute_names())
        if (defines_problem(name, *group)) names.insert(name);
    const auto text = [](const RecordedRun& run, const std::string& name) -> std::string {
      const Cell cell = run_attribute(run, name);
      if (const double* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
      const std::string& word = std::get<std::string>(cell);
      return word.empty() ? "none" : word;
    };
    std::vector<std::string> differences;
    for (const std::string& name : names)
      if (const std::string x = text(mine, name), y = text(theirs, name); x != y)
        differences.push_back(fmt::format("{} ({} | {})", name, x, y));
    if (const std::string x = text(mine, "advection"), y = text(theirs, "advection");
        (x == "none") != (y == "none"))
      differences.push_back(fmt::format("advection ({} | {})", x, y));
    if (!differences.empty())
      differences_.add(
          fmt::format("different from the reference run {} in {}", theirs.id(), join(differences)),
          mine.id());
  }

  const Catalog& catalog_;
  const Results &mine_, &theirs_;
  const ReferenceChoice& choice_;
  ReferenceErrors result_;
  Remarks differences_;
};

}  // namespace

ReferenceErrors errors_against(const Catalog& catalog, const Results& mine, const Results& theirs,
                               const ReferenceChoice& choice) {
  return Comparer(catalog, mine, theirs, choice).errors();
}

void require_readable(const Results& results) {
  for (const RecordedRun& run : results.runs()) {
    const RunFields fields(results, run);
    for (std::size_t row = 0; row < fields.times().size(); ++row) {
      fields.positions(row);
      for (const std::string& field : compared_fields())
        if (const std::string name = fields.dataset(field); !name.empty()) fields.values(name, row);
    }
  }
}

}  // namespace shoal
