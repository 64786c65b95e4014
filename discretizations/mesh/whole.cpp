#include "discretizations/mesh/whole.hpp"

#include "discretizations/mesh/part.hpp"

#include <algorithm>

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

double largest_of_all(const Mesh& mesh, double here) {
  return mesh.part ? mesh.part->ranks->max(here) : here;
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
