// A table of numbers and words, and its forms.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace shoal {

/// A number, a word, or "" where there is nothing to show.
using Cell = std::variant<double, std::string>;

struct Heading {
  std::string text;
  bool numeric = true;    ///< aligned to the right
  std::string name = "";  ///< in CSV, which programs read; "" for the text
};

struct TextTable {
  std::vector<Heading> headings;
  std::vector<std::vector<Cell>> rows;
};

enum class TableFormat { text, markdown, csv, latex };  // in the order of their names in table_format()

/// "text", "md", "csv", "tex". Throws Error with `what` in front.
TableFormat table_format(const std::string& name, const std::string& what);

/// Takes out those of the first `count` columns that have one value in all rows; what they hold, as a comment for LaTeX.
std::string take_out_constants(TextTable& grid, std::size_t count, int digits = 4);

/// Numbers with so many significant digits, whole ones and those in CSV with all. Words stay words and cells cells, whatever
/// is in them: line breaks, control characters, `|`, HTML, and in CSV what a spreadsheet would compute.
std::string format_table(const TextTable& grid, TableFormat format, int digits = 4);

/// A line of words below a table, likewise.
std::string as_line(const std::string& text, TableFormat format);

}  // namespace shoal
