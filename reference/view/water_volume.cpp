// Sheets of the water's surface, caps and beds.
#include "reference/view/water_volume.hpp"

#include "discretizations/common/error.hpp"

#include <map>

namespace shoal {

WaterVolume::WaterVolume(const Mesh& mesh, FluidSurfaceOptions options)
    : closed_(mesh.closed()), options_((options.back = !mesh.closed(), options)), surface_(mesh, options_) {}

PictureMesh WaterVolume::update(const Points& x, const Points& normals, const Vector& depth,
                                const Vector& bed_depth, double exaggeration, const Points& shift) {
  surface_.update(x, normals, depth, bed_depth);
  PictureMesh body;
  body.x = surface_.points();
  body.normals = surface_.normals();
  body.faces = surface_.faces();
  for (Index i = 0; i < surface_.vertex_count(); ++i) {
    const Index vertex = surface_.ends()(0, i);
    const Vector3 normal = normals.col(vertex);
    const double bed = bed_depth[vertex] + options_.thickness, elevation = depth[vertex] - bed_depth[vertex];
    if (surface_.sheet(i) == Sheet::back) {
      body.x.col(i) = x.col(vertex) - bed * normal;
    } else if (surface_.sheet(i) == Sheet::front && (exaggeration != 1 || shift.cols())) {
      // 1 − w of the sheet's displacement (1−w) h − w (H + ε)
      const double lifted = normal.dot(body.x.col(i) - x.col(vertex)),
                   from_line = (lifted + bed) / (elevation + bed);
      body.x.col(i) += (exaggeration - 1) * elevation * from_line * normal;
      if (shift.cols()) body.x.col(i) += from_line * shift.col(vertex);
    }
  }
  if (shift.cols()) {  // crests have other normals
    body.normals.setZero();
    for (Eigen::Index k = 0; k < body.faces.cols(); ++k) {
      const Vector3 a = body.x.col(body.faces(0, k)), b = body.x.col(body.faces(1, k)),
                    c = body.x.col(body.faces(2, k));
      for (int corner = 0; corner < 3; ++corner)
        body.normals.col(body.faces(corner, k)) += (b - a).cross(c - a);
    }
    body.normals.colwise().normalize();
  }
  if (closed_)
    add_caps(body);
  else
    body.normals.resize(3, 0);  // sharp at the walls
  return body;
}

/// Closes each loop of the line by a fan with separate vertices, so that the edge between cap and sheet is sharp.
void WaterVolume::add_caps(PictureMesh& body) const {
  std::map<Index, Index> next;  // along the line, in the orientation of the sheet's faces
  for (Eigen::Index k = 0; k < surface_.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index from = body.faces(c, k), to = body.faces((c + 1) % 3, k);
      if (surface_.sheet(from) == Sheet::line && surface_.sheet(to) == Sheet::line) next[from] = to;
    }
  Eigen::Index vertices = body.x.cols(), faces = body.faces.cols();
  const auto crossed = static_cast<Eigen::Index>(next.size());
  body.x.conservativeResize(3, vertices + 2 * crossed);
  body.normals.conservativeResize(3, vertices + 2 * crossed);
  body.faces.conservativeResize(3, faces + crossed);
  while (!next.empty()) {
    std::vector<Index> loop;
    for (auto at = next.begin(); at != next.end(); at = next.find(loop.back())) {
      loop.push_back(at->second);
      next.erase(at);
    }
    const auto size = static_cast<Eigen::Index>(loop.size());
    Vector3 middle = Vector3::Zero(), area = Vector3::Zero();
    for (const Index i : loop) middle += body.x.col(i) / static_cast<double>(size);
    for (Eigen::Index k = 0; k < size; ++k) {
      const Vector3 a = body.x.col(loop[static_cast<std::size_t>(k)]),
                    b = body.x.col(loop[static_cast<std::size_t>((k + 1) % size)]);
      area += (b - middle).cross(a - middle);
      body.x.col(vertices + k) = a;
      body.faces.col(faces + k) << static_cast<Index>(vertices + (k + 1) % size),
          static_cast<Index>(vertices + k), static_cast<Index>(vertices + size);
    }
    body.x.col(vertices + size) = middle;
    body.normals.middleCols(vertices, size + 1).colwise() = area.stableNormalized();
    vertices += size + 1;
    faces += size;
  }
  body.x.conservativeResize(3, vertices);
  body.normals.conservativeResize(3, vertices);
  body.faces.conservativeResize(3, faces);
}

PictureMesh pool_mesh(const Mesh& mesh, const Points& x, const Points& normals, const Vector& bed_depth,
                      double rim) {
  PictureMesh pool;
  Eigen::Index walls = 0;
  for (Index e = 0; e < mesh.edge_count(); ++e) walls += mesh.is_wall(e) ? 1 : 0;
  pool.x.resize(3, mesh.vertex_count + 4 * walls);
  pool.faces.resize(3, mesh.face_count() + 2 * walls);
  for (Index i = 0; i < mesh.vertex_count; ++i) pool.x.col(i) = x.col(i) - bed_depth[i] * normals.col(i);
  pool.faces.leftCols(mesh.face_count()) = mesh.faces;
  Index vertex = mesh.vertex_count, face = mesh.face_count();
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (!mesh.is_wall(e)) continue;
    const Index tail = mesh.edges(0, e), head = mesh.edges(1, e);  // the face lies on the left: inside
    pool.x.col(vertex) = pool.x.col(head);
    pool.x.col(vertex + 1) = pool.x.col(tail);
    pool.x.col(vertex + 2) = x.col(tail) + rim * normals.col(tail);
    pool.x.col(vertex + 3) = x.col(head) + rim * normals.col(head);
    pool.faces.col(face++) << vertex, vertex + 1, vertex + 2;
    pool.faces.col(face++) << vertex, vertex + 2, vertex + 3;
    vertex += 4;
  }
  return pool;
}

}  // namespace shoal
