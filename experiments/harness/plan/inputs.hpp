// Interactions with a run: bodies thrown, water poured, changes of scheme. The reference application records them, and a run
// repeats them bit for bit.
#pragma once

#include "discretizations/common/options.hpp"
#include "solvers/coupling/setting.hpp"

#include <fmt/format.h>

#include <variant>

namespace shoal {

enum class BodyShape { ball, box, mesh };

/// A body enters.
struct ThrowInput {
  BodyShape shape = BodyShape::ball;
  double size = 0.3;             ///< m, diameter or side of a cube; of a mesh, the factor of its coordinates
  std::string file{};            ///< of a closed mesh, which enters with the orientation of its file
  double density = 500;          ///< kg/m³
  Vector3 at = Vector3::Zero();  ///< m
  Vector3 velocity{0, 0, 0};     ///< m/s
  Vector3 spin{0, 0, 0};         ///< rad/s
  static Options<ThrowInput> describe();
};

/// Water flows in around a point, or out.
struct SourceInput {
  Vector3 at = Vector3::Zero();
  double radius = 0.1;                                       ///< m
  double discharge = 0.1;                                    ///< m³/s
  double divergence = 0;                                     ///< m/s, of one cell; 0: radius and discharge
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

/// Ends a source or a push early, or removes a body. Sources and pushes are numbered from 1 in the order of their addition, those of
/// the scene first. Bodies have the names of their diagnostics; those of inputs are thrown-1, thrown-2 and so on, with the number of
/// bodies so far, those of the scene included.
struct RemoveInput {
  int source = 0, push = 0;  ///< 0: none
  std::string body{};        ///< one of the three
  static Options<RemoveInput> describe();
};

/// The surface is pulled to its initial position plus this displacement.
struct DragInput {
  Vector3 to = Vector3::Zero();  ///< m
  static Options<DragInput> describe();
};

/// A clip of the skin repeats with this weight from now on.
struct ClipInput {
  std::string name;
  double weight = 1, delay = 0.5;  ///< 1, s
  static Options<ClipInput> describe();
};

/// A clip plays once, with priority over repeating clips; with `hold`, its last pose stays until the next action of the clip.
struct ActionInput {
  std::string name;
  double weight = 1, delay = 0.5;
  bool hold = false;
  static Options<ActionInput> describe();
};

/// Sets the speed of the clock of all clips; 0 freezes the surface but not the water.
struct ClipSpeedInput {
  double speed = 1, delay = 0.5;
  static Options<ClipSpeedInput> describe();
};

/// Changes keys of the run (discretization, integrator, linear_solver, advection, splitting, substeps) and parameters.
/// Parameters at their default take the default of the new parts. If substeps is not given, a new discretization or integrator
/// uses the number that it requires at that instant; with dt = auto the next step is chosen anew, as at the start.
struct ChangeInput {
  std::vector<std::pair<std::string, std::string>> values;
  bool names(const std::string& key) const;
};

struct Input {
  /// s. Sources and pushes act exactly from this time until their removal, even within a step. Bodies enter and leave at the first
  /// step that begins then or later, and other inputs take effect at the nearest beginning of a step. With dt = auto, a step begins at
  /// this time.
  double time = 0;
  std::variant<ThrowInput, SourceInput, PushInput, RemoveInput, DragInput, ClipInput, ActionInput,
               ClipSpeedInput, ChangeInput>
      action{};
};

/// The text of inputs that arrive during the run; it makes a run interactive.
constexpr const char* no_inputs = "# TIME KIND NAME=VALUE ...\n";

/// Parses one input per line, in ascending order of time: "TIME KIND NAME=VALUE …", with values that contain blanks in quotes;
/// empty lines and text after a # are ignored. Throws SettingError of `inputs` that gives the line of a mistake.
std::vector<Input> parse_inputs(const std::string& text);
/// The line from which parse_inputs() reads the same bits.
std::string to_text(const Input& input);
/// "invalid input 'TEXT': REASON"
std::string invalid_input(const Input& input, const Error& error);

/// Runs `body`; its errors become those of the parameter `inputs` and name the input.
template <class Body>
void with_input(const Input& input, const Body& body) {
  try {
    body();
  } catch (const Refusal& refusal) {
    throw Refusal(fmt::format("inputs: {}", invalid_input(input, refusal)));
  } catch (const Error& error) {
    throw SettingError("inputs", fmt::format("inputs: {}", invalid_input(input, error)));
  }
}

/// One row of the list of inputs, for display.
struct InputKind {
  std::string name, summary;
  ParameterInfos parameters;
};
std::vector<InputKind> input_kinds();

}  // namespace shoal
