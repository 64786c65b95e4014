// Remarks of the program on a run.
#include "shoal.hpp"

namespace shoal {
namespace {

using test::Shoal;

TEST_F(Shoal, says_where_the_solution_is_that_of_other_equations) {
  const auto complaint_of = [&](const std::string& arguments) {
    EXPECT_EQ(shoal("run --mesh icosphere:1 --end 0.1 --dt 0.1 --fresh --output a.h5 " + arguments), 0);
    return complaint();
  };
  const auto is_said = [](const std::string& text) {
    return text.find("that of equations with") != text.npos;
  };
  EXPECT_TRUE(is_said(complaint_of("williamson-2")));
  EXPECT_FALSE(is_said(complaint_of("williamson-2 --advection bfecc")));
  EXPECT_FALSE(is_said(complaint_of("williamson-2 --discretization kinetic")));
  EXPECT_FALSE(is_said(complaint_of("pulsating-ellipsoid-2007")));
  EXPECT_TRUE(is_said(complaint_of("pulsating-ellipsoid-2007 --advection bfecc")));
  EXPECT_TRUE(is_said(complaint_of("pulsating-ellipsoid-2007 --param equations=full")));
}

}  // namespace
}  // namespace shoal
