// Meshes, and fields on them.
#include "experiments/python/bindings.hpp"

#include "discretizations/mesh/closest_point.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace shoal::python {
namespace {

std::size_t hash_of(const Vector3& x) {
  std::size_t hash = 0;
  for (int i = 0; i < 3; ++i) {
    std::size_t bits = 0;
    const double value = x[i] + 0.0;  // −0 is 0
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

struct SharedSurface::Tree {
  SurfaceTree tree;
};

SharedSurface::SharedSurface(Surface surface)
    : surface_(std::move(surface)), geometry_(make_geometry(surface_.mesh, surface_.x)) {
  const Mesh& mesh = surface_.mesh;
  const Index vertices = mesh.vertex_count, faces = mesh.face_count(), edges = mesh.edge_count();
  sites_.resize(3, vertices + faces + edges);
  sites_.leftCols(vertices) = surface_.x;
  for (Index k = 0; k < faces; ++k) sites_.col(vertices + k) = geometry_.centroid(mesh, k);
  for (Index e = 0; e < edges; ++e) sites_.col(vertices + faces + e) = geometry_.edge_middle(mesh, e, 0);
  site_of_hash_.reserve(static_cast<std::size_t>(sites_.cols()));
  for (Index i = 0; i < sites_.cols(); ++i) site_of_hash_.emplace(hash_of(sites_.col(i)), i);
}

Index SharedSurface::site_at(const Vector3& x) const {
  const auto [begin, end] = site_of_hash_.equal_range(hash_of(x));
  for (auto at = begin; at != end; ++at)
    if (sites_.col(at->second) == x) return at->second;
  return -1;
}

Eigen::MatrixXd SharedSurface::at_sites(const Eigen::MatrixXd& values, const std::string& what) const {
  const Mesh& mesh = surface_.mesh;
  const Index vertices = mesh.vertex_count, faces = mesh.face_count(), edges = mesh.edge_count();
  const Index rows = static_cast<Index>(values.rows());
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows, sites_.cols());
  if (values.cols() == vertices) {
    all.leftCols(vertices) = values;
    for (Index k = 0; k < faces; ++k)
      all.col(vertices + k) =
          (values.col(mesh.faces(0, k)) + values.col(mesh.faces(1, k)) + values.col(mesh.faces(2, k))) / 3;
  } else if (values.cols() == faces) {
    all.middleCols(vertices, faces) = values;
    for (Index k = 0; k < faces; ++k)
      for (int c = 0; c < 3; ++c)
        all.col(mesh.faces(c, k)) +=
            geometry_.face_area[k] / (3 * geometry_.vertex_area[mesh.faces(c, k)]) * values.col(k);
  } else {
    throw Error(fmt::format(
        "{}: {} values were given; required are {} (one for each vertex) or {} (for each triangle)", what,
        values.cols(), vertices, faces));
  }
  for (Index e = 0; e < edges; ++e)
    all.col(vertices + faces + e) = (all.col(mesh.edges(0, e)) + all.col(mesh.edges(1, e))) / 2;
  return all;
}

Vector SharedSurface::interpolated(const Eigen::MatrixXd& at_sites, const Vector3& x) const {
  if (!tree_) tree_ = std::make_shared<Tree>(Tree{SurfaceTree(surface_.mesh.faces, surface_.x)});
  const SurfacePoint point = tree_->tree.closest(x);
  Vector value = Vector::Zero(at_sites.rows());
  for (int c = 0; c < 3; ++c) value += point.weights[c] * at_sites.col(surface_.mesh.faces(c, point.face));
  return value;
}

namespace {

/// Calls function(points [n, 3], arguments…) and returns the result as [k, n].
template <class... Arguments>
Eigen::MatrixXd call_at(const py::object& function, const Points& points, Index components,
                        const std::string& what, Arguments&&... arguments) {
  const py::object result = function(view(Points(points), py::none()).attr("copy")(), arguments...);
  const auto numpy = py::module_::import("numpy");
  py::tuple shape =
      components == 1 ? py::make_tuple(points.cols()) : py::make_tuple(points.cols(), components);
  py::object broadcast;
  try {
    broadcast = numpy.attr("broadcast_to")(numpy.attr("asarray")(result, py::dtype::of<double>()), shape);
  } catch (py::error_already_set& failure) {
    if (!failure.matches(PyExc_ValueError)) throw;
    throw Error(
        fmt::format("{}: the function returned {}; required are {} {}, one for each row of the points [n, 3]",
                    what, std::string(py::str(numpy.attr("shape")(result))), points.cols(),
                    components == 1 ? "numbers" : "vectors [3]"));
  }
  const auto values = Doubles(broadcast);
  return Eigen::Map<const Eigen::MatrixXd>(values.data(), components, points.cols());
}

void require_finite(const Eigen::MatrixXd& values, const std::string& what) {
  if (!values.allFinite()) throw Error(fmt::format("{}: a value is not finite", what));
}

/// Values [k] at any point: exact at the sites, otherwise from the function, or interpolated.
using AnyField = std::function<Vector(const Vector3&)>;

AnyField any_field(const py::object& given, const std::shared_ptr<const SharedSurface>& surface,
                   Index components, const std::string& what) {
  if (py::isinstance<py::function>(given) || PyCallable_Check(given.ptr())) {
    auto values = std::make_shared<Eigen::MatrixXd>(call_at(given, surface->sites(), components, what));
    require_finite(*values, what);
    const Held function(given);
    return [=](const Vector3& x) -> Vector {
      if (const Index site = surface->site_at(x); site >= 0) return values->col(site);
      const py::gil_scoped_acquire lock;
      return call_at(*function, Points(x), components, what).col(0);
    };
  }
  const auto array = Doubles::ensure(given);
  if (!array) {
    PyErr_Clear();
    throw Error(fmt::format("{}: required is a number, an array, or a function of points [n, 3]", what));
  }
  const py::ssize_t last = components == 1 ? 0 : 1;
  if (components == 3 && (array.ndim() == 0 || array.shape(array.ndim() - 1) != 3))
    throw Error(fmt::format("{}: an array {} was given; required is [3] or [n, 3]", what, shape_text(array)));
  if (array.ndim() == last) {
    const Vector constant = Eigen::Map<const Vector>(array.data(), components);
    require_finite(constant, what);
    return [=](const Vector3&) { return constant; };
  }
  if (array.ndim() != last + 1)
    throw Error(fmt::format("{}: an array {} was given; required is one value for each vertex or triangle",
                            what, shape_text(array)));
  const auto values = std::make_shared<Eigen::MatrixXd>(
      surface->at_sites(Eigen::Map<const Eigen::MatrixXd>(array.data(), components, array.shape(0)), what));
  require_finite(*values, what);
  return [=](const Vector3& x) -> Vector {
    const Index site = surface->site_at(x);
    return site >= 0 ? Vector(values->col(site)) : surface->interpolated(*values, x);
  };
}

}  // namespace

ScalarField scalar_field(const py::object& given, const std::shared_ptr<const SharedSurface>& surface,
                         const std::string& what) {
  if (given.is_none()) return {};
  return [field = any_field(given, surface, 1, what)](const Vector3& x) { return field(x)[0]; };
}

VectorField vector_field(const py::object& given, const std::shared_ptr<const SharedSurface>& surface,
                         const std::string& what) {
  if (given.is_none()) return {};
  return [field = any_field(given, surface, 3, what)](const Vector3& x) -> Vector3 { return field(x); };
}

Vector scalars_at(const Held& function, const Points& points, double time, const std::string& what) {
  const py::gil_scoped_acquire lock;
  return call_at(*function, points, 1, what, time).row(0).transpose();
}

Points vectors_at(const Held& function, const Points& points, double time, const std::string& what) {
  const py::gil_scoped_acquire lock;
  return call_at(*function, points, 3, what, time);
}

namespace {

using Shared = std::shared_ptr<SharedSurface>;
using IndexColumns = Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic>;

/// [k, n] from an array [n, k] of whole numbers.
IndexColumns indices_of(const py::object& given, Index count, const std::string& what) {
  const auto numbers = Doubles::ensure(given);
  PyErr_Clear();
  if (!numbers || numbers.ndim() != 2 || numbers.shape(1) != count)
    throw Error(fmt::format("{}: required is an array [n, {}] of numbers of vertices, from 0", what, count));
  IndexColumns columns(count, numbers.shape(0));
  for (Eigen::Index i = 0; i < columns.size(); ++i) {
    const double number = numbers.data()[i];
    columns.data()[i] = static_cast<Index>(std::clamp(number, -1.0, 2e9));
    if (columns.data()[i] != number && !(number < -1 || number > 2e9))
      throw Error(fmt::format("{}: {} in row {} is not a whole number", what, number, i / count));
  }
  return columns;
}

/// Names parts of the boundary: for each name a function of points [n, 3] that is true at both ends of an edge, or pairs of vertices
/// [n, 2] in the numbering of the source. Other edges stay in the sets of their loops.
void name_boundaries(Surface& surface, const py::object& given) {
  if (!py::isinstance<py::dict>(given))
    throw Error("boundaries: required is a dictionary of functions or pairs of vertices by name");
  const auto named = given.cast<py::dict>();
  Mesh& mesh = surface.mesh;
  constexpr Index unnamed = -1;
  std::vector<Index> set_of(static_cast<std::size_t>(mesh.edge_count()), unnamed);
  std::vector<BoundarySet> sets;
  const auto add = [&](Index e) {
    Index& set = set_of[static_cast<std::size_t>(e)];
    if (set != unnamed)
      throw Error(fmt::format("boundaries: the edge of vertices {} and {} belongs to '{}' and '{}'",
                              surface.input_vertex[mesh.edges(0, e)], surface.input_vertex[mesh.edges(1, e)],
                              sets[static_cast<std::size_t>(set)].name, sets.back().name));
    set = static_cast<Index>(sets.size() - 1);
    sets.back().edges.push_back(e);
  };
  std::map<std::pair<Index, Index>, Index> wall_edges;  // by the smaller and the larger vertex of the source
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e))
      wall_edges.emplace(
          std::minmax({surface.input_vertex[mesh.edges(0, e)], surface.input_vertex[mesh.edges(1, e)]}), e);
  for (const auto& [key, value] : named) {
    const auto name = key.cast<std::string>();
    if (name.empty() || name.find_first_of("=;, \t\n") != std::string::npos)
      throw Error(fmt::format("boundaries: '{}' is no name; it may have no blank, '=', ';' or ','", name));
    sets.push_back({name, {}});
    const std::string what = fmt::format("boundaries: '{}'", name);
    if (PyCallable_Check(value.ptr())) {
      const Eigen::MatrixXd holds = call_at(py::reinterpret_borrow<py::object>(value), surface.x, 1, what);
      for (const auto& [ends, e] : wall_edges)
        if (holds(0, mesh.edges(0, e)) != 0 && holds(0, mesh.edges(1, e)) != 0) add(e);
    } else {
      for (const auto& pair : indices_of(py::reinterpret_borrow<py::object>(value), 2, what).colwise()) {
        const auto found = wall_edges.find(std::minmax(pair[0], pair[1]));
        if (found == wall_edges.end())
          throw Error(fmt::format("{}: there is no edge of the boundary between vertices {} and {}", what,
                                  pair[0], pair[1]));
        add(found->second);
      }
    }
    if (sets.back().edges.size() == 0)
      throw Error(fmt::format("{}: it holds for no edge of the boundary", what));
  }
  for (const BoundarySet& loop : mesh.boundary_sets) {
    BoundarySet rest{loop.name, {}};
    for (const Index e : loop.edges)
      if (set_of[static_cast<std::size_t>(e)] == unnamed) rest.edges.push_back(e);
    if (rest.edges.size() > 0) sets.push_back(std::move(rest));
  }
  mesh.boundary_sets = std::move(sets);
}

Shared from_arrays(const Doubles& vertices, const py::object& faces, const std::string& name, bool reorder,
                   const py::object& boundaries, bool drop_unused) {
  const IndexColumns given = indices_of(faces, 3, "faces");
  const Points x = points_of(vertices, "vertices");
  for (Eigen::Index i = 0; i < given.size(); ++i)
    if (given.data()[i] < 0 || given.data()[i] >= x.cols())
      throw Error(fmt::format("faces: face {} has vertex {}; there are {} vertices, from 0", i / 3,
                              given.data()[i], x.cols()));
  Surface surface =
      make_surface(name, "arrays", given, x, {}, reorder ? Numbering::local : Numbering::of_source);
  if (!surface.source_vertex.empty() && !drop_unused) {
    std::vector<bool> used(static_cast<std::size_t>(x.cols()));
    for (const Index vertex : surface.source_vertex) used[static_cast<std::size_t>(vertex)] = true;
    throw Error(fmt::format(
        "vertices: vertex {} is in no face; leave out vertices that no face uses, or give drop_unused=True",
        std::find(used.begin(), used.end(), false) - used.begin()));
  }
  if (!boundaries.is_none()) name_boundaries(surface, boundaries);
  return std::make_shared<SharedSurface>(std::move(surface));
}

py::dict boundary_sets(const Mesh& mesh) {
  py::dict sets;
  for (const BoundarySet& set : mesh.boundary_sets)
    sets[set.name.c_str()] = py::array_t<Index>(set.edges.size(), set.edges.data());
  return sets;
}

}  // namespace

void bind_mesh(py::module_& module) {
  py::class_<SharedSurface, Shared> type(module, "Mesh",
                                         R"(An oriented triangle surface, closed or with a boundary.

    Mesh(vertices, faces, name="mesh", reorder=False, boundaries=None, drop_unused=False)

vertices [nV, 3] are in m, faces [nF, 3] are numbers of vertices from 0. Triangles are turned where needed, so that neighbours
agree. The numbering stays, unless reorder is true: then vertices and triangles are renumbered for locality in memory, which is
faster on large meshes whose numbering is random, and input_vertex and input_face map the new numbers to the given ones. Raises
Error, naming the element, for an edge with three triangles, a triangle without area, a vertex in no triangle (with drop_unused, such
vertices are left out, and input_vertex numbers the others).

boundaries names parts of the boundary for boundary conditions: {"left": lambda x: x[:, 0] < 1e-9, "right": pairs}, by a function of
points [n, 3] that holds at both ends of an edge, or by pairs of vertices [n, 2]. Other edges belong to "loop-1", "loop-2", ….

    mesh = shoal.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]],
                      boundaries={"left": lambda x: x[:, 0] == 0, "right": [[1, 2]]})
    water = shoal.ShallowWater(mesh, "hllc", "ssprk3", boundaries={"left": "discharge 0.3", "right": "outflow"})

Attributes, read-only views: vertices, faces, corners [nF, 3, 3] (m; also across the seam of a periodic mesh), centroids [nF, 3]
(m), face_normals [nF, 3], face_areas [nF] and vertex_areas [nV] (m², of barycentric dual cells), edges [nE, 2] (tail, head),
edge_faces [nE, 2] (left, right; -1: none), boundary_sets (name -> edges), closed, euler_characteristic, name, repairs.)");
  type.attr("__module__") = "shoal";
  type.def(py::init(&from_arrays), py::arg("vertices"), py::arg("faces"), py::arg("name") = "mesh",
           py::arg("reorder") = false, py::arg("boundaries") = py::none(), py::arg("drop_unused") = false)
      .def(py::init([](Anything, const py::args&, const py::kwargs&) -> Shared {
             throw Error(
                 "Mesh(vertices, faces, name, reorder, boundaries, drop_unused): vertices is an array [n, 3] "
                 "of "
                 "coordinates, faces an array [n, 3] of numbers of vertices");
           }),
           py::arg("vertices"))
      .def("__repr__",
           [](const SharedSurface& one) {
             return fmt::format("<shoal.Mesh '{}': {} vertices, {} triangles>", one.surface().name,
                                one.mesh().vertex_count, one.mesh().face_count());
           })
      .def_static(
          "_load",
          [](const std::string& name, double radius, double weld) {
            return std::make_shared<SharedSurface>(load_surface(name, radius, weld));
          },
          py::arg("name"), py::arg("radius"), py::arg("weld"))
      .def_property_readonly("name", [](const SharedSurface& one) { return one.surface().name; })
      .def_property_readonly("repairs", [](const SharedSurface& one) { return one.surface().repairs; })
      .def_property_readonly(
          "vertices",
          [](const py::object& self) { return view(self.cast<const SharedSurface&>().surface().x, self); })
      .def_property_readonly("faces",
                             [](const py::object& self) {
                               const Faces& faces = self.cast<const SharedSurface&>().mesh().faces;
                               return view(faces.data(), {faces.cols(), 3}, self);
                             })
      .def_property_readonly("corners",
                             [](const SharedSurface& one) {
                               const Index faces = one.mesh().face_count();
                               Doubles corners(std::vector<py::ssize_t>{faces, 3, 3});
                               for (Index k = 0; k < faces; ++k)
                                 for (int c = 0; c < 3; ++c)
                                   Eigen::Map<Vector3>(corners.mutable_data(k, c, 0)) =
                                       one.geometry().corner(one.mesh(), k, c);
                               return corners;
                             })
      .def_property_readonly("edges",
                             [](const py::object& self) {
                               const Edges& edges = self.cast<const SharedSurface&>().mesh().edges;
                               return view(edges.data(), {edges.cols(), 2}, self);
                             })
      .def_property_readonly("edge_faces",
                             [](const py::object& self) {
                               const Edges& faces = self.cast<const SharedSurface&>().mesh().edge_faces;
                               return view(faces.data(), {faces.cols(), 2}, self);
                             })
      .def_property_readonly("face_areas",
                             [](const py::object& self) {
                               return view(self.cast<const SharedSurface&>().geometry().face_area, self);
                             })
      .def_property_readonly("vertex_areas",
                             [](const py::object& self) {
                               return view(self.cast<const SharedSurface&>().geometry().vertex_area, self);
                             })
      .def_property_readonly("face_normals",
                             [](const py::object& self) {
                               return view(self.cast<const SharedSurface&>().geometry().face_normal, self);
                             })
      .def_property_readonly(
          "centroids",
          [](const py::object& self) {
            const auto& one = self.cast<const SharedSurface&>();
            return view(one.sites().col(one.mesh().vertex_count).data(), {one.mesh().face_count(), 3}, self);
          })
      .def_property_readonly("input_vertex",
                             [](const SharedSurface& one) {
                               return Indices(static_cast<py::ssize_t>(one.surface().input_vertex.size()),
                                              one.surface().input_vertex.data());
                             })
      .def_property_readonly("input_face",
                             [](const SharedSurface& one) {
                               return Indices(static_cast<py::ssize_t>(one.surface().input_face.size()),
                                              one.surface().input_face.data());
                             })
      .def_property_readonly("boundary_sets",
                             [](const SharedSurface& one) { return boundary_sets(one.mesh()); })
      .def_property_readonly("closed", [](const SharedSurface& one) { return one.mesh().closed(); })
      .def_property_readonly("euler_characteristic",
                             [](const SharedSurface& one) { return one.mesh().euler_characteristic(); });
}

}  // namespace shoal::python
