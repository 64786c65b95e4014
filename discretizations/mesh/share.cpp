#include "discretizations/mesh/share.hpp"

#include <concepts>
#include <type_traits>

namespace shoal {
namespace {

/// Copies values of rank 0 to the others.
class Copies {
 public:
  explicit Copies(const Ranks& ranks) : ranks_(ranks) {}

  template <class Value>
  void value(Value& value) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    ranks_.copy(std::as_writable_bytes(std::span(&value, 1)));
  }
  void operator()(std::string& text) const { text = ranks_.share(std::move(text)); }
  template <class List>
  requires std::same_as<List, Array<Index>> || std::same_as<List, std::vector<Index>>
  void operator()(List& values) const {
    size(values);
    numbers(values.data(), values.data() + values.size());
  }
  /// A matrix of three rows.
  template <class Scalar, int columns>
  void operator()(Eigen::Matrix<Scalar, 3, columns>& values) const {
    Eigen::Index count = values.cols();
    value(count);
    values.resize(3, count);
    numbers(values.data(), values.data() + values.size());
  }
  template <class List>
  void size(List& values) const {
    auto count = values.size();
    value(count);
    values.resize(count);
  }

 private:
  template <class Number>
  void numbers(Number* begin, Number* end) const {
    ranks_.copy(std::as_writable_bytes(std::span(begin, end)));
  }

  const Ranks& ranks_;
};

}  // namespace

void share(const Ranks& ranks, Surface& surface) {
  if (ranks.count() == 1) return;
  const Copies copy(ranks);
  copy(surface.name);
  copy(surface.source);
  copy(surface.x);
  copy(surface.input_vertex);
  copy(surface.input_face);
  copy(surface.part_begin);
  copy(surface.source_vertex);
  copy.value(surface.weld);
  copy.size(surface.repairs);
  for (std::string& text : surface.repairs) copy(text);

  Mesh& mesh = surface.mesh;
  bool has_edges = mesh.has_edges();
  copy.value(has_edges);
  copy(mesh.faces);
  if (ranks.rank() > 0) {
    mesh.vertex_count = static_cast<Index>(surface.x.cols());
    if (has_edges) mesh = make_mesh(mesh.faces, mesh.vertex_count);
  }
  copy(mesh.corner_shift);
  copy(mesh.edge_shift);
  copy.size(mesh.boundary_sets);
  for (BoundarySet& set : mesh.boundary_sets) {
    copy(set.name);
    copy(set.edges);
  }
}

}  // namespace shoal
