// The three kinds of failure that leave a function as an exception. What a numerical method does wrong
// (NaN, negative depth, a matrix that is not positive definite) is data, not an exception.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// A message as one line: control characters, which names and files may hold, become '?'.
inline std::string one_line(std::string message) {
  for (char& c : message)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return message;
}

/// The user's mistake: one sentence naming the file, line or option, the value, and what is allowed. Exit 2.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(one_line(message)) {}
};

/// A mistake in the value of one key or parameter, found where its location is no longer known. Callers that
/// know the location prepend file and line.
class SettingError : public Error {
 public:
  SettingError(std::string setting, const std::string& message)
      : Error(message), setting_(std::move(setting)) {}
  const std::string& setting() const { return setting_; }  ///< "dt", "center"

 private:
  std::string setting_;
};

/// A combination that cannot exist (a scheme without what an integrator needs, a mesh that a scheme cannot
/// use). A sweep records it as refused, a single run treats it as the user's mistake.
class Refusal : public Error {
 public:
  using Error::Error;
};

/// The machine's failure: disk full, unreadable file. Exit 3.
class MachineError : public std::runtime_error {
 public:
  explicit MachineError(const std::string& message) : std::runtime_error(one_line(message)) {}
};

/// Runs `body`, putting `context` (e.g. "mesh 'bunny.obj'") before the message of any Error it throws.
template <class Body>
auto with_context(const std::string& context, Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Refusal& error) {
    throw Refusal(context + ": " + error.what());
  } catch (const SettingError& error) {
    throw SettingError(error.setting(), context + ": " + error.what());
  } catch (const Error& error) {
    throw Error(context + ": " + error.what());
  } catch (const MachineError& error) {
    throw MachineError(context + ": " + error.what());
  }
}

/// "; did you mean 'newmark'?" for the entry of `names` nearest to `name` by edit distance, or "" if none is
/// near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

/// "a, b, c"
std::string join(const std::vector<std::string>& names, std::string_view separator = ", ");

}  // namespace shoal
