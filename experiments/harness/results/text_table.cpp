// Tables as text, Markdown, CSV and LaTeX.
#include "experiments/harness/results/text_table.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace shoal {
namespace {

std::string shown_number(double number, int digits) {
  const bool whole = number == std::round(number) && std::abs(number) < 1e9;  // counts keep all digits
  return whole ? fmt::format("{:.0f}", number) : fmt::format("{:.{}g}", number, digits);
}

std::string shown(const Cell& cell, const char* nothing, int digits) {
  if (const double* number = std::get_if<double>(&cell)) return shown_number(*number, digits);
  const std::string& text = std::get<std::string>(cell);
  return text.empty() ? nothing : text;
}

/// Characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - width_of(text), ' ');
  return right ? space + text : text + space;
}

bool right_aligned(const TextTable& grid, std::size_t column) {
  return grid.headings[column].numeric &&
         std::any_of(grid.rows.begin(), grid.rows.end(),
                     [&](const auto& row) { return std::holds_alternative<double>(row[column]); });
}

/// Lines of padded cells; `rule` draws what stands below the header.
std::string aligned(const TextTable& grid, int digits, const std::string& left, const std::string& between,
                    const std::string& right,
                    const std::function<std::string(std::size_t width, bool right_aligned)>& rule) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < grid.headings.size(); ++c) {
    std::size_t width = std::max<std::size_t>(3, width_of(grid.headings[c].text));
    for (const auto& row : grid.rows) width = std::max(width, width_of(shown(row[c], "–", digits)));
    widths.push_back(width);
  }
  const auto line = [&](const std::function<std::string(std::size_t)>& cell) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < grid.headings.size(); ++c) cells.push_back(cell(c));
    std::string text = left + join(cells, between) + right;
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text =
      line([&](std::size_t c) { return padded(grid.headings[c].text, widths[c], right_aligned(grid, c)); });
  text += line([&](std::size_t c) { return rule(widths[c], right_aligned(grid, c)); });
  for (const auto& row : grid.rows)
    text += line(
        [&](std::size_t c) { return padded(shown(row[c], "–", digits), widths[c], right_aligned(grid, c)); });
  return text;
}

std::string as_csv(const TextTable& grid) {
  const auto quoted = [](const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
  };
  const auto line = [&](const auto& cells, const auto& text_of) {
    std::vector<std::string> texts;
    for (const auto& cell : cells) texts.push_back(quoted(text_of(cell)));
    return fmt::format("{}\n", fmt::join(texts, ","));
  };
  std::string text = line(grid.headings, [](const Heading& heading) {
    return heading.name.empty() ? heading.text : heading.name;
  });
  for (const auto& row : grid.rows)
    text += line(row, [](const Cell& cell) {
      const double* number = std::get_if<double>(&cell);
      return number ? fmt::format("{}", *number) : std::get<std::string>(cell);
    });
  return text;
}

std::string latex_text(std::string text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string("&%$#_{}").find(c) != std::string::npos) escaped += '\\';
    escaped += c == '\\' ? std::string("\\textbackslash{}") : std::string(1, c);
  }
  // The symbols that our reasons and units use, for any LaTeX engine.
  for (const auto& [symbol, command] :
       {std::pair("·", "$\\cdot$"), std::pair("ρ", "$\\rho$"), std::pair("²", "$^2$"),
        std::pair("Δ", "$\\Delta$"), std::pair("ω", "$\\omega$"), std::pair("⁴", "$^4$"),
        std::pair("η", "$\\eta$"), std::pair("θ", "$\\theta$"), std::pair("×", "$\\times$"),
        std::pair("±", "$\\pm$"), std::pair("−", "$-$"), std::pair("↓", "$\\downarrow$"),
        std::pair("…", "\\dots{}")})
    for (std::size_t at = 0; (at = escaped.find(symbol, at)) != std::string::npos;)
      escaped.replace(at, std::string(symbol).size(), command);
  return escaped;
}

std::string latex_number(double number, int digits) {
  const std::string text = shown_number(number, digits);
  if (!std::isfinite(number)) return "\\text{" + text + "}";
  const auto e = text.find('e');
  if (e == std::string::npos) return "$" + text + "$";
  return fmt::format("${} \\times 10^{{{}}}$", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string as_latex(const TextTable& grid, int digits) {
  std::string alignment;
  std::vector<std::string> headers;
  for (std::size_t c = 0; c < grid.headings.size(); ++c) {
    alignment += right_aligned(grid, c) ? 'r' : 'l';
    headers.push_back(latex_text(grid.headings[c].text));
  }
  std::string text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n", alignment,
                                 join(headers, " & "));
  for (const auto& row : grid.rows) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) {
      const double* number = std::get_if<double>(&cell);
      cells.push_back(number ? latex_number(*number, digits) : latex_text(shown(cell, "--", digits)));
    }
    text += join(cells, " & ") + " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

TableFormat table_format(const std::string& name, const std::string& what) {
  if (name == "text") return TableFormat::text;
  if (name == "md") return TableFormat::markdown;
  if (name == "csv") return TableFormat::csv;
  if (name == "tex") return TableFormat::latex;
  throw Error(fmt::format("{}: '{}' is not one of text, md, csv, tex{}", what, name,
                          did_you_mean(name, {"text", "md", "csv", "tex"})));
}

std::string format_table(const TextTable& grid, TableFormat format, int digits) {
  switch (format) {
    case TableFormat::csv:
      return as_csv(grid);
    case TableFormat::latex:
      return as_latex(grid, digits);
    case TableFormat::markdown:
      return aligned(grid, digits, "| ", " | ", " |", [](std::size_t width, bool right) {
        return std::string(width - 1, '-') + (right ? ":" : "-");
      });
    case TableFormat::text:
      break;
  }
  return aligned(grid, digits, "", "  ", "", [](std::size_t width, bool) { return std::string(width, '-'); });
}

}  // namespace shoal
