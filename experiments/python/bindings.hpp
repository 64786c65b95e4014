// What the parts of the module for Python share. The package shoal/ beside this file is the interface for users; it checks and
// completes arguments and calls the functions that are bound here.
#pragma once

#include "discretizations/mesh/surface.hpp"
#include "experiments/harness/catalog/catalog.hpp"
#include "solvers/shallow_water.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace shoal::python {

namespace py = pybind11;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Indices = py::array_t<Index, py::array::c_style | py::array::forcecast>;

/// The entries of this process, with those of plugins and those written in Python.
Catalog& catalog();
/// Lets libraries that are loaded later, such as plugins, use the symbols of this module; returns its file.
std::filesystem::path export_symbols();
/// Whether the discretization of this name is a class of Python.
bool is_written_in_python(const std::string& discretization);

/// A Python object that C++ may copy and destroy without the interpreter's lock.
class Held {
 public:
  explicit Held(py::object object);
  const py::object& operator*() const { return *object_; }  ///< only with the lock
  void clear() const { *object_ = py::none(); }             ///< the same; for the collector of cycles

 private:
  std::shared_ptr<py::object> object_;
};

/// A read-only array of numpy on memory that `owner` keeps alive.
py::array view(const double* data, std::vector<py::ssize_t> shape, const py::handle& owner);
py::array view(const Index* data, std::vector<py::ssize_t> shape, const py::handle& owner);
/// [n, 3], of columns.
inline py::array view(const Points& points, const py::handle& owner) {
  return view(points.data(), {points.cols(), 3}, owner);
}
inline py::array view(const Vector& values, const py::handle& owner) {
  return view(values.data(), {values.size()}, owner);
}
/// A new array of numpy that takes over these values: [elements, components], or [elements] of one component.
py::array taken(Values&& values);

std::string shape_text(const py::array& array);  ///< "[12, 3]"
/// [3, n] from an array [n, 3]. Throws Error, naming `what`, for another shape.
Points points_of(const Doubles& array, const std::string& what);
Doubles doubles_of(const py::object& given,
                   const std::string& what);  ///< throws Error for what is no numbers
Vector vector_of(const Doubles& array, py::ssize_t size, const std::string& what);

/// A surface for simulation with the points at which fields are usually evaluated: vertices, centroids of faces, midpoints of edges.
class SharedSurface {
 public:
  explicit SharedSurface(Surface surface);
  const Surface& surface() const { return surface_; }
  const Mesh& mesh() const { return surface_.mesh; }
  const Geometry& geometry() const { return geometry_; }  ///< at rest
  const Points& sites() const { return sites_; }          ///< [3, nV + nF + nE]
  /// The site at exactly this place, or -1.
  Index site_at(const Vector3& x) const;
  /// Values [k, sites] from values [k, nV] at vertices or [k, nF] of faces; means where there are none.
  Eigen::MatrixXd at_sites(const Eigen::MatrixXd& values, const std::string& what) const;
  /// [k] linear in the triangle of the closest point.
  Vector interpolated(const Eigen::MatrixXd& at_sites, const Vector3& x) const;

 private:
  struct Tree;
  Surface surface_;
  Geometry geometry_;
  Points sites_;
  std::unordered_multimap<std::size_t, Index> site_of_hash_;
  mutable std::shared_ptr<Tree> tree_;
};

/// Fields from a number, an array at the vertices or of the faces, or a function of points [n, 3]; empty for None.
ScalarField scalar_field(const py::object& given, const std::shared_ptr<const SharedSurface>& surface,
                         const std::string& what);
VectorField vector_field(const py::object& given, const std::shared_ptr<const SharedSurface>& surface,
                         const std::string& what);

/// A function of points [n, 3] and time, which returns n numbers or n vectors.
Vector scalars_at(const Held& function, const Points& points, double time, const std::string& what);
Points vectors_at(const Held& function, const Points& points, double time, const std::string& what);

/// Whose turn it is to use the work space of a water: threads wait, in the order in which they came. Made and destroyed with the
/// interpreter's lock, which is released while it waits. Throws Error for a call from a function that the water itself calls.
class Turns {
 public:
  class Turn {
   public:
    explicit Turn(Turns& turns);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turns& turns_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable next_;
  std::uint64_t last_ = 0, now_ = 1;  // numbers of turns: the last that was given, and the one that runs
  std::atomic<std::thread::id> owner_{};
};

/// Water of any origin, as Python sees it.
class WaterView {
 public:
  virtual ~WaterView() = default;
  /// To be held by what steps or changes the water or uses its work space; views and numbers need it not.
  Turns& turns() const { return turns_; }
  virtual const ShallowWater& water() const = 0;
  /// What the memory of the unknowns needs to live; `self` is this as Python has it.
  virtual py::object owner_of_state(const py::object& self) const { return self; }

 private:
  mutable Turns turns_;
};

/// Stands for an argument of any type in an overload that is tried last, after conversions, to refuse with a sentence.
struct Anything {};

/// A step that failed, or whose result is not finite.
class StepFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Raises KeyboardInterrupt, or what another signal handler raises; only with the lock.
inline void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Whether a callback returned True, of Python or numpy; any other value is no request to stop.
bool is_true(const py::object& returned);

// The parts of the module.
void bind_errors(py::module_& module);
void bind_catalog(py::module_& module);
void bind_mesh(py::module_& module);
void bind_water(py::module_& module);
void bind_simulation(py::module_& module);
void bind_program(py::module_& module);
void bind_flux(py::module_& module);
void bind_scheme(py::module_& module);

}  // namespace shoal::python

template <>
struct pybind11::detail::type_caster<shoal::python::Anything> {
  PYBIND11_TYPE_CASTER(shoal::python::Anything, const_name("object"));
  bool load(handle, bool convert) { return convert; }
};
