// A table of numbers and words, and its output formats.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace shoal {

/// A number, a word, or "" for an empty cell.
using Cell = std::variant<double, std::string>;

struct Heading {
  std::string text;
  bool numeric = true;    ///< aligned to the right
  std::string name = "";  ///< heading in CSV, for programs; "": the text
};

struct TextTable {
  std::vector<Heading> headings;
  std::vector<std::vector<Cell>> rows;
};

enum class TableFormat { text, markdown, csv, latex };  // in the order of their names in table_format()

/// Parses "text", "md", "csv" or "tex". Errors begin with `what`.
TableFormat table_format(const std::string& name, const std::string& what);

/// Removes those of the first `count` columns that have one value in all rows, and returns these values as a LaTeX comment.
std::string take_out_constants(TextTable& grid, std::size_t count, int digits = 4);

/// Formats numbers with `digits` significant digits, integers and numbers in CSV with all. Any text is escaped to stay one cell:
/// line breaks, control characters, `|`, HTML, and in CSV formulas of spreadsheets.
std::string format_table(const TextTable& grid, TableFormat format, int digits = 4);

/// A line of text below a table, escaped likewise.
std::string as_line(const std::string& text, TableFormat format);

}  // namespace shoal
