#include "experiments/harness/run/run.hpp"

#include "experiments/harness/plan/experiment.hpp"

namespace shoal {
namespace {

double allowed(const Model& model) {
  return StepOptions().safety * model.stable_dt();
}

}  // namespace

Run::Run(Model& model, std::optional<double> dt, double end)
    : steps_(dt.value_or(allowed(model)), end), chooses_dt_(!dt) {
  begin(model, {}).add(model);
}

World& Run::begin(Model& model, const BodiesSetting& bodies) {
  model_ = &model;
  return world_.emplace(bodies);
}

void Run::meet(const std::vector<double>& times) {
  if (chooses_dt_) steps_.follow(times, {});
}

std::string Run::choose_step() {
  steps_.choose(allowed(*model_), true);
  return "";
}

StepReport Run::step(StageClock& clock) {
  if (steps_.follows())
    if (std::string violation = choose_step(); !violation.empty()) return {false, violation, true};
  failed_ = true;  // unless the step completes
  try {
    if (StepReport report = world_->step(steps_.dt(), clock); !report.ok) return report;
  } catch (const Error& error) {
    return {false, error.what()};
  }
  failed_ = false;
  steps_.advance();
  return {};
}

const Ranks& Run::ranks() const {
  static const Ranks alone;
  return alone;
}

void Run::save(Archive& archive) const {
  Archive world;
  world_->save(world);
  archive.put("world.", world);
  steps_.save(archive);
}

void Run::restore(const Archive& archive) {
  steps_.restore(archive);
  world_->restore(archive.part("world."));
}

}  // namespace shoal
