// A window with OpenGL 3.3 and the widgets of Dear ImGui.
#pragma once

#include <functional>
#include <string>

struct GLFWwindow;

namespace shoal {

/// Into the context of ImGui: one that has the letters and signs of formulas; its own has none of them.
void load_window_font();

class Window {
 public:
  /// Current on this thread as long as it lives. Throws MachineError, with what is missing, where there is no display or no
  /// OpenGL 3.3.
  Window(const std::string& title, int width, int height);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  bool closing() const;
  void close();
  void hide();
  int width() const;  ///< pixels
  int height() const;
  /// Of the units in which widgets are laid out, and sizes of windows given; more than 1 on some screens of high resolution.
  double pixels_per_unit() const;
  /// Takes what was typed and clicked, which the widgets have first.
  void begin_frame();
  /// Draws the widgets over what is there, and shows it.
  void end_frame();

  // Of the frame: keys and buttons that the widgets do not want.
  std::function<void(int key)> on_key;  ///< pressed, GLFW_KEY_…
  std::function<void(double steps)> on_wheel;
  bool held(int key) const;
  bool button_held(int button) const;
  double cursor_x() const { return cursor_x_; }  ///< pixels from the left
  double cursor_y() const { return cursor_y_; }  ///< from above
  bool over_widget() const;

 private:
  GLFWwindow* window_ = nullptr;
  double cursor_x_ = 0, cursor_y_ = 0;
};

}  // namespace shoal
