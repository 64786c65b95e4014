// Forcing of the water by its surroundings.
#include "solvers/coupling/coupling.hpp"

#include "discretizations/mesh/part.hpp"
#include "discretizations/mesh/whole.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

/// Fractions [cells] of a source's discharge; they sum to 1.
Vector shares_of(const Source& source, const Discretization& discretization) {
  const Cells& cells = discretization.cells();
  Vector shares(cells.count());
  if (source.divergence != 0) {
    const Mesh& mesh = discretization.mesh();
    const auto distance = [&](Index i) { return (cells.points.col(i) - source.point).squaredNorm(); };
    const auto number = [&](Index i) { return mesh.part ? mesh.part->in_whole(cells.location)[i] : i; };
    const double least = min(mesh, cells, distance);
    const double first = min(mesh, cells, [&](Index i) {  // of several at this distance
      return distance(i) == least ? number(i) : std::numeric_limits<double>::infinity();
    });
    for (Index i = 0; i < shares.size(); ++i) shares[i] = number(i) == first ? 1 : 0;
    return shares;
  }
  for (Index i = 0; i < shares.size(); ++i) {
    const double distance = (cells.points.col(i) - source.point).norm() / source.radius;
    shares[i] = cells.area[i] * std::exp(-distance * distance);
  }
  const double total = sum(discretization.mesh(), cells, shares);
  if (!(total > 0))
    throw Error("a source reaches no cell: it is too far from the surface for its radius of " +
                std::to_string(source.radius) + " m");
  return shares / total;
}

template <class Acting>
void end(std::vector<Acting>& all, std::size_t place, double time, const std::string& name) {
  const std::string what = name + " " + std::to_string(place + 1);
  if (place >= all.size()) throw Error("there is no " + what + ": there are " + std::to_string(all.size()));
  Interval& interval = all[place].interval;
  if (interval.end <= time) throw Error(what + " has ended already");
  interval.end = time;
}

}  // namespace

Options<CouplingOptions> CouplingOptions::describe() {
  using O = CouplingOptions;
  return Options<O>()
      .part(&O::artificial, ArtificialAccelerationOptions::describe())
      .part(&O::collision, CollisionOptions::describe());
}

bool is_coupling_option(const std::string& name) {
  const ParameterInfos infos = describe_options<CouplingOptions>();
  return std::any_of(infos.begin(), infos.end(),
                     [&](const ParameterInfo& info) { return info.name == name; });
}

void CouplingSetting::configure(const CouplingOptions& options) {
  artificial_acceleration.reset();
  if (options.artificial.strength != 0) artificial_acceleration = options.artificial;
  collision = options.collision;
}

void require_reach(const Source& source, const Discretization& discretization) {
  shares_of(source, discretization);
}

Coupling::Coupling(const CouplingSetting& setting, Vector bed)
    : sources_(setting.sources),
      shares_(setting.sources.size()),
      pushes_(setting.pushes),
      collision_(setting.collision, bed),
      bed_(std::move(bed)) {
  if (setting.artificial_acceleration) acceleration_.emplace(*setting.artificial_acceleration);
}

void Coupling::configure(const CouplingOptions& options) {
  collision_.configure(options.collision);
  acceleration_.reset();
  if (options.artificial.strength != 0) acceleration_.emplace(options.artificial);
}

void Coupling::add(const Source& source) {
  sources_.push_back(source);
  shares_.emplace_back();
}

void Coupling::add(const Push& push) {
  pushes_.push_back(push);
}

void Coupling::end_source(std::size_t place, double time) {
  end(sources_, place, time, "source");
}

void Coupling::end_push(std::size_t place, double time) {
  end(pushes_, place, time, "push");
}

void Coupling::begin_step(double dt, Bodies& bodies, ShallowWater& water) {
  find_inflow(water.time(), dt, water.discretization());
  without_bodies_ = true;
  collision_.act(bodies, dt, water, bodies.count() ? water.forcing_of_step(dt) : water.constant_forcing());
  without_bodies_ = false;
  water.terms_have_changed();
}

ForceTerm::Change Coupling::change(const StepInstant& /*before*/, const StepInstant& now,
                                   bool surface_moves) const {
  const bool pushed = std::any_of(pushes_.begin(), pushes_.end(), [&](const Push& push) {
    return push.interval.part(now.begin, now.step) > 0;
  });
  if ((acceleration_ && acceleration_->depends_on_depth()) || (pushed && surface_moves))
    return Change::within_steps;
  return Change::between_steps;
}

/// Contributes only within steps.
void Coupling::add(const StepInstant& at, const WaterNow& water, ForceSum& sum) {
  if (at.step == 0) return;
  const Points& x = water.geometry.x;
  if (acceleration_) {
    water.discretization.sample(water.state, water.forces, "depth_at_vertices", depth_);
    elevation_ = depth_.row(0).transpose() - bed_;
    acceleration_->add(elevation_, x, sum.body_acceleration());
  }
  if (has_inflow_) sum.inflow(inflow_.size()) += inflow_;
  for (const Push& push : pushes_) {
    const double part = push.interval.part(at.begin, at.step);
    if (part == 0) continue;
    Points& acceleration = sum.body_acceleration();
    for (Index i = 0; i < x.cols(); ++i) {
      const double distance = (x.col(i) - push.point).norm() / push.width;
      acceleration.col(i) += part * std::exp(-0.5 * distance * distance) * push.acceleration;
    }
  }
  if (!without_bodies_) collision_.add_to(sum);
}

double Coupling::discharge(std::size_t place, const Discretization& discretization) const {
  const Source& source = sources_[place];
  if (source.divergence == 0) return source.discharge;
  const Cells& cells = discretization.cells();
  const bool known = shares_[place].size() == cells.count();
  return -source.divergence * dot(discretization.mesh(), cells,
                                  known ? shares_[place] : shares_of(source, discretization), cells.area);
}

/// Sets inflow_ to the discharges of the sources, weighted by the fraction of the step during which they are
/// on.
void Coupling::find_inflow(double time, double dt, const Discretization& discretization) {
  const Cells& cells = discretization.cells();
  has_inflow_ = false;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const double part = sources_[i].interval.part(time, dt);
    if (part == 0) continue;
    // After a change of the cells, the shares are computed anew on the current surface.
    if (shares_[i].size() != cells.count()) shares_[i] = shares_of(sources_[i], discretization);
    if (!has_inflow_) inflow_.setZero(cells.count());
    has_inflow_ = true;
    if (const double divergence = sources_[i].divergence; divergence != 0)
      inflow_ -= divergence * part * shares_[i].cwiseProduct(cells.area);
    else
      inflow_ += sources_[i].discharge * part * shares_[i];
  }
}

void Coupling::save(Archive& archive) const {
  for (std::size_t i = 0; i < shares_.size(); ++i)
    archive.put("shares." + std::to_string(i), Location::cell, shares_[i]);
  collision_.save(archive);
}

void Coupling::restore(const Archive& archive) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const std::string name = "shares." + std::to_string(i);
    if (archive.has(name))
      shares_[i] = archive.vector(name);
    else
      shares_[i].resize(0);
  }
  collision_.restore(archive);
}

}  // namespace shoal
