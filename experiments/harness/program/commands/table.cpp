// `shoal table`: one row per run of results, or the rewritten tables of an experiment.
#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/program/products.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace shoal {
namespace {

struct TableRequest {
  std::string file;
  std::vector<std::string> more_files;
  std::string format = "text", columns, where, order, digits = "4", output;
};

/// Computes nothing.
void write_tables(const Catalog& catalog, const CLI::App& app, const TableRequest& request) {
  if (!request.more_files.empty())
    throw Error(
        fmt::format("'{}': results cannot be given together with an experiment", request.more_files.front()));
  for (const char* option : {"--as", "--columns", "--where", "--order", "--digits"})
    if (given(app, option))
      throw Error(
          fmt::format("{} cannot be given: the entries [[table]] of '{}' define it", option, request.file));
  const Experiment experiment = read_experiment(request.file);
  check_products(experiment);
  if (experiment.tables.empty()) throw Error(fmt::format("experiment '{}': has no [[table]]", request.file));
  make_tables(catalog, experiment, output_of(experiment, request.output), false);
}

std::vector<std::string> parts(const std::string& text) {
  return text.empty() ? std::vector<std::string>{} : split_at_commas(text);
}

int table(const Program& program, const CLI::App& app, const TableRequest& request) {
  if (std::filesystem::path(request.file).extension() == ".toml") {
    write_tables(program.catalog, app, request);
    return 0;
  }
  if (given(app, "--output")) throw Error("--output requires an experiment file");
  const TableFormat format = table_format(request.format, "--as");
  const TableView view{.columns = parts(request.columns),
                       .where = parts(request.where),
                       .order = parts(request.order),
                       .digits = whole_number(request.digits, "--digits", 1, max_table_digits)};
  std::vector<std::filesystem::path> files = {request.file};
  files.insert(files.end(), request.more_files.begin(), request.more_files.end());
  print(read_in_a_process(files, [&] { return table_of(Results(files), format, view); }));
  return 0;
}

}  // namespace

Command table_command(Program& program) {
  const auto request = std::make_shared<TableRequest>();
  CLI::App& app = add_command(
      program, "table", "print one row per run of a results file, or write the tables of an experiment",
      column_help() + "\n" +
          example(program, "run sphere-bump --mesh icosphere:3 --end 1 --output results/try.h5 && " +
                               shell_quoted(program.argv[0]) + " table results/try.h5 --as md"));
  add_argument(app, "FILE.h5|EXPERIMENT.toml", request->file,
               "results, or an experiment file whose tables are rewritten beside its results");
  add_optional_argument(app, "MORE.h5", request->more_files, "further results for the same table");
  add_option(app, "--as", request->format, "FORMAT", "text, md, csv or tex; default text");
  add_option(app, "--columns", request->columns, "A,B,...", "names separated by commas, see below");
  add_option(app, "--where", request->where, "CONDITIONS",
             "only runs that satisfy all conditions, e.g. 'discretization=fefv,dt<=1/60'; = != < <= > >=");
  add_option(app, "--order", request->order, "A,B,...", "sort by these columns; -NAME: in descending order");
  add_option(app, "--digits", request->digits, "N", "significant digits of numbers; default 4; csv: all");
  add_option(app, "--output", request->output, "FILE.h5",
             "results of an experiment; default results/NAME/NAME.h5");
  return {&app, [&program, &app, request] { return table(program, app, *request); }};
}

}  // namespace shoal
