// Manual pages.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace shoal {

/// "shoal-run" for the command run; "shoal" for "".
std::string manual_name(const CLI::App& program, const std::string& command);

/// The page of a command, or of the program for "", for man(1), written from its declaration. The program may have no commands.
std::string manual_page(const CLI::App& program, const std::string& command);

}  // namespace shoal
