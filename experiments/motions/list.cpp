// The list of motions.
#include "experiments/motions/motion.hpp"

#include "discretizations/discretization.hpp"
#include "solvers/inertia.hpp"

namespace shoal {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double min_positive = 1e-12;

const ParameterInfo axis = text("motion_axis", "1", "0,0,1", "direction x,y,z of the axis");

ParameterInfo period(const std::string& meaning) {
  return number("motion_period", "s", 2, min_positive, unlimited, meaning);
}

ParameterInfo amplitude(const std::string& unit, double fallback, double least, double most,
                        const std::string& meaning) {
  return number("motion_amplitude", unit, fallback, least, most, meaning);
}

MotionEntry entry(std::string name, std::string summary, ParameterInfos parameters,
                  std::function<Motion(const Surface&, const Parameters&, std::uint64_t)> make,
                  std::function<std::vector<std::string>(const Parameters&)> files = {}) {
  for (const ParameterInfo& info : moving_parameters()) parameters.push_back(info);
  return {std::move(name), std::move(summary), std::move(parameters), std::move(make), std::move(files)};
}

MotionEntry seeded(MotionEntry entry) {
  entry.random = true;
  return entry;
}

}  // namespace

ParameterInfos moving_parameters() {
  ParameterInfos parameters = describe_options<MovingSurfaceOptions>();
  for (const ParameterInfo& info : describe_options<InertiaOptions>()) parameters.push_back(info);
  return parameters;
}

List<MotionEntry> builtin_motions() {
  List<MotionEntry> list("motion");
  for (MotionEntry& motion : std::vector<MotionEntry>{
      {"none",
       "the surface stays, or moves as its scene says",
       {},
       [](const Surface&, const Parameters&, std::uint64_t) { return Motion(); }},
      entry("breathing", "all lengths about the origin swell and shrink",
            {amplitude("1", 0.3, -0.95, 0.95, "largest change, over the size"), period("of the swing")},
            [](const Surface& surface, const Parameters& p, std::uint64_t) {
              return breathing(surface.x, p.number("motion_amplitude"), p.number("motion_period"));
            }),
      entry("squash", "one axis is stretched and compressed",
            {amplitude("1", 0.8, -0.95, 0.95, "largest change, over the size"), axis, period("of the swing")},
            [](const Surface& surface, const Parameters& p, std::uint64_t) {
              return squash(surface.x, p.direction("motion_axis"), p.number("motion_amplitude"),
                            p.number("motion_period"));
            }),
      entry("twist", "ends turn against each other about an axis, and back",
            {amplitude("rad", 1, -unlimited, unlimited, "largest angle of either end"), axis,
             period("of the swing")},
            [](const Surface& surface, const Parameters& p, std::uint64_t) {
              return twist(surface.x, p.direction("motion_axis"), p.number("motion_amplitude"),
                           p.number("motion_period"));
            }),
      entry("bulge", "a hump travels around an axis",
            {amplitude("m", 0.2, -unlimited, unlimited, "height of the hump"), axis,
             number("motion_width", "rad", 0.5, min_positive, unlimited, "width of the hump"),
             period("in which it goes around once")},
            [](const Surface& surface, const Parameters& p, std::uint64_t) {
              return bulge(surface.x, p.direction("motion_axis"), p.number("motion_amplitude"),
                           p.number("motion_width"), p.number("motion_period"));
            }),
      seeded(
          entry("crumple",
                "random smooth waves that grow without end, so that triangles get worse and worse; the key "
                "seed chooses them",
                {amplitude("m", 0.1, 0, unlimited, "rms displacement after one period"),
                 number("motion_wavelength", "m", 1, min_positive, unlimited, "of the shortest wave"),
                 period("in which the waves grow to the amplitude, and no wave moves faster")},
                [](const Surface& surface, const Parameters& p, std::uint64_t seed) {
                  return crumple(surface.x, p.number("motion_amplitude"), p.number("motion_wavelength"),
                                 p.number("motion_period"), seed);
                })),
      entry("translation", "the surface goes straight on",
            {text("motion_velocity", "m/s", "1,0,0", "velocity x,y,z")},
            [](const Surface& surface, const Parameters& p, std::uint64_t) {
              return translation(surface.x, p.vector("motion_velocity"));
            }),
      entry("shake", "the surface swings to and fro",
            {amplitude("m", 0.1, 0, unlimited, "largest displacement"), axis, period("of the swing")},
            [](const Surface& surface, const Parameters& p, std::uint64_t) {
              return shake(surface.x, p.number("motion_amplitude") * p.direction("motion_axis"),
                           p.number("motion_period"));
            }),
      entry(
          "sequence",
          "meshes from files, one after the other in the order of the numbers in their names, straight lines "
          "in time between them (inertia feels a kick at each); the last one stays",
          {text("sequence", "", "",
                "files of the same mesh, with one * in their name: frames/*.obj; the first is the mesh "
                "of the run"),
           number("frame_rate", "1/s", 24, min_positive, unlimited, "files per second of simulated time")},
          [](const Surface& surface, const Parameters& p, std::uint64_t) {
            return mesh_sequence(surface, p.text("sequence"), p.number("frame_rate"));
          },
          [](const Parameters& p) { return sequence_files(p.text("sequence")); }),
  }) list.add(motion);
  return list;
}

}  // namespace shoal
