// Numerical fluxes written in Python: finite volumes whose flux is evaluated at all edges in one call.
#include "experiments/python/python_entry.hpp"

#include "discretizations/finite_volume.hpp"

namespace shoal::python {
namespace {

/// States at edges: a component per column.
using States = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// An object with the methods flux(left, right, gravity) and speed(own, other, gravity) on arrays.
class PythonFlux {
 public:
  explicit PythonFlux(py::object object = py::none()) : object_(std::move(object)) {}

  /// [n, 3] volume, momentum and tangential momentum.
  States fluxes(const States& left, const States& right, const Vector& gravity) const {
    const py::gil_scoped_acquire lock;
    return calling_python([&] {
      const py::tuple result =
          (*object_).attr("_fluxes")(arrays_of(left), arrays_of(right), array_of(gravity));
      States flux(left.rows(), 3);
      for (int i = 0; i < 3; ++i) flux.col(i) = values_of(result[static_cast<std::size_t>(i)], left.rows());
      return flux;
    });
  }
  Vector speeds(const States& own, const States& other, const Vector& gravity) const {
    const py::gil_scoped_acquire lock;
    return calling_python([&] {
      return values_of((*object_).attr("_speeds")(arrays_of(own), arrays_of(other), array_of(gravity)),
                       own.rows());
    });
  }

 private:
  static Doubles array_of(const Eigen::Ref<const Vector>& values) {
    return Doubles(values.size(), values.data());
  }
  static py::tuple arrays_of(const States& states) {
    return py::make_tuple(array_of(states.col(0)), array_of(states.col(1)), array_of(states.col(2)));
  }
  /// The base class in Python has checked the sizes.
  static Vector values_of(const py::object& result, Eigen::Index size) {
    return Eigen::Map<const Vector>(result.cast<Doubles>().data(), size);
  }

  Held object_;
};

States states_of(const Array<EdgeState>& all) {
  States states(all.size(), 3);
  for (Index i = 0; i < all.size(); ++i) states.row(i) << all[i].depth, all[i].normal, all[i].tangential;
  return states;
}

class PythonFluxScheme final : public FiniteVolume {
 public:
  using SchemeOptions = FiniteVolumeOptions;
  PythonFluxScheme(
      const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth, const Parameters& parameters,
      PythonFlux flux = PythonFlux())  // describe_scheme() names four arguments; the entry passes five
      : FiniteVolume(mesh, geometry, bed_depth, parameters, read_options<FiniteVolumeOptions>(parameters)),
        flux_(std::move(flux)) {}

  EdgeFlux edge_flux(const EdgeState& left, const EdgeState& right, double gravity) const override {
    Array<EdgeFlux> flux;
    edge_fluxes({left}, {right}, gravity, flux);
    return flux[0];
  }
  double edge_speed(const EdgeState& own, const EdgeState& other, double gravity) const override {
    Array<double> speed;
    edge_speeds({own}, {other}, gravity, speed);
    return speed[0];
  }
  void edge_fluxes(const Array<EdgeState>& left, const Array<EdgeState>& right, double gravity,
                   Array<EdgeFlux>& flux) const override {
    const States found =
        flux_.fluxes(states_of(left), states_of(right), Vector::Constant(left.size(), gravity));
    flux.resize(left.size());
    for (Index i = 0; i < flux.size(); ++i) flux[i] = {found(i, 0), found(i, 1), found(i, 2)};
  }
  void edge_speeds(const Array<EdgeState>& own, const Array<EdgeState>& other, double gravity,
                   Array<double>& speed) const override {
    const Vector found =
        flux_.speeds(states_of(own), states_of(other), Vector::Constant(own.size(), gravity));
    speed = Array<double>(found.begin(), found.end());
  }

 private:
  static void set(States& states, Index e, const EdgeState& state) {
    states.row(e) << state.depth, state.normal, state.tangential;
  }

  void compute_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses) const override {
    const Index edges = mesh_.edge_count();
    const Vector& a = edge_acceleration(forces);
    States from(edges, 3), to(edges, 3);
    Vector step_left(inner_edges_), step_right(inner_edges_);
    visit_sides(water, [&]<class SidesOf>(const SidesOf& sides_of) {
      for (Index e = 0; e < inner_edges_; ++e) {
        const CutEdge edge(sides_of(e));
        set(from, e, edge.from);
        set(to, e, edge.to);
        step_left[e] = edge.step_left;
        step_right[e] = edge.step_right;
        if constexpr (SidesOf::has_slopes) {
          step_left[e] += sides_of.weight[e];
          step_right[e] += sides_of.weight[edges + e];
        }
      }
    });
    for (Index e = inner_edges_; e < edges; ++e) {
      const EdgeState inside = state_left(water, e);
      set(from, e, inside);
      set(to, e, inside.mirrored());
    }
    const States through = flux_.fluxes(from, to, a);
    for (Index e = 0; e < inner_edges_; ++e)
      set_losses(e, length_[e] * through(e, 0), length_[e] * (through(e, 1) + a[e] * step_left[e]),
                 length_[e] * (through(e, 1) + a[e] * step_right[e]), length_[e] * through(e, 2), losses);
    for (Index e = inner_edges_; e < edges; ++e) set_reflection(water, e, through(e, 1), a[e], losses);
  }

  void compute_speeds(const FaceWater& water, const Forces& forces, Vector& speed) const override {
    const Index edges = mesh_.edge_count(), sides = edges + inner_edges_;
    States own(sides, 3), other(sides, 3);
    Vector a(sides);
    a << edge_acceleration(forces), edge_acceleration(forces).head(inner_edges_);
    visit_sides(water, [&](const auto& sides_of) {
      for (Index e = 0; e < inner_edges_; ++e) {
        const Sides at = sides_of(e);
        set(own, e, at.left);
        set(other, e, at.right);
        set(own, edges + e, at.right.mirrored());
        set(other, edges + e, at.left.mirrored());
      }
    });
    for (Index e = inner_edges_; e < edges; ++e) {
      const EdgeState inside = state_left(water, e);
      set(own, e, inside);
      set(other, e, inside.mirrored());
    }
    const Vector of_side = flux_.speeds(own, other, a);
    speed.setZero(cells_.count());
    for (Index e = 0; e < edges; ++e) add_speed(water, length_[e] * of_side[e], speed[left_[e]]);
    for (Index e = 0; e < inner_edges_; ++e)
      add_speed(water, length_[e] * of_side[edges + e], speed[right_[e]]);
  }

  const PythonFlux flux_;
};

}  // namespace

void bind_flux(py::module_& module) {
  module.def(
      "register_flux",
      [](const py::object& type, const std::string& name, const std::string& summary,
         const py::list& parameters, bool positive, bool smooth) {
        DiscretizationEntry entry = describe_face_momentum<PythonFluxScheme>(name, summary);
        const ParameterInfos own = declared(parameters);
        entry.reach = finite_volume_reach;
        entry.positive = positive;
        if (!smooth) entry.order_limit = {2, "the flux has kinks"};
        entry.construct = [type = Held(type), own](const Mesh& mesh, const Geometry& geometry,
                                                   const ScalarField& bed_depth, const Parameters& values,
                                                   Terms) -> std::unique_ptr<Discretization> {
          const py::gil_scoped_acquire lock;
          return calling_python([&] {
            return std::make_unique<PythonFluxScheme>(mesh, geometry, bed_depth, values,
                                                      PythonFlux((*type)(**given_parameters(own, values))));
          });
        };
        add_python_entry(std::move(entry), own);
      },
      py::arg("type"), py::arg("name"), py::arg("summary"), py::arg("parameters"), py::arg("positive"),
      py::arg("smooth"));
}

}  // namespace shoal::python
