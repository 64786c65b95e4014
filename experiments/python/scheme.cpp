// Discretizations written in Python: depth in dual cells of vertices or in triangles, one velocity per triangle.
#include "experiments/python/python_entry.hpp"

#include "discretizations/entry.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/operators/p1.hpp"

#include <fmt/format.h>

namespace shoal::python {
namespace {

struct PythonForces final : SchemeForces {
  Vector normal_acceleration;  // [nV]
  std::unique_ptr<SchemeForces> clone() const override { return std::make_unique<PythonForces>(*this); }
};

/// The unknowns are the volumes of the cells and the velocities of the triangles in their planes: axis 1 along the first edge, axis
/// 2 toward the third corner. The class in Python gives the rates of gravity and advection,
///
///     η_t = depth_rate,    v_t = acceleration;
///
/// forces, rotation, friction and sources are added here.
class PythonScheme final : public Discretization, public TurnsVelocity {
 public:
  using SchemeOptions = DiscretizationOptions;

  PythonScheme(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
               const Parameters& parameters)
      : PythonScheme(mesh, geometry, bed_depth, parameters, Location::face, nullptr) {}
  PythonScheme(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
               const Parameters& parameters, Location cells,
               const std::function<py::object(const PythonScheme&)>& make)
      : Discretization(mesh, geometry, parameters) {
    const bool at_vertices = cells == Location::vertex;
    const Index count = at_vertices ? mesh.vertex_count : mesh.face_count();
    cells_.location = cells;
    cells_.area = at_vertices ? geometry.vertex_area : geometry.face_area;
    cells_.points.resize(3, count);
    cells_.bed.resize(count);
    cells_.of_element.resize(count);
    for (Index i = 0; i < count; ++i) {
      cells_.points.col(i) = at_vertices ? Vector3(geometry.x.col(i)) : geometry.centroid(mesh, i);
      cells_.bed[i] = bed_depth(cells_.points.col(i));
      cells_.of_element[i] = i;
    }
    axes_.resize(3, 2 * mesh.face_count());
    for (Index k = 0; k < mesh.face_count(); ++k) {
      axes_.col(2 * k) = (geometry.corner(mesh, k, 1) - geometry.corner(mesh, k, 0)).normalized();
      axes_.col(2 * k + 1) = geometry.face_normal.col(k).cross(axes_.col(2 * k));
    }
    set_layout("velocity", "m/s", Location::face, 2, mesh.face_count());
    declare_outputs();
    if (make) object_.emplace(make(*this));
  }

  State project(const Fields& fields) const override {
    State state = zero_state(layout());
    Block volumes = state[volume()];
    for (Index i = 0; i < cells_.count(); ++i)
      volumes[i] = cells_.area[i] * (fields.depth ? fields.depth(cells_.points.col(i)) : 1.0);
    if (!fields.velocity) return state;
    Points v(3, mesh_.face_count());
    for (Index k = 0; k < mesh_.face_count(); ++k) v.col(k) = fields.velocity(geometry_.centroid(mesh_, k));
    add_velocity(v, state);
    return state;
  }

  void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                 Scratch& scratch) const override {
    const Index faces = mesh_.face_count();
    const ConstBlock volumes = state[volume()], v = state[velocity()];
    Block volume_rate = rate[volume()], velocity_rate = rate[velocity()];
    if (terms.has(Term::gravity)) {
      const py::gil_scoped_acquire lock;
      const py::tuple rates = call("_rates", state, forces);
      const auto depth_rate = rates[0].cast<Doubles>(), acceleration = rates[1].cast<Doubles>();
      volume_rate +=
          scale * cells_.area.cwiseProduct(Eigen::Map<const Vector>(depth_rate.data(), cells_.count()));
      add_tangential(Eigen::Map<const Points>(acceleration.data(), 3, faces), scale, velocity_rate);
    }
    if (terms.has(Term::force) && forces.has_body_force) velocity_rate += scale * forces.body_force;
    if (terms.has(Term::coriolis) && forces.rotates) {
      velocity_rate.head(faces) += scale * forces.coriolis.cwiseProduct(v.tail(faces));
      velocity_rate.tail(faces) -= scale * forces.coriolis.cwiseProduct(v.head(faces));
    }
    if (terms.has(Term::friction) && forces.friction > 0) velocity_rate -= scale * forces.friction * v;
    if (terms.has(Term::source) && forces.has_inflow)
      add_inflow(volumes, Vector(0), forces, scale, rate, scratch);
    if (terms.has(Term::source) && forces.has_own_velocity)
      add_mixing(depth_at_faces(state), v, forces, scale, velocity_rate);
  }

  double stable_dt(const State& state, const Forces& forces, Terms, Scratch&) const override {
    const double dt = [&] {
      const py::gil_scoped_acquire lock;
      return call("_stable_dt", state, forces).cast<double>();
    }();
    return min(mesh_, Range{0, 1}, [&](Index) { return dt; });
  }

  void apply_coriolis(double dt, const Forces& forces, State& state, Scratch&) const override {
    const Index faces = mesh_.face_count();
    Block v = state[velocity()];
    for (Index k = 0; k < faces; ++k) {
      const Tangent turned = Tangent(v[k], v[faces + k]) * std::polar(1.0, -forces.coriolis[k] * dt);
      v[k] = turned.real();
      v[faces + k] = turned.imag();
    }
  }

  void add_velocity(const Points& vectors, State& state) const override {
    Block v = state[velocity()];
    add_tangential(vectors, 1, v);
  }

  /// ½ Σ A η |v|² over the triangles, with the mean depth of the corners if cells belong to vertices.
  double kinetic_energy(const State& state, Scratch&) const override {
    const Index faces = mesh_.face_count();
    const ConstBlock v = state[velocity()];
    const Vector depth = depth_at_faces(state);
    return sum(mesh_, Location::face, [&](Index k) {
      return 0.5 * geometry_.face_area[k] * depth[k] * (v[k] * v[k] + v[faces + k] * v[faces + k]);
    });
  }

 private:
  py::object call(const char* method, const State& state, const Forces& forces) const {
    const Vector depth = state[volume()].cwiseQuotient(cells_.area);
    return calling_python([&]() -> py::object {
      return (**object_).attr(method)(
          Doubles(depth.size(), depth.data()), taken(face_velocity(state)),
          Doubles(mesh_.vertex_count, forces.own.as<PythonForces>().normal_acceleration.data()));
    });
  }

  /// v_t = r (w − v)/η for an inflow r, m/s, with velocity w, so that ηv gains r w; where η is nearly zero, v becomes w within one step.
  void add_mixing(const Vector& depth, const ConstBlock& v, const Forces& forces, double scale,
                  Block& rate) const {
    for (Index i = 0; i < v.size(); ++i) {
      const double inflow = forces.own_inflow[i], water = depth[i % mesh_.face_count()];
      if (!(inflow > 0)) continue;
      const double mixing =
          inflow < forces.steps_per_second * water ? inflow / water : forces.steps_per_second;
      if (std::isfinite(mixing)) rate[i] += scale * mixing * (forces.own_velocity[i] - v[i]);
    }
  }
  void inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch&) const override {
    at_velocity = at_faces(inflow.cwiseQuotient(cells_.area)).replicate(2, 1);
  }

  Values face_velocity(const State& state) const {
    const Index faces = mesh_.face_count();
    const ConstBlock v = state[velocity()];
    Values velocity(3, faces);
    for (Index k = 0; k < faces; ++k)
      velocity.col(k) = v[k] * axes_.col(2 * k) + v[faces + k] * axes_.col(2 * k + 1);
    return velocity;
  }
  void add_tangential(const Eigen::Ref<const Points>& vectors, double scale, Block& velocity) const {
    const Index faces = mesh_.face_count();
    for (Index k = 0; k < faces; ++k) {
      velocity[k] += scale * vectors.col(k).dot(axes_.col(2 * k));
      velocity[faces + k] += scale * vectors.col(k).dot(axes_.col(2 * k + 1));
    }
  }
  Vector depth_at_faces(const State& state) const {
    return at_faces(state[volume()].cwiseQuotient(cells_.area));
  }
  Vector at_faces(const Vector& of_cells) const {
    if (cells_.location == Location::face) return of_cells;
    Vector mean(mesh_.face_count());
    for (Index k = 0; k < mesh_.face_count(); ++k)
      mean[k] = (of_cells[mesh_.faces(0, k)] + of_cells[mesh_.faces(1, k)] + of_cells[mesh_.faces(2, k)]) / 3;
    return mean;
  }
  /// Area-weighted means of the triangles around each vertex.
  void to_vertices(const Vector& of_faces, Vector& of_vertices) const {
    of_vertices.setZero(mesh_.vertex_count);
    for (Index k = 0; k < mesh_.face_count(); ++k)
      for (int c = 0; c < 3; ++c) of_vertices[mesh_.faces(c, k)] += geometry_.face_area[k] / 3 * of_faces[k];
    of_vertices.array() /= geometry_.vertex_area.array();
  }

  /// Sums integrand(v, path, n) over the parts of the boundaries of the dual cells, from midpoint to midpoint of the edges at each corner,
  /// divided by the areas.
  template <class Integrand>
  void around_vertices(const State& state, Vector& mean, const Integrand& integrand) const {
    const Points v = face_velocity(state);
    mean.setZero(mesh_.vertex_count);
    for (Index k = 0; k < mesh_.face_count(); ++k)
      for (int c = 0; c < 3; ++c) {
        const Vector3 path =
            0.5 * (geometry_.corner(mesh_, k, (c + 2) % 3) - geometry_.corner(mesh_, k, (c + 1) % 3));
        mean[mesh_.faces(c, k)] += integrand(Vector3(v.col(k)), path, Vector3(geometry_.face_normal.col(k)));
      }
    mean.array() /= geometry_.vertex_area.array();
  }

  std::unique_ptr<SchemeForces> make_forces() const override { return std::make_unique<PythonForces>(); }
  void derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                     Scratch&) const override {
    forces.own.as<PythonForces>().normal_acceleration = normal_acceleration;
    const Index faces = mesh_.face_count();
    if (forces.has_body_force) {
      forces.body_force.setZero(2 * faces);
      Points mean(3, faces);
      for (Index k = 0; k < faces; ++k)
        mean.col(k) = (forcing.body_acceleration.col(mesh_.faces(0, k)) +
                       forcing.body_acceleration.col(mesh_.faces(1, k)) +
                       forcing.body_acceleration.col(mesh_.faces(2, k))) /
                      3;
      Block force(forces.body_force.data(), 2 * faces);
      add_tangential(mean, 1, force);
    }
    if (!forces.rotates) return;
    forces.coriolis.resize(faces);
    for (Index k = 0; k < faces; ++k)
      forces.coriolis[k] = 2 * forcing.rotation.dot(geometry_.face_normal.col(k));
  }

  void declare_outputs() {
    const auto face_area = [this]() -> const Vector& { return geometry_.face_area; };
    add_output({"velocity", "m/s", "v", Location::face, 3,
                [this](const State& state, const Forces&, Values& values, Scratch&) {
                  values = face_velocity(state);
                },
                face_area});
    add_output({"depth_at_faces", "m", "η", Location::face, 1,
                [this](const State& state, const Forces&, Values& values, Scratch&) {
                  values = depth_at_faces(state).transpose();
                },
                face_area});
    add_output({"divergence", "1/s", "∇·v", Location::vertex, 1,
                [this](const State& state, const Forces&, Values& values, Scratch&) {
                  Vector divergence;  // through walls nothing flows
                  around_vertices(state, divergence,
                                  [](const Vector3& v, const Vector3& path, const Vector3& normal) {
                                    return v.dot(path.cross(normal));
                                  });
                  values = divergence.transpose();
                },
                [this]() -> const Vector& { return geometry_.vertex_area; }});
    add_vertex_outputs(
        [this](const State& state, Vector& depth, Scratch&) {
          if (cells_.location == Location::vertex)
            depth = state[volume()].cwiseQuotient(cells_.area);
          else
            to_vertices(state[volume()].cwiseQuotient(cells_.area), depth);
        },
        [this](const State& state, const Forces&, Vector& vorticity, Scratch&) {
          around_vertices(state, vorticity,
                          [](const Vector3& v, const Vector3& path, const Vector3&) { return v.dot(path); });
          // Along a wall, the boundary of a dual cell is the wall.
          const Points v = face_velocity(state);
          for (Index e = 0; e < mesh_.edge_count(); ++e) {
            if (!mesh_.is_wall(e)) continue;
            const double along = 0.5 * v.col(mesh_.edge_faces(0, e)).dot(geometry_.edge_vector(mesh_, e));
            for (const Index end : {mesh_.edges(0, e), mesh_.edges(1, e)})
              vorticity[end] += along / geometry_.vertex_area[end];
          }
        },
        [this]() -> const Vector& { return geometry_.vertex_area; });
  }

  Points axes_;  // [3, 2·nF] of each face
  std::optional<Held> object_;
};

/// A copy of the mesh, for the class in Python.
std::shared_ptr<SharedSurface> surface_of(const PythonScheme& scheme) {
  Surface surface;
  surface.name = "mesh";
  surface.source = "scheme";
  surface.mesh = scheme.mesh();
  surface.x = scheme.geometry().x;
  return std::make_shared<SharedSurface>(std::move(surface));
}

}  // namespace

void bind_scheme(py::module_& module) {
  module.def(
      "register_discretization",
      [](const py::object& type, const std::string& name, const std::string& summary,
         const py::list& parameters, const std::string& cells, bool advects) {
        DiscretizationEntry entry = describe_scheme<PythonScheme>(name, summary);
        const ParameterInfos own = declared(parameters);
        entry.terms = Term::gravity | Term::coriolis | Term::force | Term::friction | Term::source;
        if (advects) {
          entry.terms = Terms::all();
          entry.inseparable = Term::gravity | Term::advection;
        }
        const Location location = cells == "vertex" ? Location::vertex : Location::face;
        entry.construct = [type = Held(type), own, location](
                              const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                              const Parameters& values, Terms) -> std::unique_ptr<Discretization> {
          const py::gil_scoped_acquire lock;
          return std::make_unique<PythonScheme>(
              mesh, geometry, bed_depth, values, location, [&](const PythonScheme& scheme) {
                const Cells& all = scheme.cells();
                return calling_python([&]() -> py::object {
                  return (*type).attr("_make")(surface_of(scheme), Doubles(all.area.size(), all.area.data()),
                                               Doubles(all.bed.size(), all.bed.data()),
                                               given_parameters(own, values));
                });
              });
        };
        add_python_entry(std::move(entry), own);
      },
      py::arg("type"), py::arg("name"), py::arg("summary"), py::arg("parameters"), py::arg("cells"),
      py::arg("advects"));
}

}  // namespace shoal::python
