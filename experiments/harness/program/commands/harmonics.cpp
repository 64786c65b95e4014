// `shoal harmonics`: fields on spheres by degree, zonal wave number, latitude and time.
#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/results/sphere_fields.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace shoal {
namespace {

struct HarmonicsRequest {
  std::string file, run, by = "degree", times, degree, wave_number, speed, latitude, format = "text",
                         digits = "4";
  std::vector<std::string> more_files;
};

/// Throws Error for an option that the table asked for does not use.
void refuse_foreign_options(const HarmonicsRequest& request) {
  const auto refuse = [&](const std::string& option, const std::string& value,
                          const std::vector<std::string>& users) {
    if (value.empty() || std::ranges::find(users, request.by) != users.end()) return;
    throw Error(
        fmt::format("{} is not used by --by {}, only by --by {}", option, request.by, join(users, " and ")));
  };
  refuse("--wavenumber", request.wave_number, {"time"});
  refuse("--speed", request.speed, {"time"});
  refuse("--latitude", request.latitude, {"wavenumber", "time"});
}

int harmonics(const HarmonicsRequest& request) {
  const TableFormat format = table_format(request.format, "--as");
  const int digits = whole_number(request.digits, "--digits", 1, max_table_digits);
  choice(sphere_tables(), request.by, "--by");
  refuse_foreign_options(request);
  SphereRequest wanted{.by = request.by, .run = run_id(request.run)};
  for (const std::string& time :
       request.times.empty() ? std::vector<std::string>{} : split_at_commas(request.times))
    wanted.times.push_back(parse_number(time, "--time"));
  constexpr int max_degree = 1000;
  if (!request.degree.empty()) wanted.degree = whole_number(request.degree, "--degree", 1, max_degree);
  if (!request.wave_number.empty())
    wanted.wave_number = whole_number(request.wave_number, "--wavenumber", 1, max_degree);
  if (!request.speed.empty()) wanted.speed = parse_number(request.speed, "--speed");
  if (wanted.speed && !std::isfinite(*wanted.speed))
    throw Error(fmt::format("--speed: '{}' is not a finite number", request.speed));
  if (!request.latitude.empty()) wanted.latitude = parse_number(request.latitude, "--latitude");
  if (!(std::abs(wanted.latitude) < 90)) throw Error("--latitude: not between −90 and 90 degrees");
  std::vector<std::filesystem::path> files = {request.file};
  files.insert(files.end(), request.more_files.begin(), request.more_files.end());
  read_in_a_process(files, [&] {  // damaged files may crash it
    for (const std::filesystem::path& file : files) require_readable_fields(file);
    return std::string();
  });
  const SphereTable made = sphere_table(files, wanted);
  print(format_table(made.table, format, digits));
  for (const std::string& note : made.notes) say("note: " + note + "\n");
  return 0;
}

}  // namespace

Command harmonics_command(Program& program) {
  const auto request = std::make_shared<HarmonicsRequest>();
  CLI::App& app = add_command(
      program, "harmonics", "tabulate fields on spheres by degree, zonal wave number, latitude or time",
      "For results on a sphere about the origin and for files of shoal-reference. All numbers follow from "
      "the\n"
      "spherical harmonics of depth and velocity up to one degree L, fitted to the values of a run. The axis "
      "is z.\n"
      "  degree      variance of the depth, and kinetic energy ½v² of rotational and divergent flow, of each "
      "degree\n"
      "  wavenumber  the same of each wave number m along the circles of latitude, and amplitude and crest "
      "of the\n"
      "              depth's wave m at one latitude\n"
      "  latitude    means of depth and velocity along circles of latitude\n"
      "  time        at each snapshot, the wave --wavenumber M: amplitude, longitude of a crest, mean speed "
      "since "
      "the\n"
      "              start; and `other waves`, the variance of the depth in wave numbers that are not "
      "multiples of "
      "M,\n"
      "              divided by that in multiples of M\n" +
          example(
              program,
              fmt::format("run williamson-6 --mesh icosphere:3 --discretization dec --integrator ssprk3 "
                          "--end 86400 --snapshots every:43200 --output results/try-wave.h5 && {} harmonics "
                          "results/try-wave.h5 --by time --wavenumber 4 --speed 12",
                          shell_quoted(program.argv[0]))));
  add_argument(app, "FILE.h5", request->file, "results, or a file of shoal-reference");
  add_optional_argument(app, "MORE.h5", request->more_files, "more files");
  add_option(app, "--by", request->by, "KIND", join(sphere_tables()) + "; default degree");
  add_option(app, "--run", request->run, "ID", "only this run");
  add_option(app, "--time", request->times, "S,S,...",
             "only snapshots at these times, s; default: the last; by time: all");
  add_option(app, "--degree", request->degree, "L", "default 21, or less on coarse meshes");
  add_option(app, "--wavenumber", request->wave_number, "M", "by time; default 1");
  add_option(
      app, "--speed", request->speed, "DEGREES/DAY",
      "by time; roughly that of the wave, if it moves by more than half its length between the first two "
      "snapshots; default 0");
  add_option(app, "--latitude", request->latitude, "DEGREES",
             "by wavenumber and time: where amplitude and crest are measured; default 45");
  add_option(app, "--as", request->format, "FORMAT", "text, md, csv or tex; default text");
  add_option(app, "--digits", request->digits, "N", "significant digits of numbers; default 4; csv: all");
  return {&app, [request] { return harmonics(*request); }};
}

}  // namespace shoal
