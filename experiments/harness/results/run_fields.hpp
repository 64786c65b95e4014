// The fields of a recorded run on the surface of its file.
#pragma once

#include "experiments/harness/results/results.hpp"

namespace shoal {

/// Where the values of a field are at one instant.
struct Places {
  Points points, normals;
  Vector area;  ///< of triangles; a third of each adjacent one at vertices
};

class RunFields {
 public:
  /// Throws Error if the file contradicts itself.
  RunFields(const Results& results, const RecordedRun& run);

  const RecordedRun& run() const { return run_; }
  std::string mesh_name() const { return run_.group().text("mesh_name", ""); }
  const std::string& mesh_hash() const { return hash_; }
  const std::vector<double>& times() const { return times_; }  ///< of the snapshots, s; none: no snapshots
  const Faces& faces() const { return faces_; }

  /// The dataset with the values of a field in space; "" if there is none, as for vectors on the scheme's own triangles.
  std::string dataset(const std::string& field) const;
  std::string location(const std::string& dataset) const;
  Points positions(std::size_t row) const;                                    ///< [3, nV] m
  Eigen::MatrixXd values(const std::string& dataset, std::size_t row) const;  ///< [components, n]
  /// Schemes with a circumcentric dual have the depth of a triangle at its circumcentre, others at its centroid.
  Points centres(const Points& x, const std::string& dataset) const;
  Places places(const Points& x, const std::string& dataset) const;

 private:
  hdf5::Group snapshots() const { return run_.group().open_group("snapshots"); }

  const RecordedRun& run_;
  std::string hash_;
  std::vector<double> times_;
  Points x_;
  Faces faces_;
};

}  // namespace shoal
