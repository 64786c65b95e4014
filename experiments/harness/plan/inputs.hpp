// What somebody does to a run while it runs: bodies that are thrown, water that is poured, changes of scheme. Recorded by the
// reference application, and repeated by a run with the same bits.
#pragma once

#include "discretizations/common/options.hpp"
#include "solvers/coupling/setting.hpp"

#include <variant>

namespace shoal {

enum class BodyShape { ball, box };

/// A body comes in.
struct ThrowInput {
  BodyShape shape = BodyShape::ball;
  double size = 0.3;             ///< m, diameter, or the side of a cube
  double density = 500;          ///< kg/m³
  Vector3 at = Vector3::Zero();  ///< m
  Vector3 velocity{0, 0, 0};     ///< m/s
  Vector3 spin{0, 0, 0};         ///< rad/s
  static Options<ThrowInput> describe();
};

/// Water comes in around a point, or goes out.
struct SourceInput {
  Vector3 at = Vector3::Zero();
  double radius = 0.1;                                       ///< m
  double discharge = 0.1;                                    ///< m³/s
  double lasting = std::numeric_limits<double>::infinity();  ///< s
  static Options<SourceInput> describe();
};

/// The water around a point is accelerated.
struct PushInput {
  Vector3 at = Vector3::Zero(), acceleration = Vector3::Zero();
  double width = 1;      ///< σ, m
  double lasting = 0.1;  ///< s
  static Options<PushInput> describe();
};

/// A source or a push ends before its time. Both are numbered from 1 in the order in which they came, those of the scene first.
struct RemoveInput {
  int source = 0, push = 0;  ///< one of them; 0: none
  static Options<RemoveInput> describe();
};

/// The surface is pulled to where it was at first, plus this.
struct DragInput {
  Vector3 to = Vector3::Zero();  ///< m
  static Options<DragInput> describe();
};

/// A clip of the skin is repeated with this weight from now on.
struct ClipInput {
  std::string name;
  double weight = 1, delay = 0.5;  ///< 1, s
  static Options<ClipInput> describe();
};

/// A clip runs once, before those that are repeated.
struct ActionInput {
  std::string name;
  double weight = 1, delay = 0.5;
  static Options<ActionInput> describe();
};

/// The clock of all clips; 0: the surface is frozen, and the water goes on.
struct ClipSpeedInput {
  double speed = 1, delay = 0.5;
  static Options<ClipSpeedInput> describe();
};

/// Keys of the run (discretization, integrator, linear_solver, advection, splitting, substeps) and parameters take other values;
/// parameters that have their default have that of the new parts.
/// Without substeps another discretization or integrator takes as many as it needs at that instant; of dt = auto the next step
/// is chosen anew, as at the start.
struct ChangeInput {
  std::vector<std::pair<std::string, std::string>> values;
  bool names(const std::string& key) const;
};

struct Input {
  /// s. Sources and pushes act from then on, and until they are removed, also within a step; all else takes effect at the
  /// beginning of the step nearest to it. Steps of dt = auto begin at it.
  double time = 0;
  std::variant<ThrowInput, SourceInput, PushInput, RemoveInput, DragInput, ClipInput, ActionInput,
               ClipSpeedInput, ChangeInput>
      action{};
};

/// The text of inputs that come while the run goes on: with it a run can be acted upon.
constexpr const char* no_inputs = "# TIME KIND NAME=VALUE ...\n";

/// One input a line, in ascending order of time: "TIME KIND NAME=VALUE …", a value in quotes where it holds blanks; empty lines and
/// what follows a # are left out. Throws SettingError of `inputs` with the line where one is wrong.
std::vector<Input> parse_inputs(const std::string& text);
/// The line that parse_inputs() reads back to the same bits.
std::string to_text(const Input& input);

/// One row of the list of inputs, for people.
struct InputKind {
  std::string name, summary;
  ParameterInfos parameters;
};
std::vector<InputKind> input_kinds();

}  // namespace shoal
