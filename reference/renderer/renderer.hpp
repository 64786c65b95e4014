// Draws pictures with OpenGL 3.3. A context must be current, from a window or offscreen (context.hpp).
#pragma once

#include "reference/renderer/image.hpp"
#include "reference/renderer/picture.hpp"

#include <functional>
#include <memory>

namespace shoal {

/// `fast` is for windows, even without a graphics card: no refraction, no caustics, shadows only on the ground.
enum class Quality { full, fast };

struct RenderOptions {
  int width = 1280, height = 720;  ///< pixels
  int samples = 2;                 ///< per pixel and direction, averaged; must be 1 for `fast`
  Quality quality = Quality::full;
  bool shadows = true;  ///< used by `fast`
};

/// Keeps its textures between pictures of one size. Equal pictures give equal bytes on the same machine.
class Renderer {
 public:
  /// Throws MachineError if the context does not support pictures of this size.
  explicit Renderer(const RenderOptions& options);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Draws into the renderer's own framebuffer. Throws MachineError if OpenGL fails.
  void draw(const Picture& picture);
  /// The last picture.
  Image read() const;
  /// Draws a picture twice, over black and over white, each with the same annotations, and computes the opacities.
  Cutout draw_without_background(Picture picture, const std::function<void(Image&)>& annotate);
  /// Replaces the last picture by an image of the same size.
  void replace(const Image& image);
  /// Copies the last picture to the window's framebuffer of this size.
  void show(int width, int height) const;
  /// [height · width] m, length of water along the view ray of each pixel of the last picture, rows from the top.
  std::vector<float> water_thickness() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace shoal
