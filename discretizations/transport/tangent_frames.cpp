// Frames from edge lengths and cotangents only.
#include "discretizations/transport/tangent_frames.hpp"

#include "discretizations/common/parallel.hpp"

namespace shoal {

TangentFrames::TangentFrames(const Mesh& mesh) : mesh_(mesh), faces_(mesh.face_count()) {
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index edge = mesh.face_edges(c, k);
      const Index left = mesh.edge_faces(0, edge), other = left == k ? mesh.edge_faces(1, edge) : left;
      Crossing& crossing = faces_[k].crossing[c];
      crossing.face = other;
      if (other == Mesh::none) continue;
      while (mesh.face_edges(crossing.corner, other) != edge) ++crossing.corner;
    }
}

void TangentFrames::refresh(const Geometry& geometry) {
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) static_cast<FaceFrame&>(faces_[k]) = face_frame(mesh_, geometry, k);
  });
}

}  // namespace shoal
