// Draws pictures with OpenGL 3.3: a context has to be current, of a window or without one (context.hpp).
#pragma once

#include "reference/renderer/image.hpp"
#include "reference/renderer/picture.hpp"

#include <memory>

namespace shoal {

/// `fast`: for a window, without a graphics card too: no refraction and caustics, shadows on the ground only.
enum class Quality { full, fast };

struct RenderOptions {
  int width = 1280, height = 720;  ///< pixels
  int samples = 2;                 ///< along each side of a pixel, whose mean is its colour; of `fast` 1
  Quality quality = Quality::full;
  bool shadows = true;  ///< of `fast`
};

/// Textures are kept from picture to picture of the same size. The same picture gives the same bytes on the same machine.
class Renderer {
 public:
  /// Throws MachineError where pictures of this size are too large for the context.
  explicit Renderer(const RenderOptions& options);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Into a framebuffer of its own. Throws MachineError where OpenGL fails.
  void draw(const Picture& picture);
  /// What was drawn last.
  Image read() const;
  /// An image of its size in place of it.
  void replace(const Image& image);
  /// Puts it into the window's own framebuffer, of this size.
  void show(int width, int height) const;
  /// The water that the view passes at each pixel, rows from the top, m: [height · width], of the picture drawn last.
  std::vector<float> water_thickness() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace shoal
