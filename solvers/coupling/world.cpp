// The order of what happens in a step of a world.
#include "solvers/coupling/world.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

std::string prefix_of(Index model) {
  return "model-" + std::to_string(model) + ".";
}

}  // namespace

World::World(const BodiesSetting& bodies) : bodies_(bodies.gravity, bodies.restitution) {
  for (const BodyEntrance& entrance : bodies.entrances) add(entrance);
}

void World::add(ShallowWater& water, const std::optional<CouplingSetting>& setting, Vector bed) {
  models_.push_back({&water, {}});
  if (!setting) return;
  models_.back().coupling = std::make_unique<Coupling>(*setting, std::move(bed));
  water.add_term(*models_.back().coupling);
  for (const BodyEntrance& entrance : entrances_) require_columns(entrance.body, models_.back());
}

void World::require_columns(const BodySetting& body, const Model& model) const {
  if (!model.coupling || !body.solid) return;
  const Discretization& discretization = model.water->discretization();
  if (discretization.mesh().periodic())
    throw Error(
        "body '" + body.name +
        "': periodic meshes do not support bodies, which would not interact with the water beyond the seam");
  const Geometry& geometry = model.water->geometry();
  const double apart =
      std::sqrt(2 * geometry.face_area.mean() / model.coupling->collision().rays_per_triangle());
  if (const double least = body.solid->smallest_extent(); least < apart)
    throw SettingError("column_rays",
                       "body '" + body.name + "', " + fmt::format("{:.4g}", least) +
                           " m in its smallest extent, slips between the lines that intersect the columns, " +
                           fmt::format("{:.4g}", apart) + " m apart; use more column_rays or a finer mesh");
}

double World::bodies_stable_dt() const {
  double fastest = 0;  // ω²
  for (const BodyEntrance& entrance : entrances_)
    for (const Model& model : models_) {
      if (!model.coupling || !entrance.body.solid) continue;
      const Solid& solid = *entrance.body.solid;
      const double section = std::numbers::pi * solid.bounding_radius() * solid.bounding_radius();
      fastest = std::max(fastest, model.water->density() *
                                      -model.water->constant_forcing().normal_acceleration.minCoeff() *
                                      section / (entrance.body.density * solid.volume()));
    }
  return 2 / std::sqrt(fastest);
}

/// After those that have entered, in the order of their times.
void World::add(const BodyEntrance& entrance) {
  for (const BodyEntrance& other : entrances_)
    if (other.body.name == entrance.body.name)
      throw Error("body '" + entrance.body.name + "': the name is already in use");
  for (const Model& model : models_) require_columns(entrance.body, model);
  Bodies(bodies_.gravity()).add(entrance.body);  // refuses now what it would refuse when the body enters
  entrances_.push_back(entrance);
  const auto last = entrances_.end() - 1;
  const auto place = std::upper_bound(
      entrances_.begin() + bodies_.count(), last, entrance,
      [](const BodyEntrance& one, const BodyEntrance& other) { return one.begin < other.begin; });
  std::rotate(place, last, entrances_.end());
  admit_bodies();
}

Coupling& World::coupled(int model) {
  const auto& coupling = models_[model].coupling;
  if (!coupling) throw Error("model " + std::to_string(model) + " of the world is not coupled to it");
  return *coupling;
}

void World::add(int model, const Source& source) {
  coupled(model).add(source);
}
void World::add(int model, const Push& push) {
  coupled(model).add(push);
}

void World::end_source(int model, std::size_t place, double time) {
  coupled(model).end_source(place, time);
}
void World::end_push(int model, std::size_t place, double time) {
  coupled(model).end_push(place, time);
}

void World::configure(int model, const CouplingOptions& options) {
  coupled(model).configure(options);
}

const Coupling* World::coupling(int model) const {
  return models_[model].coupling.get();
}

void World::admit_bodies() {
  for (Index next = bodies_.count(); next < entrances_.size() && entrances_[next].begin <= time_; ++next) {
    const double before = bodies_.energy();
    bodies_.add(entrances_[next].body);
    entered_energy_ += bodies_.energy() - before;
  }
}

StepReport World::step(double dt, StageClock& clock) {
  {
    const auto stage = clock.measure(Stage::coupling);
    for (Model& model : models_)
      if (model.coupling) model.coupling->begin_step(dt, bodies_, *model.water);
  }
  for (Model& model : models_)
    if (StepReport report = model.water->step(dt, clock); !report.ok) return report;
  const auto stage = clock.measure(Stage::coupling);
  bodies_.step(dt);
  time_ += dt;
  admit_bodies();
  return {};
}

void World::save(Archive& archive) const {
  archive.put("time", time_);
  archive.put("entered_energy", entered_energy_);
  Archive part;
  bodies_.save(part);
  archive.put("bodies.", part);
  for (Index i = 0; i < models_.size(); ++i) {
    Archive water, coupling;
    models_[i].water->save(water);
    archive.put(prefix_of(i) + "water.", water);
    if (!models_[i].coupling) continue;
    models_[i].coupling->save(coupling);
    archive.put(prefix_of(i) + "coupling.", coupling);
  }
}

void World::restore(const Archive& archive) {
  time_ = archive.number("time");
  const Archive saved = archive.part("bodies.");
  for (Index next = bodies_.count(); next < entrances_.size() && bodies_.count() < Bodies::count(saved);
       ++next)
    bodies_.add(entrances_[next].body);
  bodies_.restore(saved);
  entered_energy_ = archive.number("entered_energy");
  for (Index i = 0; i < models_.size(); ++i) {
    models_[i].water->restore(archive.part(prefix_of(i) + "water."));
    if (models_[i].coupling) models_[i].coupling->restore(archive.part(prefix_of(i) + "coupling."));
  }
}

}  // namespace shoal
