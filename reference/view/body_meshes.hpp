// The bodies of a world as solids of a picture.
#pragma once

#include "reference/renderer/picture.hpp"
#include "reference/view/shown_run.hpp"

#include <map>

namespace shoal {

/// Meshes are made once for each shape.
class BodyMeshes {
 public:
  /// Adds all bodies where they are now, each in a colour of its own as long as there are any.
  void add_to(Picture& picture, const std::vector<ShownBody>& bodies);

 private:
  std::map<const Solid*, std::shared_ptr<const PictureMesh>> meshes_;
};

}  // namespace shoal
