// Arbitrary bytes as a mesh file of the format given by the extension of SHOAL_FUZZ_FILE: either they are a surface,
// whose geometry and quality can be computed, or they are refused in one line. Built by scripts/fuzz.sh, once for
// each format.
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/quality.hpp"
#include "tests/fuzz/refusal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shoal;
  test::run_or_refuse([&] {
    const Surface surface = parse_surface(SHOAL_FUZZ_FILE, {reinterpret_cast<const char*>(data), size});
    const std::string report =
        quality_report(surface, assess(surface, make_geometry(surface.mesh, surface.x)));
    test::require(!report.empty(), "the quality report is empty");
  });
  return 0;
}
