// `shoal diff`: the differences between two results files.
#include "experiments/harness/results/diff.hpp"

#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace shoal {
namespace {

constexpr int different = 1;

struct DiffRequest {
  std::string a, b, rtol = "0", run;
  bool numbers_only = false;
};

int diff(const DiffRequest& request) {
  Comparison comparison;
  comparison.rtol = parse_number(request.rtol, "--rtol");
  if (!(comparison.rtol >= 0)) throw Error(fmt::format("--rtol: '{}' is not a number ≥ 0", request.rtol));
  comparison.run = run_id(request.run);
  comparison.numbers_only = request.numbers_only;
  const std::string report = read_in_a_process({request.a, request.b}, [&] {
    const DiffReport found = diff(Results(request.a), Results(request.b), comparison);
    return (found.equal ? '=' : '!') + found.text;
  });
  print(report.substr(1));
  return report.front() == '=' ? 0 : different;
}

}  // namespace

Command diff_command(Program& program) {
  const auto request = std::make_shared<DiffRequest>();
  CLI::App& app = add_command(
      program, "diff",
      "compare two results files: code, configuration, numbers; exit code 0 if equal, 1 if different",
      "Date, command, machine and timing are not compared.\n" +
          example(program, fmt::format("run sphere-bump --mesh icosphere:3 --end 1 --output {0} && {1} rerun "
                                       "{0} && {1} diff {0} results/try.rerun.h5",
                                       "results/try.h5", shell_quoted(program.argv[0]))));
  add_argument(app, "A.h5", request->a, "results");
  add_argument(app, "B.h5", request->b, "results");
  add_option(app, "--rtol", request->rtol, "X",
             "tolerance relative to the largest magnitude of each dataset; default 0, bit for bit");
  add_option(app, "--run", request->run, "ID",
             "only this run of the first file, and the corresponding one of the second");
  add_flag(app, "--numbers", request->numbers_only, "let only the numbers determine the exit code");
  return {&app, [request] { return diff(*request); }};
}

}  // namespace shoal
