// The bodies of a world as solids in a picture.
#pragma once

#include "reference/renderer/picture.hpp"
#include "reference/view/shown_run.hpp"

#include <map>

namespace shoal {

/// Creates one mesh per shape.
class BodyMeshes {
 public:
  /// Adds all bodies at their present positions, with different colours while there are enough.
  void add_to(Picture& picture, const std::vector<ShownBody>& bodies);

 private:
  std::map<const Solid*, std::shared_ptr<const PictureMesh>> meshes_;
};

}  // namespace shoal
