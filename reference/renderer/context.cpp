// EGL on the surfaceless platform.
#include "reference/renderer/context.hpp"

#include "discretizations/common/error.hpp"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <fmt/format.h>

namespace shoal {
namespace {

[[noreturn]] void fail(const char* what) {
  throw MachineError(fmt::format(
      "no OpenGL without a window: {} (EGL error {:#06x}); Mesa's software renderer, which needs no "
      "graphics card, is in the package libgl1-mesa-dri",
      what, static_cast<unsigned>(eglGetError())));
}

}  // namespace

OffscreenContext::OffscreenContext() {
  if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    fail("EGL has no surfaceless platform");
  display_ = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
  if (display_ == EGL_NO_DISPLAY || eglInitialize(display_, nullptr, nullptr) == EGL_FALSE)
    fail("EGL does not start");
  eglBindAPI(EGL_OPENGL_API);
  const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                               3,
                               EGL_CONTEXT_MINOR_VERSION,
                               3,
                               EGL_CONTEXT_OPENGL_PROFILE_MASK,
                               EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                               EGL_NONE};
  context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
  if (context_ == EGL_NO_CONTEXT) fail("there is no OpenGL 3.3");
  if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_FALSE)
    fail("the context cannot be used without a surface");
}

OffscreenContext::~OffscreenContext() {
  eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext(display_, context_);
  eglTerminate(display_);
}

std::string OffscreenContext::renderer() const {
  return reinterpret_cast<const char*>(glGetString(GL_RENDERER));
}

}  // namespace shoal
