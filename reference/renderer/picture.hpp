// The input of the renderer: triangle meshes with materials, a camera and a light.
#pragma once

#include "discretizations/common/types.hpp"
#include "reference/renderer/color_map.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace shoal {

/// Triangles, counter-clockwise from outside. Vertices are duplicated where the normal or the value is discontinuous.
struct PictureMesh {
  Points x;        ///< [3, n] m
  Points normals;  ///< [3, n] unit, outward; no columns: the normals of the faces are used
  Faces faces;     ///< [3, m]
  Vector values;   ///< [n] a field, or an opacity from 0 to 1; empty: none
  Vector
      land;  ///< [n] 1 on dry land, where the field has no value (up to edge midpoints), otherwise 0; empty: no land
};

struct Camera {
  Vector3 eye = Vector3(0, -5, 0), target = Vector3::Zero(), up = Vector3::UnitZ();
  double tan_half_height = 0.3;  ///< tangent of half the vertical field of view
  double near = 0.1, far = 100;  ///< m, along the view
  Eigen::Matrix4d view() const;  ///< world to camera coordinates; the camera looks along −z
  Eigen::Matrix4d projection(double aspect) const;  ///< camera to clip coordinates (OpenGL's convention)
  /// Column and row of a point in pixels, from the upper left corner.
  Eigen::Vector2d pixel(const Vector3& point, int width, int height) const;
};

/// An opaque body.
struct SolidBody {
  std::shared_ptr<const PictureMesh> mesh;
  Eigen::Affine3d place = Eigen::Affine3d::Identity();
  Color color{0.8, 0.8, 0.8};
  bool one_sided = false;  ///< back faces are not drawn, so that the view passes the front walls of a pool
  bool tiles = false;      ///< with joints like the ground
  bool unlit = false;      ///< constant colour without shading, for arrows
};

/// A closed body of water, or one that lies on a bed.
struct WaterBody {
  PictureMesh mesh;     ///< closed; behind its back faces is air, or the bed
  bool on_bed = false;  ///< light leaves the water into an opaque bed instead of air
  double clarity = 1;   ///< m of water that reduce red light, which is absorbed most, to 1/e
};

/// A thin glassy layer that shows the dry part of a surface; `values` of the mesh are its opacity from 0 to 1.
struct Skin {
  PictureMesh mesh;
  bool lines = false;  ///< draws the edges of triangles
};

/// A surface coloured by the `values` of its mesh.
struct FieldSurface {
  PictureMesh mesh;
  const ColorMap* colors = nullptr;
  double low = 0, high = 1;  ///< the values at the ends of the colour map
  bool logarithmic =
      false;           ///< the colours show logarithms; values that have none, as NaN, have no_value_color
  bool lines = false;  ///< draws the edges of triangles
};

/// Colour of dry land, which occurs in none of the colour maps.
constexpr Color land_color{0.66, 0.60, 0.48};
/// Colour where a field has no value that could be shown: NaN, or a value up to 0 on a logarithmic scale. In no colour map either.
constexpr Color no_value_color{0.35, 0.35, 0.35};

/// Straight lines, one pixel wide.
struct LineSet {
  Points ends;  ///< [3, 2n]
  Color color{0, 0, 0};
  double opacity = 1;
  bool through = false;  ///< drawn over everything in front
};

/// Foam, as triangles with a procedural image: parts of a surface, and squares that face the camera.
struct FoamSet {
  static constexpr double drop = -1;  ///< as an image: an even disc
  struct Corner {
    Vector3 at, normal;
    Eigen::Vector2d offset;  ///< m, to the right and upwards in the picture
    Eigen::Vector2d
        place;  ///< in the image, whose opacity falls from 1 at the origin to 0 at the distance s = 1
    double cover, opacity;  ///< fraction covered by bubbles; factor of the opacity
    double image;           ///< chooses a part of the texture, 0 to 1, or `drop`
  };
  std::vector<Corner> corners;  ///< three for each triangle
  double gauss = 0.5;           ///< opacity: part of exp(−4s²), the rest 1 − s²
};

/// The background: sky and tiled ground, or a plain colour; or the plain colour in place of sky and ground where these are seen directly or
/// through water, which reflects them nevertheless.
enum class Backdrop { outdoors, plain, outdoors_removed };

struct Picture {
  Camera camera;
  Backdrop backdrop = Backdrop::outdoors;
  Color background{1, 1, 1};  ///< unless Backdrop::outdoors
  Vector3 up = Vector3::UnitZ();
  std::optional<double> ground;                 ///< m along `up`; empty: sky also below the horizon
  double size = 1;                              ///< m, radius of the scene, the scale of tiles and shadows
  Vector3 center = Vector3::Zero();             ///< centre of the scene
  Vector3 light = Vector3(-0.35, -0.45, 0.85);  ///< direction towards the sun, of any length
  std::vector<SolidBody> solids;
  std::optional<WaterBody> water;
  std::optional<Skin> skin;
  std::optional<FieldSurface> field;
  std::vector<LineSet> lines;
  std::optional<FoamSet> foam;
};

}  // namespace shoal
