// The lists of entries.
#include "experiments/python/python_entry.hpp"

#include "discretizations/boundaries.hpp"
#include "experiments/harness/plan/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace shoal::python {
namespace {

py::object value_of(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return py::float_(*number);
  return py::str(std::get<std::string>(value));
}

py::list described(const ParameterInfos& parameters) {
  py::list all;
  for (const ParameterInfo& info : parameters)
    all.append(py::dict(py::arg("name") = info.name, py::arg("unit") = info.unit,
                        py::arg("default") = value_of(info.fallback), py::arg("min") = info.min,
                        py::arg("max") = info.max, py::arg("choices") = info.choices,
                        py::arg("meaning") = info.meaning));
  return all;
}

std::set<std::string>& names_in_python() {
  static std::set<std::string> names;
  return names;
}

template <class Entry>
py::dict listed(const List<Entry>& list) {
  py::dict all;
  for (const Entry& entry : list) {
    py::list parameters;
    if constexpr (requires { entry.parameters; }) parameters = described(entry.parameters);
    all[entry.name.c_str()] =
        py::dict(py::arg("summary") = entry.summary, py::arg("parameters") = parameters);
  }
  return all;
}

}  // namespace

Catalog& catalog() {
  // Entries may hold Python objects, which the end of the process must not free.
  static Catalog& of_process = *new Catalog(builtin());
  return of_process;
}

bool is_written_in_python(const std::string& discretization) {
  return names_in_python().count(discretization) > 0;
}

ParameterInfos declared(const py::list& parameters) {
  ParameterInfos infos;
  for (const auto& one : parameters) {
    const auto [name, unit, fallback, min, max, meaning] =
        one.cast<std::tuple<std::string, std::string, double, double, double, std::string>>();
    infos.push_back(number(name, unit, fallback, min, max, meaning));
  }
  return infos;
}

py::dict given_parameters(const ParameterInfos& own, const Parameters& values) {
  py::dict given;
  for (const ParameterInfo& info : own) given[info.name.c_str()] = std::get<double>(*values.value(info.name));
  return given;
}

void add_python_entry(DiscretizationEntry entry, const ParameterInfos& own) {
  for (const ParameterInfo& info : own) {
    if (std::ranges::any_of(entry.parameters,
                            [&](const ParameterInfo& other) { return other.name == info.name; }))
      throw Error(fmt::format("{}: the parameter '{}' has the name of an option that every such scheme has",
                              entry.name, info.name));
    entry.parameters.push_back(info);
  }
  List<DiscretizationEntry>& list = catalog().discretizations;
  List<DiscretizationEntry> extended("discretization");
  for (const DiscretizationEntry& other : list)
    if (other.name != entry.name || !is_written_in_python(entry.name)) extended.add(other);
  extended.add(entry);
  list = std::move(extended);
  names_in_python().insert(entry.name);
}

void bind_catalog(py::module_& module) {
  module.def("discretizations", [] { return listed(catalog().discretizations); });
  module.def("integrators", [] { return listed(catalog().integrators); });
  module.def("linear_solvers", [] { return listed(catalog().linear_solvers); });
  module.def("advections", [] { return listed(catalog().advections); });
  module.def("splittings", [] { return listed(catalog().splittings); });
  module.def("scenes", [] { return listed(catalog().scenes); });
  module.def("motions", [] { return listed(catalog().motions); });
  module.def("boundary_kinds", [] {
    py::dict all;
    for (const BoundaryKindEntry& kind : boundary_kinds()) {
      std::vector<std::string> units;
      for (const BoundaryKindEntry::Value& value : kind.values)
        units.push_back(fmt::format("{} in {}", value.name, value.unit));
      all[kind.name.c_str()] =
          py::dict(py::arg("summary") = fmt::format("\"{}\": {}{}{}", kind.written(), kind.summary,
                                                    units.empty() ? "" : "; ", join(units)),
                   py::arg("parameters") = py::list());
    }
    return all;
  });
  module.def(
      "record_plugin",
      [](const std::string& file) {
        std::vector<std::string>& plugins = catalog().plugins;
        if (std::ranges::find(plugins, file) == plugins.end()) plugins.push_back(file);
      },
      py::arg("file"), "Results name the file as a plugin.");
  module.def("did_you_mean", &did_you_mean, py::arg("name"), py::arg("names"),
             "\"; did you mean 'x'?\", or \"\".");
  module.def("run_keys", [] {
    std::vector<std::string> names;
    for (const KeyEntry& key : run_keys()) names.push_back(key.name);
    return names;
  });
}

}  // namespace shoal::python
