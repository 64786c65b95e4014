// Files of solutions in spherical harmonics.
#include "experiments/harness/fields/harmonic_solution.hpp"

#include "discretizations/common/options.hpp"
#include "experiments/harness/storage/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <sstream>

namespace shoal {
namespace {

constexpr const char* format = "shoal spherical harmonics 1";
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

template <class Get>
void write_rows(hdf5::Group& root, const HarmonicSolution& solution, const std::string& name,
                const std::string& meaning, const Get& get) {
  std::vector<double> values;
  for (std::size_t row = 0; row < solution.times.size(); ++row)
    for (const std::complex<double>& one : get(row)) values.insert(values.end(), {one.real(), one.imag()});
  root.write(name, {solution.times.size(), harmonics_count(solution.truncation), 2}, values)
      .set("meaning", meaning);
}

template <class Get>
void read_rows(const hdf5::Group& root, const HarmonicSolution& solution, const std::string& name,
               const Get& get) {
  const hdf5::Dataset dataset = root.open_dataset(name);
  const std::size_t count = harmonics_count(solution.truncation);
  if (dataset.extent() != hdf5::Extent{solution.times.size(), count, 2})
    throw Error(
        fmt::format("{}: not {} times {} pairs of numbers", dataset.where(), solution.times.size(), count));
  const std::vector<double> values = dataset.read();
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    throw Error(fmt::format("{}: not all numbers are finite", dataset.where()));
  for (std::size_t row = 0; row < solution.times.size(); ++row) {
    Harmonics& harmonics = get(row);
    harmonics.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double* pair = &values[2 * (row * count + i)];
      harmonics[i] = {pair[0], pair[1]};
    }
  }
}

}  // namespace

void HarmonicSolution::write(const std::string& path) const {
  hdf5::File file(path, hdf5::Access::create);
  hdf5::Group root = file.root();
  root.set("format", format);
  root.set("scene", scene);
  root.set("truncation", std::int64_t{truncation});
  root.set("dt", step);
  root.set("damping_time", damping_time);
  root.set("git_commit", build_info().git_commit);
  std::string lines;
  for (const auto& [name, value] : parameters) lines += name + "=" + value + "\n";
  root.set("parameters", lines);
  root.write("time", {times.size()}, times).set("unit", "s");
  write_rows(root, *this, "depth",
             "η_lm, m: real and imaginary parts, orthonormal, for m = 0 to L and l = m to L",
             [&](std::size_t row) -> const Harmonics& { return depth[row]; });
  write_rows(root, *this, "gradient", "√(l(l+1)) a_lm, m/s, of the velocity ∇a + n×∇b on the unit sphere",
             [&](std::size_t row) -> const Harmonics& { return velocity[row].gradient; });
  write_rows(root, *this, "curl", "√(l(l+1)) b_lm, m/s, of the velocity ∇a + n×∇b on the unit sphere",
             [&](std::size_t row) -> const Harmonics& { return velocity[row].curl; });
  file.close();
}

std::vector<double> read_times(const hdf5::Group& group) {
  const hdf5::Dataset dataset = group.open_dataset("time");
  if (dataset.extent().size() != 1) throw Error(fmt::format("{}: not a row of numbers", dataset.where()));
  std::vector<double> times = dataset.read();
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i]) || (i > 0 && times[i] <= times[i - 1]))
      throw Error(fmt::format("{}: {} s at place {} (from 0); times must be finite and rise", dataset.where(),
                              times[i], i));
  return times;
}

HarmonicSolution HarmonicSolution::read(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw Error(fmt::format("there is no file '{}'", path));
  const hdf5::File file(path, hdf5::Access::read);
  const hdf5::Group root = file.root();
  if (root.text("format", "") != format)
    throw Error(fmt::format("'{}' is not a file of shoal-reference", path));
  HarmonicSolution solution;
  solution.scene = root.text("scene");
  std::istringstream lines(root.text("parameters"));
  for (std::string line; std::getline(lines, line);)
    if (const auto equals = line.find('='); equals != std::string::npos)
      solution.parameters[line.substr(0, equals)] = line.substr(equals + 1);
  const double truncation = root.number("truncation");
  if (!(truncation >= 1 && truncation <= 1000 && truncation == std::floor(truncation)))
    throw Error(
        fmt::format("'{}': the truncation {} is not a whole number from 1 to 1000", path, truncation));
  solution.truncation = static_cast<int>(truncation);
  solution.step = root.number("dt");
  solution.damping_time = root.number("damping_time");
  solution.times = read_times(root);
  if (solution.times.empty()) throw Error(fmt::format("'{}': no times", path));
  solution.depth.resize(solution.times.size());
  solution.velocity.resize(solution.times.size());
  read_rows(root, solution, "depth", [&](std::size_t row) -> Harmonics& { return solution.depth[row]; });
  read_rows(root, solution, "gradient",
            [&](std::size_t row) -> Harmonics& { return solution.velocity[row].gradient; });
  read_rows(root, solution, "curl",
            [&](std::size_t row) -> Harmonics& { return solution.velocity[row].curl; });
  return solution;
}

bool HarmonicSolution::is_in(const std::string& path) {
  return hdf5::File(path, hdf5::Access::read).root().text("format", "") == format;
}

namespace {

SettingError complaint(const std::string& text) {
  return parameter_error("solution_file", text);
}

}  // namespace

HarmonicSolution given_solution(const std::string& path) {
  try {
    return HarmonicSolution::read(path);
  } catch (const Error& error) {
    throw complaint(error.what());
  }
}

Options<SolutionFileOptions> SolutionFileOptions::describe() {
  return Options<SolutionFileOptions>().text("solution_file", "", &SolutionFileOptions::path,
                                             "a file of shoal-reference (scripts/references.sh) with the "
                                             "solution of this scene: errors at the times that it has");
}

ParameterInfos solution_file_parameters(const std::map<std::string, Value>& given) {
  if (!given.contains("solution_file")) return {};
  return describe_options<SolutionFileOptions>();
}

std::map<std::string, std::string> own_parameters(const SceneEntry& entry, const Parameters& parameters) {
  std::map<std::string, std::string> own;
  for (const ParameterInfo& info : entry.parameters)
    if (const Value* value = parameters.value(info.name)) own[info.name] = to_string(*value);
  return own;
}

void give_solution(const SceneEntry& entry, const Parameters& parameters, SceneInstance& scene) {
  const std::string path = read_options<SolutionFileOptions>(parameters).path;
  if (path.empty()) return;
  struct Known {
    HarmonicSolution solution;
    HarmonicSum sum;
    std::optional<std::size_t> row(double time) const {
      constexpr double same = 1e-9;
      for (std::size_t row = 0; row < solution.times.size(); ++row)
        if (std::abs(time - solution.times[row]) <= same * solution.times[row]) return row;
      return {};
    }
  };
  const HarmonicSolution solution = given_solution(path);
  if (solution.scene != entry.name)
    throw complaint(
        fmt::format("'{}' is a solution of the scene '{}', not of '{}'", path, solution.scene, entry.name));
  for (const auto& [name, value] : own_parameters(entry, parameters)) {
    // A parameter that is not in the file is newer than it, and its default is what the scene did before.
    const auto found = solution.parameters.find(name);
    const std::string made_for = found == solution.parameters.end()
                                     ? own_parameters(entry, Parameters(entry.parameters, {})).at(name)
                                     : found->second;
    if (made_for != value)
      throw complaint(fmt::format("'{}' is the solution for {} = {}, not {}", path, name, made_for, value));
  }
  const auto known = std::make_shared<const Known>(Known{solution, HarmonicSum(solution.truncation)});
  Reference reference;
  reference.depth = [known](const Points& points, double time, Vector& depth) {
    const std::optional<std::size_t> row = known->row(time);
    depth.setConstant(points.cols(), not_known);
    if (!row) return;
    for (Eigen::Index i = 0; i < points.cols(); ++i)
      depth[i] = known->sum.scalar(known->solution.depth[*row], points.col(i));
  };
  reference.velocity = [known](const Vector3& x, double time) -> Vector3 {
    const std::optional<std::size_t> row = known->row(time);
    return row ? known->sum.vector(known->solution.velocity[*row], x) : Vector3::Constant(not_known);
  };
  reference.advection = true;
  scene.references = {reference};
}

}  // namespace shoal
