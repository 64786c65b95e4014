#include "experiments/harness/diagnostics/growth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr double unexplained_limit = 9;  // in units of the scale: without work, E > 10·E(0)
/// A run counts as starting from rest if its energy is below this fraction of ρg Σ A η², which is round-off.
constexpr double rounding = 1e-14;
constexpr double rounding_of_beds =
    1e-14;  // fraction of their heights: possible error of the elevation of still water or dry land
constexpr double disturbance_of_rest =
    1e-6;  // fraction of ρg Σ A η²: an elevation of a thousandth of the depth
/// Successive steps, where work may be exchanged: the truncation error of the first one after something sets in may be as large as
/// the energy.
constexpr int patience = 3;
/// Fraction of all exchanged energy: a budget that closes to only 90 % does not stop a run.
constexpr double part_of_exchanged = 0.1;
constexpr double doubtful = 3;  // times the scale; beyond it, work counts only partly

constexpr const char* names[] = {"surface", "forces", "friction", "sources", "changes of the scheme"};

/// Whether the scene or the inputs may work on the water.
bool exchanges_work(const Simulation& simulation) {
  const SceneInstance& scene = simulation.scene();
  return scene.motion || !scene.forces.empty() || scene.coupling || !scene.forcing.boundaries.empty() ||
         !scene.forcing.distributed_inflows.empty() || scene.forcing.body_acceleration.size() > 0 ||
         !simulation.present_configuration().inputs.empty();
}

}  // namespace

Growth::Growth(const Simulation& simulation, const Energy& start)
    : simulation_(simulation), start_(start), level_(start.mean_elevation), explained_(start.total()) {
  depth_scale_ = energy_of_depth();
  const Cells& cells = simulation_.discretization().cells();
  rounding_ = simulation_.scene().density * simulation_.scene().gravity *
              sum(simulation_.discretization().mesh(), cells,
                  cells.area.cwiseProduct((rounding_of_beds * cells.bed).cwiseAbs2()));
  largest_ = std::fmax(0, explained_ - energy_at_rest(start.volume));
  from_rest_ = largest_ < rounding * (depth_scale_ + explained_);
  before_ = works();
}

Growth::Works Growth::works() const {
  const Ledger ledger = simulation_.water().ledger();
  return {ledger.work_geometry, ledger.work_forces - ledger.work_friction, ledger.work_friction,
          ledger.work_source, ledger.work_change};
}

double Growth::energy_of_depth() const {
  const Cells& cells = simulation_.discretization().cells();
  return simulation_.scene().density * simulation_.scene().gravity *
         sum(simulation_.discretization().mesh(), cells,
             simulation_.water().volume().array().square() / cells.area.array());
}

/// The level L from Σ A max(0, L + H) = V by Newton's method from the one before: the sum is convex in L.
double Growth::energy_at_rest(double volume) {
  const Cells& cells = simulation_.discretization().cells();
  const Mesh& mesh = simulation_.discretization().mesh();
  const ShallowWater& water = simulation_.water();
  const double mean = (volume - water.bed_volume()) / water.total_area();
  const double highest_bed = -min(mesh, cells, cells.bed);
  if (highest_bed <= mean || !(volume > 0)) {  // no land
    level_ = mean;
    return 0;
  }
  const double lowest_bed = -max(mesh, cells, cells.bed);
  if (!(level_ > lowest_bed)) level_ = highest_bed;
  constexpr int max_iterations = 100;
  for (int i = 0; i < max_iterations; ++i) {
    const Eigen::Vector2d held = sum(mesh, cells, [&](Index c) -> Eigen::Vector2d {
      const double depth = level_ + cells.bed[c];
      return depth > 0 ? cells.area[c] * Eigen::Vector2d(depth, 1) : Eigen::Vector2d(0, 0);
    });
    const double next = held[1] > 0 ? level_ - (held[0] - volume) / held[1] : highest_bed;
    const bool close = std::abs(next - level_) <= 1e-15 * std::max(std::abs(next), highest_bed - lowest_bed);
    level_ = next;
    if (close) break;
  }
  const auto elevation = (-cells.bed.array()).max(level_);
  return 0.5 * simulation_.scene().density * simulation_.scene().gravity *
         sum(mesh, cells, cells.area.array() * (elevation - mean).square());
}

double Growth::scale() const {
  const double floor = from_rest_ ? disturbance_of_rest * depth_scale_ : 0;
  return std::max({largest_, part_of_exchanged * exchanged_, floor, rounding_}) +
         std::fmax(0, simulation_.world().energy_of_bodies_lost());
}

bool Growth::explains(const Energy& energy) {
  if (from_rest_) depth_scale_ = std::fmax(depth_scale_, energy_of_depth());
  const double at_rest = energy_at_rest(energy.volume), had = energy.total() - at_rest;
  const Works now = works();
  double given = 0, exchanged = 0;
  for (std::size_t i = 0; i < kinds; ++i) {
    given += now[i] - before_[i];
    exchanged += std::abs(now[i] - before_[i]);
  }
  before_ = now;
  const auto scale_with = [&](double part) {
    const double largest = std::fmax(largest_, explained_ + part * given - at_rest);
    return std::fmax(scale(), std::fmax(largest, part_of_exchanged * (exchanged_ + part * exchanged)));
  };
  const double trusted = doubtful * scale_with(1), part = had > trusted ? trusted / had : 1;
  explained_ += part * given;
  exchanged_ += part * exchanged;
  largest_ = std::fmax(largest_, explained_ - at_rest);
  // Divided to avoid overflow.
  const bool exceeds = energy.total() / unexplained_limit - explained_ / unexplained_limit > scale();
  exceeding_ = exceeds ? exceeding_ + 1 : 0;
  if (!exceeds) return true;
  const bool waits = exchanged_ > 0 || exchanges_work(simulation_);
  return waits && !simulation_.finished() && exceeding_ < patience;
}

std::string Growth::reason(const Energy& energy) const {
  std::string booked;
  for (std::size_t i = 0; i < kinds; ++i)
    if (before_[i] != 0)
      booked += fmt::format("{}{} {:.6g} J", booked.empty() ? "" : ", ", names[i], before_[i]);
  return fmt::format(
      "energy {:.6g} J exceeds the initial energy plus work by {:.6g} J, more than 9·{:.6g} J: kinetic "
      "{:.6g} J ({:.6g} J at t = 0), potential {:.6g} J ({:.6g} J at t = 0); work of {}",
      energy.total(), energy.total() - explained_, scale(), energy.kinetic, start_.kinetic, energy.potential,
      start_.potential, booked.empty() ? "nothing" : booked);
}

Vector Growth::saved() const {
  Vector saved(10 + kinds);
  saved << start_.kinetic, start_.potential, start_.mean_elevation, from_rest_, level_, explained_, largest_,
      exchanged_, depth_scale_, before_[0], before_[1], before_[2], before_[3], before_[4], exceeding_;
  return saved;
}

void Growth::restore(const Vector& saved) {
  start_ = {saved[0], saved[1], saved[2]};
  from_rest_ = saved[3] != 0;
  level_ = saved[4];
  explained_ = saved[5];
  largest_ = saved[6];
  exchanged_ = saved[7];
  depth_scale_ = saved[8];
  for (std::size_t i = 0; i < kinds; ++i) before_[i] = saved[static_cast<Eigen::Index>(9 + i)];
  exceeding_ = static_cast<int>(saved[9 + kinds]);
}

}  // namespace shoal
