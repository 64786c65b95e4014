// An OpenGL context without a window, through EGL on Mesa's surfaceless platform, which needs no display and no graphics card.
#pragma once

#include <string>

namespace shoal {

/// Current on this thread during its lifetime. A window has its own context instead.
class OffscreenContext {
 public:
  /// OpenGL 3.3 core. Throws MachineError, naming what is missing, if that is not available.
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
