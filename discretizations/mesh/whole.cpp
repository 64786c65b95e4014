#include "discretizations/mesh/whole.hpp"

#include "discretizations/mesh/part.hpp"

#include <algorithm>
#include <cstring>

namespace shoal {

Range own(const Mesh& mesh, Location at) {
  if (mesh.part) return mesh.part->own(at);
  const Index counts[] = {mesh.vertex_count, mesh.edge_count(), mesh.face_count()};
  return {0, counts[static_cast<int>(at)]};
}

void add_up(const Mesh& mesh, ExactSum* sums, int count) {
  if (!mesh.part) return;
  constexpr int size = ExactSum::words_count;
  Array<std::int64_t> words(size * count);
  for (int i = 0; i < count; ++i) std::ranges::copy(sums[i].words(), words.begin() + i * size);
  mesh.part->ranks->add({words.begin(), words.end()});
  for (int i = 0; i < count; ++i) std::copy_n(words.begin() + i * size, size, sums[i].words().begin());
}

Index total(const Mesh& mesh, Index here) {
  std::int64_t sum = here;
  if (mesh.part) mesh.part->ranks->add({&sum, 1});
  return static_cast<Index>(sum);
}

/// Of zeros and of NaNs, which several elements may have with both signs, the positive one.
double largest_of_all(const Mesh& mesh, double here) {
  const double largest = mesh.part ? mesh.part->ranks->max(here) : here;
  return std::isnan(largest) ? std::numeric_limits<double>::quiet_NaN() : largest + 0.0;
}

const Ranks& ranks_of(const Mesh& mesh) {
  static const Ranks alone;
  return mesh.part ? *mesh.part->ranks : alone;
}

Eigen::MatrixXd gathered(const Mesh& mesh, Location at, const Eigen::MatrixXd& here) {
  if (!mesh.part) return here;
  // Own elements are a range in the whole, and follow those of lower ranks.
  const Range range = mesh.part->own(at);
  const auto begin = here.data() + here.rows() * Eigen::Index{range.begin};
  const std::vector<double> all =
      mesh.part->ranks->gather({begin, begin + here.rows() * Eigen::Index{range.count}});
  return Eigen::Map<const Eigen::MatrixXd>(all.data(), here.rows(), std::ssize(all) / here.rows());
}

Vector shared(const Ranks& ranks, const Vector& values) {
  if (ranks.count() == 1) return values;
  const auto* begin = reinterpret_cast<const char*>(values.data());
  const auto* end = reinterpret_cast<const char*>(values.data() + values.size());
  const std::string bytes = ranks.share({begin, end});
  Vector all(static_cast<Eigen::Index>(bytes.size() / sizeof(double)));
  if (all.size()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

Eigen::MatrixXd spread(const Mesh& mesh, Location at, const Eigen::MatrixXd& of_whole) {
  if (!mesh.part) return of_whole;
  const Vector all = shared(*mesh.part->ranks, of_whole.reshaped());
  const Array<Index>& in_whole = mesh.part->in_whole(at);
  const Index total = shoal::total(mesh, own(mesh, at).count);
  const Eigen::Map<const Eigen::MatrixXd> values(all.data(), all.size() / total, total);
  return values(Eigen::all, std::vector<Index>(in_whole.begin(), in_whole.end()));
}

Vector3 first_point(const Mesh& mesh, const Points& x) {
  if (!mesh.part) return x.col(0);
  return sum(mesh, Location::vertex, [&](Index i) -> Vector3 {
    return mesh.part->vertex[i] == 0 ? Vector3(x.col(i)) : Vector3(Vector3::Zero());
  });
}

bool all(const Mesh& mesh, bool here) {
  return largest_of_all(mesh, here ? 0 : 1) == 0;
}

}  // namespace shoal
