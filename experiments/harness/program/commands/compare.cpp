// `shoal compare`: errors of results against a reference on another mesh.
#include "experiments/harness/results/compare.hpp"

#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/table.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace shoal {
namespace {

struct CompareRequest {
  std::string mine, theirs, run, reference, format = "text", digits = "4";
};

int compare(const Program& program, const CompareRequest& request) {
  const TableFormat format = table_format(request.format, "--as");
  const int digits = whole_number(request.digits, "--digits", 1, max_table_digits);
  const ReferenceChoice choice{run_id(request.run), run_id(request.reference)};
  read_in_a_process({request.mine, request.theirs}, [&] {  // damaged files may crash it
    require_readable(Results(request.mine));
    require_readable(Results(request.theirs));
    return std::string();
  });
  const ReferenceErrors errors =
      errors_against(program.catalog, Results(request.mine), Results(request.theirs), choice);
  print(format_table(errors.table, format, digits));
  for (const std::string& note : errors.notes) say("note: " + note + "\n");
  return 0;
}

}  // namespace

Command compare_command(Program& program) {
  const auto request = std::make_shared<CompareRequest>();
  CLI::App& app = add_command(
      program, "compare", "print the errors of results against a reference, usually on a finer mesh",
      "At each snapshot time that both files contain, the reference is interpolated to the points of the "
      "first "
      "file, to\nsecond order; errors of depth, elevation and velocity are weighted by area and divided by "
      "the "
      "norm of the reference.\n" +
          example(program,
                  fmt::format("run sphere-bump --mesh icosphere:5 --dt auto --end 0.2 --snapshots 0.2 "
                              "--output results/fine.h5 && {0} run sphere-bump --mesh icosphere:3 "
                              "--dt auto --end 0.2 --snapshots 0.2 --output results/try.h5 && {0} "
                              "compare results/try.h5 results/fine.h5",
                              shell_quoted(program.argv[0]))));
  add_argument(app, "MINE.h5", request->mine, "results");
  add_argument(app, "THEIRS.h5", request->theirs, "results of the reference");
  add_option(app, "--run", request->run, "ID", "only this run of the first file");
  add_option(app, "--reference", request->reference, "ID",
             "run of the second file; default: the one of the same scene with the most vertices");
  add_option(app, "--as", request->format, "FORMAT", "text, md, csv or tex; default text");
  add_option(app, "--digits", request->digits, "N", "significant digits of numbers; default 4; csv: all");
  return {&app, [&program, request] { return compare(program, *request); }};
}

}  // namespace shoal
