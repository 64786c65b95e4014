// The module shoal._core: errors, conversions, and the parts that other sources bind.
#include "experiments/python/bindings.hpp"

#include "discretizations/common/parallel.hpp"
#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/harness/storage/provenance.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace shoal::python {

Held::Held(py::object object)
    : object_(new py::object(std::move(object)), [](py::object* held) {
        const py::gil_scoped_acquire lock;
        delete held;
      }) {}

namespace {

template <class T>
py::array view_of(const T* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  py::array_t<T> array(std::move(shape), data, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace

std::filesystem::path export_symbols() {
  Dl_info here{};
  if (::dladdr(reinterpret_cast<const void*>(&export_symbols), &here) == 0 ||
      ::dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) == nullptr)
    throw MachineError(fmt::format("the symbols of Shoal cannot be exported: {}", ::dlerror()));
  return here.dli_fname;
}

py::array view(const double* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  return view_of(data, std::move(shape), owner);
}
py::array view(const Index* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  return view_of(data, std::move(shape), owner);
}

py::array taken(Values&& values) {
  auto* kept = new Values(std::move(values));
  const py::capsule owner(kept, [](void* data) { delete static_cast<Values*>(data); });
  std::vector<py::ssize_t> shape{kept->cols()};
  if (kept->rows() > 1) shape.push_back(kept->rows());
  return py::array_t<double>(shape, kept->data(), owner);
}

std::string shape_text(const py::array& array) {
  std::vector<std::string> extents;
  for (py::ssize_t i = 0; i < array.ndim(); ++i) extents.push_back(std::to_string(array.shape(i)));
  return "[" + join(extents) + "]";
}

Turns::Turn::Turn(Turns& turns) : turns_(turns) {
  if (turns.owner_.load() == std::this_thread::get_id())
    throw Error(
        "a function that the water calls in the middle of a step called the water; such a function may read "
        "time, state, volume and "
        "positions");
  const py::gil_scoped_release unlocked;
  std::unique_lock lock(turns.mutex_);
  const std::uint64_t mine = ++turns.last_;
  turns.next_.wait(lock, [&] { return turns.now_ == mine; });
  turns.owner_ = std::this_thread::get_id();
}

Turns::Turn::~Turn() {
  const std::scoped_lock lock(turns_.mutex_);
  turns_.owner_ = std::thread::id();
  ++turns_.now_;
  turns_.next_.notify_all();
}

bool is_true(const py::object& returned) {
  if (PyBool_Check(returned.ptr())) return returned.ptr() == Py_True;
  return py::isinstance(returned, py::module_::import("numpy").attr("bool_")) &&
         PyObject_IsTrue(returned.ptr()) == 1;
}

Doubles doubles_of(const py::object& given, const std::string& what) {
  auto array = Doubles::ensure(given);
  PyErr_Clear();
  if (!array)
    throw Error(fmt::format("{}: required are numbers, not {}", what, std::string(py::repr(given))));
  return array;
}

Points points_of(const Doubles& array, const std::string& what) {
  if (array.ndim() != 2 || array.shape(1) != 3)
    throw Error(fmt::format("{}: an array {} was given; required is [n, 3]", what, shape_text(array)));
  return Eigen::Map<const Points>(array.data(), 3, array.shape(0));
}

Vector vector_of(const Doubles& array, py::ssize_t size, const std::string& what) {
  if (array.ndim() == 0) return Vector::Constant(size, *array.data());
  if (array.ndim() != 1 || array.shape(0) != size)
    throw Error(fmt::format("{}: an array {} was given; required is [{}], or a number", what,
                            shape_text(array), size));
  return Eigen::Map<const Vector>(array.data(), size);
}

void bind_errors(py::module_& module) {
  // Bases first: the last translator that is registered is tried first.
  static py::exception<Error> error(module, "Error", PyExc_ValueError);
  static py::exception<Refusal> refusal(module, "Refusal", error.ptr());
  static py::exception<MachineError> machine(module, "MachineError", PyExc_OSError);
  static py::exception<StepFailure> step(module, "StepFailure", PyExc_RuntimeError);
  for (py::object* one : std::initializer_list<py::object*>{&error, &refusal, &machine, &step})
    one->attr("__module__") = "shoal";
  error.doc() = "A mistake of the caller: one sentence that names the value and what is allowed.";
  refusal.doc() = "Parts that do not fit together, such as an integrator and a scheme without what it needs.";
  machine.doc() = "A failure of the machine: a full disk, an unreadable file.";
  step.doc() =
      "A step that failed, or after which a depth is not finite. The flow or the method broke down; nothing "
      "else did.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Refusal& one) {
      refusal(one.what());
    } catch (const Error& one) {
      error(one.what());
    } catch (const MachineError& one) {
      machine(one.what());
    } catch (const StepFailure& one) {
      step(one.what());
    }
  });
}

}  // namespace shoal::python

PYBIND11_MODULE(_core, module) {
  using namespace shoal;
  using namespace shoal::python;
  module.doc() = "The compiled part of shoal.";
  bind_errors(module);
  bind_catalog(module);
  bind_mesh(module);
  bind_water(module);
  bind_simulation(module);
  bind_program(module);
  bind_flux(module);
  bind_scheme(module);
  module.attr("version") = build_info().version;
  module.attr("commit") = build_info().git_commit;
  module.def(
      "load_plugin",
      [](const std::string& library) {
        export_symbols();
        load_plugin(library, catalog());
      },
      py::arg("library"), "Adds the schemes, scenes, … of a plugin, a shared library.");
  module.def(
      "set_threads",
      [](int count) {
        if (count < 1) throw Error(fmt::format("threads: {} is not a number ≥ 1", count));
        set_thread_count(count);
      },
      py::arg("count"),
      "Sets the number of threads of all loops, initially 1. The results have the same bits for any number.");
  module.def(
      "set_threads",
      [](Anything, const py::args&, const py::kwargs&) {
        throw Error("threads: required is a whole number ≥ 1");
      },
      py::arg("count"));
  module.def("threads", &thread_count, "The number of threads.");
}
