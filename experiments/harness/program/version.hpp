// The text of --version.
#pragma once

#include <string>

namespace shoal {

/// "shoal 0.1.0", then one line each for the commit, the compiler, its flags, every library, as results record them, and the
/// interface of plugins: the digest of the headers against which a plugin must be built.
std::string version_text(const std::string& program);

}  // namespace shoal
