// What the renderer draws: triangle meshes with a look each, a camera, a light. It knows nothing of water that moves.
#pragma once

#include "discretizations/common/types.hpp"
#include "reference/renderer/color_map.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace shoal {

/// Triangles, counter-clockwise from outside; a vertex may stand in the mesh more than once, where its normal or its value jumps.
struct PictureMesh {
  Points x;        ///< [3, n] m
  Points normals;  ///< [3, n] unit, outward; no columns: those of the faces
  Faces faces;     ///< [3, m]
  Vector values;   ///< [n] a field, or an opacity from 0 to 1; empty: none
  Vector
      land;  ///< [n] 1 where a field has no value but dry land is, as far as the middles of edges, else 0; empty: nowhere
};

struct Camera {
  Vector3 eye = Vector3(0, -5, 0), target = Vector3::Zero(), up = Vector3::UnitZ();
  double tan_half_height = 0.3;                     ///< of the angle from the middle to the upper edge
  double near = 0.1, far = 100;                     ///< m, along the view
  Eigen::Matrix4d view() const;                     ///< from the world to the camera, which looks along −z
  Eigen::Matrix4d projection(double aspect) const;  ///< from there to clip space, by the convention of OpenGL
  /// Columns and rows of pixels, from the upper left corner, of a point.
  Eigen::Vector2d pixel(const Vector3& point, int width, int height) const;
};

/// A body that light does not pass.
struct SolidBody {
  std::shared_ptr<const PictureMesh> mesh;
  Eigen::Affine3d place = Eigen::Affine3d::Identity();
  Color color{0.8, 0.8, 0.8};
  bool one_sided = false;  ///< seen from outside only: the walls of a pool let the view in
  bool tiles = false;      ///< with joints, as the ground has
  bool unlit = false;      ///< of the colour given, whatever the light: arrows
};

/// A closed body of water, or one that lies on a bed.
struct WaterBody {
  PictureMesh mesh;     ///< closed; what is behind its back faces is air, or the bed
  bool on_bed = false;  ///< light goes from the water into an opaque bed, not into air
  double clarity = 1;   ///< m of water after which 1/e of red light is left, the colour absorbed most
};

/// A thin glassy layer: the dry part of a surface; `values` of the mesh are its opacity, 1 where it is fully there.
struct Skin {
  PictureMesh mesh;
  bool lines = false;  ///< edges of the triangles too
};

/// A surface in the colours of a field: `values` of the mesh.
struct FieldSurface {
  PictureMesh mesh;
  const ColorMap* colors = nullptr;
  double low = 0, high = 1;  ///< the values at the ends of the colour map
  bool lines = false;        ///< edges of the triangles too
};

/// Of dry land; in none of the colour maps.
constexpr Color land_color{0.66, 0.60, 0.48};

/// Straight lines of a pixel's width.
struct LineSet {
  Points ends;  ///< [3, 2n]
  Color color{0, 0, 0};
  double opacity = 1;
  bool through = false;  ///< seen through whatever is in front
};

/// Where the picture takes place: under a sky on a ground of tiles, or before an even background.
enum class Backdrop { outdoors, plain };

struct Picture {
  Camera camera;
  Backdrop backdrop = Backdrop::outdoors;
  Color background{1, 1, 1};  ///< where that is plain
  Vector3 up = Vector3::UnitZ();
  std::optional<double> ground;      ///< m along `up`; without one the sky goes on below the horizon
  double size = 1;                   ///< m, radius of what is shown: scale of tiles and shadows
  Vector3 center = Vector3::Zero();  ///< of what is shown
  Vector3 light = Vector3(-0.35, -0.45, 0.85);  ///< direction towards the sun, of any length
  std::vector<SolidBody> solids;
  std::optional<WaterBody> water;
  std::optional<Skin> skin;
  std::optional<FieldSurface> field;
  std::vector<LineSet> lines;
};

}  // namespace shoal
