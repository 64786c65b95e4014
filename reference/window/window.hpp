// A window with OpenGL 3.3 and the widgets of Dear ImGui.
#pragma once

#include <functional>
#include <string>
#include <vector>

struct GLFWwindow;

namespace shoal {

/// Loads a font with the letters and symbols of formulas into the ImGui context; ImGui's own font lacks them.
void load_window_font();

/// Begins a frame of ImGui in which these keys (GLFW_KEY_…) count as pressed, also those that have been released meanwhile.
void begin_widgets(const std::vector<int>& pressed);

/// Closes the list that a widget has dropped down; returns whether there was one.
bool close_list();

class Window {
 public:
  /// Makes its OpenGL context current on this thread. Throws MachineError, naming what is missing, if there is no display or no OpenGL
  /// 3.3.
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
  /// Pixels per unit of the screen, in which widgets and window sizes are given; more than 1 on some high-resolution screens.
  double pixels_per_unit() const;
  /// Processes keys and clicks; widgets receive them first.
  void begin_frame();
  /// Draws the widgets over the picture and displays the result.
  void end_frame();

  // Keys and buttons that no widget uses.
  std::function<void(int key)> on_key;  ///< pressed, GLFW_KEY_…
  std::function<void(double steps)> on_wheel;
  std::function<void()> on_double_click;  ///< of the left button
  /// Files dropped on the window; also over widgets.
  std::function<void(const std::vector<std::string>& files)> on_drop;
  bool held(int key) const;
  bool control_held() const;
  bool shift_held() const;
  bool button_held(int button) const;
  double cursor_x() const { return cursor_x_; }  ///< pixels from the left
  double cursor_y() const { return cursor_y_; }  ///< from above
  bool over_widget() const;

 private:
  GLFWwindow* window_ = nullptr;
  double cursor_x_ = 0, cursor_y_ = 0;
  struct Click {
    double time = -1, x = 0, y = 0;  // s, pixels
  } last_click_;
  void click();
  void press(int key);
  std::vector<int> pressed_;  // since the last frame
};

}  // namespace shoal
