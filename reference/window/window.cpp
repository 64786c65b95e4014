#include "reference/window/window.hpp"

#include "discretizations/common/error.hpp"
#include "reference/renderer/text.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

namespace shoal {
namespace {

std::string& last_error() {
  static std::string text;
  return text;
}

Window& of(GLFWwindow* handle) {
  return *static_cast<Window*>(glfwGetWindowUserPointer(handle));
}

}  // namespace

void load_window_font() {
  const std::string file = font_file();
  if (!std::filesystem::exists(file)) return;
  // Latin, accents, Greek, small and raised letters, punctuation, indices, arrows, operators
  static constexpr ImWchar ranges[] = {0x20,   0x17f,  0x300,  0x3ff,  0x1d00, 0x1dbf, 0x1e00,
                                       0x1eff, 0x2010, 0x2044, 0x2070, 0x209f, 0x2153, 0x215e,
                                       0x2190, 0x2211, 0x2212, 0x22ff, 0};
  constexpr float size = 13;  // pixels
  ImGui::GetIO().Fonts->AddFontFromFileTTF(file.c_str(), size, nullptr, ranges);
}

void begin_widgets(const std::vector<int>& pressed) {
#if IMGUI_VERSION_NUM < 18700  // later versions keep the order of events
  ImGuiIO& io = ImGui::GetIO();
  std::vector<int> released;
  for (const int key : pressed)
    if (key >= 0 && key < static_cast<int>(std::size(io.KeysDown)) && !io.KeysDown[key]) {
      io.KeysDown[key] = true;
      released.push_back(key);
    }
  ImGui::NewFrame();
  for (const int key : released) io.KeysDown[key] = false;
#else
  ImGui::NewFrame();
#endif
}

bool close_list() {
  if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return false;
  ImGui::ClosePopupToLevel(0, true);
  return true;
}

Window::Window(const std::string& title, int width, int height) {
  glfwSetErrorCallback([](int, const char* text) { last_error() = text; });
  const auto fail = [](const std::string& what) {
    throw MachineError(fmt::format("{}: {}; --headless with --png, --video or --meshes needs no display",
                                   what, last_error().empty() ? "no reason is given" : last_error()));
  };
  if (glfwInit() == GLFW_FALSE) fail("there is no display for a window");
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  if (!window_) {
    glfwTerminate();
    fail("no window with OpenGL 3.3 can be made");
  }
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(0);
  glfwSetWindowUserPointer(window_, this);
  glfwSetKeyCallback(window_, [](GLFWwindow* handle, int key, int, int action, int) {
    if (action == GLFW_PRESS) of(handle).press(key);
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* handle, double, double steps) {
    if (!ImGui::GetIO().WantCaptureMouse && of(handle).on_wheel) of(handle).on_wheel(steps);
  });
  glfwSetCursorPosCallback(window_, [](GLFWwindow* handle, double x, double y) {
    of(handle).cursor_x_ = x * of(handle).pixels_per_unit();
    of(handle).cursor_y_ = y * of(handle).pixels_per_unit();
  });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* handle, int button, int action, int) {
    if (button == GLFW_MOUSE_BUTTON_LEFT && action == GLFW_PRESS && !ImGui::GetIO().WantCaptureMouse)
      of(handle).click();
  });
  glfwSetDropCallback(window_, [](GLFWwindow* handle, int count, const char** files) {
    if (of(handle).on_drop) of(handle).on_drop({files, files + count});
  });
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::StyleColorsDark();
  ImGui::GetStyle().WindowRounding = 4;
  load_window_font();
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

void Window::press(int key) {
  pressed_.push_back(key);
  if (ImGui::GetIO().WantTextInput) return;
  if (key == GLFW_KEY_ESCAPE && close_list()) return;
  if (on_key) on_key(key);
}

/// Two clicks at one place within half a second are a double click.
void Window::click() {
  constexpr double max_time = 0.5, max_way = 6;  // s, units of the screen
  const Click now{glfwGetTime(), cursor_x_, cursor_y_};
  const double way = std::hypot(now.x - last_click_.x, now.y - last_click_.y) / pixels_per_unit();
  const bool second = last_click_.time >= 0 && now.time - last_click_.time < max_time && way < max_way;
  last_click_ = now;
  if (!second) return;
  last_click_.time = -1;
  if (on_double_click) on_double_click();
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closing() const {
  return glfwWindowShouldClose(window_) != GLFW_FALSE;
}

void Window::close() {
  glfwSetWindowShouldClose(window_, GLFW_TRUE);
}

void Window::hide() {
  glfwHideWindow(window_);
  glfwPollEvents();
}

double Window::pixels_per_unit() const {
  int width = 0, height = 0;
  glfwGetWindowSize(window_, &width, &height);
  return width > 0 ? static_cast<double>(this->width()) / width : 1;
}

int Window::width() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return width;
}

int Window::height() const {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  return height;
}

void Window::begin_frame() {
  glfwPollEvents();
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  begin_widgets(std::exchange(pressed_, {}));
}

void Window::end_frame() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
}

bool Window::held(int key) const {
  return !ImGui::GetIO().WantTextInput && glfwGetKey(window_, key) == GLFW_PRESS;
}

bool Window::control_held() const {
  return held(GLFW_KEY_LEFT_CONTROL) || held(GLFW_KEY_RIGHT_CONTROL);
}

bool Window::shift_held() const {
  return held(GLFW_KEY_LEFT_SHIFT) || held(GLFW_KEY_RIGHT_SHIFT);
}

bool Window::button_held(int button) const {
  return glfwGetMouseButton(window_, button) == GLFW_PRESS;
}

bool Window::over_widget() const {
  return ImGui::GetIO().WantCaptureMouse;
}

}  // namespace shoal
