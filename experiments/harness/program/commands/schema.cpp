// `shoal schema`: the JSON schema of experiment files.
#include "experiments/harness/plan/schema.hpp"

#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <CLI/CLI.hpp>

namespace shoal {

Command schema_command(Program& program) {
  CLI::App& app =
      add_command(program, "schema",
                  "print the JSON schema of experiment files, by which editors complete and check them",
                  "Editors that use taplo, such as VS Code with Even Better TOML, read the schema that the "
                  "first line of a "
                  "file names:\n  #:schema experiment.schema.json\n" +
                      example(program, "schema > experiment.schema.json"));
  return {&app, [&program] {
            print(experiment_schema(program.catalog));
            return 0;
          }};
}

}  // namespace shoal
