// A run as pictures: water that looks like water, or a field in the colours of a map.
#pragma once

#include "reference/renderer/camera.hpp"
#include "reference/renderer/legend.hpp"
#include "reference/view/body_meshes.hpp"
#include "reference/view/shore.hpp"
#include "reference/view/water_volume.hpp"

namespace shoal {

enum class Look { water, science };

struct ViewOptions {
  Look look = Look::water;
  std::string field =
      "elevation";  ///< depth, elevation, speed, or an output of the scheme with one component
  std::optional<std::pair<double, double>> range;  ///< of the colours; absent: that of the data
  // Overlays, of either look.
  bool vectors = false;         ///< the velocity as arrows
  bool lines = false;           ///< edges of the mesh
  bool vertex_vectors = false;  ///< the velocity interpolated to the vertices as arrows
  bool acceleration = false;    ///< that of gravity and forces along the surface as arrows
  bool face_traces = false, vertex_traces = false;  ///< paths of the semi-Lagrangian advection back in time
  /// s, at most so long that the fastest water crosses what is shown twice; absent: a step.
  std::optional<double> trace_time;
  bool fluid_mesh = false;  ///< edges of the water's surface, and of the bed
  bool skeleton = false;
  bool sources = false;  ///< markers where water comes in or goes out, and of pushes that last
  std::optional<double>
      dry_depth;  ///< m, up to which a place is land in Look::science; absent: that of the scene, or by the depth
  double mesh_opacity = 0;        ///< of the surface that the water is on
  double exaggeration = 1;        ///< of elevations
  std::optional<double> clarity;  ///< m of water after which 1/e of red light is left; absent: by the size
  Vector3 view = Vector3(0.3, -1, 0.45);  ///< from what is shown to the camera
  Vector3 up = Vector3::UnitZ();
  double zoom = 1, margin = 0.12;
  bool ground = true;
  FluidSurfaceOptions surface;
};

/// What colours and arrows stand for.
struct Scale {
  const ColorMap* colors = nullptr;
  std::pair<double, double> range;           ///< of the colours
  std::string field;                         ///< "elevation, m"
  double arrow_value = 0, arrow_length = 0;  ///< m/s, of an arrow of so many m; 0: there are none
  double dry_depth = 0;                      ///< m, up to which a place is land
  bool land = false;                         ///< there is, or was, some
};

/// A source as it is drawn.
struct SourceMarker {
  ShownSource source;
  Vector3 at;  ///< m, on the water's surface, of a push in space
};

/// Of a picture that is so many pixels high.
Legend make_legend(const Scale& scale, const Picture& picture, double time, int height);

/// From −y where z is up, from +z where y is up, a little from the right and from above.
Vector3 default_view(const Vector3& up);

/// The names that `field` may have.
std::vector<std::string> fields_of(const ShownRun& run);

/// Of one run. It is asked at each instant to be shown, first to survey() where the range of a field or the frame follow
/// the whole motion, and then to picture().
class RunView {
 public:
  /// Throws Error where the scheme has no such field, or where the mesh has no surface that could be shown.
  RunView(const ShownRun& run, const ViewOptions& options, double aspect);

  /// Takes the present state into the frame, the range of the field and the largest speed; bodies only where asked, since some
  /// fall for ever.
  /// Bodies belong into the frame where they are near the water.
  void survey(const ShownRun& run, bool bodies = true);
  /// What another view of the same run has surveyed, where the options choose the same colours.
  void go_on_from(const RunView& other);
  /// The present state of the run, or of another one of the same configuration.
  Picture picture(const ShownRun& run);

  /// That of the options, or of what was surveyed: symmetric about zero for fields with two signs.
  std::pair<double, double> range() const;
  bool range_is_given() const { return options_.range.has_value(); }
  const ColorMap& colors() const;
  std::string field_title() const { return options_.field + ", " + unit_; }  ///< "elevation, m"
  Scale scale() const;

  /// The present surface of the water as closed triangles, without exaggeration: on a closed mesh that is wet everywhere the
  /// front sheet, else both. And the depth at its vertices. Not of a periodic mesh.
  const FluidSurface& water_surface(const ShownRun& run);
  Vector depth_on_surface() const;
  // As of the last survey or picture:
  const Vector& depth() const { return depth_; }      ///< [nV] m
  const Vector& bed() const { return bed_; }          ///< [nV] m, below the surface at rest
  const Points& normals() const { return normals_; }  ///< [3, nV]
  /// [3, nV] m, the water's surface as it is drawn.
  Points drawn_surface() const {
    return x_ + normals_ * (options_.exaggeration * shore_.height).asDiagonal();
  }
  const std::vector<SourceMarker>& markers() const { return markers_; }
  const Framing& framing() const { return framing_; }
  bool shows_water() const {
    return depth_.maxCoeff() > options_.surface.iso_level;
  }  ///< as of the last survey

 private:
  void update(const ShownRun& run);
  Vector field_at_vertices(const ShownRun& run);
  void choose_arrows(const ShownRun& run);
  Points at_arrows(const Values& values) const;
  double arrow_length() const { return 1.6 * arrow_distance_; }  ///< m, of the largest speed
  double largest_speed_now(const ShownRun& run);
  void add_arrows(const ShownRun& run, const Points& vectors, double largest, const Color& color,
                  Picture& picture);
  void add_vertex_arrows(const ShownRun& run, Picture& picture);
  void add_traces(const ShownRun& run, Picture& picture);
  void add_overlays(const ShownRun& run, Picture& picture);
  void add_sources(const ShownRun& run, Picture& picture);
  bool has_arrows() const {
    return options_.vectors || options_.vertex_vectors || options_.acceleration || options_.face_traces ||
           options_.vertex_traces;
  }
  void add_water(Picture& picture);
  void add_skin(Picture& picture) const;
  void add_field(const ShownRun& run, Picture& picture);

  ViewOptions options_;
  const Mesh& mesh_;
  const bool closed_;
  std::optional<WaterVolume> volume_;
  std::optional<FluidSurface> sheets_;
  BodyMeshes bodies_;
  Framing framing_;
  Vector bed_, depth_;  // [nV] m
  Points x_, normals_;  // [3, nV]
  Values values_;
  std::string unit_;
  bool signed_ = false, per_face_ = false;
  double low_ = 0, high_ = 0, largest_speed_ = 0, arrow_distance_ = 0, deepest_ = 0, dry_depth_ = 0;
  Shore shore_;
  bool land_seen_ = false, deepest_known_ = false;
  std::vector<SourceMarker> markers_;
  Array<Index> arrow_faces_, arrow_vertices_;
};

}  // namespace shoal
