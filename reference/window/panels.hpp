// What the panels of the window show and change.
#pragma once

#include "reference/session/session.hpp"

namespace shoal {

struct ThrownBody {
  std::string name;
  BodyShape shape;
  double size;  ///< m
};

/// Under the cursor.
struct Picked {
  Index face = 0;
  Vector3 point;
  double depth = 0, elevation = 0;    ///< m
  std::optional<Vector3> velocity{};  ///< m/s
};

struct PanelState {
  bool shown = true, hints = true, shadows = true, beautiful = false, skin_only = false;
  bool wants_picture = false, wants_session = false, view_changed = false;
  ViewOptions view;
  std::string message;
  std::optional<Picked> picked;

  double size = 1;  ///< m, of what is shown
  std::vector<ThrownBody> bodies;
  int body = 0;
  // Table C.2 of Angst 2007 where it has a default.
  double solid_density = 500, throw_speed = 4, push_mean = 1, push_sigma = 1, discharge = 0.1,
         source_radius = 0.1;
  /// Bodies, sources and pushes as large as suits what is shown.
  void sensible_sizes();

  // Of the last seconds.
  static constexpr std::size_t kept = 240;
  std::vector<float> mass, energy, frame_ms, step_ms;
  double drawn_per_second = 0;
  void note(const Moment& moment, double elapsed);

 private:
  double last_time_ = -1;
};

void draw_panels(PanelState& state, Session& session, const Moment& moment, const Catalog& catalog);

}  // namespace shoal
