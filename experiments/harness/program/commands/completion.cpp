// `shoal completion`: a script by which a shell completes command lines.
#include "experiments/harness/program/completion.hpp"

#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "experiments/harness/system/words.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace shoal {

Command completion_command(Program& program) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& app =
      add_command(program, "completion", "print the completion of command lines for a shell",
                  "In bash: source <(shoal completion bash). An installed program brings it along.\n"
                  "In zsh, first: autoload -Uz bashcompinit && bashcompinit\n" +
                      example(program, "completion bash > shoal-completion.bash"));
  add_argument(app, "SHELL", *shell, "bash");
  return {&app, [&program, shell] {
            choice({"bash"}, *shell, "completion");
            print(bash_completion(program.app, program.catalog));
            return 0;
          }};
}

}  // namespace shoal
