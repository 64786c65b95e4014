// Parameters: parsing, defaults, refusals.
#include "discretizations/common/parameters.hpp"
#include "discretizations/common/error.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

const ParameterInfos declared = {number("depth", "m", 1, 0, 10, "rest depth"),
                                 choice("dual", {"circumcentric", "intrinsic"}, "which dual"),
                                 text("center", "m", "0,0,1", "a place")};

std::string refusal(const std::map<std::string, Value>& given) {
  try {
    Parameters parameters(declared, given);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Parameters, defaults_are_filled_in) {
  const Parameters parameters(declared, {});
  EXPECT_EQ(*parameters.value("depth"), Value(1.0));
  EXPECT_EQ(*parameters.value("dual"), Value("circumcentric"));
  EXPECT_EQ(parameters.value("width"), nullptr);
}

TEST(Parameters, numbers_may_be_fractions_in_text) {
  EXPECT_EQ(*Parameters(declared, {{"depth", "1/4"}}).value("depth"), Value(0.25));
  EXPECT_EQ(parse_number(" -1e-3 / 2", "x"), -5e-4);
}

TEST(Parameters, a_refusal_names_the_parameter_the_value_and_the_rule) {
  EXPECT_EQ(refusal({{"depth", -1.0}}), "parameter 'depth': -1 is outside [0, 10]");
  EXPECT_EQ(refusal({{"depth", "deep"}}), "parameter 'depth': 'deep' is not a number");
  EXPECT_EQ(refusal({{"depth", "1/0"}}), "parameter 'depth': '1/0' is not a number");
  EXPECT_EQ(refusal({{"depth", "nan"}}), "parameter 'depth': nan is not finite");
  EXPECT_EQ(refusal({{"dual", "intrinsi"}}),
            "parameter 'dual': 'intrinsi' is not one of circumcentric, intrinsic; did you mean 'intrinsic'?");
}

TEST(Parameters, a_vector_needs_three_numbers) {
  EXPECT_EQ(parse_vector("1, 2,-1/2", "center"), Vector3(1, 2, -0.5));
  for (const char* wrong : {"1,2", "1,2,x", "nan,0,0"})
    EXPECT_THROW(parse_vector(wrong, "center"), SettingError);
  EXPECT_EQ(parse_direction("0,3,4", "axis"), Vector3(0, 0.6, 0.8));
  EXPECT_THROW(parse_direction("0,0,0", "axis"), SettingError);
}

TEST(Errors, context_is_put_in_front_and_the_kind_is_kept) {
  EXPECT_THROW(with_context("a", [] { throw Refusal("b"); }), Refusal);
  try {
    with_context("mesh 'x'", [] { throw Error("no faces"); });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "mesh 'x': no faces");
  }
}

TEST(Errors, the_nearest_name_is_offered_only_if_it_is_near) {
  EXPECT_EQ(did_you_mean("newmrk", {"explicit", "newmark"}), "; did you mean 'newmark'?");
  EXPECT_EQ(did_you_mean("zzzzzz", {"explicit", "newmark"}), "");
}

}  // namespace
}  // namespace shoal
