// What a frame of the thesis costs on a surface that moves, and its stages: geometry and operators at the new
// positions, flattening, advection, substeps. "ratio" is against the goal of each: whole frames 0.3 ms at
// 2562 vertices and in proportion to the size, advection and the surface of the water 20 million triangles per
// second, flattening 12.5; numbered at random, the same mesh in its own order, measured in alternation.
//   build/release/benchmarks --benchmark_filter=frame
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/transport/semi_lagrangian.hpp"
#include "measure.hpp"
#include "solvers/coupling/fluid_surface.hpp"
#include "tests/support/trial.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

using namespace shoal;
using namespace shoal::test;

namespace {

/// fefv under explicit with three substeps and an advection on a breathing sphere: the frame of Angst 2007,
/// table 7.1.
class Frames {
 public:
  Frames(const std::string& mesh, double dt, const std::string& advection = "semi-lagrangian")
      : simulation_({.mesh = mesh,
                     .initial = {[](const Vector3& x) { return 1 + 0.01 * x.x() * x.z() / x.squaredNorm(); },
                                 [](const Vector3& x) { return Vector3(-x.y(), x.x(), 0); }},
                     .substeps = 3}),
        dt_(dt),
        start_(simulation_.geometry.x),
        forcing_{Vector::Constant(simulation_.surface.mesh.vertex_count, -gravity)},
        integrator_(make_integrator(simulation_)),
        advection_(catalog().advections.find(advection).make(
            simulation_.right_side, Parameters(catalog().advections.find(advection).parameters, {}))) {
    integrator_->set_substeps(simulation_.substeps);
    simulation_.state = integrator_->start(std::move(simulation_.state));
    run();
  }

  void move() {
    x_ = (1 + 0.01 * std::sin(0.1 * ++frame_)) * start_;
    compute_geometry(simulation_.surface.mesh, x_, simulation_.geometry);
    offered<MovesWithSurface>(*simulation_.discretization)->refresh(&simulation_.state);
    simulation_.set_forcing(forcing_);
    integrator_->refresh();
  }
  void flatten() { advection_->refresh(simulation_.clock); }
  void advect() { advection_->advect(simulation_.state, dt_, simulation_.state, simulation_.clock); }
  void run() {
    move();
    flatten();
    advect();
    integrator_->step(simulation_.state, dt_, simulation_.clock);
  }

  const Mesh& mesh() const { return simulation_.surface.mesh; }

 private:
  Trial simulation_;
  double dt_;
  Points start_, x_;
  Forcing forcing_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Advection> advection_;
  int frame_ = 0;
};

std::string sphere(std::int64_t level) {
  return "icosphere:" + std::to_string(level);
}

/// 1/60 s at 2562 vertices; in proportion to the edges, so that flows cross as many triangles and three
/// substeps remain stable.
double time_step(std::int64_t level) {
  return std::ldexp(1.0 / 60, static_cast<int>(4 - level));
}

void report(benchmark::State& state, const Mesh& mesh, double taken, double goal) {
  const double speed = 1e-6 * static_cast<double>(mesh.face_count()) / taken;
  state.counters["Mtri/s"] = speed;
  state.counters["ratio"] = speed / goal;
}

void frame_animation(benchmark::State& state) {
  Frames frames(sphere(state.range(0)), time_step(state.range(0)));
  const double taken = measure(state, [&] { frames.move(); });
  report(state, frames.mesh(), taken, 50);
}

void frame_flattening(benchmark::State& state) {
  Frames frames(sphere(state.range(0)), time_step(state.range(0)));
  const double taken = measure(state, [&] { frames.flatten(); });
  report(state, frames.mesh(), taken, 12.5);
}

void frame_advection(benchmark::State& state, const std::string& advection) {
  Frames frames(sphere(state.range(0)), time_step(state.range(0)), advection);
  const double taken = measure(state, [&] { frames.advect(); });
  report(state, frames.mesh(), taken, 20);
}

void frame_whole(benchmark::State& state) {
  Frames frames(sphere(state.range(0)), time_step(state.range(0)));
  const double taken = measure(state, [&] { frames.run(); });
  report(state, frames.mesh(), taken, 5120e-6 / 0.3e-3);
}

/// Waves over the level of wet and dry: front and back sheet, and a line around some fifty patches.
void frame_fluid_surface(benchmark::State& state) {
  const Surface surface = load_surface(sphere(state.range(0)));
  Points normals;
  vertex_normals(surface.mesh, make_geometry(surface.mesh, surface.x), normals);
  const Vector bed_depth = Vector::Zero(surface.mesh.vertex_count);
  const Vector depth =
      0.05 * (8 * surface.x.row(0)).array().sin() * (8 * surface.x.row(2)).array().cos() + 0.02;
  FluidSurface water(surface.mesh);
  const double taken = measure(state, [&] { water.update(surface.x, normals, depth, bed_depth); });
  report(state, surface.mesh, taken, 20);
}

/// The mesh of that level as an OFF file, its vertices and faces in order or shuffled.
void write_sphere(const std::filesystem::path& path, std::int64_t level, bool shuffled) {
  const Surface surface = load_surface(sphere(level));
  std::vector<Index> vertex(static_cast<std::size_t>(surface.mesh.vertex_count)),
      face(static_cast<std::size_t>(surface.mesh.face_count()));
  std::iota(vertex.begin(), vertex.end(), 0);
  std::iota(face.begin(), face.end(), 0);
  std::mt19937 engine(1);
  if (shuffled) {
    std::shuffle(vertex.begin(), vertex.end(), engine);
    std::shuffle(face.begin(), face.end(), engine);
  }
  std::vector<Index> number(vertex.size());
  for (std::size_t i = 0; i < vertex.size(); ++i)
    number[static_cast<std::size_t>(vertex[i])] = static_cast<Index>(i);
  std::ofstream file(path);
  file.precision(17);
  file << "OFF\n" << vertex.size() << ' ' << face.size() << " 0\n";
  for (const Index i : vertex) file << surface.x.col(i).transpose() << '\n';
  for (const Index k : face) {
    file << 3;
    for (int c = 0; c < 3; ++c) file << ' ' << number[static_cast<std::size_t>(surface.mesh.faces(c, k))];
    file << '\n';
  }
}

/// Such a file while this object lives.
class SphereFile {
 public:
  SphereFile(std::int64_t level, bool shuffled)
      : path_(std::filesystem::temp_directory_path() /
              ("shoal-benchmark-" + std::to_string(::getpid()) + (shuffled ? "-shuffled.off" : ".off"))) {
    write_sphere(path_, level, shuffled);
  }
  ~SphereFile() { std::filesystem::remove(path_); }
  SphereFile(const SphereFile&) = delete;
  SphereFile& operator=(const SphereFile&) = delete;
  std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

void frame_numbered_at_random(benchmark::State& state) {
  const SphereFile ordered_file(state.range(0), false), random_file(state.range(0), true);
  const double dt = time_step(state.range(0));
  Frames ordered(ordered_file.name(), dt), random(random_file.name(), dt);
  double in_order = 0, at_random = 0;
  for (auto _ : state) {
    in_order += seconds([&] { ordered.run(); });
    const double taken = seconds([&] { random.run(); });
    at_random += taken;
    state.SetIterationTime(taken);
  }
  state.counters["ratio"] = in_order / at_random;
}

BENCHMARK(frame_animation)->DenseRange(4, 8, 2)->Unit(benchmark::kMicrosecond);
BENCHMARK(frame_flattening)->DenseRange(4, 8, 2)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame_advection, semi_lagrangian, std::string("semi-lagrangian"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frame_advection, bfecc, std::string("bfecc"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(frame_fluid_surface)->DenseRange(4, 8, 2)->Unit(benchmark::kMicrosecond);
BENCHMARK(frame_whole)->DenseRange(4, 8, 2)->Unit(benchmark::kMicrosecond);
BENCHMARK(frame_numbered_at_random)->Arg(4)->Arg(6)->Arg(8)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
