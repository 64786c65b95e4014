#include "experiments/harness/fields/given_fields.hpp"

#include "experiments/harness/fields/expression.hpp"
#include "experiments/harness/fields/field_file.hpp"
#include "experiments/scenes/given_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace shoal {
namespace {

/// The texts between commas outside parentheses: "0.1, max(x, 0), 0" gives three.
std::vector<std::string> components_of(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// Unit vectors to the east and to the north of a sphere about the origin.
std::pair<Vector3, Vector3> east_and_north(const Vector3& x) {
  const double lambda = std::atan2(x.y(), x.x()), phi = std::atan2(x.z(), std::hypot(x.x(), x.y()));
  return {Vector3(-std::sin(lambda), std::cos(lambda), 0),
          Vector3(-std::sin(phi) * std::cos(lambda), -std::sin(phi) * std::sin(lambda), std::cos(phi))};
}

/// One given field: values as functions of position and time.
class GivenField {
  template <class Body>
  auto with_name(Body&& body) const {
    try {
      return body();
    } catch (const SettingError&) {
      throw;
    } catch (const Error& error) {
      throw parameter_error(name_, error.what());
    }
  }

 public:
  /// `dimensions`: the allowed numbers of components.
  GivenField(const std::string& name, const std::string& text, const std::vector<Index>& dimensions,
             const std::map<std::string, double>& constants, const Surface& surface, const Geometry& geometry)
      : name_(name) {
    if (const auto file = with_name([&] { return parse_field_file(text); })) {
      file_ = std::make_shared<SurfaceField>(
          with_name([&] { return SurfaceField(*file, surface, geometry, dimensions); }));
      count_ = file_->components();
      return;
    }
    for (const std::string& part : components_of(text))
      expressions_.push_back(with_name([&] { return Expression(part, constants); }));
    count_ = static_cast<Index>(expressions_.size());
    if (std::ranges::find(dimensions, count_) == dimensions.end())
      throw parameter_error(name_, dimensions.size() > 1
                                       ? fmt::format("'{}' is not x,y,z in space or east,north", text)
                                       : fmt::format("'{}' has {} values; one is required", text, count_));
    const auto z = geometry.x.row(2);
    if (count_ == 2 && z.maxCoeff() == z.minCoeff())
      throw parameter_error(
          name_, fmt::format("'{0}' is east,north, which a flat surface lacks; give x,y,z: '{0},0'", text));
  }

  bool varies() const {
    return std::ranges::any_of(expressions_, [](const auto& one) { return one.varies(); });
  }

  double scalar(const Vector3& x, double time) const { return component(0, x, time); }

  /// The components of expressions as given, followed by zeros; 0 for one that is not finite.
  Vector3 values(const Vector3& x, double time) const {
    Vector3 values = Vector3::Zero();
    for (std::size_t i = 0; i < expressions_.size(); ++i)
      if (const double value = expressions_[i](x, time); std::isfinite(value))
        values[static_cast<Index>(i)] = value;
    return values;
  }

  Vector3 vector(const Vector3& x, double time) const {
    if (count_ == 3) return {component(0, x, time), component(1, x, time), component(2, x, time)};
    const auto [east, north] = east_and_north(x);
    return component(0, x, time) * east + component(1, x, time) * north;
  }

 private:
  /// A value that is not finite is an error at the start and ends the run later.
  double component(Index i, const Vector3& x, double time) const {
    const double value = file_ ? (*file_)(i, x) : expressions_[static_cast<std::size_t>(i)](x, time);
    if (!std::isfinite(value))
      throw parameter_error(
          name_, fmt::format("is {} at ({:.6g}, {:.6g}, {:.6g}) and t = {:.6g}, but must be finite",
                             std::isnan(value) ? std::abs(value) : value, x.x(), x.y(), x.z(), time));
    return value;
  }

  std::string name_;
  std::vector<Expression> expressions_;
  std::shared_ptr<SurfaceField> file_;
  Index count_ = 0;
};

using Given = std::shared_ptr<const GivenField>;

/// The values of both fields, the second of which may be null, at a few vertices of the initial surface.
std::function<Vector(double)> sample_of(const Given& one, const Given& other, const Geometry& geometry) {
  constexpr Index max_points = 8;
  const Index count = std::min<Index>(max_points, geometry.x.cols());
  Points points(3, count);
  for (Index i = 0; i < count; ++i) points.col(i) = geometry.x.col(i * geometry.x.cols() / count);
  return [one, other, points](double time) {
    Vector values(6 * points.cols());
    for (Index i = 0; i < points.cols(); ++i) {
      values.segment<3>(6 * i) = one->values(points.col(i), time);
      values.segment<3>(6 * i + 3) = other ? other->values(points.col(i), time) : Vector3::Zero();
    }
    return values;
  };
}

/// Replaces the field of the scene.
TimedForce given_normal_acceleration(const Given& normal) {
  return {.add =
              [normal](double time, const WaterNow& water, double, ForceSum& sum) {
                Vector& values = sum.normal_acceleration();
                for (Index i = 0; i < values.size(); ++i)
                  values[i] = normal->scalar(water.geometry.x.col(i), time);
              },
          .varies = normal->varies()};
}

/// The given acceleration acts in addition to the one of the scene.
TimedForce given_body_acceleration(const Given& body) {
  return {.add =
              [body](double time, const WaterNow& water, double, ForceSum& sum) {
                Points& values = sum.body_acceleration();
                for (Index i = 0; i < values.cols(); ++i)
                  values.col(i) += body->vector(water.geometry.x.col(i), time);
              },
          .varies = body->varies()};
}

/// Rain as two inflows of the sum: number `first` adds water, the next one removes it. Each is distributed over the cells of any
/// scheme in proportion to the rain at their points; the total is the sum over the vertices, weighted with their dual areas.
/// `velocity` is null if the rain has no velocity of its own. `weight_time` is the time of the weights of both inflows.
TimedForce given_rain(const Given& rain, const Given& velocity, std::size_t first,
                      const std::shared_ptr<double>& weight_time) {
  return {
      .add =
          [rain, velocity, first, weight_time](double time, const WaterNow& water, double, ForceSum& sum) {
            const Geometry& surface = water.geometry;
            DistributedInflow &falls = sum.distributed_inflow(first),
                              &taken = sum.distributed_inflow(first + 1);
            *weight_time = time;
            const Eigen::Vector2d totals =
                shoal::sum(water.discretization.mesh(), Location::vertex, [&](Index i) -> Eigen::Vector2d {
                  const double rate = surface.vertex_area[i] * rain->scalar(surface.x.col(i), time);
                  return rate > 0 ? Eigen::Vector2d(rate, 0) : Eigen::Vector2d(0, rate);
                });
            falls.discharge = totals[0];
            taken.discharge = totals[1];
            if (!velocity || !falls.velocity) return;
            falls.velocity->resize(3, surface.x.cols());
            for (Index i = 0; i < surface.x.cols(); ++i)
              falls.velocity->col(i) = velocity->vector(surface.x.col(i), time);
          },
      .varies = rain->varies() || (velocity && velocity->varies()),
      .works = false};
}

/// Adds the user's forces to those of the scene. Throws if an initial value is not finite.
void give_forces(const Given& normal, const Given& body, const Given& rain, const Given& rain_velocity,
                 bool of_water, const Geometry& geometry, SceneInstance& scene) {
  constexpr double negligible = 1e-12;  // relative to gravity, and to the depth in 1 s
  const auto add = [&](TimedForce force, double scale, const Given& one, const Given& other = {}) {
    if (force.varies) force.sample = sample_of(one, other, geometry);
    force.negligible = negligible * scale;
    scene.forces.push_back(std::move(force));
  };
  if (normal) add(given_normal_acceleration(normal), scene.gravity, normal);
  if (body) add(given_body_acceleration(body), scene.gravity, body);
  for (Index i = 0; i < geometry.x.cols(); ++i) {
    const Vector3 x = geometry.x.col(i);
    if (normal) scene.forcing.normal_acceleration[i] = normal->scalar(x, 0);
    if (body) body->vector(x, 0);
    if (rain) rain->scalar(x, 0);
  }
  if (!rain) return;
  const std::size_t first = scene.forcing.distributed_inflows.size();
  const auto time = std::make_shared<double>(0);
  for (const double sign : {1.0, -1.0}) {
    scene.forcing.distributed_inflows.push_back(
        {[rain, sign, time](const Vector3& x) { return std::max(0.0, sign * rain->scalar(x, *time)); }, 0.0});
    scene.forcing.distributed_inflows.back().required = false;
  }
  bool falls = rain->varies() || scene.motion;
  for (Index i = 0; i < geometry.x.cols(); ++i) falls = falls || rain->scalar(geometry.x.col(i), 0) > 0;
  if (!of_water && falls) scene.forcing.distributed_inflows[first].velocity.emplace(3, 0);
  add(given_rain(rain, rain_velocity, first, time), scene.depth, rain, rain_velocity);
}

void give_initial_state(const Given& elevation, const Given& velocity, const Given& bed,
                        SceneInstance& scene) {
  const ScalarField own_bed = scene.bed_depth, own_depth = scene.initial.depth;
  if (bed) scene.bed_depth = [bed](const Vector3& x) { return bed->scalar(x, 0); };
  if (bed || elevation)
    scene.initial.depth = [elevation, own_bed, own_depth, bed = scene.bed_depth](const Vector3& x) {
      const double h = elevation   ? elevation->scalar(x, 0)
                       : own_depth ? own_depth(x) - own_bed(x)
                                   : 1 - own_bed(x);
      return std::max(0.0, h + bed(x));  // land above the water
    };
  if (velocity) scene.initial.velocity = [velocity](const Vector3& x) { return velocity->vector(x, 0); };
}

std::map<std::string, double> numbers_of(const Parameters& parameters) {
  std::map<std::string, double> numbers;
  for (const auto& [name, value] : parameters.values())
    if (const double* number = std::get_if<double>(&value)) numbers[name] = *number;
  return numbers;
}

}  // namespace

void give_fields(const Parameters& parameters, const Surface& surface, const Geometry& geometry,
                 SceneInstance& scene) {
  const GivenFieldOptions options = read_options<GivenFieldOptions>(parameters);
  const std::map<std::string, double> constants = numbers_of(parameters);
  bool any = false;
  const auto field = [&](const char* name, const std::string& text,
                         const std::vector<Index>& dimensions) -> Given {
    if (text.empty()) return {};
    any = true;
    return std::make_shared<const GivenField>(name, text, dimensions, constants, surface, geometry);
  };
  const Given elevation = field("initial_elevation", options.initial_elevation, {1}),
              velocity = field("initial_velocity", options.initial_velocity, {3, 2}),
              bed = field("bed_depth", options.bed_depth, {1}),
              normal = field("normal_acceleration", options.normal_acceleration, {1}),
              body = field("body_acceleration", options.body_acceleration, {3, 2}),
              rain = field("rain", options.rain, {1});
  const bool of_water = options.rain_velocity == "water";
  const Given rain_velocity = of_water ? Given() : field("rain_velocity", options.rain_velocity, {3, 2});
  if (!options.rain_velocity.empty() && !rain) throw parameter_error("rain_velocity", "requires rain");
  if (!any) return;
  for (const auto& [name, given] :
       {std::pair{"initial_elevation", elevation}, {"initial_velocity", velocity}, {"bed_depth", bed}}) {
    if (given && given->varies()) throw parameter_error(name, "t is not available in an initial state");
    if (given && scene.discrete_initial_state)
      throw Refusal(
          fmt::format("parameter '{}': the initial state of this scene is defined by the scheme's own "
                      "operators and cannot be replaced",
                      name));
  }
  give_initial_state(elevation, velocity, bed, scene);
  give_forces(normal, body, rain, rain_velocity, of_water, geometry, scene);
  scene.drop_references("it is only valid for the scene's own initial state, bed and forcing");
}

std::vector<FieldFile> field_files(const std::map<std::string, Value>& parameters) {
  std::vector<FieldFile> files;
  for (const ParameterInfo& info : given_field_parameters(parameters)) {
    const auto* text = std::get_if<std::string>(&parameters.at(info.name));
    if (!text) continue;
    if (auto file = parse_field_file(*text)) files.push_back(std::move(*file));
  }
  return files;
}

}  // namespace shoal
