#include "experiments/harness/results/sphere_fields.hpp"

#include "experiments/harness/fields/harmonic_solution.hpp"
#include "experiments/harness/results/compare.hpp"
#include "experiments/harness/results/run_fields.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

namespace shoal {
namespace {

constexpr double pi = std::numbers::pi, full_turn = 360, day = 86400;
constexpr double same_time = 1e-9;          // relative to the last
constexpr double round_off = 1e-12;         // of an amplitude, relative to the mean depth
constexpr int usual_degree = 21, band = 5;  // degrees of latitude

/// The harmonics at one snapshot; the velocity is empty if it is not known or not wanted.
struct SphereState {
  Harmonics depth;
  VectorHarmonics velocity;
};

/// One run or solution.
struct Series {
  std::vector<std::string> names;  ///< file, run, discretization, mesh
  std::vector<double> times;
  int max_degree = 0;
  std::function<SphereState(std::size_t row, int degree, bool with_velocity)> at;
};

int max_degree_of(Eigen::Index points) {  // two values for each coefficient
  return std::max(0, static_cast<int>(std::sqrt(static_cast<double>(points) / 2)) - 1);
}

/// Throws Error unless a closed surface has its vertices on a sphere about the origin.
void require_sphere(const Faces& faces, const Points& x) {
  constexpr double rounding = 1e-6;
  const Vector radius = x.colwise().norm();
  if (faces.cols() != 2 * x.cols() - 4 ||
      !(radius.maxCoeff() - radius.minCoeff() <= rounding * radius.maxCoeff()))
    throw Error("its surface is not a sphere about the origin");
}

Series series_of(const Results& results, const RecordedRun& run, const std::string& file) {
  const auto fields = std::make_shared<RunFields>(results, run);
  if (fields->times().empty()) throw Error("no snapshots");
  const std::string depth = fields->dataset("depth"), velocity = fields->dataset("velocity");
  if (depth.empty()) throw Error("no depth on triangles");
  Series series;
  series.names = {file, run.id(), run.group().text("discretization", ""), fields->mesh_name()};
  series.times = fields->times();
  const Points start = fields->positions(0);
  require_sphere(fields->faces(), start);
  series.max_degree = max_degree_of(start.cols());
  series.at = [=](std::size_t row, int degree, bool with_velocity) -> SphereState {
    const Points x = fields->positions(row);
    require_sphere(fields->faces(), x);
    const HarmonicSum sum(degree);
    const auto places = [&](const std::string& name) {
      Places found = fields->places(x, name);
      found.area *= 4 * pi / found.area.sum();
      return found;
    };
    const Places at = places(depth);
    SphereState state{sum.fit_scalars(at.points, at.area, fields->values(depth, row).row(0).transpose()), {}};
    if (with_velocity && !velocity.empty()) {
      const Places of_velocity = places(velocity);
      state.velocity = sum.fit_vectors(of_velocity.points, of_velocity.area, fields->values(velocity, row));
    }
    return state;
  };
  return series;
}

bool is_solution(const std::filesystem::path& file) {
  return has_hdf5_signature(file) && HarmonicSolution::is_in(file);
}

Harmonics cut(const Harmonics& harmonics, int from, int to) {
  Harmonics found;
  for_each_harmonic(from, [&](std::size_t i, int l, int) {
    if (l <= to) found.push_back(harmonics[i]);
  });
  return found;
}

Series series_of(const HarmonicSolution& solution, const std::string& file) {
  Series series;
  series.names = {file, "", "spectral", fmt::format("degree {}", solution.truncation)};
  series.times = solution.times;
  series.max_degree = solution.truncation;
  series.at = [=](std::size_t row, int degree, bool) -> SphereState {
    const int from = solution.truncation;
    const VectorHarmonics& velocity = solution.velocity[row];
    return {cut(solution.depth[row], from, degree),
            {cut(velocity.gradient, from, degree), cut(velocity.curl, from, degree)}};
  };
  return series;
}

std::vector<std::size_t> rows_at(const Series& series, const std::vector<double>& times, bool all) {
  std::vector<std::size_t> rows;
  const double tolerance = same_time * std::abs(series.times.back());
  for (const double time : times) {
    const auto found =
        std::ranges::min_element(series.times, {}, [&](double one) { return std::abs(one - time); });
    if (!(std::abs(*found - time) <= tolerance))
      throw Error(
          fmt::format("there is no snapshot at {:.10g} s; the nearest is at {:.10g} s", time, *found));
    rows.push_back(static_cast<std::size_t>(found - series.times.begin()));
  }
  if (times.empty())
    for (std::size_t row = all ? 0 : series.times.size() - 1; row < series.times.size(); ++row)
      rows.push_back(row);
  return rows;
}

/// |c|², twice for m > 0, summed by `place(l, m)` into `count` bins; a negative place is left out. NaN without harmonics.
template <class Bin>
Vector power(const Harmonics& harmonics, int degree, int count, const Bin& place) {
  if (harmonics.empty()) return Vector::Constant(count, std::nan(""));
  Vector sum = Vector::Zero(count);
  for_each_harmonic(degree, [&](std::size_t i, int l, int m) {
    if (l > 0) sum[place(l, m)] += (m == 0 ? 1 : 2) * std::norm(harmonics[i]);
  });
  return sum;
}

Harmonics of_order(Harmonics harmonics, int degree, int order) {
  if (!harmonics.empty())
    for_each_harmonic(degree, [&](std::size_t i, int, int m) {
      if (m != order) harmonics[i] = 0;
    });
  return harmonics;
}

Vector3 direction(double latitude, double longitude) {
  return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
          std::sin(latitude)};
}

/// c of the depth Re c e^{imλ} at a latitude.
std::complex<double> on_circle(const HarmonicSum& sum, const Harmonics& depth, int degree, int m,
                               double latitude) {
  const Harmonics part = of_order(depth, degree, m);
  return {sum.scalar(part, direction(latitude, 0)), -sum.scalar(part, direction(latitude, pi / (2 * m)))};
}

/// From −180°/m to 180°/m; NaN if the amplitude is round-off.
double crest_of(const std::complex<double>& c, int m, const Harmonics& depth) {
  const double mean = std::abs(depth.front()) / std::sqrt(4 * pi);
  if (!(std::abs(c) > round_off * mean)) return std::nan("");
  return -std::arg(c) / m * full_turn / (2 * pi);
}

Cell known(double value) {
  return std::isfinite(value) ? Cell(value) : Cell("");
}

class Writer {
 public:
  Writer(const SphereRequest& request, int degree, TextTable& table)
      : request_(request), degree_(degree), sum_(degree), table_(table) {
    table.headings = {{"file", false},
                      {"run", false},
                      {"discretization", false},
                      {"mesh", false},
                      {"time [s]", true, "time"}};
    const auto add = [&](std::initializer_list<Heading> more) {
      table.headings.insert(table.headings.end(), more);
    };
    const Heading variance{"depth variance [m²]", true, "depth_variance"};
    const std::string circle = fmt::format(" at {:g}°", request.latitude);
    if (request.by == "degree")
      add({{"degree"},
           variance,
           {"rotational energy [m²/s²]", true, "rotational_energy"},
           {"divergent energy [m²/s²]", true, "divergent_energy"}});
    else if (request.by == "wavenumber")
      add({{"wave number", true, "wavenumber"},
           variance,
           {"kinetic energy [m²/s²]", true, "kinetic_energy"},
           {"amplitude" + circle + " [m]", true, "amplitude"},
           {"crest" + circle + " [°]", true, "crest"}});
    else if (request.by == "latitude")
      add({{"latitude [°]", true, "latitude"},
           {"depth [m]", true, "depth"},
           {"eastward velocity [m/s]", true, "eastward_velocity"},
           {"northward velocity [m/s]", true, "northward_velocity"}});
    else
      add({{"amplitude" + circle + " [m]", true, "amplitude"},
           {"crest" + circle + " [°]", true, "crest"},
           {"speed [°/d]", true, "speed"},
           {"other waves", true, "other_waves"}});
  }

  double first_interval() const { return first_interval_; }  ///< longest one from which a speed follows, s

  void add(const Series& series) {
    crests_.clear();
    for (const std::size_t row : rows_at(series, request_.times, request_.by == "time")) {
      start_.assign(series.names.begin(), series.names.end());
      start_.emplace_back(series.times[row]);
      const SphereState now = series.at(row, degree_, request_.by != "time");
      if (request_.by == "degree")
        by_degree(now);
      else if (request_.by == "wavenumber")
        by_wave_number(now);
      else if (request_.by == "latitude")
        by_latitude(now);
      else
        by_time(now, series.times[row]);
    }
  }

 private:
  void put(std::initializer_list<double> values) {
    table_.rows.push_back(start_);
    for (const double value : values) table_.rows.back().push_back(known(value));
  }

  void by_degree(const SphereState& now) {
    const auto of = [&](const Harmonics& harmonics) {
      return power(harmonics, degree_, degree_ + 1, [](int l, int) { return l; });
    };
    const Vector depth = of(now.depth), curl = of(now.velocity.curl), gradient = of(now.velocity.gradient);
    for (int l = 1; l <= degree_; ++l)
      put({double(l), depth[l] / (4 * pi), curl[l] / (8 * pi), gradient[l] / (8 * pi)});
  }

  void by_wave_number(const SphereState& now) {
    const auto of = [&](const Harmonics& harmonics) {
      return power(harmonics, degree_, degree_ + 1, [](int, int m) { return m; });
    };
    const Vector depth = of(now.depth), energy = of(now.velocity.curl) + of(now.velocity.gradient);
    for (int m = 0; m <= degree_; ++m) {
      const std::complex<double> c =
          m > 0 ? on_circle(sum_, now.depth, degree_, m, latitude()) : std::nan("");
      put({double(m), depth[m] / (4 * pi), energy[m] / (8 * pi), std::abs(c),
           m > 0 ? crest_of(c, m, now.depth) : std::nan("")});
    }
  }

  void by_latitude(const SphereState& now) {
    const Harmonics depth = of_order(now.depth, degree_, 0);
    const VectorHarmonics velocity{of_order(now.velocity.gradient, degree_, 0),
                                   of_order(now.velocity.curl, degree_, 0)};
    for (int degrees = -90; degrees <= 90; degrees += band) {
      const double angle = degrees * pi / 180;
      const Vector3 x = direction(angle, 0), north = direction(angle + pi / 2, 0);
      const Vector3 v = velocity.curl.empty() ? Vector3::Constant(std::nan("")) : sum_.vector(velocity, x);
      put({double(degrees), sum_.scalar(depth, x), v.y(), v.dot(north)});
    }
  }

  void by_time(const SphereState& now, double time) {
    const int wave = request_.wave_number;
    enum { zonal, own, other, kinds };
    const Vector parts = power(now.depth, degree_, kinds, [&](int, int m) {
      return m == 0 ? zonal : m % wave == 0 ? own : other;
    });
    const std::complex<double> c = on_circle(sum_, now.depth, degree_, wave, latitude());
    double crest = crest_of(c, wave, now.depth), speed = std::nan("");
    if (!std::isnan(crest) && !crests_.empty()) {
      const auto& [first_time, first] = crests_.front();
      const auto& [last_time, last] = crests_.back();
      const double mean = last_time > first_time ? (last - first) / (last_time - first_time)
                                                 : request_.speed.value_or(0) / day;
      const double expected = last + mean * (time - last_time), period = full_turn / wave;
      crest += period * std::round((expected - crest) / period);
      speed = (crest - first) / (time - first_time) * day;
      if (crests_.size() == 1) first_interval_ = std::max(first_interval_, time - first_time);
    }
    if (!std::isnan(crest)) crests_.emplace_back(time, crest);
    const double least = round_off * std::abs(now.depth.front());
    put({std::abs(c), crest, speed, parts[own] > least * least ? parts[other] / parts[own] : std::nan("")});
  }

  double latitude() const { return request_.latitude * pi / 180; }

  const SphereRequest& request_;
  int degree_;
  HarmonicSum sum_;
  TextTable& table_;
  std::vector<Cell> start_;
  std::vector<std::pair<double, double>> crests_;  // time and longitude, continuous
  double first_interval_ = 0;
};

}  // namespace

const std::vector<std::string>& sphere_tables() {
  static const std::vector<std::string> names = {"degree", "wavenumber", "latitude", "time"};
  return names;
}

void require_readable_fields(const std::filesystem::path& file) {
  if (is_solution(file))
    HarmonicSolution::read(file);
  else
    require_readable(Results(file));
}

SphereTable sphere_table(const std::vector<std::filesystem::path>& files, const SphereRequest& request) {
  SphereTable made;
  std::vector<Results> opened;
  opened.reserve(files.size());
  std::vector<Series> all;
  for (const std::filesystem::path& file : files) {
    const std::size_t before = all.size();
    const std::string name = file.stem();
    std::string problem = request.run.empty() ? "no runs" : fmt::format("no run '{}'", request.run);
    if (is_solution(file)) {
      all.push_back(series_of(HarmonicSolution::read(file), name));
    } else {
      for (const RecordedRun& run : opened.emplace_back(file).runs()) {
        if (!request.run.empty() && run.id() != request.run) continue;
        try {
          Series series = series_of(opened.back(), run, name);
          rows_at(series, request.times, true);  // or throws
          all.push_back(std::move(series));
        } catch (const Error& error) {
          problem = fmt::format("run {}: {}", run.id(), error.what());
          made.notes.push_back(fmt::format("left out {}, {}", name, problem));
        }
      }
    }
    if (all.size() == before) throw Error(fmt::format("'{}': {}", file.string(), problem));
  }
  int degree = request.degree;
  if (degree == 0) {
    degree = usual_degree;
    for (const Series& series : all) degree = std::min(degree, series.max_degree);
  }
  for (const Series& series : all)
    if (degree > series.max_degree)
      throw Error(fmt::format("{} {} has harmonics up to the degree {} at most, not {}", series.names[0],
                              series.names[3], series.max_degree, degree));
  if (request.by == "time" && request.wave_number > degree)
    throw Error(fmt::format("the wave number {} exceeds the degree {}", request.wave_number, degree));
  Writer writer(request, degree, made.table);
  for (const Series& series : all) {
    try {
      writer.add(series);
    } catch (const Error& error) {
      const std::string run = series.names[1].empty() ? "" : fmt::format(", run {}", series.names[1]);
      throw Error(fmt::format("{}{}: {}", series.names[0], run, error.what()));
    }
  }
  if (const double days = writer.first_interval() / day; days > 0 && !request.speed) {
    const double half = 0.5 * full_turn / request.wave_number;
    made.notes.push_back(fmt::format(
        "the speeds are right only if the wave moves by less than half its length, {:.4g}°, between its "
        "first two snapshots, {:.4g} d apart; if it may be faster than {:.4g} °/d, give its rough speed by "
        "--speed",
        half, days, half / days));
  }
  return made;
}

}  // namespace shoal
