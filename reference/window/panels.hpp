// The panels of the window and their state.
#pragma once

#include "reference/session/playback.hpp"
#include "reference/session/session.hpp"
#include "reference/window/entry.hpp"
#include "reference/window/layout.hpp"

#include <limits>
#include <map>

namespace shoal {

struct ThrownBody {
  std::string name;
  BodyShape shape;
  double size;  ///< m; of a mesh, the factor of its coordinates
  std::string file{};
};

/// A file that can be thrown.
struct BodyFile {
  std::string path;
  double size;  ///< its longest extent along a principal axis
};
/// Throws like read_solid().
BodyFile read_body_file(const std::string& path);

/// The water under the cursor.
struct Picked {
  Index face = 0;
  Vector3 point;
  double depth = 0, elevation = 0;    ///< m
  std::optional<Vector3> velocity{};  ///< m/s
};

/// The content of the window: a session or a playback, or neither if nothing could be loaded.
struct Shown {
  Session* session = nullptr;
  Playback* playback = nullptr;
  FrameSource* frame_source() const { return session ? static_cast<FrameSource*>(session) : playback; }
};

/// The file whose runs can be chosen.
struct RunsOfFile {
  std::string file, now;  ///< and the id of the run that is shown
  std::vector<NamedRun> runs;
  std::vector<std::string> labels;  ///< of the runs
};

/// The entries of the panel "new run".
struct Beginning {
  std::string scene = "sphere-bump", mesh, discretization = "fefv", integrator = "explicit", dt;
  std::map<std::string, std::string> parameters;  ///< of the scene
  bool auto_substeps = false;
  std::string file;  ///< to open: results, an experiment or a mesh
};

/// The name of an input at its place in the picture.
struct InputLabel {
  double x = 0, y = 0;  ///< of its middle, units of the screen
  std::string text;
  bool pointed = false;  ///< the cursor is on its line in the list
};
Eigen::Vector2d size_of(const InputLabel& label);  ///< units of the screen
std::string name_of(const ShownSource& source);    ///< "3" or "push 3"

/// Requests by clicks or keys that are still pending.
struct Requests {
  bool picture = false, session = false, video = false, run = false, file = false;
  bool view = false;  ///< the view has changed
  bool body = false;  ///< a mesh to throw, named by PanelState::body_file
  std::string id;     ///< another run of PanelState::runs
};

/// History of the last seconds.
class History {
 public:
  static constexpr std::size_t kept = 240;
  std::vector<float> mass, energy, frame_ms;
  std::vector<std::array<float, stage_count + 1>>
      stage_ms;  ///< per step; the last entry is the time outside stages
  double drawn_per_second = 0;
  void note(const FrameSnapshot& moment, double elapsed);
  void forget();  ///< clears it for a new run

 private:
  double last_time_ = -1, picture_seconds_ = 0;
};

struct PanelState {
  bool shown = true, hints = true, shadows = true, beautiful = false, skin_only = false;
  bool recording_video = false;
  bool transparent = false;       ///< screenshots have no background
  bool opens_quantities = false;  ///< the list of quantities, in the next frame
  bool flying = false;  ///< the camera flies (Angst 2007, table C.1) instead of turning about a point
  Requests wants;
  Beginning beginning;
  RunsOfFile runs;
  /// Fills in the panel "new run" with what is shown.
  void begin_with(const RunConfiguration& run, const Catalog& catalog);
  Entry entry;
  ViewOptions view;
  struct Colors {
    std::string map;
    bool logarithmic = false;
    std::optional<std::pair<double, double>> range;
  };
  std::map<std::string, Colors> colors_of;     ///< quantities that were shown before
  void choose_field(const std::string& name);  ///< with the colours that it had
  std::string message;
  double message_time = std::numeric_limits<double>::infinity();  ///< s, for which it is still shown
  void inform(const std::string& text);                           ///< disappears after some seconds
  void warn(const std::string& text);                             ///< stays until the user has read it
  void pass(double seconds);
  std::optional<Picked> picked;
  std::vector<InputLabel> labels;
  std::string pointed;  ///< the name of the input on whose line the cursor is, or ""

  double size = 1;  ///< m, extent of the displayed surface
  std::vector<BodyFile> body_files;
  std::vector<ThrownBody> bodies;  ///< ball, small ball and box, then the files
  int body = 0;
  std::string body_file;  ///< being edited
  // Defaults of Angst 2007, table C.2, as far as it lists them.
  double solid_density = 500, throw_speed = 4, push_mean = 1, push_sigma = 1, discharge = 0.1,
         source_radius = 0.1, divergence = -25.7, cycle_delay = 0.5, action_delay = 0.5;
  struct Sizes {
    double throw_speed = 1, discharge = 1, source_radius = 1, push_sigma = 1;
  } usual;                     ///< values that suit the displayed surface
  bool by_divergence = false;  ///< sources are the divergence of one cell instead of a discharge
  bool frozen = false, autolock = false;
  std::map<std::string, double> clip_weights;  ///< being edited
  /// Scales bodies and sources with the displayed surface; lengths of table C.2 are in units of its size.
  void scale_to_surface();
  /// Instead of values that suit the surface, those of Angst 2007, table C.2.
  void choose_thesis();
  void list_bodies();
  /// Adds a body to throw and selects it.
  void add(const BodyFile& file);

  History history;
  void forget();  ///< clears the data of the run, before a new one
};

/// Computes the layout of the current frame.
WindowLayout lay_out(PanelState& state, const Shown& shown);
/// `moment` is null if nothing is shown.
void draw_panels(PanelState& state, const Shown& shown, const FrameSnapshot* moment, const Catalog& catalog,
                 const WindowLayout& layout);

}  // namespace shoal
