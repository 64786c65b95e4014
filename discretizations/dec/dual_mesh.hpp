// The dual of a triangulation, circumcentric or barycentric: cells, some of them merged from several
// triangles, and velocity sites with the lengths from which Hodge stars are computed.
#pragma once

#include "discretizations/dec/options.hpp"
#include "discretizations/discretization.hpp"
#include "discretizations/mesh/intrinsic.hpp"
#include "discretizations/operators/face_frame.hpp"

namespace shoal {

/// The velocity sites: edges between two different cells. The Hodge star of 1-forms is l_e/d_e, W = diag(l_e
/// d_e).
struct VelocitySites {
  std::shared_ptr<Array<Index>> edge = std::make_shared<Array<Index>>();
  Edges cells;                         ///< [2, sites] left, right cell
  Array<Index> left_cell, right_cell;  ///< rows of `cells`
  Vector length, dual, inverse_dual;   ///< l_e, d_e, m, 1/d_e
  /// 1 above the minimum of d_e, decreasing to 0 where an edge is no longer Delaunay
  Vector delaunay_weight;
  Vector left_part;      ///< d_L/d_e
  Vector left_share;     ///< weight of η_L in h_e
  Vector triangle_area;  ///< area of both triangles, m²
  Vector min_dual;       ///< lower limit of d_e/l_e

  Index count() const { return edge->size(); }
  Index of(Index site) const { return (*edge)[site]; }
};

class DualMesh {
 public:
  struct Unfolded {
    Index edge;
    int side;  ///< side of the face already unfolded
  };

  /// Sets the members of `cells` except the bed. Throws Refusal naming the first edge with negative dual
  /// length, and TooFewLayers if flips and merged cells near the rim of a part differ from those of the whole within the layers
  /// that steps require. Collective.
  DualMesh(const Mesh& mesh, const Geometry& geometry, const DecOptions& options, bool convex_edge_depth,
           Cells& cells);

  /// Updates all measures to the current positions; cells and sites are unchanged. Dual edges shorter than
  /// min_dual · l_e are extended to that length and counted; h_e there tends to the mean of both depths,
  /// which is reached when the edge is no longer Delaunay.
  void refresh();

  const IntrinsicTriangulation& triangulation() const { return triangulation_; }
  /// Whether edges of the whole surface are flipped.
  bool has_flips() const { return has_flips_; }
  const VelocitySites& sites() const { return site_; }
  bool barycentric() const { return barycentric_; }
  /// [3, cells] the ends of the dual edges; cells().points is where the depth is located, the centroid of a single
  /// triangle with vorticity = linear.
  const Points& centres() const { return centres_; }
  const Vector& voronoi_area() const { return voronoi_area_; }  ///< [nV] m²
  /// The edges inside merged cells of a spanning tree of each, from its first face on.
  const Array<Unfolded>& unfolding() const { return unfolding_; }
  Index clamped_shares() const { return clamped_shares_; }
  Index clamped_duals() const { return clamped_duals_; }

  Index cell_of(Index face) const { return cells_.of_element[face]; }
  /// Rotation from the frame of a face to that of its cell, which is the frame of the cell's first face:
  /// merged cells are unfolded into its plane.
  Tangent face_turn(Index face) const { return face_turn_[face]; }
  /// Unit normal of the face (if it crosses no seam); for flipped faces that of the plane through their three
  /// vertices, zero if these are collinear.
  Vector3 chord_normal(Index face) const { return chord_normal_.col(face); }
  /// Unit normal of the edge in the plane of the face on this side, pointing from the left to the right face.
  Vector3 outward_normal(Index edge, int side) const { return outward_normal_[side].col(edge); }

  double part_length(Index edge, int side) const;
  double dual_length(Index edge) const;
  Vector3 centre_weights(Index face) const;
  /// The same for the point at which the depth of the cell is located.
  Vector3 depth_weights(Index face) const;
  Tangent along(Index edge, int side) const;
  Tangent unfolded_arm(Index edge, int side, double across) const;
  Vector3 edge_middle(Index edge, int side) const;
  Vector3 arm(Index edge, int side) const;
  /// `potential` [3, nF]: in each face, that at the centre of its cell relative to the midpoint of the edge
  /// opposite to each corner. The faces of a merged cell differ about its centre; they take the value of its
  /// first face. `difference` [nF] is overwritten.
  void join_potentials(Points& potential, Vector& difference) const;

 private:
  void require_positive_lengths() const;
  void record_flips();
  void record_cells();
  void require_layers() const;
  bool inseparable(Index edge) const;
  void merge_faces();
  void unfold_cells();
  void measure_areas();
  void measure_centres();
  void place_cells();
  void measure_normals();
  void collect_sites();
  void measure_sites();
  FaceFrame frame(Index face) const;
  Vector3 centre(Index face) const;
  Vector3 point(Index face, const Vector3& weight) const;
  bool depth_at_centroid(Index face) const;

  const Mesh& mesh_;
  const Geometry& geometry_;
  const DecOptions& options_;
  const bool convex_edge_depth_, barycentric_;
  Cells& cells_;
  IntrinsicTriangulation triangulation_;
  bool has_flips_ = false;
  // [nF] on parts: a hash of the flips and of the cells that each face took part in, in their order
  Vector history_;
  VelocitySites site_;
  Vector voronoi_area_;
  Points centres_;
  Index clamped_shares_ = 0, clamped_duals_ = 0;
  Points chord_normal_;       // [3, nF]
  Points outward_normal_[2];  // [3, nE] of the left and the right face

  // edges across which the other faces of merged cells are unfolded, starting at the first face
  Array<Unfolded> unfolding_;
  Array<Index> merged_face_;  // faces of cells with several faces
  Array<Tangent> face_turn_;  // [nF]
  Array<Tangent>
      centre_shift_;  // [nF] vector from the face's circumcentre to the cell's centre, in the face's frame
  Array<Tangent> cell_centre_;  // [cells] mean of the circumcentres, relative to that of the first face
};

}  // namespace shoal
