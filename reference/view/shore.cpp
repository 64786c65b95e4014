#include "reference/view/shore.hpp"

#include <algorithm>

namespace shoal {

void Shore::find(const ShownRun& run, const Vector& depth, const Vector& bed, double dry_depth) {
  const Mesh& mesh = run.mesh();
  const auto vertices = static_cast<std::size_t>(mesh.vertex_count),
             corners = 3 * static_cast<std::size_t>(mesh.face_count());
  const auto is_dry = [&](double there) { return there <= dry_depth; };  // NaN is not dry
  wet.assign(vertices, 0);
  dry.assign(corners, 0);
  height = elevation = depth - bed;
  Vector cell_depth, cell_elevation;
  whole_faces = run.sample_cells(cell_depth, cell_elevation);
  if (whole_faces) {
    Vector sum = Vector::Zero(mesh.vertex_count), weight = sum;
    for (Index k = 0; k < mesh.face_count(); ++k)
      for (int c = 0; c < 3; ++c) {
        const Index vertex = mesh.faces(c, k);
        if (is_dry(cell_depth[k])) {
          dry[static_cast<std::size_t>(3 * k + c)] = 1;
          continue;
        }
        sum[vertex] += run.area()[k] * cell_elevation[k];
        weight[vertex] += run.area()[k];
        wet[static_cast<std::size_t>(vertex)] = 1;
      }
    for (Index i = 0; i < mesh.vertex_count; ++i) {
      elevation[i] = weight[i] > 0 ? sum[i] / weight[i] : 0;
      if (weight[i] > 0) height[i] = elevation[i];
    }
  } else {
    for (Index i = 0; i < mesh.vertex_count; ++i) wet[static_cast<std::size_t>(i)] = is_dry(depth[i]) ? 0 : 1;
    for (Index k = 0; k < mesh.face_count(); ++k)
      for (int c = 0; c < 3; ++c)
        dry[static_cast<std::size_t>(3 * k + c)] = wet[static_cast<std::size_t>(mesh.faces(c, k))] ? 0 : 1;
    spread(mesh, elevation);
  }
  has_land = std::find(dry.begin(), dry.end(), 1) != dry.end();
}

void Shore::spread(const Mesh& mesh, Vector& values) const {
  Vector sum = Vector::Zero(mesh.vertex_count), count = sum;
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int end = 0; end < 2; ++end) {
      const Index from = mesh.edges(end, e), to = mesh.edges(1 - end, e);
      if (!wet[static_cast<std::size_t>(from)] || wet[static_cast<std::size_t>(to)]) continue;
      sum[to] += values[from];
      count[to] += 1;
    }
  for (Index i = 0; i < mesh.vertex_count; ++i)
    if (!wet[static_cast<std::size_t>(i)]) values[i] = count[i] > 0 ? sum[i] / count[i] : 0;
}

}  // namespace shoal
