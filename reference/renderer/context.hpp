// An OpenGL context without a window, by EGL: Mesa's surfaceless platform, which needs no display and no graphics card.
#pragma once

#include <string>

namespace shoal {

/// Current on this thread as long as it lives. A window brings a context of its own instead.
class OffscreenContext {
 public:
  /// OpenGL 3.3 core. Throws MachineError, with what is missing, where it cannot be had.
  OffscreenContext();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  /// "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string renderer() const;

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace shoal
