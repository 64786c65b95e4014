// `shoal inspect`: the contents of a results file, or the quality of a mesh.
#include "experiments/harness/results/inspect.hpp"

#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <memory>

namespace shoal {
namespace {

struct InspectRequest {
  std::string file, weld;
};

int inspect(const InspectRequest& request) {
  const std::string& file = request.file;
  const bool is_results = has_hdf5_signature(file) || std::filesystem::path(file).extension() == ".h5";
  print(is_results ? read_in_a_process({file}, [&] { return describe_results(Results(file), file); })
                   : describe_mesh(file, length(request.weld, "--weld")));
  return 0;
}

}  // namespace

Command inspect_command(Program& program) {
  const auto request = std::make_shared<InspectRequest>();
  CLI::App& app = add_command(program, "inspect",
                              "describe a results file and how to reproduce it, or the quality of a mesh",
                              example(program, "inspect icosphere:4"));
  add_argument(app, "FILE.h5|MESH", request->file, "results, a mesh file or a generated mesh");
  add_weld_option(app, request->weld);
  return {&app, [request] { return inspect(*request); }};
}

}  // namespace shoal
