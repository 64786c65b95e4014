#include "reference/view/foam.hpp"

#include "discretizations/operators/p1.hpp"
#include "discretizations/transport/back_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

std::array<double, 3> to_array(const Vector3& weight) {
  return {weight[0], weight[1], weight[2]};
}

BarycentricRates rates_of(const Mesh& mesh, const Geometry& geometry, Index face, const Vector3& velocity) {
  return {velocity.dot(area_gradient(mesh, geometry, face, 1)) / geometry.face_area[face],
          velocity.dot(area_gradient(mesh, geometry, face, 2)) / geometry.face_area[face]};
}

BarycentricRates reversed(BarycentricRates rates) {
  return {-rates.first, -rates.second};
}

double distance_to_segment(const Vector3& point, const Vector3& a, const Vector3& b) {
  const Vector3 along = b - a;
  const double part = std::clamp(along.dot(point - a) / along.squaredNorm(), 0.0, 1.0);
  return (point - a - part * along).norm();
}

}  // namespace

Options<FoamOptions> FoamOptions::describe() {
  using O = FoamOptions;
  constexpr double tiny = 1e-12;
  constexpr int many = 1'000'000;
  return Options<O>()
      .number("roughness", "SI", &O::roughness, 0, unlimited, "factor of the spray of curved, fast water")
      .number("speed_power", "1", &O::speed_power, 0, 10, "its power of the speed")
      .number("curvature_power", "1", &O::curvature_power, 0, 10, "its power of the curvature")
      .number("accumulation", "SI", &O::accumulation, 0, unlimited, "factor of the spray of rising water")
      .number("rate_power", "1", &O::rate_power, 0, 10, "its power of the rate")
      .number("spread", "1", &O::spread, 0, 10,
              "random part of starting velocities, relative to the speed of the water")
      .number("air", "1/m", &O::air, 0, unlimited, "resistance of the air to flying particles")
      .number("buoyancy", "1", &O::buoyancy, 0, 1, "fraction of gravity that the air takes away")
      .number("bounce_cosine", "1", &O::bounce_cosine, 0, 1,
              "flying particles bounce where the cosine of their direction to the normal is above")
      .number("bounce_speed", "m/s", &O::bounce_speed, 0, unlimited, "and their speed is above")
      .number("bounce", "1", &O::bounce, 0, 1, "fraction of the speed that they keep")
      .number("deposit", "1", &O::deposit, 0, unlimited, "foam that a particle leaves where it comes down")
      .number("lifetime", "s", &O::lifetime, tiny, unlimited, "in which foam without supply falls to 1/e")
      .number("fade", "s", &O::fade, tiny, unlimited, "in which drifting particles appear and disappear")
      .number("patch", "1", &O::patch, 1e-4, 1, "radius of drifting foam, relative to the surface's extent")
      .whole_number("min_count", "1", &O::min_count, 0, 100, "fewest drifting particles of a patch")
      .whole_number("max_count", "1", &O::max_count, 1, 100, "most drifting particles of a patch")
      .whole_number("attempts", "1", &O::attempts, 1, 100,
                    "random places of which a new particle takes the emptiest")
      .number("gauss", "1", &O::gauss, 0, 1, "opacity of drifting foam: 0: 1 − s²; 1: exp(−4s²)")
      .number("drop", "1", &O::drop, 0, 10, "radius of a flying particle, relative to that of drifting foam")
      .whole_number("max_flying", "1", &O::max_flying, 0, many, "most flying particles")
      .number("step", "s", &O::step, tiny, unlimited, "longest step of particles")
      .number("gap", "s", &O::gap, tiny, unlimited, "time without pictures after which foam starts anew")
      .whole_number("seed", "1", &O::seed, 0, many, "of the random numbers");
}

FoamOptions FoamOptions::parse(const std::string& text) {
  const ParameterInfos infos = describe_options<FoamOptions>();
  std::vector<std::string> names;
  for (const ParameterInfo& info : infos) names.push_back(info.name);
  std::map<std::string, Value> given;
  for (const std::string& part : split_at_commas(text)) {
    const auto equals = part.find('=');
    const std::string name = part.substr(0, equals);
    if (equals == std::string::npos || std::find(names.begin(), names.end(), name) == names.end())
      throw Error(fmt::format("'{}' is not NAME=VALUE with a NAME of {}{}", part, join(names),
                              did_you_mean(name, names)));
    given[name] = parse_parameter(part.substr(equals + 1), name);
  }
  const auto options = read_options<FoamOptions>(Parameters(infos, given));
  if (options.min_count > options.max_count)
    throw Error(fmt::format("min_count = {} is above max_count = {}", options.min_count, options.max_count));
  return options;
}

double CounterRandom::uniform() {
  std::uint64_t z = seed_ * 0xD1342543DE82EF95 + ++count_ * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

int CounterRandom::poisson(double mean, int most) {
  int count = 0;
  for (double waited = -std::log1p(-uniform()); count < most && waited < mean;
       waited -= std::log1p(-uniform()))
    ++count;
  return count;
}

Vector3 CounterRandom::cube() {
  const double x = uniform(), y = uniform(), z = uniform();
  return 2 * Vector3(x, y, z) - Vector3::Ones();
}

Vector3 CounterRandom::in_triangle() {
  double a = uniform(), b = uniform();
  if (a + b > 1) a = 1 - a, b = 1 - b;
  return {1 - a - b, a, b};
}

Vector laplacian_at_vertices(const Mesh& mesh, const Geometry& geometry, const Vector& values) {
  Vector sum = Vector::Zero(mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {  // the edge opposite to corner c
      const Index from = mesh.faces((c + 1) % 3, k), to = mesh.faces((c + 2) % 3, k);
      const double flux = 0.5 * geometry.cotangent(c, k) * (values[to] - values[from]);
      sum[from] += flux;
      sum[to] -= flux;
    }
  return sum.cwiseQuotient(geometry.vertex_area);
}

Vector3 Foam::at(const Points& points, const Place& place) const {
  Vector3 point = Vector3::Zero();
  for (int c = 0; c < 3; ++c) point += place.weight[c] * points.col(mesh_.faces(c, place.face));
  return point;
}

bool Foam::wet(const FoamWater& water, const Place& place) const {
  double depth = 0;
  for (int c = 0; c < 3; ++c) depth += place.weight[c] * water.depth[mesh_.faces(c, place.face)];
  return depth > water.wet;
}

void Foam::advance(const FoamWater& water) {
  const double passed = water.time - time_;
  if (!begun_ || passed < 0 || passed > options_.gap) {
    begin(water);
    return;
  }
  if (passed == 0) return;
  frames_.refresh(water.geometry);
  const Vector elevation = water.depth - water.bed;
  rising_ = (elevation - elevation_) / passed;
  carrying_ = (water.geometry.x - positions_) / passed;
  rates_.resize(static_cast<std::size_t>(mesh_.face_count()));
  for (Index k = 0; k < mesh_.face_count(); ++k)
    rates_[static_cast<std::size_t>(k)] = rates_of(mesh_, water.geometry, k, water.velocity.col(k));
  const auto steps = static_cast<int>(std::ceil(passed / options_.step - 1e-9));
  for (int i = 0; i < steps; ++i) {
    const double dt = passed / steps;
    for (Drifting& one : drifting_) one.fed = false;
    spawn(water, dt);
    fly(water, dt);
    drift(dt);
    fill_patches(water, false);
  }
  time_ = water.time;
  elevation_ = elevation;
  positions_ = water.geometry.x;
}

void Foam::configure(const FoamOptions& options) {
  if (options.patch != options_.patch) patches_.clear();
  if (options.patch != options_.patch || options.seed != options_.seed) begun_ = false;
  options_ = options;
}

void Foam::begin(const FoamWater& water) {
  begun_ = true;
  random_ = CounterRandom(static_cast<std::uint64_t>(options_.seed));
  time_ = water.time;
  elevation_ = water.depth - water.bed;
  positions_ = water.geometry.x;
  drifting_.clear();
  flying_.clear();
  if (patches_.empty()) make_patches(water);
  fill_patches(water, true);
}

/// Patches grow from a triangle to all those around it whose barycentres are within r; a scrap joins a neighbour.
void Foam::make_patches(const FoamWater& water) {
  const Points& x = water.geometry.x;
  radius_ = options_.patch * (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).maxCoeff();
  constexpr int none = -1;
  constexpr double scrap = 0.25;  // of the area of a disc of radius r
  patch_of_.assign(mesh_.face_count(), none);
  for (Index seed = 0; seed < mesh_.face_count(); ++seed) {
    if (patch_of_[seed] != none) continue;
    const int number = patch_count();
    const Vector3 middle = water.geometry.centroid(mesh_, seed);
    std::vector<Index> faces = {seed};
    patch_of_[seed] = number;
    double area = 0;
    int neighbour = none;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      area += water.geometry.face_area[faces[i]];
      for (int c = 0; c < 3; ++c) {
        const Index edge = mesh_.face_edges(c, faces[i]);
        for (int side = 0; side < 2; ++side) {
          const Index next = mesh_.edge_faces(side, edge);
          if (next == Mesh::none) continue;
          if (patch_of_[next] != none) {
            if (patch_of_[next] != number) neighbour = patch_of_[next];
            continue;
          }
          if ((water.geometry.centroid(mesh_, next) - middle).norm() > radius_) continue;
          patch_of_[next] = number;
          faces.push_back(next);
        }
      }
    }
    if (neighbour != none && area < scrap * 3.14 * radius_ * radius_) {
      for (const Index face : faces) patch_of_[face] = neighbour;
      auto& others = patches_[static_cast<std::size_t>(neighbour)].faces;
      others.insert(others.end(), faces.begin(), faces.end());
    } else {
      patches_.emplace_back().faces = std::move(faces);
    }
  }
  std::vector<std::vector<int>> at_vertex(static_cast<std::size_t>(mesh_.vertex_count));
  const auto add_once = [](std::vector<int>& list, int patch) {
    if (std::find(list.begin(), list.end(), patch) == list.end()) list.push_back(patch);
  };
  for (Index k = 0; k < mesh_.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      add_once(at_vertex[static_cast<std::size_t>(mesh_.faces(c, k))], patch_of_[k]);
  for (int p = 0; p < patch_count(); ++p) patches_[static_cast<std::size_t>(p)].around = {p};
  for (const std::vector<int>& meeting : at_vertex)
    for (const int p : meeting)
      for (const int q : meeting) add_once(patches_[static_cast<std::size_t>(p)].around, q);
}

void Foam::spawn(const FoamWater& water, double dt) {
  const Vector curvature = laplacian_at_vertices(mesh_, water.geometry, water.depth - water.bed).cwiseAbs();
  for (Index k = 0; k < mesh_.face_count(); ++k) {
    double bend = 0, rising = 0;
    for (int c = 0; c < 3; ++c) {
      bend += curvature[mesh_.faces(c, k)] / 3;
      rising += rising_[mesh_.faces(c, k)] / 3;
    }
    const Vector3 velocity = water.velocity.col(k);
    const double speed = velocity.norm(), in_step = water.geometry.face_area[k] * dt;
    const double rough = speed == 0 ? 0
                                    : options_.roughness * std::pow(speed, options_.speed_power) *
                                          std::pow(bend, options_.curvature_power) * in_step,
                 piled = options_.accumulation * (rising > 0 ? std::pow(rising, options_.rate_power) : 0) *
                         in_step;
    const auto number = [&](double mean) {
      return mean > 0 ? random_.poisson(mean, options_.max_flying - static_cast<int>(flying_.size())) : 0;
    };
    for (int i = number(rough); i > 0; --i) {
      const Vector3 weight = random_.in_triangle();
      start(water, k, weight,
            velocity_from_upstream(water, k, weight) + options_.spread * speed * random_.cube());
    }
    for (int i = number(piled); i > 0; --i) {
      const Vector3 weight = random_.in_triangle(), normal = at(water.normals, {k, weight}).normalized();
      start(water, k, weight,
            water.exaggeration * rising * normal + velocity +
                options_.spread * std::max(speed, rising) * random_.cube());
    }
  }
}

void Foam::start(const FoamWater& water, Index face, const Vector3& weight, const Vector3& velocity) {
  const Place place{face, weight};
  if (!wet(water, place)) return;
  flying_.push_back({place, at(water.surface, place), velocity + at(carrying_, place)});
}

/// (8.4) on any surface: the chord of the drawn surface from an edge's length upstream, divided by its time.
Vector3 Foam::velocity_from_upstream(const FoamWater& water, Index face, const Vector3& weight) const {
  const double speed = water.velocity.col(face).norm(),
               time = std::sqrt(2 * water.geometry.face_area[face]) / speed;
  const BarycentricRates rates = rates_[static_cast<std::size_t>(face)];
  const TracedPoint from = trace_back<TraceVelocity::of_the_start>(frames_, face, to_array(weight), rates,
                                                                   time, [&](Index) { return rates; });
  return (at(water.surface, {face, weight}) -
          at(water.surface, {from.face, Vector3(from.weight[0], from.weight[1], from.weight[2])})) /
         time;
}

/// Moves the foot to the triangle above or below which `point` lies; false beyond the boundary.
bool Foam::follow(const FoamWater& water, const Vector3& point, Place& below) const {
  constexpr int most = 1000;  // crossings
  for (int i = 0; i < most; ++i) {
    Vector3 corner[3];
    for (int c = 0; c < 3; ++c) corner[c] = water.surface.col(mesh_.faces(c, below.face));
    const Vector3 twice = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
    for (int c = 0; c < 3; ++c)
      below.weight[c] =
          (corner[(c + 2) % 3] - corner[(c + 1) % 3]).dot(twice.cross(point - corner[(c + 1) % 3])) /
          -twice.squaredNorm();
    int lowest = 0;
    const double outside = below.weight.minCoeff(&lowest);
    if (!(outside < 0)) return std::isfinite(outside);
    const Index edge = mesh_.face_edges(lowest, below.face);
    const Index next =
        mesh_.edge_faces(0, edge) == below.face ? mesh_.edge_faces(1, edge) : mesh_.edge_faces(0, edge);
    if (next == Mesh::none) return false;
    below.face = next;
  }
  // Over a crease, where the foot jumps back and forth.
  below.weight = below.weight.cwiseMax(0);
  below.weight /= below.weight.sum();
  return true;
}

void Foam::fly(const FoamWater& water, double dt) {
  std::vector<Flying> still;
  for (Flying one : flying_) {
    Vector3 normal = at(water.normals, one.below).normalized();
    one.velocity -= dt * (1 - options_.buoyancy) * water.gravity * normal;
    one.velocity /= 1 + dt * options_.air * one.velocity.norm();  // implicit, stable for any step
    one.at += dt * one.velocity;
    if (!one.at.allFinite() || !follow(water, one.at, one.below)) continue;
    normal = at(water.normals, one.below).normalized();
    const Vector3 foot = at(water.surface, one.below);
    if ((one.at - foot).dot(normal) > 0) {
      still.push_back(one);
      continue;
    }
    if (!wet(water, one.below)) continue;
    land(water, one.below);
    const Vector3 relative = one.velocity - at(carrying_, one.below);
    const double speed = relative.norm();
    if (!(speed > options_.bounce_speed && -normal.dot(relative) > options_.bounce_cosine * speed)) continue;
    one.at = foot;
    one.velocity =
        at(carrying_, one.below) + options_.bounce * speed * (normal + options_.spread * random_.cube());
    still.push_back(one);
  }
  flying_ = std::move(still);
}

/// A particle leaves foam to the drifting ones around, a₁ e^{−(d/r)²} (9.1).
void Foam::land(const FoamWater& water, const Place& place) {
  const Vector3 point = at(water.surface, place);
  for (const int patch : patches_[static_cast<std::size_t>(patch_of_[place.face])].around)
    for (const int i : patches_[static_cast<std::size_t>(patch)].particles) {
      Drifting& one = drifting_[static_cast<std::size_t>(i)];
      const double s = (at(water.surface, one.place) - point).norm() / radius_;
      one.foam += options_.deposit * std::exp(-s * s);
      one.fed = true;
    }
}

void Foam::drift(double dt) {
  const double kept = std::exp(-dt / options_.lifetime);
  std::vector<Drifting> still;
  for (Drifting one : drifting_) {
    const TracedPoint to = trace_back<TraceVelocity::of_each_triangle>(
        frames_, one.place.face, to_array(one.place.weight),
        reversed(rates_[static_cast<std::size_t>(one.place.face)]), dt,
        [&](Index k) { return reversed(rates_[static_cast<std::size_t>(k)]); });
    one.place = {to.face, Vector3(to.weight[0], to.weight[1], to.weight[2])};
    one.axis = to.brought(one.axis);
    if (!one.fed) one.foam *= kept;
    one.opacity = std::min(1.0, one.opacity + (one.leaving ? -dt : dt) / options_.fade);
    if (one.opacity > 0 && one.place.weight.allFinite()) still.push_back(one);
  }
  drifting_ = std::move(still);
}

double Foam::distance_to_others(const FoamWater& water, const Vector3& point, int patch, int self) const {
  double nearest = unlimited;
  for (const int other : patches_[static_cast<std::size_t>(patch)].around)
    for (const int i : patches_[static_cast<std::size_t>(other)].particles)
      if (i != self)
        nearest = std::min(
            nearest, (at(water.surface, drifting_[static_cast<std::size_t>(i)].place) - point).squaredNorm());
  return nearest;
}

/// Algorithm 5 of the source, on patches: where there are too many, the one nearest to another begins to fade; where there are too
/// few, a new one takes the emptiest of some random places, unless the first of them is dry.
void Foam::fill_patches(const FoamWater& water, bool faded_in) {
  for (Patch& patch : patches_) patch.particles.clear();
  for (std::size_t i = 0; i < drifting_.size(); ++i) {
    Drifting& one = drifting_[i];
    if (!wet(water, one.place)) one.leaving = true;
    if (!one.leaving)
      patches_[static_cast<std::size_t>(patch_of_[one.place.face])].particles.push_back(static_cast<int>(i));
  }
  for (int p = 0; p < patch_count(); ++p) {
    Patch& patch = patches_[static_cast<std::size_t>(p)];
    while (static_cast<int>(patch.particles.size()) > options_.max_count) {
      const auto crowded = [&](int i) {
        return distance_to_others(water, at(water.surface, drifting_[static_cast<std::size_t>(i)].place), p,
                                  i);
      };
      const auto worst = std::min_element(patch.particles.begin(), patch.particles.end(),
                                          [&](int one, int other) { return crowded(one) < crowded(other); });
      drifting_[static_cast<std::size_t>(*worst)].leaving = true;
      patch.particles.erase(worst);
    }
    while (static_cast<int>(patch.particles.size()) < options_.min_count) {
      Place best;
      double farthest = -1;
      for (int attempt = 0; attempt < options_.attempts; ++attempt) {
        // Triangles of a patch are of similar size; one is drawn by its number.
        const auto which =
            static_cast<std::size_t>(random_.uniform() * static_cast<double>(patch.faces.size()));
        const Place place{patch.faces[which], random_.in_triangle()};
        if (!wet(water, place)) {
          if (attempt == 0) break;
          continue;
        }
        const double distance = distance_to_others(water, at(water.surface, place), p, -1);
        if (distance <= farthest) continue;
        farthest = distance;
        best = place;
      }
      if (farthest < 0) break;
      const Vector3 point = at(water.surface, best);
      double foam = 0, weight = 0;
      for (const int other : patch.around)
        for (const int i : patches_[static_cast<std::size_t>(other)].particles) {
          const Drifting& near = drifting_[static_cast<std::size_t>(i)];
          const double s = (at(water.surface, near.place) - point).norm() / radius_, share = std::exp(-s * s);
          foam += share * near.foam;
          weight += share;
        }
      const double angle = 6.283185307179586 * random_.uniform();
      drifting_.push_back({.place = best,
                           .axis = std::polar(1.0, angle),
                           .foam = weight > 0 ? foam / weight : 0,
                           .opacity = faded_in ? 1.0 : 0.0,
                           .image = random_.uniform()});
      patch.particles.push_back(static_cast<int>(drifting_.size()) - 1);
    }
  }
}

/// The triangles within r of the particle, with coordinates in its own plane.
void Foam::add_surface(const FoamWater& water, const Drifting& one, FoamSet& set) const {
  constexpr double visible = 1.0 / 255;
  const double cover = 1 - std::exp(-one.foam);
  if (cover * one.opacity < visible) return;
  const Vector3 middle = at(water.surface, one.place);
  const Index face = one.place.face;
  const auto corner = [&](Index k, int c) -> Vector3 { return water.surface.col(mesh_.faces(c, k)); };
  const Vector3 normal =
      (corner(face, 1) - corner(face, 0)).cross(corner(face, 2) - corner(face, 0)).normalized();
  const Vector3 along = (corner(face, 1) - corner(face, 0)).normalized(), across = normal.cross(along);
  const Vector3 first = (one.axis.real() * along + one.axis.imag() * across).normalized(),
                second = normal.cross(first);
  std::vector<Index> faces = {face};
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const Index edge = mesh_.face_edges(c, faces[i]);
      const Index next =
          mesh_.edge_faces(0, edge) == faces[i] ? mesh_.edge_faces(1, edge) : mesh_.edge_faces(0, edge);
      if (next == Mesh::none || std::find(faces.begin(), faces.end(), next) != faces.end()) continue;
      if (distance_to_segment(middle, corner(faces[i], (c + 1) % 3), corner(faces[i], (c + 2) % 3)) < radius_)
        faces.push_back(next);
    }
  for (const Index k : faces)
    for (int c = 0; c < 3; ++c) {
      const Index vertex = mesh_.faces(c, k);
      const Vector3 from = corner(k, c) - middle;
      const bool covered = water.depth[vertex] > water.wet;
      set.corners.push_back({corner(k, c), water.normals.col(vertex), Eigen::Vector2d::Zero(),
                             Eigen::Vector2d(first.dot(from), second.dot(from)) / radius_, cover,
                             covered ? one.opacity : 0, one.image});
    }
}

FoamSet Foam::draw(const FoamWater& water) const {
  FoamSet set;
  set.gauss = options_.gauss;
  for (const Drifting& one : drifting_) add_surface(water, one, set);
  const double size = options_.drop * radius_;
  constexpr double square[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
  for (const Flying& one : flying_)
    for (const auto& [x, y] : square)
      set.corners.push_back({one.at, at(water.normals, one.below), size * Eigen::Vector2d(x, y),
                             Eigen::Vector2d(x, y), 1, 1, FoamSet::drop});
  return set;
}

}  // namespace shoal
