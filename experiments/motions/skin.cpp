// Motion `skin`: the clips of a skinned character, mixed by weight.
#include "experiments/motions/skin.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "experiments/motions/common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

struct SkinOptions {
  ClipSchedule schedule;
  static Options<ClipSchedule> describe_schedule() {
    using O = ClipSchedule;
    return Options<O>()
        .text("clips", "", &O::clips,
              "repeated clips NAME[:WEIGHT][@TIME],…, e.g. walk:0.7,wave:0.3@2; if the weights sum to less "
              "than 1, the rest pose receives the remainder (somewhat less above 0.8, so that fades are "
              "smooth); empty: the first clip")
        .text("actions", "", &O::actions,
              "clips played once, NAME[:WEIGHT][@TIME],…, instead of the repeated ones")
        .number("clip_speed", "1", &O::speed, 0, motion::unlimited, "speed of all clips")
        .text(
            "freeze", "s", &O::freeze,
            "intervals T1:T2,… in which the surface stops, within blend_delay, while the water keeps moving")
        .number("blend_delay", "s", &O::delay, 0, motion::unlimited,
                "time in which weights and speeds reach their values, and in which a frozen surface stops; "
                "at least 0.001, or 0 if all clips start at t = 0");
  }
  static Options<SkinOptions> describe() {
    return Options<SkinOptions>().part(&SkinOptions::schedule, describe_schedule());
  }
};

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

/// A number ≥ 0 in part of a parameter.
double number_in(const std::string& parameter, const std::string& part, const std::string& text) {
  const double value = parse_number(text, fmt::format("{}: '{}'", parameter, part));
  if (!(value >= 0) || std::isinf(value))
    throw parameter_error(
        parameter, fmt::format("'{}': {} is not a {}number ≥ 0", part, text, value > 0 ? "finite " : ""));
  return value;
}

/// NAME[:WEIGHT][@TIME]; names may contain colons that no number follows.
ClipCommand clip_command(const std::string& parameter, const std::string& part, const ClipMixer& mixer) {
  ClipCommand command;
  std::string name = part;
  const std::size_t at = name.rfind('@');
  if (at != std::string::npos) {
    command.time = number_in(parameter, part, name.substr(at + 1));
    name.resize(at);
  }
  const auto is_clip = [&] {
    return std::any_of(mixer.clips().begin(), mixer.clips().end(),
                       [&](const Clip& clip) { return clip.name == name; });
  };
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos && !is_clip()) {
    command.weight = number_in(parameter, part, name.substr(colon + 1));
    name.resize(colon);
  }
  try {
    command.clip = mixer.find(name);
  } catch (const Error& error) {
    throw parameter_error(parameter, error.what());
  }
  return command;
}

/// [3, 2n] from each joint to its parent.
std::function<Points(double)> bones_of(const Skeleton& skeleton, std::shared_ptr<ClipMixer> mixer) {
  return [skeleton, mixer = std::move(mixer), pose = skeleton.rest_pose(),
          placed = std::vector<Eigen::Affine3d>()](double time) mutable {
    mixer->evaluate(time, pose);
    skeleton.place(pose, placed);
    Points ends(3, 2 * skeleton.size());
    Index bones = 0;
    for (Index j = 0; j < skeleton.size(); ++j) {
      const Index parent = skeleton.joints[static_cast<std::size_t>(j)].parent;
      if (parent < 0) continue;
      ends.col(2 * bones) = placed[static_cast<std::size_t>(j)].translation();
      ends.col(2 * bones + 1) = placed[static_cast<std::size_t>(parent)].translation();
      ++bones;
    }
    ends.conservativeResize(3, 2 * bones);
    return ends;
  };
}

ClipMotion make(const Surface& surface, const SkinOptions& options, double radius) {
  const Character character = load_character(surface, radius);
  auto mixer = std::make_shared<ClipMixer>(character.skeleton, character.clips);
  std::vector<double> corners;
  double period = options.schedule.delay > 0 ? options.schedule.delay : motion::unlimited;
  for (const Clip& clip : character.clips)
    if (options.schedule.speed > 0 && clip.duration() > 0)
      period = std::min(period, clip.duration() / options.schedule.speed);
  for (const ClipCommand& command : commands_of(options.schedule, *mixer)) {
    mixer->add(command);
    corners.push_back(command.time);
    corners.push_back(command.time + command.delay);
  }
  return {skin_motion(surface, character, mixer).with_period(period).with_corners(std::move(corners)), mixer,
          bones_of(character.skeleton, mixer)};
}

}  // namespace

Motion skin_motion(const Surface& surface, const Character& character, std::shared_ptr<ClipMixer> mixer) {
  struct Work {
    Skinning skinning;
    SkeletonPose pose;
  };
  const auto work = std::make_shared<Work>(
      Work{Skinning(character.skeleton, character.weights, surface.x), character.skeleton.rest_pose()});
  return [work, mixer = std::move(mixer)](double time, Points& x) {
    mixer->evaluate(time, work->pose);
    work->skinning.deform(work->pose, x);
  };
}

std::vector<ClipCommand> commands_of(const ClipSchedule& schedule, const ClipMixer& mixer) {
  std::vector<ClipCommand> commands;
  for (const std::string& part : parts_of(schedule.clips))
    commands.push_back(clip_command("clips", part, mixer));
  for (const ClipCommand& one : commands)
    for (const ClipCommand& other : commands)
      if (&one != &other && one.clip == other.clip && one.time == other.time)
        throw parameter_error("clips", fmt::format("clip '{}' has two weights at {} s",
                                                   mixer.clips()[one.clip].name, one.time));
  if (commands.empty() && schedule.actions.empty()) commands.push_back({});
  for (const std::string& part : parts_of(schedule.actions)) {
    commands.push_back(clip_command("actions", part, mixer));
    commands.back().kind = ClipCommand::action;
  }
  for (const std::string& part : parts_of(schedule.freeze)) {
    const std::size_t colon = part.find(':');
    if (colon == std::string::npos)
      throw parameter_error("freeze", fmt::format("'{}' is not T1:T2, or T1: without end", part));
    ClipCommand command;
    command.kind = ClipCommand::freeze;
    command.time = number_in("freeze", part, part.substr(0, colon));
    commands.push_back(command);
    const std::string end = part.substr(colon + 1);
    if (end.empty() || parse_number(end, fmt::format("freeze: '{}'", part)) == motion::unlimited) continue;
    command.kind = ClipCommand::resume;
    command.time = number_in("freeze", part, end);
    if (!(command.time > commands.back().time))
      throw parameter_error("freeze", fmt::format("'{}' ends before it begins", part));
    commands.push_back(command);
  }
  for (ClipCommand& command : commands) command.delay = command.delay_out = schedule.delay;
  for (const ClipCommand& command : commands) {
    try {
      mixer.check(command);
    } catch (const Error& error) {
      throw parameter_error("blend_delay", error.what());
    }
  }
  ClipCommand speed;
  speed.kind = ClipCommand::speed;
  speed.value = schedule.speed;
  speed.delay = 0;
  commands.insert(commands.begin(), speed);
  std::stable_sort(commands.begin(), commands.end(),
                   [](const ClipCommand& a, const ClipCommand& b) { return a.time < b.time; });
  return commands;
}

MotionEntry skin_motion_entry() {
  MotionEntry entry;
  entry.name = "skin";
  entry.summary =
      "the skeleton of the mesh (figure, or a glTF file with a skin) moves it by its clips, starting from "
      "the rest pose";
  entry.parameters = describe_options<SkinOptions>();
  for (ParameterInfo& info : describe_options<MovingOptions>()) entry.parameters.push_back(std::move(info));
  entry.make_of_clips = [](const Surface& surface, const Parameters& parameters) {
    const Value* radius = parameters.value("radius");  // of generated meshes
    return make(surface, read_options<SkinOptions>(parameters), radius ? std::get<double>(*radius) : 1.0);
  };
  entry.make = [of_clips = entry.make_of_clips](const Surface& surface, const Parameters& parameters,
                                                std::uint64_t) {
    return of_clips(surface, parameters).motion;
  };
  entry.files = [](const Parameters& parameters) {
    const Value* mesh = parameters.value("mesh");
    const std::string name = mesh ? std::get<std::string>(*mesh) : "";
    return is_gltf(name) ? std::vector<std::string>{name} : std::vector<std::string>{};
  };
  return entry;
}

}  // namespace shoal
