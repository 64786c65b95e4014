// The sequence of operations in a step of a world.
#include "solvers/coupling/world.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/whole.hpp"

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

void World::add(ShallowWater& water, const CouplingSetting& setting, Vector bed) {
  members_.push_back({&water, std::make_unique<CoupledWater>(water, Coupling(setting, std::move(bed)))});
  water.add_term(members_.back().coupled->coupling);
  for (const BodyEntrance& entrance : entrances_) require_columns(entrance.body, members_.back());
}

void World::require_columns(const BodySetting& body, const Member& member) {
  if (!member.coupled || !body.solid) return;
  const auto& [water, coupling] = *member.coupled;
  if (water.discretization().mesh().periodic())
    throw Error(
        "body '" + body.name +
        "': periodic meshes do not support bodies, which would not interact with the water beyond the seam");
  const Mesh& mesh = water.discretization().mesh();
  const double area = sum(mesh, Location::face, water.geometry().face_area),
               triangles = total(mesh, own(mesh, Location::face).count),
               apart = std::sqrt(2 * area / triangles / coupling.collision().rays_per_triangle());
  if (const double extent = body.solid->smallest_extent(); extent < apart)
    throw SettingError("column_rays",
                       "body '" + body.name + "', " + fmt::format("{:.4g}", extent) +
                           " m in its smallest extent, slips between the lines that intersect the columns, " +
                           fmt::format("{:.4g}", apart) + " m apart; use more column_rays or a finer mesh");
}

double World::bodies_stable_dt() const {
  double fastest = 0;  // ω²
  for (const BodyEntrance& entrance : entrances_)
    for (const Member& member : members_) {
      if (!member.coupled || !entrance.body.solid) continue;
      const ShallowWater& water = member.coupled->water;
      const Solid& solid = *entrance.body.solid;
      const double section = std::numbers::pi * solid.bounding_radius() * solid.bounding_radius();
      const double gravity =
          -min(water.discretization().mesh(), Location::vertex, water.constant_forcing().normal_acceleration);
      fastest =
          std::max(fastest, water.density() * gravity * section / (entrance.body.density * solid.volume()));
    }
  return 2 / std::sqrt(fastest);
}

double World::dt_of_paths(double part, double dt) {
  for (Member& member : members_)
    if (member.coupled) dt = member.coupled->coupling.dt_of_paths(bodies_, part, dt, member.coupled->water);
  return dt;
}

/// Inserts the body after those that have entered, in the order of entrance times.
void World::add(const BodyEntrance& entrance) {
  for (const BodyEntrance& other : entrances_)
    if (other.body.name == entrance.body.name)
      throw Error("body '" + entrance.body.name + "': the name is already in use");
  for (const Member& member : members_) require_columns(entrance.body, member);
  Bodies(bodies_.gravity()).add(entrance.body);  // reports errors now that would occur when the body enters
  entrances_.push_back(entrance);
  const auto last = entrances_.end() - 1;
  const auto place = std::upper_bound(
      entrances_.begin() + bodies_.count(), last, entrance,
      [](const BodyEntrance& one, const BodyEntrance& other) { return one.begin < other.begin; });
  std::rotate(place, last, entrances_.end());
  admit_bodies();
}

Coupling& World::coupled(int model) {
  const auto& coupled = members_[model].coupled;
  if (!coupled) throw Error("model " + std::to_string(model) + " of the world is not coupled to it");
  return coupled->coupling;
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

void World::remove_body(const std::string& name) {
  const auto entrance =
      std::ranges::find_if(entrances_, [&](const BodyEntrance& one) { return one.body.name == name; });
  const auto place = static_cast<int>(entrance - entrances_.begin());
  const bool is_known = entrance != entrances_.end(), has_entered = place < bodies_.count();
  if (!is_known || !has_entered || !bodies_.is_present(place))
    throw Error("body '" + name + "' " +
                (!is_known      ? "does not exist"
                 : !has_entered ? "has not entered yet"
                                : "has been removed already"));
  const double before = bodies_.energy();
  bodies_.remove(place);
  entered_energy_ += bodies_.energy() - before;
}

void World::configure(int model, const CouplingOptions& options) {
  coupled(model).configure(options);
}

const Coupling* World::coupling(int model) const {
  const auto& coupled = members_[model].coupled;
  return coupled ? &coupled->coupling : nullptr;
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
    for (Member& member : members_)
      if (member.coupled) member.coupled->coupling.begin_step(dt, bodies_, member.coupled->water);
  }
  for (Member& member : members_)
    if (StepReport report = member.model->step(dt, clock); !report.ok) return report;
  const auto stage = clock.measure(Stage::coupling);
  std::vector<Ground> grounds;
  for (const Member& member : members_)
    if (member.coupled) {
      const std::vector<Ground>& found = member.coupled->coupling.collision().grounds();
      grounds.insert(grounds.end(), found.begin(), found.end());
    }
  bodies_.step(dt, grounds);
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
  for (Index i = 0; i < members_.size(); ++i) {
    Archive model, coupling;
    members_[i].model->save(model);
    archive.put(prefix_of(i) + "water.", model);
    if (!members_[i].coupled) continue;
    members_[i].coupled->coupling.save(coupling);
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
  for (Index i = 0; i < members_.size(); ++i) {
    members_[i].model->restore(archive.part(prefix_of(i) + "water."));
    if (members_[i].coupled) members_[i].coupled->coupling.restore(archive.part(prefix_of(i) + "coupling."));
  }
}

}  // namespace shoal
