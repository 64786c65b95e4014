// Text for the terminal, and recordable text.
#include "experiments/harness/system/terminal.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

TEST(Terminal, what_it_would_act_on_is_made_visible) {
  EXPECT_EQ(visible("η₀ = 1 m and\n𝛾"), "η₀ = 1 m and\n𝛾");
  EXPECT_EQ(visible("\x1b]0;title\x07\x1b[2J\r"), "\\x1b]0;title\\x07\\x1b[2J\\x0d");
  EXPECT_EQ(visible("\x7f"), "\\x7f");
  EXPECT_EQ(visible("\xc2\x9b"), "\\u{9b}") << "a control sequence of one character";
  EXPECT_EQ(visible("a\xe2\x80\xae"
                    "b"),
            "a\\u{202e}b")
      << "turns the direction of writing";
  EXPECT_EQ(visible(std::string("a\0b", 3)), "a\\x00b");
}

TEST(Terminal, bytes_that_are_not_utf8_are_made_visible) {
  EXPECT_EQ(visible("m\xff.obj"), "m\\xff.obj");
  EXPECT_EQ(visible("\xc0\xaf"), "\\xc0\\xaf") << "too long a form of /";
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last";
  EXPECT_EQ(visible("\xe2\x82"), "\\xe2\\x82") << "cut off";
}

TEST(Terminal, what_can_be_recorded_is_utf8_without_zero) {
  EXPECT_TRUE(is_recordable("left = outflow;\nright = wall"));
  EXPECT_FALSE(is_recordable("m\xff.obj"));
  EXPECT_FALSE(is_recordable(std::string("a\0b", 3)));
  EXPECT_TRUE(is_plain_utf8("run η.h5"));
  EXPECT_FALSE(is_plain_utf8("run\n.h5"));
}

TEST(Terminal, a_word_is_quoted_as_a_shell_takes_it) {
  EXPECT_EQ(shell_quoted("results/a.h5"), "results/a.h5");
  EXPECT_EQ(shell_quoted("a b's"), "'a b'\\''s'");
  EXPECT_EQ(shell_quoted("m\xff'\\.obj"), "$'m\\xff\\'\\\\.obj'");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace shoal
