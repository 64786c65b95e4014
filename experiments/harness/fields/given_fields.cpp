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

/// The texts between the commas that stand in no parentheses: "0.1, max(x, 0), 0" are three.
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

/// One given field: values at places and times.
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
  /// `dimensions`: how many components it may have.
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
    if (std::find(dimensions.begin(), dimensions.end(), count_) == dimensions.end())
      throw parameter_error(name_, dimensions.size() > 1
                                       ? fmt::format("'{}' is not x,y,z in space or east,north", text)
                                       : fmt::format("'{}' is {} values, one is allowed", text, count_));
  }

  bool varies() const {
    return std::any_of(expressions_.begin(), expressions_.end(),
                       [](const auto& one) { return one.varies(); });
  }

  double scalar(const Vector3& x, double time) const { return component(0, x, time); }

  Vector3 vector(const Vector3& x, double time) const {
    if (count_ == 3) return {component(0, x, time), component(1, x, time), component(2, x, time)};
    const auto [east, north] = east_and_north(x);
    return component(0, x, time) * east + component(1, x, time) * north;
  }

 private:
  /// What is not finite at the start is a mistake; later it ends the run.
  double component(Index i, const Vector3& x, double time) const {
    const double value = file_ ? (*file_)(i, x) : expressions_[static_cast<std::size_t>(i)](x, time);
    if (!std::isfinite(value))
      throw parameter_error(
          name_, fmt::format("is {} at ({:.6g}, {:.6g}, {:.6g}) and t = {:.6g}; finite "
                             "values are allowed",
                             std::isnan(value) ? std::abs(value) : value, x.x(), x.y(), x.z(), time));
    return value;
  }

  std::string name_;
  std::vector<Expression> expressions_;
  std::shared_ptr<SurfaceField> file_;
  Index count_ = 0;
};

using Given = std::shared_ptr<const GivenField>;

/// [nV] barycentric dual areas of a surface that has moved to `x`.
Vector vertex_areas(const Mesh& mesh, const Points& x) {
  return make_geometry(mesh, x).vertex_area;
}

/// What a user lets act on the fluid, over what the scene does.
class GivenForcing {
 public:
  /// `rain_velocity`: null where rain has none; `of_water`: where it has that of the water.
  GivenForcing(Given normal, Given body, Given rain, Given rain_velocity, bool of_water,
               const Surface& surface, const Geometry& geometry, SceneInstance& scene)
      : normal_(std::move(normal)),
        body_(std::move(body)),
        rain_(std::move(rain)),
        rain_velocity_(std::move(rain_velocity)),
        mesh_(surface.mesh),
        base_(scene.change_forcing),
        motion_(scene.motion),
        x_(surface.x),
        areas_(geometry.vertex_area),
        base_body_(scene.forcing.body_acceleration) {
    if (rain_)
      for (const double sign : {1.0, -1.0})
        scene.forcing.distributed_inflows.push_back({[rain = rain_, sign, time = time_](const Vector3& x) {
                                                       return std::max(0.0, sign * rain->scalar(x, *time));
                                                     },
                                                     0.0});
    apply(0, scene.forcing);
    if (!rain_) return;
    for (const int which : {0, 1}) scene.forcing.distributed_inflows.rbegin()[which].required = false;
    if (of_water) return;
    DistributedInflow& in = scene.forcing.distributed_inflows.rbegin()[1];
    if (in.discharge == 0 && !varies()) return;  // all of it is taken away
    in.velocity.emplace(3, 0);
    apply(0, scene.forcing);
  }

  bool varies() const {
    const auto one = [](const Given& field) { return field && field->varies(); };
    return one(normal_) || one(body_) || one(rain_) || one(rain_velocity_) || motion_;
  }

  bool operator()(double time, Forcing& forcing) {
    bool changed = false;
    if (base_) {
      if (body_) forcing.body_acceleration = base_body_;
      changed = base_(time, forcing);
      if (body_) base_body_ = forcing.body_acceleration;
    }
    if (varies() || changed || (base_ && body_)) apply(time, forcing);
    return varies() || changed;
  }

 private:
  void apply(double time, Forcing& forcing) {
    if (motion_) motion_(time, x_);
    const Index vertices = mesh_.vertex_count;
    if (normal_)
      for (Index i = 0; i < vertices; ++i) forcing.normal_acceleration[i] = normal_->scalar(x_.col(i), time);
    if (body_) {
      forcing.body_acceleration = base_body_;
      if (base_body_.size() == 0) forcing.body_acceleration.setZero(3, vertices);
      for (Index i = 0; i < vertices; ++i) forcing.body_acceleration.col(i) += body_->vector(x_.col(i), time);
    }
    if (!rain_) return;
    *time_ = time;
    if (motion_) areas_ = vertex_areas(mesh_, x_);
    double in = 0, out = 0;
    for (Index i = 0; i < vertices; ++i) {
      const double rate = areas_[i] * rain_->scalar(x_.col(i), time);
      (rate > 0 ? in : out) += rate;
    }
    const auto last = forcing.distributed_inflows.rbegin();
    last[1].discharge = in;
    last[0].discharge = out;
    if (!rain_velocity_ || !last[1].velocity) return;
    last[1].velocity->resize(3, vertices);
    for (Index i = 0; i < vertices; ++i) last[1].velocity->col(i) = rain_velocity_->vector(x_.col(i), time);
  }

  Given normal_, body_, rain_, rain_velocity_;
  const Mesh& mesh_;
  std::function<bool(double, Forcing&)> base_;
  Motion motion_;
  Points x_;
  Vector areas_;
  Points base_body_;  // the scene's own
  std::shared_ptr<double> time_ = std::make_shared<double>(0);
};

void give_initial_state(const Given& elevation, const Given& velocity, const Given& bed,
                        SceneInstance& scene) {
  const ScalarField own_bed = scene.bed_depth, own_depth = scene.initial.depth;
  if (bed) scene.bed_depth = [bed](const Vector3& x) { return bed->scalar(x, 0); };
  if (bed || elevation)
    scene.initial.depth = [elevation, own_bed, own_depth, bed = scene.bed_depth](const Vector3& x) {
      const double h = elevation   ? elevation->scalar(x, 0)
                       : own_depth ? own_depth(x) - own_bed(x)
                                   : 1 - own_bed(x);
      return std::max(0.0, h + bed(x));  // land stands above the water
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
  if (!options.rain_velocity.empty() && !rain)
    throw parameter_error("rain_velocity", "there is no rain whose velocity it could be");
  if (!any) return;
  for (const auto& [name, given] :
       {std::pair{"initial_elevation", elevation}, {"initial_velocity", velocity}, {"bed_depth", bed}}) {
    if (given && given->varies()) throw parameter_error(name, "it is that at t = 0, in which there is no t");
    if (given && scene.discrete_initial_state)
      throw Refusal(
          fmt::format("parameter '{}': the initial state of this scene is made of the scheme's own operators "
                      "and takes no other",
                      name));
  }
  give_initial_state(elevation, velocity, bed, scene);
  if (normal || body || rain) {
    GivenForcing forcing(normal, body, rain, rain_velocity, of_water, surface, geometry, scene);
    if (forcing.varies() || scene.change_forcing) scene.change_forcing = std::move(forcing);
  }
  scene.drop_references("it holds for the scene's own initial state, bed and forcing");
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
