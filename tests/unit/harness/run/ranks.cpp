// A run that several processes share, here threads, has the rows, fields and bits of one process: every scene of the catalogue with each
// kind of method.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/checksum.hpp"
#include "experiments/harness/run/surfaces.hpp"
#include "experiments/harness/run/water_observer.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/message.hpp"
#include "tests/support/thread_ranks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <mutex>

namespace shoal {
namespace {

constexpr int steps = 6;

RunConfiguration configured(const std::string& text) {
  return expand(test::catalog(), parse_experiment(text, "ranks.toml")).front().configuration;
}

/// What rank 0 records of a run.
struct Record {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  std::map<std::string, Values> fields;
  std::string checksum, ending;
  Archive archive;  ///< after half of the steps
};

/// Collective. With an archive, given on rank 0, the run begins there.
Record record(const RunConfiguration& configuration, const Surface& surface,
              const std::shared_ptr<const Ranks>& ranks, const Archive* from = nullptr) {
  Simulation run(test::catalog(), configuration, surface, ranks);
  WaterObserver observer(run, configuration);
  const auto archive = [&] {
    Archive all, part;
    run.save(part);
    all.put("run.", part);
    part = {};
    observer.save(part);
    all.put("observer.", part);
    return all;
  };
  if (from) {
    const Archive here = run.of_part(*from, archive());
    observer.restore(here.part("observer."));
    run.restore(here.part("run."));
  }
  Record record;
  for (const Quantity& quantity : observer.quantities()) record.columns.push_back(quantity.name);
  StageClock clock;
  observer.instability(true);
  while (run.steps_done() < steps) {
    clock.reset();
    const StepReport report = run.step(clock);
    record.ending = report.ok ? observer.instability(true) : report.reason;
    if (!report.ok) break;
    observer.watch();
    record.rows.push_back(observer.row(clock.work()));
    if (run.steps_done() == steps / 2) record.archive = run.of_whole(archive());
    if (!record.ending.empty()) break;
  }
  record.ending += observer.remarks(!record.ending.empty());
  for (const SnapshotField& field : observer.fields())
    if (Values values; field.evaluate(values)) record.fields[field.name] = observer.of_whole(field, values);
  record.checksum = checksum(run);
  return record;
}

Record record_on(int count, const RunConfiguration& configuration, const Surface& surface,
                 const Archive* from = nullptr) {
  Record of_first;
  test::on_ranks(count, [&](const std::shared_ptr<const Ranks>& ranks) {
    Record mine = record(configuration, surface, ranks, from);
    if (ranks->rank() == 0) of_first = std::move(mine);
  });
  return of_first;
}

bool same_bits(const double* one, const double* other, std::size_t count) {
  return count == 0 || std::memcmp(one, other, count * sizeof(double)) == 0;
}

/// "" or the first difference, from row `first` of the alone on.
std::string difference(const Record& shared, const Record& alone, std::size_t first = 0) {
  if (shared.rows.size() + first != alone.rows.size()) return "it has another number of rows";
  for (std::size_t i = 0; i < shared.rows.size(); ++i) {
    const std::vector<double>&one = shared.rows[i], &other = alone.rows[first + i];
    for (std::size_t k = 0; k < other.size(); ++k)
      if (!same_bits(&one[k], &other[k], 1))
        return fmt::format("row {}, {}: {} for {}", i, alone.columns[k], one[k], other[k]);
  }
  if (first == 0)
    for (const auto& [name, values] : alone.archive.values()) {
      const Vector& others = shared.archive.vector(name);
      if (others.size() != values.size()) return name + " has another size in the checkpoint";
      for (Eigen::Index i = 0; i < values.size(); ++i)
        if (!same_bits(&others[i], &values[i], 1))
          return fmt::format("{}[{}] of {} in the checkpoint: {} for {}", name, i, values.size(), others[i],
                             values[i]);
    }
  for (const auto& [name, values] : alone.fields) {
    const Values& others = shared.fields.at(name);
    if (others.rows() != values.rows() || others.cols() != values.cols()) return name + " has another size";
    if (!same_bits(others.data(), values.data(), static_cast<std::size_t>(values.size())))
      return name + " differs";
  }
  if (shared.ending != alone.ending) return "it ends with '" + shared.ending + "' for '" + alone.ending + "'";
  return shared.checksum == alone.checksum ? "" : "the checksum differs";
}

std::string coarse(const std::string& mesh) {
  const auto begins = [&](const char* family) { return mesh.starts_with(family); };
  if (begins("icosphere")) return "icosphere:3";
  if (begins("torus")) return "torus:24x12";
  if (begins("figure")) return "figure:300";
  if (begins("rectangle")) {
    const std::size_t x = mesh.find('x'), size = mesh.find(':', x);
    const int columns = std::stoi(mesh.substr(10)), rows = std::stoi(mesh.substr(x + 1));
    return fmt::format("rectangle:{}x{}{}", std::min(columns, 24), std::min(rows, 12),
                       size == std::string::npos ? "" : mesh.substr(size));
  }
  return mesh;
}

struct Method {
  const char* name;
  const char* text;
};
void PrintTo(const Method& method, std::ostream* stream) {
  *stream << method.name;
}
const Method methods[] = {
    {"fefv_explicit", "discretization = 'fefv'\nintegrator = 'explicit'\nadvection = 'none'\n"},
    {"fefv_advected",
     "discretization = 'fefv'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\n"
     "parameters.rotation = 'plain'\n"},
    {"fefv_projected", "discretization = 'fefv'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\n"},
    {"newmark", "discretization = 'fefv'\nintegrator = 'newmark'\nadvection = 'none'\n"},
    {"semi_implicit",
     "discretization = 'dec'\nintegrator = 'semi-implicit'\nlinear_solver = 'eigen-cg'\nadvection = "
     "'none'\n"},
    {"rosenbrock", "discretization = 'rusanov'\nintegrator = 'rosenbrock'\n"},
    {"dec", "discretization = 'dec'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\n"},
    {"dec_intrinsic",
     "discretization = 'dec'\nintegrator = 'explicit'\nadvection = 'vector-invariant'\n"
     "parameters.dual = 'intrinsic'\n"},
    {"dec_linear",
     "discretization = 'dec'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\n"
     "parameters.vorticity = 'linear'\nparameters.dual = 'intrinsic'\n"},
    {"dec_newmark",
     "discretization = 'dec'\nintegrator = 'newmark'\nadvection = 'none'\nparameters.dual = 'intrinsic'\n"},
    {"hllc_linear", "discretization = 'hllc'\nintegrator = 'ssprk2'\nparameters.reconstruction = 'linear'\n"},
    {"kinetic", "discretization = 'kinetic'\nintegrator = 'ssprk3'\n"},
};

class SharedRun : public testing::TestWithParam<Method> {};

TEST_P(SharedRun, of_every_scene_has_the_bits_of_one_process) {
  int compared = 0, lists = 0;
  for (const SceneEntry& scene : test::catalog().scenes) {
    const std::string text = fmt::format("scene = '{}'\nmesh = '{}'\ndt = 'auto'\nend = 1e9\n{}", scene.name,
                                         coarse(scene.default_mesh), GetParam().text);
    RunConfiguration configuration;
    Record alone;
    try {
      configuration = configured(text);
      configuration.dt.reset();
    } catch (const Error&) {
      continue;
    }
    try {
      alone = record(configuration, Surfaces(test::catalog()).get(configuration), nullptr);
    } catch (const Error&) {
      continue;  // of one process, too
    }
    Surfaces for_parts(test::catalog(), true);
    const Surface& surface = for_parts.get(configuration);
    lists += !surface.mesh.has_edges();
    const Record shared = record_on(3, configuration, surface);
    EXPECT_EQ(difference(shared, alone), "") << text;
    EXPECT_GT(shared.rows.size(), 0U);
    ++compared;
    if (alone.rows.size() < steps) continue;
    const Record resumed = record_on(2, configuration, surface, &shared.archive);
    EXPECT_EQ(difference(resumed, alone, steps / 2), "") << "resumed: " << text;
  }
  constexpr int least = 20;  // of the scenes; the others do not suit the method
  EXPECT_GE(compared, least);
  EXPECT_GT(lists, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, SharedRun, testing::ValuesIn(methods),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(SharedRun, is_refused_with_a_reason_where_it_cannot_be) {
  const RunConfiguration configuration = configured(
      "scene = 'custom'\nmesh = 'rectangle:16x16:16x16:structured:periodic'\ndiscretization = "
      "'height-map'\n");
  const Surface surface = load_surface(test::catalog(), configuration);
  const std::string said = test::message_of([&] { record_on(2, configuration, surface); });
  EXPECT_NE(said.find("in pairs"), std::string::npos) << said;
}

TEST(SharedRun, has_the_layers_that_a_later_change_needs) {
  for (const char* scheme : {"hllc", "fefv"}) {
    const RunConfiguration configuration = configured(fmt::format(
        "scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndiscretization = '{}'\nintegrator = 'explicit'\n"
        "dt = 0.005\nsubsteps = 1\nend = 1\ninputs = '0.012 change integrator=ssprk3 substeps=2'\n",
        scheme));
    const Surface surface = load_surface(test::catalog(), configuration);
    EXPECT_EQ(difference(record_on(3, configuration, surface), record(configuration, surface, nullptr)), "")
        << scheme;
  }
}

TEST(SharedRun, refuses_to_transfer_the_water_to_other_cells) {
  const RunConfiguration configuration = configured(
      "scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndiscretization = 'hllc'\nintegrator = 'explicit'\n"
      "dt = 0.005\nend = 1\ninputs = '0.012 change discretization=fefv'\n");
  const Surface surface = load_surface(test::catalog(), configuration);
  EXPECT_NE(test::message_of([&] {
              record_on(3, configuration, surface);
            }).find("inputs: invalid input '0.012 change discretization=fefv': several processes do not"),
            std::string::npos);
}

/// Each of these once differed.
TEST(SharedRun, has_the_bits_of_one_process_with_inertia_components_and_substeps_of_the_advection) {
  const char* texts[] = {
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'kinetic'\nparameters.flow_inertia = 'on'\n",
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'fefv'\nmotion = 'breathing'\n"
      "parameters.inertia = 'on'\nparameters.inertia_limit = 0.1\n",
      "scene = 'bump'\nmesh = 'letters:600'\n",
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'kinetic'\nintegrator = 'ssprk3'\ndt = 0.02\n"
      "inputs = '0.05 change integrator=rk4'\n",
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'fefv'\nintegrator = 'explicit'\ndt = 0.1\n"
      "substeps = 'auto'\n",
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'fefv'\nintegrator = 'explicit'\ndt = 0.1\n"
      "advection = 'semi-lagrangian'\nsubsteps = 'auto'\nparameters.advection_interval = 'substep'\n",
      "scene = 'float'\nmesh = 'rectangle:24x24:8x8'\ndiscretization = 'dec'\nmotion = 'translation'\n"
      "parameters.normal_smoothing = 0.01\nparameters.inertia = 'on'\n",
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'dec'\nintegrator = 'explicit'\n"
      "advection = 'vector-invariant'\nparameters.advection_courant = 0.01\n",
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'dec'\nintegrator = 'explicit'\n"
      "advection = 'vector-invariant'\nsplitting = 'strang'\n",
      "scene = 'bump'\nmesh = 'icosphere:3'\ndiscretization = 'fefv'\nintegrator = 'explicit'\n"
      "advection = 'semi-lagrangian'\nsplitting = 'strang'\n"};
  for (const std::string text : texts) {
    const bool adaptive = text.find("dt = ") == std::string::npos;
    RunConfiguration configuration = configured(text + (adaptive ? "dt = 'auto'\n" : "") + "end = 1e9\n");
    if (adaptive) configuration.dt.reset();
    const Surface surface = load_surface(test::catalog(), configuration);
    const Record alone = record(configuration, surface, nullptr),
                 shared = record_on(3, configuration, surface);
    EXPECT_EQ(difference(shared, alone), "") << text;
    EXPECT_EQ(alone.rows.size(), steps) << text;
    EXPECT_EQ(difference(record_on(2, configuration, surface, &shared.archive), alone, steps / 2), "")
        << "resumed: " << text;
  }
}

}  // namespace
}  // namespace shoal
