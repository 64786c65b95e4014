// Mixtures of clips as functions of time, and the motion `skin`.
#include "experiments/motions/skin.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/message.hpp"
#include "tests/support/skinned_tube.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

constexpr double round_off = 1e-13;  // some operations on numbers up to 10

TEST(RampedValue, goes_smoothly_and_has_its_integral) {
  RampedValue value(1);
  value.go_to(3, 1, 2);
  value.go_to(0, 5, 0);
  EXPECT_EQ(value.at(0), 1);
  EXPECT_EQ(value.at(2), 2);
  EXPECT_EQ(value.at(4), 3);
  EXPECT_EQ(value.at(5), 0);
  EXPECT_NEAR(value.integral(6), 1 + 2 * 2 + 2 * 3, round_off);  // half way over the ramp
  constexpr double delta = 1e-4, tolerance = 1e-6;
  for (const double time : {0.5, 1.3, 2.9, 4.0, 7.0})
    EXPECT_NEAR((value.integral(time + delta) - value.integral(time - delta)) / (2 * delta), value.at(time),
                tolerance);
}

TEST(RampedValue, that_is_changed_on_its_way_goes_on_from_where_it_is) {
  RampedValue value(0);
  value.go_to(1, 0, 2);
  value.go_to(0, 1, 2);
  EXPECT_NEAR(value.at(1), 0.5, round_off);
  EXPECT_NEAR(value.at(1 + 1e-9), 0.5, 1e-8);
  EXPECT_NEAR(value.at(3), 0, round_off);
}

/// Three changes within ramps: before and after the middle of the first, and one that outlasts the others.
RampedValue nested() {
  RampedValue value(1);
  value.go_to(3, 1, 2);
  value.go_to(0, 1.8, 1);
  value.go_to(2, 2.3, 0.6);
  value.go_to(5, 2.4, 3);
  return value;
}

/// With Simpson's rule on intervals far shorter than the ramps.
double quadrature(const RampedValue& value, double begin, double end) {
  constexpr int count = 4000;
  const double step = (end - begin) / count;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double left = begin + i * step;
    sum += step / 6 * (value.at(left) + 4 * value.at(left + step / 2) + value.at(left + step));
  }
  return sum;
}

TEST(RampedValue, that_is_changed_on_its_way_keeps_its_slope_and_stays_between_its_values) {
  const RampedValue value = nested();
  constexpr double delta = 1e-4, steepest_bend = 100;  // 10/√3 times a change of 4, over 0.6² s²
  const auto slope = [&](double time) { return (value.at(time + delta) - value.at(time)) / delta; };
  for (const double time : {1.0, 1.8, 2.3, 2.4, 2.8, 2.9, 3.0, 5.4})
    EXPECT_NEAR(slope(time), slope(time - delta), steepest_bend * delta) << time;
  EXPECT_GT(slope(1.8), 1) << "it was on its way";
  EXPECT_GT(slope(1.801), 1) << "and remains so";
  for (double time = 0; time < 6; time += 0.01) {
    EXPECT_GE(value.at(time), 0);
    EXPECT_LE(value.at(time), 5);
  }
  EXPECT_EQ(value.at(5.4), 5);
}

TEST(RampedValue, that_is_changed_on_its_way_has_its_integral) {
  const RampedValue value = nested();
  EXPECT_EQ(value.integral(-1), -1);
  double before = 1;
  const std::vector<double> times = {1, 1.3, 1.8, 2.1, 2.3, 2.35, 2.4, 2.6, 2.8, 2.85, 2.9, 2.95, 3, 4, 5.4};
  for (std::size_t i = 1; i < times.size(); ++i) {
    before += quadrature(value, times[i - 1], times[i]);
    EXPECT_NEAR(value.integral(times[i]), before, 1e-12) << times[i];
  }
  EXPECT_NEAR(value.integral(9), value.integral(5.4) + 3.6 * 5, round_off);
  RampedValue often(0);  // as by a slider
  for (int k = 0; k < 40; ++k) often.go_to(k % 3, 1 + 0.002 * k, 0.5);
  before = often.integral(1.078);
  EXPECT_NEAR(before, quadrature(often, 1, 1.078), 1e-12);
  EXPECT_NEAR(often.integral(1.5) - before, quadrature(often, 1.078, 1.5), 1e-12);
  EXPECT_NEAR(often.integral(2) - often.integral(1.578), 0, round_off);
}

TEST(RampedValue, of_two_changes_at_one_time_takes_the_later) {
  RampedValue value(1);
  value.go_to(4, 1, 2);
  value.go_to(3, 1, 1);
  EXPECT_NEAR(value.at(1.5), 2, round_off);
  EXPECT_NEAR(value.integral(3), 1 + 2 + 3, round_off);
  value.go_to(0, 4, 0);
  value.go_to(2, 4, 1);
  EXPECT_EQ(value.at(4), 0) << "what has taken effect is kept";
  EXPECT_NEAR(value.at(4.5), 1, round_off);
}

TEST(RampedValue, before_a_change_does_not_depend_on_it) {
  RampedValue value(0), changed(0);
  for (RampedValue* one : {&value, &changed}) one->go_to(1, 0, 1), one->go_to(3, 0.4, 1);
  changed.go_to(7, 0.9, 1);
  for (const double time : {0.2, 0.5, 0.9}) {
    EXPECT_EQ(value.at(time), changed.at(time));
    EXPECT_EQ(value.integral(time), changed.integral(time));
  }
}

/// Two clips of the tube: its second joint moves along x, or along y and turns.
class Mixer : public testing::Test {
 protected:
  static Clip shifting(const std::string& name, const Vector3& by, double duration) {
    const test::SkinnedTube tube = test::skinned_tube();
    Clip clip;
    clip.name = name;
    for (const Joint& joint : tube.character.skeleton.joints) clip.base.push_back(joint.rest);
    Eigen::MatrixXd values(3, 3);
    values << Vector3::UnitZ(), Vector3::UnitZ() + by, Vector3::UnitZ();
    clip.channels = {{1, Channel::translation, Channel::linear, {0.0, duration / 2, duration}, values}};
    return clip;
  }
  Vector3 place(double time) {
    mixer_.evaluate(time, pose_);
    return pose_[1].translation - Vector3::UnitZ();
  }
  static ClipCommand cycle(double time, Index clip, double weight, double delay) {
    ClipCommand command;
    command.time = time;
    command.clip = clip;
    command.weight = weight;
    command.delay = delay;
    return command;
  }
  static ClipCommand of_kind(ClipCommand::Kind kind, double time, double delay) {
    ClipCommand command;
    command.kind = kind;
    command.time = time;
    command.delay = command.delay_out = delay;
    return command;
  }

  Skeleton skeleton_ = test::skinned_tube().character.skeleton;
  ClipMixer mixer_{skeleton_, {shifting("x", {4, 0, 0}, 2), shifting("y", {0, 4, 0}, 2)}};
  SkeletonPose pose_;
};

TEST_F(Mixer, is_at_rest_without_clips_and_before_the_first) {
  EXPECT_LT(place(0.7).norm(), round_off);
  mixer_.add(cycle(1, 0, 1, 0.5));
  EXPECT_LT(place(0.7).norm(), round_off);
}

TEST_F(Mixer, of_a_clip_without_a_delay_from_the_start_has_always_moved) {
  ClipMixer later(skeleton_, mixer_.clips());
  later.add(cycle(0, 0, 1, 0.5));
  EXPECT_FALSE(later.acts(0));
  mixer_.add(cycle(0, 0, 1, 0));
  EXPECT_TRUE(mixer_.acts(0));
  EXPECT_NEAR(place(-0.5).x(), 2, round_off);  // half a second before the end of the clip, which is a cycle
  EXPECT_NEAR(place(-1e-9).x(), 0, 1e-8);
}

TEST_F(Mixer, of_one_clip_is_that_clip_over_and_over) {
  mixer_.add(cycle(0, 0, 1, 0));
  for (const auto& [time, x] : {std::pair(0.5, 2.0), {1.0, 4.0}, {1.5, 2.0}, {2.0, 0.0}, {7.0, 4.0}})
    EXPECT_NEAR(place(time).x(), x, round_off) << time;
}

TEST_F(Mixer, of_equal_clips_is_the_clip) {
  ClipMixer twice(skeleton_, {shifting("x", {4, 0, 0}, 2), shifting("same", {4, 0, 0}, 2)});
  twice.add(cycle(0, 0, 0.3, 0));
  twice.add(cycle(0, 1, 0.7, 0));
  mixer_.add(cycle(0, 0, 1, 0));
  for (const double time : {0.1, 0.9, 1.7}) {
    twice.evaluate(time, pose_);
    EXPECT_LT((pose_[1].translation - Vector3::UnitZ() - place(time)).norm(), round_off);
  }
}

TEST_F(Mixer, weights_are_shares_and_what_is_missing_is_rest) {
  mixer_.add(cycle(0, 0, 0.25, 0));
  EXPECT_LT((place(1) - Vector3(1, 0, 0)).norm(), round_off);
  mixer_.add(cycle(2, 1, 0.5, 0.5));
  EXPECT_LT((place(3) - Vector3(1, 2, 0)).norm(), round_off);
  mixer_.add(cycle(4, 1, 0.75, 0.5));
  EXPECT_LT((place(5) - Vector3(1, 3, 0)).norm(), round_off);
  mixer_.add(cycle(6, 0, 2.25, 0.5));  // shares of 3
  EXPECT_LT((place(7) - Vector3(3, 1, 0)).norm(), round_off);
}

TEST_F(Mixer, of_a_weight_0_is_as_without_the_clip) {
  mixer_.add(cycle(0, 0, 1, 0));
  mixer_.add(cycle(0, 1, 0, 0));
  EXPECT_LT((place(1) - Vector3(4, 0, 0)).norm(), round_off);
}

TEST_F(Mixer, does_not_depend_on_the_numbers_of_the_clips) {
  ClipMixer other(skeleton_, {shifting("y", {0, 4, 0}, 2), shifting("x", {4, 0, 0}, 2)});
  mixer_.add(cycle(0, 0, 0.3, 0.5));
  mixer_.add(cycle(0, 1, 0.6, 0.5));
  other.add(cycle(0, 1, 0.3, 0.5));
  other.add(cycle(0, 0, 0.6, 0.5));
  for (const double time : {0.2, 0.9, 1.7}) {
    other.evaluate(time, pose_);
    EXPECT_LT((pose_[1].translation - Vector3::UnitZ() - place(time)).norm(), round_off);
  }
}

TEST_F(Mixer, an_action_runs_once_in_front_of_the_cycles) {
  mixer_.add(cycle(0, 0, 1, 0));
  ClipCommand action = of_kind(ClipCommand::action, 2, 0.5);
  action.clip = 1;
  mixer_.add(action);
  EXPECT_LT((place(1) - Vector3(4, 0, 0)).norm(), round_off);
  EXPECT_LT((place(3) - Vector3(0, 4, 0)).norm(), round_off);         // its middle, of full weight
  EXPECT_LT((place(2.25) - Vector3(0.5, 0.5, 0)).norm(), round_off);  // half of both
  EXPECT_LT((place(5) - Vector3(4, 0, 0)).norm(), round_off);
}

/// Clips that end away from where they begin: one of (0, 0, z) per second for 1 s.
Clip rising(const std::string& name, const Skeleton& skeleton, double height) {
  Clip clip;
  clip.name = name;
  for (const Joint& joint : skeleton.joints) clip.base.push_back(joint.rest);
  Eigen::MatrixXd values(3, 2);
  values << Vector3::UnitZ(), (1 + height) * Vector3::UnitZ();
  clip.channels = {{1, Channel::translation, Channel::linear, {0.0, 1.0}, values}};
  return clip;
}

TEST_F(Mixer, an_action_that_holds_keeps_its_last_pose_until_it_is_ended) {
  mixer_ = ClipMixer(skeleton_, {rising("up", skeleton_, 2), shifting("x", {4, 0, 0}, 2)});
  mixer_.add(cycle(0, 1, 1, 0));
  ClipCommand action = of_kind(ClipCommand::action, 2, 0.5);
  action.hold = true;
  EXPECT_FALSE(mixer_.holds(0));
  mixer_.add(action);
  EXPECT_TRUE(mixer_.holds(0));
  EXPECT_FALSE(mixer_.holds(1));
  EXPECT_LT((place(2.25) - Vector3(0.5, 0, 0.25)).norm(),
            round_off);  // half of both, at a quarter of its length
  EXPECT_LT((place(2.75) - Vector3(0, 0, 1.5)).norm(), round_off) << "it does not fade out";
  for (const double time : {3.0, 3.7, 50.0})
    EXPECT_LT((place(time) - Vector3(0, 0, 2)).norm(), round_off) << time;
  EXPECT_LT((place(1) - Vector3(4, 0, 0)).norm(), round_off) << "not before it began";
  ClipCommand end = of_kind(ClipCommand::action, 60, 1);
  end.weight = 0;
  mixer_.add(end);
  EXPECT_FALSE(mixer_.holds(0));
  EXPECT_LT((place(59.9) - Vector3(0, 0, 2)).norm(), round_off);
  EXPECT_LT((place(60.5) - Vector3(1, 0, 1)).norm(),
            round_off);  // half of both, where the cycle has x = 2 · ½
  EXPECT_LT((place(61) - Vector3(4, 0, 0)).norm(), round_off);
}

TEST_F(Mixer, the_next_action_of_a_clip_replaces_the_one_that_holds) {
  mixer_ = ClipMixer(skeleton_, {rising("up", skeleton_, 2)});
  ClipCommand action = of_kind(ClipCommand::action, 0, 0.5);
  action.hold = true;
  mixer_.add(action);
  action.time = 3;
  action.hold = false;
  mixer_.add(action);
  EXPECT_NEAR(place(2.9).z(), 2, round_off);
  EXPECT_NEAR(place(3.25).z(), 1.25, round_off);  // half of the last pose and half of a quarter of the clip
  EXPECT_LT(place(4).norm(), round_off) << "it has faded out";
}

TEST_F(Mixer, stands_still_while_it_is_frozen_and_goes_on_from_there) {
  mixer_.add(cycle(0, 0, 1, 0));
  mixer_.add(of_kind(ClipCommand::freeze, 0.5, 0));
  mixer_.add(of_kind(ClipCommand::resume, 2.5, 0));
  for (const double time : {0.5, 1.3, 2.5}) EXPECT_NEAR(place(time).x(), 2, round_off);
  EXPECT_NEAR(place(3).x(), 4, round_off);
}

TEST_F(Mixer, freezes_smoothly) {
  mixer_.add(cycle(0, 0, 1, 0));
  mixer_.add(of_kind(ClipCommand::freeze, 0.25, 0.5));
  const double stopped = place(0.75).x();
  EXPECT_NEAR(stopped, 4 * (0.25 + 0.25), round_off);  // half the way of 0.5 s
  EXPECT_EQ(place(9).x(), stopped);
}

TEST_F(Mixer, speed_changes_the_clock_from_then_on) {
  mixer_.add(cycle(0, 0, 1, 0));
  ClipCommand speed = of_kind(ClipCommand::speed, 0.5, 0);
  speed.value = 0.5;
  mixer_.add(speed);
  EXPECT_NEAR(place(1).x(), 3, round_off);
}

TEST_F(Mixer, is_the_same_in_whatever_order_and_however_often_it_is_asked) {
  const auto add_all = [](ClipMixer& mixer) {
    mixer.add(cycle(0, 0, 0.7, 0.5));
    ClipCommand action = of_kind(ClipCommand::action, 1, 0.3);
    action.clip = 1;
    mixer.add(action);
    mixer.add(of_kind(ClipCommand::freeze, 1.5, 0.2));
    mixer.add(of_kind(ClipCommand::resume, 2, 0.2));
    mixer.add(cycle(2.5, 0, 0, 0.5));
  };
  add_all(mixer_);
  std::vector<Vector3> forward;
  for (int k = 0; k <= 40; ++k) forward.push_back(place(0.1 * k));
  for (int k = 40; k >= 0; --k) EXPECT_EQ(place(0.1 * k), forward[static_cast<std::size_t>(k)]) << k;
  // Commands appended while it runs change nothing before their own time.
  ClipMixer late(skeleton_, mixer_.clips());
  late.add(cycle(0, 0, 0.7, 0.5));
  for (int k = 0; k < 10; ++k) {
    late.evaluate(0.1 * k, pose_);
    EXPECT_EQ(Vector3(pose_[1].translation - Vector3::UnitZ()), forward[static_cast<std::size_t>(k)]) << k;
  }
}

TEST_F(Mixer, is_continuous_in_time) {
  mixer_.add(cycle(0, 0, 1, 0.5));
  ClipCommand action = of_kind(ClipCommand::action, 0.7, 0.5);
  action.clip = 1;
  mixer_.add(action);
  mixer_.add(of_kind(ClipCommand::freeze, 1.1, 0.5));
  mixer_.add(of_kind(ClipCommand::resume, 1.9, 0.5));
  constexpr double step = 1e-3, speed = 25;  // two clips of 4 m/s and weights that change by 1.9/0.5 s at 4 m
  Vector3 before = place(-0.1);
  for (double time = -0.1; time < 5; time += step) {
    const Vector3 now = place(time);
    EXPECT_LT((now - before).norm(), speed * step) << time;
    before = now;
  }
}

/// Second differences of a smooth path fall by a factor of 4 when their spacing is halved, those at a kink by 2.
TEST_F(Mixer, has_a_continuous_velocity_while_weights_pass_the_sum_1) {
  const auto largest_second_difference = [](ClipMixer& mixer, double spacing) {
    SkeletonPose pose;
    const auto place = [&](double time) -> Vector3 {
      mixer.evaluate(time, pose);
      return pose[1].translation;
    };
    double largest = 0;
    for (double time = 0.02; time < 0.9; time += spacing)
      largest = std::max(largest, (place(time + spacing) - 2 * place(time) + place(time - spacing)).norm());
    return largest;
  };
  ClipMixer heavy = mixer_, again = mixer_;
  mixer_.add(cycle(0, 0, 1, 0.8));
  mixer_.add(cycle(0, 1, 1, 0.8));
  heavy.add(cycle(0, 0, 2, 0.7));
  ClipCommand jump = of_kind(ClipCommand::action, 0, 0.6);
  jump.delay_out = 0.6;
  again.add(jump);
  jump.time = 0.05;
  jump.clip = 1;
  again.add(jump);
  for (ClipMixer* mixer : {&mixer_, &heavy, &again})
    EXPECT_GT(largest_second_difference(*mixer, 2e-3) / largest_second_difference(*mixer, 1e-3), 3.7);
}

TEST_F(Mixer, an_open_clip_goes_back_to_its_beginning) {
  const test::SkinnedTube tube = test::skinned_tube();
  ClipMixer mixer(skeleton_, tube.character.clips);  // which ends bent
  mixer.add(cycle(0, 0, 1, 0));
  const auto angle = [&](double time) {
    mixer.evaluate(time, pose_);
    return pose_[1].rotation.angularDistance(Eigen::Quaterniond::Identity());
  };
  EXPECT_NEAR(angle(1), std::numbers::pi / 4, 1e-7);
  EXPECT_NEAR(angle(1 + ClipMixer::closing_time / 2), std::numbers::pi / 8, 1e-7);
  EXPECT_NEAR(angle(1 + ClipMixer::closing_time), 0, 1e-7);
}

TEST_F(Mixer, refuses_commands_that_make_no_sense) {
  mixer_.add(cycle(1, 0, 1, 0.5));
  EXPECT_THROW(mixer_.add(cycle(0.5, 0, 1, 0.5)), Error);
  EXPECT_THROW(mixer_.add(cycle(2, 2, 1, 0.5)), Error);
  EXPECT_THROW(mixer_.add(cycle(2, 0, -1, 0.5)), Error);
  EXPECT_THROW(mixer_.add(cycle(2, 0, 1, std::nan(""))), Error);
  EXPECT_THROW(mixer_.find("z"), Error);
  EXPECT_EQ(mixer_.find("y"), 1);
}

TEST_F(Mixer, refuses_jumps_of_the_pose_but_not_of_the_clock) {
  const std::string jump = " with a delay of 0 s would make the surface jump; give at least 0.001 s";
  mixer_.add(cycle(0, 0, 1, 0));
  EXPECT_EQ(test::message_of([&] { mixer_.add(cycle(0.3, 1, 1, 0)); }),
            "a new weight of clip 'y' at 0.3 s" + jump);
  ClipCommand action = of_kind(ClipCommand::action, 0, 0);
  EXPECT_EQ(test::message_of([&] { mixer_.add(action); }), "the end of action 'x' at 0 s" + jump);
  action.delay_out = 0.5;
  mixer_.add(action);
  action.time = 0.3;
  EXPECT_EQ(test::message_of([&] { mixer_.add(action); }), "a new weight of clip 'x' at 0.3 s" + jump);
  action.delay = 1e-6;
  EXPECT_EQ(
      test::message_of([&] { mixer_.add(action); }),
      "a new weight of clip 'x' at 0.3 s with a delay of 1e-06 s would make the surface jump; give at least "
      "0.001 s");
  EXPECT_EQ(mixer_.last_time(), 0);
  for (const auto kind : {ClipCommand::speed, ClipCommand::freeze, ClipCommand::resume})
    mixer_.add(of_kind(kind, 0.3, 0));
}

// ---- the motion ------------------------------------------------------------------------------------------

Motion skin(const Surface& surface, const std::map<std::string, Value>& given) {
  const MotionEntry& entry = test::catalog().motions.find("skin");
  return entry.make(surface, Parameters(entry.parameters, given), 0);
}

std::string error_message(const std::string& parameter, const std::string& value) {
  try {
    skin(load_surface("figure:300"), {{parameter, value}});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SkinMotion, starts_from_the_mesh_and_walks) {
  const Surface surface = load_surface("figure:300");
  const Motion motion = skin(surface, {});
  Points x;
  constexpr double tolerance = 1e-12;
  for (const double time : {-1.0, 0.0}) {
    motion(time, x);
    EXPECT_LT((x - surface.x).lpNorm<Eigen::Infinity>(), tolerance);
  }
  motion(1.2, x);
  EXPECT_GT((x - surface.x).lpNorm<Eigen::Infinity>(), 1);
}

TEST(SkinMotion, of_a_larger_figure_is_larger_and_slower) {
  const Surface one = load_surface("figure:300"), four = load_surface("figure:300", 4.0);
  const MotionEntry& entry = test::catalog().motions.find("skin");
  ParameterInfos infos = entry.parameters;
  infos.push_back(number("radius", "m", 1, 0, 10, "of the mesh"));
  const Motion small = entry.make(one, Parameters(infos, {{"blend_delay", 0.0}}), 0),
               large = entry.make(four, Parameters(infos, {{"blend_delay", 0.0}, {"radius", 4.0}}), 0);
  Points x, y;
  small(0.8, x);
  large(1.6, y);
  EXPECT_LT((y - 4 * x).lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(SkinMotion, is_frozen_in_the_intervals_asked_for) {
  const Surface surface = load_surface("figure:300");
  const Motion motion = skin(surface, {{"freeze", "1:2"}, {"blend_delay", 0.1}});
  Points x, y;
  motion(1.1, x);
  motion(1.9, y);
  EXPECT_EQ(x, y);
  motion(2.5, y);
  EXPECT_GT((x - y).norm(), 0.1);
}

TEST(SkinMotion, is_frozen_without_end) {
  const Surface surface = load_surface("figure:300");
  for (const char* interval : {"1:", "1:inf"}) {
    const Motion motion = skin(surface, {{"freeze", interval}, {"blend_delay", 0.1}});
    Points x, y;
    motion(1.1, x);
    motion(9, y);
    EXPECT_EQ(x, y) << interval;
  }
}

TEST(SkinMotion, says_what_is_wrong_with_its_parameters) {
  EXPECT_NE(
      error_message("clips", "walks").find("there is no clip 'walks'; clips: walk, wave, jump; did you mean"),
      std::string::npos);
  EXPECT_NE(error_message("clips", "walk:much").find("not a number"), std::string::npos);
  EXPECT_NE(error_message("clips", "walk@-1").find("not a number ≥ 0"), std::string::npos);
  EXPECT_NE(error_message("freeze", "3").find("not T1:T2"), std::string::npos);
  EXPECT_NE(error_message("freeze", "3:2").find("ends before it begins"), std::string::npos);
  EXPECT_EQ(error_message("freeze", "inf:"), "parameter 'freeze': 'inf:': inf is not a finite number ≥ 0");
  EXPECT_NE(error_message("clips", "walk@inf").find("inf is not a finite number ≥ 0"), std::string::npos);
  EXPECT_NE(error_message("actions", "walk:inf").find("inf is not a finite number ≥ 0"), std::string::npos);
  EXPECT_NE(error_message("clips", "walk:0.5,walk:0.5").find("clip 'walk' has two weights at 0 s"),
            std::string::npos);
  EXPECT_EQ(error_message("clips", "walk:0.5,walk:1@2"), "");
  EXPECT_EQ(error_message("clips", "walk:0.7, wave:0.3@2"), "");
  EXPECT_EQ(error_message("actions", "wave@2"), "");
}

TEST(SkinMotion, refuses_clips_that_begin_later_without_delay) {
  const auto make = [](const std::string& clips) {
    skin(load_surface("figure:300"), {{"clips", clips}, {"blend_delay", 0.0}});
  };
  EXPECT_EQ(test::message_of([&] { make("walk:0.5,wave:0.5@0.3"); }),
            "parameter 'blend_delay': a new weight of clip 'wave' at 0.3 s with a delay of 0 s would make "
            "the surface "
            "jump; give at least 0.001 s");
  EXPECT_NO_THROW(make("walk:0.5,wave:0.5"));
}

}  // namespace
}  // namespace shoal
