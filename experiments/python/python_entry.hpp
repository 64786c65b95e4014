// Entries of the list of discretizations whose schemes are classes of Python.
#pragma once

#include "experiments/python/bindings.hpp"

namespace shoal::python {

/// Whether this thread executes a command of the program, which records exceptions as text.
bool in_command();
/// Throws the exception as its sentence: "TypeError: … (file.py, line 9)".
[[noreturn]] void throw_sentence(const py::error_already_set& failure);
/// The result of code that calls Python, whose exceptions become sentences within a command.
template <class Call>
auto calling_python(const Call& call) {
  try {
    return call();
  } catch (const py::error_already_set& failure) {
    if (in_command() && failure.matches(PyExc_Exception)) throw_sentence(failure);
    throw;
  }
}

/// Parameters as a class declares them: tuples (name, unit, default, min, max, meaning).
ParameterInfos declared(const py::list& parameters);
/// The values of a class's own parameters, as keyword arguments of its constructor.
py::dict given_parameters(const ParameterInfos& own, const Parameters& values);
/// Adds the entry, which then declares these parameters too; replaces an earlier class of the same name. Throws Error if a scheme
/// that is not a class of Python has the name.
void add_python_entry(DiscretizationEntry entry, const ParameterInfos& own);

}  // namespace shoal::python
