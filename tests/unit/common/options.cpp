// Options: a described struct is declared, set and read back.
#include "discretizations/common/options.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

struct Inner {
  bool on = false;
  double size = 1;
  static Options<Inner> describe() {
    return Options<Inner>()
        .choice("switch", &Inner::on, {{"off", false}, {"on", true}}, "whether")
        .number("size", "m", &Inner::size, 0, 10, "how large");
  }
};

struct Outer {
  Inner inner{.on = true, .size = 2};
  int count = 3;
  std::string name = "x";
  Vector3 place{1, -0.5, 0};
  Vector3 axis{0, 0, 2};
  static Options<Outer> describe() {
    return Options<Outer>()
        .part(&Outer::inner, Inner::describe())
        .whole_number("count", "1", &Outer::count, 1, 9, "how many")
        .text("name", "", &Outer::name, "what it is called")
        .vector("place", "m", &Outer::place, "where")
        .direction("axis", "1", &Outer::axis, "along which");
  }
};

TEST(Options, have_the_defaults_of_the_struct_that_holds_them) {
  const ParameterInfos infos = describe_options<Outer>();
  std::vector<std::string> names, defaults;
  for (const ParameterInfo& info : infos) {
    names.push_back(info.name);
    defaults.push_back(to_string(info.fallback));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"switch", "size", "count", "name", "place", "axis"}));
  EXPECT_EQ(defaults, (std::vector<std::string>{"on", "2", "3", "x", "1,-0.5,0", "0,0,2"}));
  EXPECT_EQ(infos.front().choices, (std::vector<std::string>{"on", "off"}));  // the default first
  EXPECT_EQ(describe_options<Inner>().front().choices, (std::vector<std::string>{"off", "on"}));
  EXPECT_TRUE(infos[2].whole);
}

TEST(Options, are_read_from_what_was_given) {
  const auto read = read_options<Outer>(Parameters(describe_options<Outer>(), {{"switch", "off"},
                                                                               {"size", "1/4"},
                                                                               {"count", 5.0},
                                                                               {"name", "y"},
                                                                               {"place", "0,0,7"},
                                                                               {"axis", "0,3,4"}}));
  EXPECT_FALSE(read.inner.on);
  EXPECT_EQ(read.inner.size, 0.25);
  EXPECT_EQ(read.count, 5);
  EXPECT_EQ(read.name, "y");
  EXPECT_EQ(read.place, Vector3(0, 0, 7));
  EXPECT_EQ(read.axis, Vector3(0, 0.6, 0.8));
}

TEST(Options, that_are_not_declared_keep_their_defaults) {
  const auto read = read_options<Outer>(Parameters(describe_options<Inner>(), {}));
  EXPECT_FALSE(read.inner.on);  // declared by Inner, with its own default
  EXPECT_EQ(read.count, 3);
}

}  // namespace
}  // namespace shoal
