// Turns the states of a run into pictures: realistic water, or a field in colours.
#pragma once

#include "reference/renderer/camera.hpp"
#include "reference/renderer/legend.hpp"
#include "reference/view/body_meshes.hpp"
#include "reference/view/foam.hpp"
#include "reference/view/shore.hpp"
#include "reference/view/water_volume.hpp"

#include <limits>

namespace shoal {

enum class Look { water, science };

struct ViewOptions {
  Look look = Look::water;
  std::string field =
      "elevation";  ///< depth, elevation, speed, or an output of the scheme with one component
  std::optional<std::pair<double, double>> range;  ///< of the colours; absent: range of the data
  std::string color_map;                           ///< a name of color_maps(); empty: by the field
  bool logarithmic = false;                        ///< colours of log(field)
  /// The range of the data, of positive values, spans at most this many powers of ten on a logarithmic scale.
  double log_decades = 6;
  // Overlays, for both looks.
  bool vectors = false;         ///< the velocity as arrows
  bool lines = false;           ///< edges of the mesh
  bool vertex_vectors = false;  ///< the velocity interpolated to the vertices as arrows
  bool fan_vectors = false;     ///< that velocity mapped back to each triangle at a vertex, as lines
  bool acceleration = false;    ///< tangential acceleration by gravity and forces, as arrows
  bool face_traces = false, vertex_traces = false;  ///< paths traced back by semi-Lagrangian advection
  bool start_traces = false;                        ///< from faces, with the velocity of their start
  /// s, at most twice the time that the fastest water takes across the view; absent: one step.
  std::optional<double> trace_time;
  bool fluid_mesh = false;  ///< edges of the water surface and of the bed
  bool skeleton = false;
  bool sources = false;  ///< markers of sources, sinks and lasting pushes
  bool foam = false;
  FoamOptions foam_options;
  /// m, depth up to which Look::science shows dry land; absent: the scene's value, or a fraction of the initial depth.
  std::optional<double> dry_depth;
  double mesh_opacity = 0;                ///< of the surface below the water
  double exaggeration = 1;                ///< factor of drawn elevations
  double choppy = 0;                      ///< s², C of choppy_shift()
  std::optional<double> clarity;          ///< m of water that reduce red light to 1/e; absent: from the size
  Vector3 view = Vector3(0.3, -1, 0.45);  ///< from the surface to the camera
  Vector3 up = Vector3::UnitZ();
  double zoom = 1, margin = 0.12;
  /// The framed part of the picture's height; the letters of the legend are in proportion to the whole.
  double framed_part = 1;
  bool ground = true;
  FluidSurfaceOptions surface;
};

/// The meaning of colours and arrows.
struct Scale {
  const ColorMap* colors = nullptr;
  std::pair<double, double> range;           ///< of the colours
  std::pair<double, double> instant;         ///< the same that suits this instant alone
  std::string field;                         ///< "elevation, m"
  double arrow_value = 0, arrow_length = 0;  ///< m/s, value of an arrow of arrow_length m; 0: no arrows
  double dry_depth = 0;                      ///< m, depth up to which land counts as dry
  bool land = false;                         ///< there is or was dry land
  bool logarithmic = false;
  bool no_value = false;  ///< there is or was water where the field has no value to show
};

/// A source and the position of its marker.
struct SourceMarker {
  ShownSource source;
  Vector3 at;  ///< m, on the water surface; for a push its position in space
};

/// The legend of a picture of `height` pixels.
Legend make_legend(const Scale& scale, const Picture& picture, double time, int height);

/// From −y if z is up, from +z if y is up, slightly from the right and above.
Vector3 default_view(const Vector3& up);

/// [3, nV] m: vertices of the drawn water surface move by C ∇(gh) along the surface, which sharpens crests and flattens troughs (Lee
/// 2007: C ∇p with p = gη; h, which over a level bed is the same, leaves still water in place over every other). Each moves by less
/// than half the shortest edge there, so that no two meet, and those on a wall along it.
Points choppy_shift(const Mesh& mesh, const Geometry& geometry, const Points& normals,
                    const Vector& elevation, double gravity, double c);

/// Whether foam can be shown: the velocity must be known on the triangles of the mesh, in space.
bool supports_foam(const ShownRun& run);

/// The valid names of ViewOptions::field, with units and locations.
std::vector<ShownField> fields_of(const ShownRun& run);

/// The view of one run. survey() extends the framing and the range of colours by a state; picture() draws a state. To cover a whole
/// motion, survey all its states first.
class RunView {
 public:
  /// Throws Error if the scheme has no such field, or if the look cannot show this mesh.
  RunView(const ShownRun& run, const ViewOptions& options, double aspect);

  /// Extends the framing, the range of the field and the largest speed by the present state. Bodies near the water are included in the
  /// framing if `bodies`; some bodies fall for ever.
  void survey(const ShownRun& run, bool bodies = true);
  /// Takes over what another view of the same run has surveyed, as far as the options select the same colours.
  void go_on_from(RunView& other);
  /// Advances the foam to the present state, which it follows from call to call; picture() does so too. Without foam, does nothing.
  void follow(const ShownRun& run);
  /// The present state of the run, or of another one of the same configuration.
  Picture picture(const ShownRun& run);

  /// The bodies of the run without those that have fallen far below the surface, as of the last survey or picture.
  std::vector<ShownBody> bodies(const ShownRun& run) const;

  /// The range of the options or, if absent, of the surveyed states; symmetric about zero for signed fields.
  std::pair<double, double> range() const;
  /// From the smallest to the largest value of the last surveyed state, likewise.
  std::pair<double, double> range_of_instant() const;
  bool range_is_given() const { return options_.range.has_value(); }
  const ColorMap& colors() const;
  std::string field_title() const { return title_of({options_.field, unit_}); }
  Scale scale() const;

  /// The present water surface as a closed mesh, without exaggeration, and the depth at its vertices: the front sheet on a closed mesh
  /// that is wet everywhere, otherwise both sheets. Not for periodic meshes.
  const FluidSurface& water_surface(const ShownRun& run);
  Vector depth_on_surface() const;
  // As of the last survey or picture:
  const Vector& depth() const { return depth_; }      ///< [nV] m
  const Vector& bed() const { return bed_; }          ///< [nV] m, below the surface at rest
  const Points& normals() const { return normals_; }  ///< [3, nV]
  /// [3, nV] m, the water surface as drawn.
  Points drawn_surface() const {
    Points points = x_ + normals_ * (options_.exaggeration * shore_.height).asDiagonal();
    if (shift_.cols()) points += shift_;
    return points;
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
  void add_fans(const ShownRun& run, Picture& picture);
  void add_traces(const ShownRun& run, Picture& picture);
  void add_overlays(const ShownRun& run, Picture& picture);
  void add_sources(const ShownRun& run, Picture& picture);
  bool has_arrows() const {
    return options_.vectors || options_.vertex_vectors || options_.fan_vectors || options_.acceleration ||
           options_.face_traces || options_.start_traces || options_.vertex_traces;
  }
  FoamWater foam_water(const ShownRun& run, const Geometry& geometry);
  void add_water(Picture& picture);
  void add_skin(Picture& picture) const;
  double ground();
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
  Points shift_;        // [3, nV] m along the surface, or without columns
  Points surface_;      // [3, nV] drawn_surface() for the foam
  std::unique_ptr<Foam> foam_;
  Values values_;
  std::string unit_;
  bool signed_ = false, per_face_ = false;
  struct Extremes {
    double low = std::numeric_limits<double>::infinity(), high = -low, least_positive = low;
    void add(double value);
  };
  Extremes instant_;  // of the field, in the last surveyed state
  double low_ = 0, high_ = 0, least_positive_ = 0, largest_speed_ = 0, arrow_distance_ = 0, deepest_ = 0,
         dry_depth_ = 0;
  std::optional<double> ground_;  // m along the upward direction, once it has been drawn
  double above_ground_ = 0;       // m, of the lowest point of the surface
  Shore shore_;
  bool land_seen_ = false, deepest_known_ = false, no_value_seen_ = false;
  std::vector<SourceMarker> markers_;
  Array<Index> arrow_faces_, arrow_vertices_;
};

}  // namespace shoal
