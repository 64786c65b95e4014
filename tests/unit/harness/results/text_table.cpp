// Foreign text stays text: no name can change the rows and cells of a table.
#include "experiments/harness/results/text_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace shoal {
namespace {

TextTable with_name(const std::string& name) {
  return {{{"id", false}, {"mesh", false}, {"dt"}}, {{std::string("0001"), name, 0.5}}};
}

auto count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

/// Cells of a Markdown row: a bar without a backslash ends a cell.
std::size_t bars(const std::string& row) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] == '\\')
      ++i;
    else
      count += row[i] == '|' ? 1 : 0;
  return count;
}

const std::string forged[] = {"x |\n| 0009 | forged by a name", "x\r\n0009,forged", "a\\| b | c", "\u2028| x",
                              "x & y \\\\\n0009 & forged"};

TEST(TextTable, no_name_begins_a_row_in_any_format) {
  for (const std::string& name : forged) {
    for (const TableFormat format : {TableFormat::text, TableFormat::markdown, TableFormat::csv}) {
      const std::string table = format_table(with_name(name), format);
      EXPECT_EQ(count(table, "\n"), format == TableFormat::csv ? 2U : 3U) << table;
      EXPECT_EQ(count(table, "\r") + count(table, "\u2028"), 0U) << table;
    }
    EXPECT_EQ(count(format_table(with_name(name), TableFormat::latex), "\\\\\n"), 2U) << "header and row";
  }
}

TEST(TextTable, no_name_begins_a_cell_of_markdown) {
  for (const std::string& name : forged) {
    const std::string table = format_table(with_name(name), TableFormat::markdown);
    const std::size_t end = table.find_last_not_of('\n'), begin = table.rfind('\n', end);
    EXPECT_EQ(bars(table.substr(begin + 1, end - begin)), 4U) << table;
  }
}

TEST(TextTable, markdown_has_no_html_and_no_links_of_names) {
  const std::string table = format_table(with_name("<script>alert(1)</script><!-- &lt; [a](javascript:b) `"),
                                         TableFormat::markdown);
  for (const char* alive : {"<script", "</script", "<!--", "&lt;", "](", "`"})
    EXPECT_EQ(count(table, alive),
              count(table, std::string("\\") + alive) + (alive[0] == ']' ? count(table, "]\\(") : 0))
        << alive << " in " << table;
  EXPECT_NE(format_table(with_name("η < 0"), TableFormat::markdown).find("η < 0"), std::string::npos);
  EXPECT_EQ(as_line("<b>x</b>\n| y", TableFormat::markdown), "\\<b>x\\</b> \\| y");
}

TEST(TextTable, csv_has_no_formula_of_a_name) {
  for (const char* formula :
       {"=1+1", "+cmd|'/c calc'!A0", "-2+3+cmd|x", "@SUM(A1)", "=HYPERLINK(\"http://x\")"}) {
    const std::string table = format_table(with_name(formula), TableFormat::csv);
    const std::string row = table.substr(table.find('\n') + 1), cell = row.substr(row.find(',') + 1);
    EXPECT_TRUE(cell.starts_with("'") || cell.starts_with("\"'")) << table;
  }
  for (const char* plain : {"-1 0 0", "-1.5e-3", "icosphere:4", "a=b"})
    EXPECT_NE(format_table(with_name(plain), TableFormat::csv).find(std::string(",") + plain + ","),
              std::string::npos)
        << plain;
}

TEST(TextTable, latex_takes_no_name_for_a_command) {
  const std::string table = format_table(with_name("[2cm] \\input{x} ~ ^ # % $"), TableFormat::latex);
  for (const char* dead : {"{[}2cm]", "\\textbackslash{}input\\{x\\}", "\\textasciitilde{}",
                           "\\textasciicircum{}", "\\#", "\\%", "\\$"})
    EXPECT_NE(table.find(dead), std::string::npos) << dead << " in " << table;
}

}  // namespace
}  // namespace shoal
