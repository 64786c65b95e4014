// Eigenmodes of the linearised scheme, their counting, and their comparison with continuous waves.
#include "experiments/harness/spectrum/spectrum.hpp"

#include "discretizations/components.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/recorder.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "solvers/linear/eigenpairs.hpp"
#include "solvers/wave_modes.hpp"

#include <fmt/format.h>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

using Matrix = Eigen::MatrixXd;
using ComplexMatrix = Eigen::MatrixXcd;

constexpr Index max_depths = 6000;       // dense symmetric problem: some minutes
constexpr Index max_unknowns = 4000;     // dense general problem: some minutes
constexpr double zero_tolerance = 1e-7;  // relative to the fastest mode; finite differences leave 1e-9
constexpr double spurious_share = 0.5;

double nan() {
  return std::numeric_limits<double>::quiet_NaN();
}

/// Orthonormal columns with the span of `vectors`; dependent ones are dropped.
Matrix orthonormal_basis(const Matrix& vectors) {
  const Eigen::HouseholderQR<Matrix> qr(vectors);
  const Matrix q = qr.householderQ() * Matrix::Identity(vectors.rows(), vectors.cols());
  const Vector diagonal = qr.matrixQR().diagonal().cwiseAbs();
  std::vector<Eigen::Index> kept;
  for (Eigen::Index j = 0; j < vectors.cols(); ++j)
    if (diagonal[j] > 1e-10 * diagonal.maxCoeff()) kept.push_back(j);
  return q(Eigen::all, kept);
}

/// Continuous shapes at the cells' points, times √A, so that plain products measure area.
class Sampler {
 public:
  Sampler(const ContinuousModes& modes, const Cells& cells) : modes_(modes), cells_(cells) {}

  Matrix level(const ContinuousLevel& level) const {
    return cells_.area.cwiseSqrt().asDiagonal() * level.sample(cells_.points);
  }

  /// The `count` lowest shapes.
  Matrix lowest(Index count) const {
    Matrix values(cells_.count(), count);
    Index found = 0;
    for (const ContinuousLevel& next : modes_.levels) {
      if (found == count) break;
      const Matrix columns = level(next);
      const Index taken = std::min<Index>(count - found, static_cast<Index>(columns.cols()));
      values.middleCols(found, taken) = columns.leftCols(taken);
      found += taken;
    }
    return values;
  }

 private:
  const ContinuousModes& modes_;
  const Cells& cells_;
};

/// The fraction of each column's squared length in the span of `basis`.
template <class Columns>
Vector shares(const Matrix& basis, const Columns& columns) {
  return ((basis.transpose() * columns).colwise().squaredNorm().array() /
          columns.colwise().squaredNorm().array())
      .transpose();
}

/// The number of divergence-free flows given by the mesh's streamfunctions and topology.
Index streamfunctions(const Mesh& mesh, Index components) {
  std::vector<bool> on_wall(static_cast<std::size_t>(mesh.vertex_count), false);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int end = 0; end < 2; ++end)
      if (mesh.is_wall(e)) on_wall[static_cast<std::size_t>(mesh.edges(end, e))] = true;
  const auto interior = std::count(on_wall.begin(), on_wall.end(), false);
  return static_cast<Index>(interior) + components - mesh.euler_characteristic();
}

/// With steps of a simulation that takes none: those of `auto` could be too short for its end.
RunConfiguration without_steps(RunConfiguration c) {
  c.dt = c.end = 1;
  c.substeps = 1;
  return c;
}

class Analysis {
 public:
  Analysis(const Catalog& catalog, const SpectrumRequest& request, const Surface& surface)
      : request_(request),
        surface_(surface),
        simulation_(catalog, without_steps(request.configuration), surface),
        components_(Components(simulation_.discretization().mesh(), cells()).count()),
        streamfunctions_(streamfunctions(surface.mesh, components_)) {
    spectrum_.configuration = request.configuration;
    spectrum_.mesh_hash = mesh_hash(surface);
    spectrum_.depth = simulation_.scene().depth;
    spectrum_.gravity = simulation_.scene().gravity;
    spectrum_.lowest = request.lowest;
    spectrum_.vertices = surface.mesh.vertex_count;
    spectrum_.area = simulation_.discretization().geometry().total_area();
    spectrum_.stable_dt = simulation_.water().stable_dt();
    const bool uniform_depth = cells().bed.minCoeff() == cells().bed.maxCoeff();
    const Index max_levels = std::max(surface.mesh.vertex_count, cells().count());
    if (uniform_depth)
      spectrum_.continuous =
          continuous_modes(surface, request.lowest > 0 ? std::min(request.lowest, max_levels) : max_levels);
  }

  Spectrum compute() {
    if (offered<Wave>(simulation_.discretization()))
      find_waves();
    else
      find_general_modes();
    return std::move(spectrum_);
  }

 private:
  const Cells& cells() const { return simulation_.discretization().cells(); }

  /// As many shapes as the mesh has vertices; empty if they are unknown or span everything.
  Matrix resolved_basis() const {
    if (!spectrum_.continuous || request_.lowest > 0 || cells().count() <= spectrum_.vertices) return {};
    return orthonormal_basis(Sampler(*spectrum_.continuous, cells()).lowest(spectrum_.vertices));
  }

  template <class Values>
  void require_finite(const Values& values) const {
    if (!values.allFinite() || !std::isfinite(spectrum_.gravity * spectrum_.depth))
      throw Error(
          fmt::format("the frequencies of water {} m deep under gravity {} m/s² exceed the largest number; "
                      "reduce depth or gravity",
                      spectrum_.depth, spectrum_.gravity));
  }

  void find_waves() {
    const WaveSpectrum waves(simulation_.discretization(), simulation_.water().forces(),
                             simulation_.water().volume());
    const Index n = waves.size();
    if (request_.lowest == 0 && n > max_depths)
      throw Refusal(
          fmt::format("cannot compute all waves of {} depth unknowns (at most {}); use --lowest K for the K "
                      "lowest (at most {})",
                      n, max_depths, max_iterated_pairs));
    spectrum_.all = request_.lowest == 0 || request_.lowest >= n;
    WaveModes found = waves.modes(0, spectrum_.all ? n : request_.lowest);
    require_finite(found.angular_frequency);
    spectrum_.residual = found.residual;
    count_waves(waves);
    const Index physical = std::min(n, spectrum_.vertices);
    for (Index j = 0; j < found.angular_frequency.size(); ++j) {
      DiscreteMode mode;
      mode.angular_frequency = found.angular_frequency[j];
      mode.spurious = j >= physical;
      spectrum_.modes.push_back(mode);
    }
    if (const Matrix basis = resolved_basis(); basis.size() > 0) {
      const Matrix weighted = cells().area.cwiseSqrt().asDiagonal() * found.elevation;
      const Vector share = shares(basis, weighted);
      for (std::size_t j = 0; j < spectrum_.modes.size(); ++j)
        spectrum_.modes[j].share = share[static_cast<Index>(j)];
    }
    assign_levels_in_order();
    spectrum_.shapes = std::move(found.elevation);
  }

  void count_waves(const WaveSpectrum& waves) {
    ModeCounts& counts = spectrum_.counts;
    counts.depth_unknowns = waves.size();
    counts.velocity_unknowns = simulation_.discretization().velocity().size;
    counts.constant = waves.constant_modes();
    counts.waves = std::min(waves.size(), spectrum_.vertices) - counts.constant;
    counts.spurious_waves = waves.size() - counts.constant - counts.waves;
    // Every wave uses one combination of velocities, its gradient; all other combinations are stationary.
    const Index stationary = counts.velocity_unknowns - (waves.size() - counts.constant);
    counts.stationary = std::min(stationary, streamfunctions_);
    counts.spurious_stationary = stationary - counts.stationary;
  }

  /// Assigns the lowest mode to the lowest level, and so on.
  void assign_levels_in_order() {
    if (!spectrum_.continuous) return;
    int level = 0;
    Index taken = 0;
    for (DiscreteMode& mode : spectrum_.modes) {
      const auto& levels = spectrum_.continuous->levels;
      if (taken == levels[static_cast<std::size_t>(level)].multiplicity) {
        ++level;
        taken = 0;
      }
      if (level == static_cast<int>(levels.size())) return;
      mode.level = level;
      ++taken;
    }
  }

  /// The derivative of the rates at rest, in relative depths and in velocities over √(gH).
  Matrix jacobian() const {
    const Discretization& scheme = simulation_.discretization();
    const ShallowWater& water = simulation_.water();
    const State& rest = water.state();
    const Field &volume = scheme.volume(), &momentum = scheme.velocity();
    if (momentum.location != Location::face || cells().count() != surface_.mesh.face_count())
      throw Refusal("requires wave operators, or depth and momentum per triangle");
    Vector unit(volume.size + momentum.size);  // the units of the unknowns
    unit.head(volume.size) = rest[volume];
    for (Index i = 0; i < momentum.size; ++i)
      unit[volume.size + i] =
          rest[volume][momentum.element(i)] * std::sqrt(spectrum_.gravity * spectrum_.depth);
    constexpr double step = 1e-6;  // central differences: error step², round-off ε/step
    Matrix matrix(unit.size(), unit.size());
    State shifted = rest, rate = rest;
    for (Index j = 0; j < unit.size(); ++j) {
      double& unknown = shifted.q[j < volume.size ? volume.offset + j : momentum.offset + j - volume.size];
      const double before = unknown;
      rate.q.setZero();
      for (const double sign : {1.0, -1.0}) {
        unknown = before + sign * step * unit[j];
        scheme.add_rates(shifted, water.forces(), Terms::all(), sign * 0.5 / step, rate, water.scratch());
      }
      unknown = before;
      matrix.col(j) << rate[volume], rate[momentum];
      matrix.col(j).array() /= unit.array();
    }
    return matrix;
  }

  void find_general_modes() {
    const Index depths = cells().count(), n = depths + simulation_.discretization().velocity().size;
    if (request_.lowest > 0)
      throw Refusal(
          "--lowest requires a scheme with wave operators; other schemes require all modes at once");
    if (n > max_unknowns)
      throw Refusal(fmt::format("cannot compute the modes of {} unknowns without wave operators (at most {})",
                                n, max_unknowns));
    const Matrix matrix = jacobian();
    require_finite(matrix);
    const GeneralEigenpairs pairs = general_eigenpairs(matrix);
    const ComplexMatrix elevation =
        cells().area.cwiseSqrt().cast<std::complex<double>>().asDiagonal() * pairs.vector.topRows(depths);
    const Matrix basis = resolved_basis();
    const Vector share = basis.size() > 0 ? shares(basis, elevation) : Vector::Constant(n, nan());
    double scale = 0;
    for (const auto& value : pairs.value) scale = std::max(scale, std::abs(value));

    double& limit = spectrum_.forward_euler_limit;
    for (const auto& value : pairs.value)
      if (std::abs(value) > zero_tolerance * scale)
        limit = std::fmin(limit, -2 * value.real() / std::norm(value));

    ModeCounts& counts = spectrum_.counts;
    counts.depth_unknowns = depths;
    counts.velocity_unknowns = n - depths;
    spectrum_.by_share = basis.size() > 0;
    Index at_zero = 0;
    std::vector<Eigen::Index> columns;
    for (Index j = 0; j < n; ++j) {
      const auto value = pairs.value[static_cast<std::size_t>(j)];
      const double zero = zero_tolerance * scale;
      DiscreteMode mode{std::abs(value.imag()), -value.real(), -1, share[j], share[j] < spurious_share};
      if (value.real() > zero) {
        counts.growing += 1;
      } else if (std::abs(value) <= zero) {
        at_zero += 1;
      } else if (std::abs(value.imag()) <= zero) {
        counts.damped += 1;
      } else if (value.imag() > 0) {
        spectrum_.modes.push_back(mode);  // by ascending ω
        columns.push_back(j);
      }
    }
    // One constant elevation for each component. The eigenvectors found at zero mix it with stationary flows.
    counts.constant = std::min(at_zero, components_);
    counts.stationary = at_zero - counts.constant;
    const auto resolved = static_cast<std::size_t>(spectrum_.vertices - counts.constant);
    for (std::size_t j = 0; j < spectrum_.modes.size(); ++j) {
      DiscreteMode& mode = spectrum_.modes[j];
      if (!spectrum_.by_share) mode.spurious = j >= resolved;
      (mode.spurious ? counts.spurious_waves : counts.waves) += 1;
    }
    counts.spurious_damped = std::max(0, counts.damped - streamfunctions_);
    counts.damped -= counts.spurious_damped;
    assign_levels_by_share(elevation(Eigen::all, columns));
  }

  /// Assigns each mode the level that contains the largest part of its elevation.
  void assign_levels_by_share(const ComplexMatrix& elevation) {
    if (!spectrum_.continuous) return;
    const Sampler sampler(*spectrum_.continuous, cells());
    std::vector<double> best(spectrum_.modes.size(), 0);
    Index functions = 0;
    for (std::size_t level = 0; level < spectrum_.continuous->levels.size(); ++level) {
      const ContinuousLevel& next = spectrum_.continuous->levels[level];
      if (functions >= spectrum_.vertices) return;  // not resolved
      functions += next.multiplicity;
      const Vector part = shares(orthonormal_basis(sampler.level(next)), elevation);
      for (std::size_t j = 0; j < best.size(); ++j) {
        if (spectrum_.modes[j].spurious || !(part[static_cast<Index>(j)] > best[j])) continue;
        best[j] = part[static_cast<Index>(j)];
        spectrum_.modes[j].level = static_cast<int>(level);
      }
    }
  }

  const SpectrumRequest& request_;
  const Surface& surface_;
  Simulation simulation_;
  const Index components_, streamfunctions_;
  Spectrum spectrum_;
};

struct Range {
  double min = std::numeric_limits<double>::infinity(), max = -min;
  void add(double value) {
    min = std::min(min, value);
    max = std::max(max, value);
  }
};

TextTable grid_of_levels(const Spectrum& spectrum, Index rows) {
  const ContinuousModes& continuous = *spectrum.continuous;
  const bool damped =
      std::ranges::any_of(spectrum.modes, [](const DiscreteMode& mode) { return mode.decay_rate != 0; });
  TextTable grid;
  grid.headings = {{continuous.index_name, true, "level"},
                   {"multiplicity"},
                   {"found"},
                   {"ω [1/s]", true, "angular_frequency"},
                   {"discrete min", true, "discrete_min"},
                   {"discrete max", true, "discrete_max"},
                   {"error min", true, "error_min"},
                   {"error max", true, "error_max"}};
  if (damped) {
    grid.headings.push_back({"decay min [1/s]", true, "decay_min"});
    grid.headings.push_back({"decay max [1/s]", true, "decay_max"});
  }
  grid.headings.push_back({"share"});
  const double speed = std::sqrt(spectrum.gravity * spectrum.depth);
  for (std::size_t level = 1; level < continuous.levels.size(); ++level) {
    const ContinuousLevel& exact = continuous.levels[level];
    Range omega, decay;
    double share = 0;
    int found = 0;
    for (const DiscreteMode& mode : spectrum.modes) {
      if (mode.level != static_cast<int>(level) || mode.spurious) continue;
      omega.add(mode.angular_frequency);
      decay.add(mode.decay_rate);
      share += mode.share;
      ++found;
    }
    if (found == 0) continue;
    const double exact_omega = speed * exact.wavenumber;
    std::vector<Cell> row = {exact.name,
                             static_cast<double>(exact.multiplicity),
                             static_cast<double>(found),
                             exact_omega,
                             omega.min,
                             omega.max,
                             omega.min / exact_omega - 1,
                             omega.max / exact_omega - 1};
    if (damped) row.insert(row.end(), {decay.min, decay.max});
    row.push_back(std::isnan(share) ? Cell("") : Cell(share / found));
    grid.rows.push_back(std::move(row));
    if (static_cast<Index>(grid.rows.size()) == rows) break;
  }
  return grid;
}

TextTable grid_of_modes(const Spectrum& spectrum, Index rows) {
  TextTable grid;
  grid.headings = {{"mode"},
                   {"ω [1/s]", true, "angular_frequency"},
                   {"decay [1/s]", true, "decay_rate"},
                   {"branch", false}};
  Index number = 0;
  for (const DiscreteMode& mode : spectrum.modes) {
    if (mode.angular_frequency == 0) continue;
    grid.rows.push_back({static_cast<double>(++number), mode.angular_frequency, mode.decay_rate,
                         mode.spurious ? "spurious" : "physical"});
    if (number == rows) break;
  }
  return grid;
}

/// Mean share of the waves of one kind; NaN if unknown.
double mean_share(const Spectrum& spectrum, bool spurious) {
  double sum = 0;
  int count = 0;
  for (const DiscreteMode& mode : spectrum.modes)
    if (mode.spurious == spurious) {
      sum += mode.share;
      ++count;
    }
  return count > 0 ? sum / count : nan();
}

}  // namespace

Spectrum compute_spectrum(const Catalog& catalog, const SpectrumRequest& request) {
  const Surface surface = load_surface(catalog, request.configuration);
  return Analysis(catalog, request, surface).compute();
}

TextTable spectrum_grid(const Spectrum& spectrum, Index rows) {
  return spectrum.continuous ? grid_of_levels(spectrum, rows) : grid_of_modes(spectrum, rows);
}

TextTable count_grid(const Spectrum& spectrum) {
  const ModeCounts& counts = spectrum.counts;
  TextTable grid;
  grid.headings = {{"modes", false}, {"physical"}, {"spurious"}, {"unknowns"}};
  const auto add = [&](const char* name, Index physical, Index spurious, Index each) {
    if (physical + spurious > 0)
      grid.rows.push_back({name, static_cast<double>(physical), static_cast<double>(spurious),
                           static_cast<double>(each * (physical + spurious))});
  };
  add("constant depth", counts.constant, 0, 1);
  add("waves, each with ±ω", counts.waves, counts.spurious_waves, 2);
  add("stationary flows", counts.stationary, counts.spurious_stationary, 1);
  add("flows that decay without a wave", counts.damped, counts.spurious_damped, 1);
  add("growing", 0, counts.growing, 1);
  grid.rows.push_back({"all", "", "", static_cast<double>(counts.total())});
  return grid;
}

std::string describe_spectrum(const Spectrum& spectrum, TableFormat format, Index rows) {
  const RunConfiguration& c = spectrum.configuration;
  const TextTable grid = spectrum_grid(spectrum, rows);
  if (format == TableFormat::csv || format == TableFormat::latex) return format_table(grid, format);
  const ModeCounts& counts = spectrum.counts;
  std::string text =
      fmt::format("{} on {} ({} vertices): {} depth and {} velocity unknowns, H = {:g} m, g = {:g} m/s²\n\n",
                  c.discretization, c.mesh, spectrum.vertices, counts.depth_unknowns,
                  counts.velocity_unknowns, spectrum.depth, spectrum.gravity);
  text += format_table(count_grid(spectrum), format);
  text += spectrum.by_share ? "\nSpurious: waves of which less than half lies in the lowest continuous "
                              "waves, one per vertex; flows in excess of\none per streamfunction.\n"
                            : "\nSpurious: waves above the lowest, one per vertex; flows in excess of one "
                              "per streamfunction.\n";
  if (const double physical = mean_share(spectrum, false), spurious = mean_share(spectrum, true);
      !std::isnan(spurious))
    text += fmt::format(
        "Mean share of the elevation in the lowest continuous waves, one per vertex: physical {:.3f}, "
        "spurious {:.3f}.\n",
        physical, spurious);
  if (!std::isnan(spectrum.forward_euler_limit))
    text += fmt::format(
        "Forward Euler keeps all modes bounded up to Δt = {:.4g} s, {:.3g} times the scheme's own stable "
        "step.\n",
        spectrum.forward_euler_limit, spectrum.forward_euler_limit / spectrum.stable_dt);
  if (spectrum.continuous) text += fmt::format("Continuous waves of the {}:\n", spectrum.continuous->surface);
  return text + "\n" + format_table(grid, format);
}

}  // namespace shoal
