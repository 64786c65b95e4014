// `shoal rerun`: recorded runs once more.
#include "experiments/harness/results/rerun.hpp"

#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace shoal {
namespace {

struct RerunRequest {
  std::string file, run;
  Computing computing;
};

int rerun(const Program& program, const RerunRequest& request) {
  const std::string &file = request.file, id = run_id(request.run);
  const auto read = [&] { return make_rerun(program.catalog, Results(file), file, id); };
  read_in_a_process({file}, [&] { return read().experiment.name; });  // damaged files may crash it
  const Rerun rerun = read();
  check_meshes(program.catalog, rerun);
  for (const std::string& note : rerun.notes) say(note + "\n");
  Computing computing = request.computing;
  if (computing.output.empty())
    computing.output = std::filesystem::path(file)
                           .replace_extension(id.empty() ? ".rerun.h5" : fmt::format(".rerun-{}.h5", id))
                           .string();
  std::error_code missing;
  if (std::filesystem::equivalent(computing.output, file, missing))
    throw Error(fmt::format("--output: '{}' is the input file; choose another", computing.output));
  const Execution execution = carry_out(program, rerun.experiment, computing, false);
  return execution.signal != 0 ? signal_base + execution.signal : 0;
}

}  // namespace

Command rerun_command(Program& program) {
  const auto request = std::make_shared<RerunRequest>();
  const std::string file = "results/try.h5";
  CLI::App& app = add_command(
      program, "rerun", "repeat the runs of a results file",
      example(program, fmt::format("run sphere-bump --mesh icosphere:3 --end 1 --output {0} && {1} rerun {0}",
                                   file, shell_quoted(program.argv[0]))));
  add_argument(app, "FILE.h5", request->file, "results; mesh files must still exist");
  add_option(app, "--run", request->run, "ID", "only this run");
  add_jobs(app, request->computing);
  add_saving(app, request->computing);
  add_output_options(app, request->computing, "default FILE.rerun.h5 or FILE.rerun-ID.h5");
  return {&app, [&program, request] { return rerun(program, *request); }};
}

}  // namespace shoal
