#include "experiments/harness/results/run_fields.hpp"

#include "experiments/harness/fields/harmonic_solution.hpp"

#include <fmt/format.h>

namespace shoal {
namespace {

Vector3 circumcentre(const Vector3& a, const Vector3& b, const Vector3& c) {
  const Vector3 u = b - a, v = c - a, n = u.cross(v);
  return a + (v.squaredNorm() * n.cross(u) + u.squaredNorm() * v.cross(n)) / (2 * n.squaredNorm());
}

Eigen::MatrixXd columns(const hdf5::Dataset& dataset, const std::vector<double>& values, Eigen::Index rows) {
  const auto count = static_cast<Eigen::Index>(values.size());
  if (count % rows != 0) throw Error(fmt::format("{}: not vectors of {} numbers", dataset.where(), rows));
  return Eigen::Map<const Eigen::MatrixXd>(values.data(), rows, count / rows);
}

}  // namespace

RunFields::RunFields(const Results& results, const RecordedRun& run) : run_(run) {
  const hdf5::Group& group = run.group();
  if (!group.has("snapshots") || !group.has_attribute("mesh")) return;
  times_ = read_times(snapshots());
  hash_ = group.text("mesh");
  const hdf5::Group meshes = results.root().open_group("meshes");
  if (!meshes.has(hash_)) throw Error(fmt::format("{}: its mesh is missing", group.where()));
  const hdf5::Group mesh = meshes.open_group(hash_);
  x_ = columns(mesh.open_dataset("vertices"), mesh.open_dataset("vertices").read(), 3);
  if (!mesh.has("faces")) return;
  const hdf5::Dataset faces = mesh.open_dataset("faces");
  if (faces.extent().size() != 2 || faces.extent()[1] != 3) return;  // polygons of another model
  const std::vector<std::int64_t> corners = faces.read_integers();
  faces_.resize(3, static_cast<Eigen::Index>(corners.size() / 3));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (corners[i] < 0 || corners[i] >= x_.cols())
      throw Error(fmt::format("{}: a face refers to vertex {}, but there are {}", faces.where(), corners[i],
                              x_.cols()));
    faces_.data()[i] = static_cast<Index>(corners[i]);
  }
}

std::string RunFields::dataset(const std::string& field) const {
  if (faces_.cols() == 0) return "";
  const bool has_own_triangles = run_.group().has("faces");
  for (const std::string& name : {field, field + "_at_vertices"})
    if (snapshots().has(name))
      if (const std::string at = location(name); at == "vertex" || (at == "face" && !has_own_triangles))
        return name;
  return "";
}

std::string RunFields::location(const std::string& dataset) const {
  return snapshots().open_dataset(dataset).text("location", "");
}

Points RunFields::positions(std::size_t row) const {
  if (!snapshots().has("positions")) return x_;
  const hdf5::Dataset moving = snapshots().open_dataset("positions");
  Points x = columns(moving, moving.read_rows(row, 1), 3);
  if (x.cols() != x_.cols())
    throw Error(fmt::format("{}: {} positions for {} vertices", moving.where(), x.cols(), x_.cols()));
  return x;
}

Eigen::MatrixXd RunFields::values(const std::string& name, std::size_t row) const {
  const hdf5::Dataset dataset = snapshots().open_dataset(name);
  const Eigen::Index count = location(name) == "vertex" ? x_.cols() : faces_.cols();
  const Eigen::MatrixXd values =
      columns(dataset, dataset.read_rows(row, 1), dataset.extent().size() == 3 ? 3 : 1);
  if (values.cols() != count)
    throw Error(fmt::format("{}: {} values for {} places", dataset.where(), values.cols(), count));
  return values;
}

Points RunFields::centres(const Points& x, const std::string& name) const {
  const bool circumcentric = name != "velocity" && run_.group().text("dual", "") == "circumcentric";
  Points centres(3, faces_.cols());
  for (Eigen::Index k = 0; k < faces_.cols(); ++k) {
    const Vector3 a = x.col(faces_(0, k)), b = x.col(faces_(1, k)), c = x.col(faces_(2, k));
    centres.col(k) = circumcentric ? circumcentre(a, b, c) : (a + b + c) / 3;
  }
  return centres;
}

Places RunFields::places(const Points& x, const std::string& name) const {
  const bool at_vertices = location(name) == "vertex";
  Places places;
  Points scaled(3, faces_.cols());  // normals times areas
  for (Eigen::Index k = 0; k < faces_.cols(); ++k) {
    const Vector3 a = x.col(faces_(0, k)), b = x.col(faces_(1, k)), c = x.col(faces_(2, k));
    scaled.col(k) = 0.5 * (b - a).cross(c - a);
  }
  if (!at_vertices) {
    places.points = centres(x, name);
    places.area = scaled.colwise().norm();
    places.normals = scaled;
  } else {
    places.points = x;
    places.area = Vector::Zero(x.cols());
    places.normals = Points::Zero(3, x.cols());
    for (Eigen::Index k = 0; k < faces_.cols(); ++k)
      for (const Index vertex : faces_.col(k)) {
        places.area[vertex] += scaled.col(k).norm() / 3;
        places.normals.col(vertex) += scaled.col(k);
      }
  }
  places.normals.colwise().normalize();
  return places;
}

}  // namespace shoal
