#include "discretizations/mesh/characters/character_clips.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace shoal {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;

constexpr int keys_of_period = 32;
constexpr double two_pi = 2 * std::numbers::pi;

Quaterniond about_x(double angle) {
  return Quaterniond(AngleAxisd(angle, Vector3::UnitX()));
}
Quaterniond about_y(double angle) {
  return Quaterniond(AngleAxisd(angle, Vector3::UnitY()));
}
Quaterniond about_z(double angle) {
  return Quaterniond(AngleAxisd(angle, Vector3::UnitZ()));
}

/// The rotation reflected in the plane x = 0, which exchanges left and right.
Quaterniond mirrored(const Quaterniond& q) {
  return {q.w(), q.x(), -q.y(), -q.z()};
}

/// One at φ = at, decreasing smoothly to 0 half a period away; narrower for larger powers.
double bump(double phase, double at, int power) {
  return std::pow((1 + std::cos(phase - at)) / 2, power);
}

/// Sets joints of the figure by name, with x to its left, y up, z forward. A positive rotation about x moves
/// hanging limbs backward.
class FigurePose {
 public:
  FigurePose(const Skeleton& skeleton, double radius, SkeletonPose& pose)
      : skeleton_(skeleton), radius_(radius), pose_(pose) {}

  void turn(const std::string& name, const Quaterniond& rotation) { transform(name).rotation = rotation; }
  void turn_both(const std::string& name, const Quaterniond& left, const Quaterniond& right) {
    turn("left " + name, left);
    turn("right " + name, mirrored(right));
  }
  void shift(const std::string& name, const Vector3& by) { transform(name).translation += radius_ * by; }
  double arms_from_hanging() const { return 0.42; }

 private:
  Transform& transform(const std::string& name) {
    Index j = 0;
    while (skeleton_.joints[j].name != name) ++j;
    return pose_[j];
  }

  const Skeleton& skeleton_;
  double radius_;
  SkeletonPose& pose_;
};

constexpr double figure_walk_period = 2.5;  // s, at radius 1
constexpr double figure_leg = 4.82;         // m, from the foot joints to the hips

/// At φ = 0 the left leg is in front; it carries the weight until φ = π.
struct Gait {
  double phase;
  double arms_from_hanging;
  double thigh() const { return 0.04 + 0.42 * std::cos(phase); }
  double knee() const { return 0.14 + 0.8 * bump(phase, 1.4 * std::numbers::pi, 2); }
  double ankle() const { return 0.8 * (thigh() - knee()) + 0.3 * bump(phase, 1.1 * std::numbers::pi, 2); }
  Quaterniond upper_arm() const { return about_x(0.42 * std::cos(phase)) * about_z(-arms_from_hanging); }
  Quaterniond forearm() const { return about_x(-0.35 + 0.15 * std::cos(phase)); }
};

template <class BodyPose>
void walk(double phase, BodyPose figure) {
  const double turn = std::cos(phase), tilt = 0.05 * std::sin(phase);
  figure.shift("pelvis", {0.12 * std::sin(phase), -0.12 - 0.1 * std::cos(2 * phase), 0});
  figure.turn("pelvis", about_y(-0.1 * turn) * about_z(tilt));
  figure.turn("abdomen", about_y(0.12 * turn) * about_z(-tilt));
  figure.turn("chest", about_y(0.12 * turn));
  figure.turn("neck", about_y(-0.12 * turn));
  const Gait left{phase, figure.arms_from_hanging()}, right{phase + std::numbers::pi, left.arms_from_hanging};
  figure.turn_both("thigh", about_z(-tilt) * about_x(-left.thigh()), about_z(tilt) * about_x(-right.thigh()));
  figure.turn_both("shin", about_x(left.knee()), about_x(right.knee()));
  figure.turn_both("foot", about_x(left.ankle()), about_x(right.ankle()));
  figure.turn_both("upper arm", left.upper_arm(), right.upper_arm());
  figure.turn_both("forearm", left.forearm(), right.forearm());
}

void wave(double phase, FigurePose figure) {
  figure.turn("left clavicle", about_z(0.15));
  figure.turn("left upper arm", about_z(1.1));
  figure.turn("left forearm", about_z(0.85 + 0.4 * std::cos(phase)));
  figure.turn("left hand", about_z(0.25 * std::cos(phase - 0.9)));
}

void jump(double phase, FigurePose figure) {
  using std::numbers::pi;
  const double bent = 0.6 * (bump(phase, 0.5 * pi, 4) + bump(phase, 1.5 * pi, 4));
  const double leg = 4.6, flight = 1.2 * bump(phase, pi, 4);
  figure.shift("pelvis", {0, flight - leg * (1 - std::cos(bent)), 0});
  figure.turn("chest", about_x(0.3 * bent));
  figure.turn_both("thigh", about_x(-bent), about_x(-bent));
  figure.turn_both("shin", about_x(2 * bent), about_x(2 * bent));
  figure.turn_both("foot", about_x(-bent), about_x(-bent));
  const Quaterniond arm = about_x(0.8 * bent - 0.9 * bump(phase, pi, 3)) * about_z(-0.3);
  figure.turn_both("upper arm", arm, arm);
}

// ---- the walk of other bodies ----------------------------------------------------------------------------

/// The role of a joint in a body with two legs and two arms, parsed from its name in one of the usual
/// conventions.
struct Limb {
  enum Side { no_side, left, right };
  enum Part { other, thigh, shin, foot, upper_arm, forearm };
  Side side = no_side;
  Part part = other;
};

/// "mixamorig:LeftUpLeg" → left, up, leg: in lower case, without the part before a colon or a bar.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words(1);
  const std::size_t space = name.find_last_of(":|");
  for (std::size_t i = space == std::string::npos ? 0 : space + 1; i < name.size(); ++i) {
    const auto at = [&](std::size_t k) { return static_cast<unsigned char>(k < name.size() ? name[k] : 0); };
    const unsigned char letter = at(i);
    const bool begins = i > 0 && std::isupper(letter) &&
                        (std::islower(at(i - 1)) || (std::isupper(at(i - 1)) && std::islower(at(i + 1))));
    if (!words.back().empty() && (begins || !std::isalpha(letter))) words.emplace_back();
    if (std::isalpha(letter)) words.back() += static_cast<char>(std::tolower(letter));
  }
  return words;
}

Limb::Part part_of(const std::string& word, const std::string& before) {
  const auto is = [](const std::string& text, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  if (is(word, {"foot", "ankle"})) return Limb::foot;
  if (is(word, {"hip", "thigh", "upleg", "upperleg"})) return Limb::thigh;
  if (is(word, {"knee", "shin", "shank", "calf", "lowerleg"})) return Limb::shin;
  if (is(word, {"forearm", "lowerarm", "elbow"})) return Limb::forearm;
  if (is(word, {"upperarm", "uparm", "shldr"})) return Limb::upper_arm;
  if (word == "leg") return is(before, {"up", "upper"}) ? Limb::thigh : Limb::shin;
  if (word == "arm") return is(before, {"fore", "lower", "low"}) ? Limb::forearm : Limb::upper_arm;
  return Limb::other;
}

/// LeftUpLeg, B_Knee_Left, thigh.L, right_forearm, lShldr; no side if both are named.
Limb limb_named(const std::string& name) {
  bool left = false, right = false;
  Limb limb;
  std::string before;
  for (const std::string& word : words_of(name)) {
    left = left || word == "left" || word == "l";
    right = right || word == "right" || word == "r";
    Limb::Part part = part_of(word, before);
    for (const std::string side : {"left", "right", "l", "r"}) {  // leftfoot, lthigh
      if (part != Limb::other || word.rfind(side, 0) != 0) continue;
      part = part_of(word.substr(side.size()), "");
      if (part != Limb::other) (side[0] == 'l' ? left : right) = true;
    }
    if (limb.part == Limb::other) limb.part = part;
    before = word;
  }
  if (left != right) limb.side = left ? Limb::left : Limb::right;
  return limb;
}

/// The joints of a body with two legs and two arms, and the directions derived from them: x to its left, y
/// up, z forward.
class Biped {
 public:
  static std::optional<Biped> find(const Skeleton& skeleton) {
    Biped body(skeleton);
    if (!body.find_limbs() || !body.find_trunk() || !body.find_directions()) return {};
    return body;
  }

  double leg() const { return leg_; }

  /// The interface of FigurePose in the directions of the body.
  class Pose {
   public:
    Pose(const Biped& body, SkeletonPose& pose) : body_(body), pose_(pose) {}

    void turn(const std::string& name, const Quaterniond& rotation) {
      for (const auto& [part, joint] : body_.trunk_)
        if (part == name) body_.turn(joint, rotation, pose_);
    }
    void turn_both(const std::string& name, const Quaterniond& left, const Quaterniond& right) {
      std::size_t part = 0;
      while (names[part] != name) ++part;
      body_.turn(body_.limbs_[0][part], bent(part, left), pose_);
      body_.turn(body_.limbs_[1][part], mirrored(bent(part, right)), pose_);
    }
    void shift(const std::string&, const Vector3& by) {
      Transform& pelvis = pose_[body_.pelvis_];
      pelvis.translation += body_.above(body_.pelvis_).linear().inverse() *
                            (body_.directions_ * (body_.leg_ / figure_leg * by));
    }
    double arms_from_hanging() const { return body_.arms_from_hanging_; }

   private:
    static constexpr std::array<const char*, 5> names = {"thigh", "shin", "foot", "upper arm", "forearm"};

    /// The rotation that bends a forearm about the axis across the hanging arm, whatever its rest
    /// orientation.
    Quaterniond bent(std::size_t part, const Quaterniond& rotation) const {
      if (part != 4) return rotation;
      const Quaterniond hang = about_z(-arms_from_hanging());
      return hang.conjugate() * rotation * hang;
    }

    const Biped& body_;
    SkeletonPose& pose_;
  };

 private:
  explicit Biped(const Skeleton& skeleton) : skeleton_(skeleton) {
    skeleton.place(skeleton.rest_pose(), rest_);
  }

  bool hangs_on(Index joint, Index above) const {
    while (joint >= 0 && joint != above) joint = skeleton_.joints[joint].parent;
    return joint == above;
  }
  Index common(Index a, Index b) const {
    while (a >= 0 && !hangs_on(b, a)) a = skeleton_.joints[a].parent;
    return a;
  }
  Vector3 place(Index joint) const { return rest_[joint].translation(); }
  const Eigen::Affine3d& above(Index joint) const {
    const Index parent = skeleton_.joints[joint].parent;
    return parent < 0 ? skeleton_.frame : rest_[parent];
  }

  /// The nearest ancestor with this role in a limb, or −1.
  Index nearest_above(Index joint, Limb::Side side, Limb::Part part) const {
    do joint = skeleton_.joints[joint].parent;
    while (joint >= 0 && !(limb_[joint].side == side && limb_[joint].part == part));
    return joint;
  }

  /// Finds on both sides the first foot and the first forearm whose ancestors complete the limb. The limbs of
  /// one side must not descend from those of the other.
  bool find_limbs() {
    for (const Joint& joint : skeleton_.joints) limb_.push_back(limb_named(joint.name));
    for (const Limb::Side side : {Limb::left, Limb::right}) {
      auto& joints = limbs_[side == Limb::left ? 0 : 1];
      joints.fill(-1);
      for (Index j = 0; j < skeleton_.size(); ++j) {
        if (limb_[j].side != side) continue;
        if (limb_[j].part == Limb::foot && joints[0] < 0) {
          const Index shin = nearest_above(j, side, Limb::shin);
          const Index thigh = shin < 0 ? -1 : nearest_above(shin, side, Limb::thigh);
          if (thigh >= 0) joints[0] = thigh, joints[1] = shin, joints[2] = j;
        } else if (limb_[j].part == Limb::forearm && joints[3] < 0) {
          const Index arm = nearest_above(j, side, Limb::upper_arm);
          if (arm >= 0) joints[3] = arm, joints[4] = j;
        }
      }
      if (std::any_of(joints.begin(), joints.end(), [](Index joint) { return joint < 0; })) return false;
    }
    const auto& [left, right] = limbs_;
    return !hangs_on(right[2], left[0]) && !hangs_on(left[2], right[0]) && !hangs_on(right[4], left[3]) &&
           !hangs_on(left[4], right[3]);
  }

  /// The pelvis is the common ancestor of legs and arms, the chest that of both arms, and the abdomen lies
  /// between them.
  bool find_trunk() {
    const auto& [left, right] = limbs_;
    const Index legs = common(left[0], right[0]), chest = common(left[3], right[3]);
    if (legs < 0 || chest < 0) return false;
    pelvis_ = common(legs, chest);
    if (pelvis_ < 0) return false;
    trunk_.emplace_back("pelvis", pelvis_);
    if (chest == pelvis_) return true;
    trunk_.emplace_back("chest", chest);
    Index abdomen = chest;
    while (skeleton_.joints[abdomen].parent != pelvis_) abdomen = skeleton_.joints[abdomen].parent;
    if (abdomen != chest) trunk_.emplace_back("abdomen", abdomen);
    return true;
  }

  /// Forward is the direction of the toes; without toes it follows from left and right.
  bool find_directions() {
    double size = 0;
    for (const auto& joints : limbs_)
      for (const Index joint : joints) size = std::max(size, (place(joint) - place(limbs_[0][2])).norm());
    const auto length = [&](Index from, Index to) { return (place(to) - place(from)).norm(); };
    constexpr double min_length = 0.01;  // relative to the size; shorter bones define no direction
    for (const auto& j : limbs_)
      for (const double bone : {length(j[0], j[1]), length(j[1], j[2]), length(j[3], j[4])})
        if (!(bone > min_length * size)) return false;
    const Vector3 upward =
        place(limbs_[0][0]) + place(limbs_[1][0]) - place(limbs_[0][2]) - place(limbs_[1][2]);
    Vector3 across = place(limbs_[0][0]) - place(limbs_[1][0]);
    leg_ = upward.norm() / 2;
    if (!(leg_ > min_length * size)) return false;
    across -= across.dot(upward) / upward.squaredNorm() * upward;
    if (!(across.norm() > min_length * size)) return false;
    Vector3 toes = Vector3::Zero();
    for (Index j = 0; j < skeleton_.size(); ++j)
      for (const auto& joints : limbs_)
        if (skeleton_.joints[j].parent == joints[2]) toes += place(j) - place(joints[2]);
    if (across.cross(upward).dot(toes) < -min_length * size * across.norm() * upward.norm()) {
      std::swap(limbs_[0], limbs_[1]);  // left and right are named as seen by the viewer
      across = -across;
    }
    directions_.col(0) = across.normalized();
    directions_.col(1) = upward.normalized();
    directions_.col(2) = directions_.col(0).cross(directions_.col(1));
    double from_hanging = 0;
    for (const double side : {1.0, -1.0}) {
      const auto& joints = limbs_[side > 0 ? 0 : 1];
      const Vector3 arm = directions_.transpose() * (place(joints[4]) - place(joints[3]));
      from_hanging += 0.5 * std::atan2(side * arm.x(), -arm.y());
    }
    arms_from_hanging_ = std::max(from_hanging - hanging, 0.0);
    return true;
  }

  /// Rotates a joint from rest by a rotation given in the directions of the body; its frame may be mirrored.
  void turn(Index joint, const Quaterniond& rotation, SkeletonPose& pose) const {
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(above(joint).linear(),
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::Matrix3d frame = svd.matrixU() * svd.matrixV().transpose();
    const Eigen::Matrix3d in_body = directions_ * rotation.toRotationMatrix() * directions_.transpose();
    pose[joint].rotation =
        (Quaterniond(Eigen::Matrix3d(frame.transpose() * in_body * frame)) * pose[joint].rotation)
            .normalized();
  }

  static constexpr double hanging = 0.3;  // rad, angle between a hanging arm and the vertical

  const Skeleton& skeleton_;
  std::vector<Eigen::Affine3d> rest_;
  std::vector<Limb> limb_;                     // by joint
  std::array<std::array<Index, 5>, 2> limbs_;  // left, right: thigh, shin, foot, upper arm, forearm
  std::vector<std::pair<std::string, Index>> trunk_;
  Index pelvis_ = -1;
  Eigen::Matrix3d directions_;
  double leg_ = 0, arms_from_hanging_ = 0;
};

// ---- sway ------------------------------------------------------------------------------------------------

constexpr double sway_angle = 0.2, sway_delay = 0.6;  // rad; phase delay from joint to joint

/// The tree of motion: [nJ] the parent of each joint with weights among those joints, or −1.
std::vector<Index> sway_tree(const Skeleton& skeleton, const std::vector<double>& weight,
                             const Points& places) {
  const Index count = skeleton.size();
  std::vector<Index> parent(weight.size(), -1);
  bool flat = true;
  Index first = 0;
  for (Index j = 0; j < count; ++j) {
    if (!(weight[j] > 0)) continue;
    if (weight[j] > weight[first]) first = j;
    Index above = skeleton.joints[j].parent;
    while (above >= 0 && !(weight[above] > 0)) above = skeleton.joints[above].parent;
    parent[j] = above;
    flat = flat && above < 0;
  }
  if (!flat) return parent;
  // Prim's algorithm.
  std::vector<double> distance(weight.size(), std::numeric_limits<double>::infinity());
  std::vector<char> open(weight.size(), false);
  for (std::size_t j = 0; j < weight.size(); ++j) open[j] = weight[j] > 0;
  for (Index next = first; next >= 0;) {
    open[next] = false;
    Index nearest = -1;
    for (Index j = 0; j < count; ++j) {
      if (!open[j]) continue;
      const double length = (places.col(j) - places.col(next)).norm();
      if (length < distance[j]) {
        distance[j] = length;
        parent[j] = next;
      }
      if (nearest < 0 || distance[j] < distance[nearest]) nearest = j;
    }
    next = nearest;
  }
  return parent;
}

/// The direction in which points are least spread.
Vector3 min_spread(const Points& points) {
  const Points centred = points.colwise() - points.rowwise().mean();
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(centred * centred.transpose()).eigenvectors().col(0);
}

}  // namespace

Clip periodic_clip(std::string name, const Skeleton& skeleton, double period, int keys,
                   const PeriodicPose& pose) {
  constexpr double delta = 1e-4;  // phase difference; the error of the slopes is δ⁴
  const auto at = [&](double phase) {
    SkeletonPose result = skeleton.rest_pose();
    pose(phase, result);
    return result;
  };
  std::vector<std::array<SkeletonPose, 5>> samples;
  for (int k = 0; k < keys; ++k) {
    const double phase = two_pi * k / keys;
    samples.push_back(
        {at(phase), at(phase - 2 * delta), at(phase - delta), at(phase + delta), at(phase + 2 * delta)});
  }
  Clip clip;
  clip.name = std::move(name);
  for (const Joint& joint : skeleton.joints) clip.base.push_back(joint.rest);

  const auto add = [&](Index joint, Channel::Path path, auto&& part) {
    const Vector rest = part(clip.base[joint]);
    Channel channel{joint, path, Channel::cubic, {}, Eigen::MatrixXd(rest.size(), 3 * (keys + 1))};
    bool moves = false;
    Vector before = rest;
    for (int k = 0; k <= keys; ++k) {
      const auto& sample = samples[k % keys];
      // the sign of q or −q closer to the first value
      const auto near = [&](std::size_t i, const Vector& other) {
        const Vector value = part(sample[i][joint]);
        return path == Channel::rotation && value.dot(other) < 0 ? Vector(-value) : value;
      };
      const Vector value = near(0, before);
      const Vector slope = (8 * (near(3, value) - near(2, value)) - (near(4, value) - near(1, value))) *
                           (two_pi / period) / (12 * delta);
      moves = moves || (value - rest).norm() > 0;
      channel.times.push_back(period * k / keys);
      channel.values.col(3 * k) = slope;
      channel.values.col(3 * k + 1) = value;
      channel.values.col(3 * k + 2) = slope;
      before = value;
    }
    if (moves) clip.channels.push_back(std::move(channel));
  };
  for (Index j = 0; j < skeleton.size(); ++j) {
    add(j, Channel::translation, [](const Transform& t) { return Vector(t.translation); });
    add(j, Channel::rotation, [](const Transform& t) { return Vector(t.rotation.coeffs()); });
  }
  return clip;
}

std::vector<Clip> figure_clips(const Skeleton& skeleton, double radius) {
  const auto clip = [&](const char* name, double period, void (*pose)(double, FigurePose)) {
    return periodic_clip(
        name, skeleton, period * std::sqrt(radius), keys_of_period,
        [&](double phase, SkeletonPose& result) { pose(phase, FigurePose(skeleton, radius, result)); });
  };
  return {clip("walk", figure_walk_period, walk<FigurePose>), clip("wave", 1.6, wave),
          clip("jump", 1.8, jump)};
}

std::optional<Clip> walk_clip(const Skeleton& skeleton) {
  const std::optional<Biped> body = Biped::find(skeleton);
  if (!body) return {};
  const double period = figure_walk_period * std::sqrt(body->leg() / figure_leg);
  return periodic_clip("walk", skeleton, period, keys_of_period,
                       [&](double phase, SkeletonPose& pose) { walk(phase, Biped::Pose(*body, pose)); });
}

Clip sway_clip(const Skeleton& skeleton, const SkinWeights& weights) {
  const Index count = skeleton.size();
  std::vector<double> weight(count, 0);
  for (Index k = 0; k < weights.joint.size(); ++k) weight[weights.joint[k]] += weights.weight[k];
  std::vector<Eigen::Affine3d> rest;
  skeleton.place(skeleton.rest_pose(), rest);
  Points places(3, count), weighted(3, 0);
  for (Index j = 0; j < count; ++j) {
    places.col(j) = rest[j].translation();
    if (!(weight[j] > 0)) continue;
    weighted.conservativeResize(3, weighted.cols() + 1);
    weighted.rightCols<1>() = places.col(j);
  }
  const std::vector<Index> parent = sway_tree(skeleton, weight, places);
  const Vector3 normal = min_spread(weighted);

  std::vector<Index> depth(parent.size(), 0);
  std::vector<Vector3> along(parent.size(), Vector3::Zero()), axis(parent.size(), Vector3::Zero());
  for (Index j = 0; j < count; ++j) {
    for (Index above = parent[j]; above >= 0; above = parent[above]) ++depth[j];
    if (const Index above = parent[j]; above >= 0) along[above] += places.col(j) - places.col(above);
  }
  std::vector<Index> order(parent.size());
  for (Index j = 0; j < count; ++j) {
    order[j] = j;
    if (along[j].isZero(0) && parent[j] >= 0) along[j] = places.col(j) - places.col(parent[j]);
    const Vector3 across = normal.cross(along[j]);
    if (parent[j] >= 0 && across.norm() > 0) axis[j] = across.normalized();
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return depth[a] < depth[b]; });

  return periodic_clip("sway", skeleton, 2, keys_of_period, [&](double phase, SkeletonPose& pose) {
    std::vector<Eigen::Affine3d> moved(parent.size(), Eigen::Affine3d::Identity());  // relative to rest
    for (const Index j : order) {
      if (parent[j] < 0) continue;
      const double angle = sway_angle * std::sin(phase - sway_delay * depth[j]);
      Eigen::Affine3d turn = Eigen::Affine3d::Identity();
      if (!axis[j].isZero(0))
        turn = Eigen::Translation3d(places.col(j)) * AngleAxisd(angle, axis[j]) *
               Eigen::Translation3d(-places.col(j));
      moved[j] = moved[parent[j]] * turn;
    }
    for (Index j = 0; j < count; ++j) {
      const Index above = skeleton.joints[j].parent;
      if (!(weight[j] > 0)) {
        if (above >= 0) moved[j] = moved[above];
        continue;
      }
      const Eigen::Affine3d frame = above < 0 ? skeleton.frame : Eigen::Affine3d(moved[above] * rest[above]);
      const Eigen::Affine3d local = frame.inverse() * moved[j] * rest[j];
      if (local.isApprox(skeleton.joints[j].rest.matrix(), 1e-14)) continue;
      pose[j].translation = local.translation();
      const Eigen::Matrix3d linear = local.linear() * pose[j].scale.cwiseInverse().asDiagonal();
      pose[j].rotation = Quaterniond(linear).normalized();
    }
  });
}

}  // namespace shoal
