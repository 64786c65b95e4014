// Tables as text, Markdown, CSV and LaTeX.
#include "experiments/harness/results/text_table.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>

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

/// Puts text on one line: names in foreign files may contain line breaks, which would begin a row.
std::string cleaned(const std::string& text) {
  std::string result = visible(text);
  std::ranges::replace(result, '\n', ' ');
  return result;
}

/// Escapes text for Markdown: it cannot end a cell or contain HTML tags, entities or links.
std::string markdown_text(const std::string& text) {
  const std::string plain = cleaned(text);
  std::string result;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const unsigned char next = i + 1 < plain.size() ? static_cast<unsigned char>(plain[i + 1]) : ' ';
    const bool opens = std::isalpha(next) != 0 ||
                       std::string_view("/!?#").find(static_cast<char>(next)) != std::string_view::npos;
    if (plain[i] == '|' || plain[i] == '\\' || plain[i] == '`' ||
        ((plain[i] == '<' || plain[i] == '&') && opens) || (plain[i] == ']' && (next == '(' || next == '[')))
      result += '\\';
    result += plain[i];
  }
  return result;
}

/// Escapes text that a spreadsheet would interpret as a formula.
std::string csv_text(const std::string& text) {
  const std::string plain = cleaned(text);
  const bool may_be_formula = !plain.empty() &&
                              std::string_view("=+-@").find(plain[0]) != std::string_view::npos &&
                              plain.find_first_not_of("+-0123456789.eE ") != std::string::npos;
  return (may_be_formula ? "'" : "") + plain;
}

/// The number of characters (not bytes).
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - width_of(text), ' ');
  return right ? space + text : text + space;
}

bool right_aligned(const TextTable& grid, std::size_t column) {
  return grid.headings[column].numeric && std::ranges::any_of(grid.rows, [&](const auto& row) {
           return std::holds_alternative<double>(row[column]);
         });
}

/// Lines of padded cells, escaped by `clean`; `rule` draws the line below the header.
std::string aligned(TextTable grid, int digits, const std::string& left, const std::string& between,
                    const std::string& right, std::string (*clean)(const std::string&),
                    const std::function<std::string(std::size_t width, bool right_aligned)>& rule) {
  for (Heading& heading : grid.headings) heading.text = clean(heading.text);
  for (auto& row : grid.rows)
    for (Cell& cell : row)
      if (const auto* text = std::get_if<std::string>(&cell)) cell = clean(*text);
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
    if (text.find_first_of(",\"") == std::string::npos) return text;
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
    return csv_text(heading.name.empty() ? heading.text : heading.name);
  });
  for (const auto& row : grid.rows)
    text += line(row, [](const Cell& cell) {
      const double* number = std::get_if<double>(&cell);
      return number ? fmt::format("{}", *number) : csv_text(std::get<std::string>(cell));
    });
  return text;
}

/// The replacements for characters in LaTeX with its default fonts, for any engine. The OT1 encoding prints <, > and | as other
/// characters, and two hyphens become a dash.
const std::map<std::string, std::string>& latex_characters() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> table = {{"\\", "\\textbackslash{}"},
                                                {"~", "\\textasciitilde{}"},
                                                {"^", "\\textasciicircum{}"},
                                                {"\u00a0", "~"}};
    const auto add = [&table](const char* pairs, const char* form) {
      std::istringstream stream(pairs);
      for (std::string character, command; stream >> character >> command;)
        table[character] = fmt::format(fmt::runtime(form), command);
    };
    add(R"(- -{} [ {[} * {*} – -- … \dots{} & \& % \% $ \$ # \# _ \_ { \{ } \})", "{}");
    add(R"(° ^\circ µ \mu < < > > | | · \cdot × \times ± \pm − - → \to ← \leftarrow ↓ \downarrow ↑ \uparrow
           ∇ \nabla ∂ \partial √ \surd ∞ \infty ≤ \le ≥ \ge ≠ \ne ≈ \approx ∝ \propto ∫ \int ‖ \|
           ½ \frac12 ¼ \frac14 ⟨ \langle ⟩ \rangle
           α \alpha β \beta γ \gamma δ \delta ε \varepsilon ζ \zeta η \eta θ \theta κ \kappa λ \lambda μ \mu ν \nu
           ξ \xi π \pi ρ \rho σ \sigma τ \tau φ \varphi χ \chi ψ \psi ω \omega
           Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Π \Pi Σ \Sigma Φ \Phi Ψ \Psi Ω \Omega)",
        "${}$");
    add("⁰ 0 ¹ 1 ² 2 ³ 3 ⁴ 4 ⁵ 5 ⁶ 6 ⁷ 7 ⁸ 8 ⁹ 9 ⁻ - ⁺ + ⁿ n ᵀ T", "$^{{{}}}$");
    add("₀ 0 ₁ 1 ₂ 2 ₃ 3 ₖ k ᵢ i ⱼ j ₙ n", "$_{{{}}}$");
    return table;
  }();
  return all;
}

std::string latex_text(const std::string& words) {
  const std::string text = cleaned(words);
  std::string escaped;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;  // the end of a UTF-8 character
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    const std::string character = text.substr(i, end - i);
    const bool dash = character == "-" && text.compare(end, 1, "-") != 0;  // not followed by another one
    const auto found = latex_characters().find(character);
    escaped += dash || found == latex_characters().end() ? character : found->second;
    i = end;
  }
  return escaped;
}

/// The column format for siunitx: "-1.3e-2".
class NumberFormat {
 public:
  void include(const std::string& number) {
    const std::size_t e = number.find('e'), begin = number.starts_with('-') ? 1 : 0;
    const std::string mantissa = number.substr(begin, e - begin);
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    negative_ = negative_ || begin == 1;
    before_ = std::max(before_, point);
    after_ = std::max(after_, mantissa.size() - std::min(point + 1, mantissa.size()));
    if (e == std::string::npos) return;
    const std::string exponent = std::to_string(std::stoi(number.substr(e + 1)));
    negative_exponent_ = negative_exponent_ || exponent.starts_with('-');
    exponent_ = std::max(exponent_, exponent.size() - (exponent.starts_with('-') ? 1 : 0));
  }
  std::string text() const {
    return fmt::format("{}{}.{}{}", negative_ ? "-" : "", std::max<std::size_t>(1, before_), after_,
                       exponent_ ? fmt::format("e{}{}", negative_exponent_ ? "-" : "", exponent_) : "");
  }
  std::size_t width() const { return before_ + after_ + (after_ ? 1 : 0) + (exponent_ ? exponent_ + 4 : 0); }

 private:
  bool negative_ = false, negative_exponent_ = false;
  std::size_t before_ = 0, after_ = 0, exponent_ = 0;
};

/// "1.2e-5", in the syntax of siunitx.
std::string latex_number(double number, int digits) {
  std::string text = shown_number(number, digits);
  if (!std::isfinite(number)) return "{" + text + "}";
  if (const auto e = text.find('e'); e != std::string::npos)
    text = text.substr(0, e + 1) + std::to_string(std::stoi(text.substr(e + 1)));
  return text;
}

/// The words of a heading in lines of about this many characters.
std::vector<std::string> heading_lines(const std::string& heading) {
  constexpr std::size_t wide = 11;
  std::vector<std::string> lines(1);
  std::string word;
  const auto end_word = [&] {
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > wide) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    word.clear();
  };
  for (const char c : heading)
    if (c == ' ')
      end_word();
    else
      word += c;
  end_word();
  return lines;
}

/// Uses booktabs and siunitx, a font size at which the table fits a text width of 15 cm, and longtable for many rows.
std::string as_latex(const TextTable& grid, int digits) {
  constexpr std::size_t rows_of_a_page = 40;
  const bool is_long = grid.rows.size() > rows_of_a_page;
  std::string columns;
  std::vector<std::string> headings;
  std::size_t width = 0;
  for (std::size_t c = 0; c < grid.headings.size(); ++c) {
    const bool right = right_aligned(grid, c);
    NumberFormat format;
    std::size_t widest = 0;
    for (const auto& row : grid.rows) {
      const double* number = std::get_if<double>(&row[c]);
      if (number && std::isfinite(*number)) format.include(latex_number(*number, digits));
      if (!number) widest = std::max(widest, width_of(shown(row[c], "–", digits)));
    }
    columns += right ? fmt::format("S[table-format={}]", format.text()) : "l";
    const std::vector<std::string> lines = heading_lines(grid.headings[c].text);
    std::vector<std::string> escaped;
    for (const std::string& line : lines) {
      widest = std::max(widest, width_of(line));
      escaped.push_back(latex_text(line));
    }
    const std::string text =
        lines.size() == 1 ? escaped.front()
                          : fmt::format("\\shortstack[{}]{{{}}}", right ? "c" : "l", join(escaped, "\\\\"));
    headings.push_back(right ? "{" + text + "}" : text);
    width += std::max(widest, right ? format.width() : 0) + 2;
  }
  // The number of characters in a line at 10 pt and smaller sizes.
  const std::string size = width <= 72   ? ""
                           : width <= 80 ? "\\small"
                           : width <= 92 ? "\\footnotesize"
                                         : "\\scriptsize";
  std::string text = fmt::format("% \\usepackage{{booktabs,siunitx{}}}\n", is_long ? ",longtable" : "");
  text += "\\begingroup" + size + (width > 92 ? "\\setlength{\\tabcolsep}{3pt}" : "") + "\n";
  text +=
      fmt::format("\\begin{{{}}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n{}", is_long ? "longtable" : "tabular",
                  columns, join(headings, " & "), is_long ? "\\endhead\n" : "");
  for (const auto& row : grid.rows) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double* number = std::get_if<double>(&row[c]);
      const std::string words = number ? "" : latex_text(shown(row[c], "–", digits));
      cells.push_back(number                   ? latex_number(*number, digits)
                      : right_aligned(grid, c) ? "{" + words + "}"
                                               : words);
    }
    text += join(cells, " & ") + " \\\\\n";
  }
  return text + fmt::format("\\bottomrule\n\\end{{{}}}\n\\endgroup\n", is_long ? "longtable" : "tabular");
}

}  // namespace

TableFormat table_format(const std::string& name, const std::string& what) {
  return static_cast<TableFormat>(choice({"text", "md", "csv", "tex"}, name, what));
}

std::string take_out_constants(TextTable& grid, std::size_t count, int digits) {
  std::string text;
  if (grid.rows.size() < 2) return text;
  for (std::size_t c = count; c-- > 0;) {
    const Cell first = grid.rows.front()[c];
    if (std::ranges::any_of(grid.rows, [&](const auto& row) { return row[c] != first; })) continue;
    const double* number = std::get_if<double>(&first);
    const std::string value = number ? fmt::format("{:.{}g}", *number, digits) : std::get<std::string>(first);
    if (!value.empty()) text.insert(0, fmt::format("%   {}: {}\n", grid.headings[c].text, one_line(value)));
    const auto at = static_cast<std::ptrdiff_t>(c);
    grid.headings.erase(grid.headings.begin() + at);
    for (auto& row : grid.rows) row.erase(row.begin() + at);
  }
  return text.empty() ? text : "% The same in all rows:\n" + text;
}

std::string format_table(const TextTable& grid, TableFormat format, int digits) {
  switch (format) {
    case TableFormat::csv:
      return as_csv(grid);
    case TableFormat::latex:
      return as_latex(grid, digits);
    case TableFormat::markdown:
      return aligned(grid, digits, "| ", " | ", " |", markdown_text, [](std::size_t width, bool right) {
        return std::string(width - 1, '-') + (right ? ":" : "-");
      });
    case TableFormat::text:
      break;
  }
  return aligned(grid, digits, "", "  ", "", cleaned,
                 [](std::size_t width, bool) { return std::string(width, '-'); });
}

std::string as_line(const std::string& text, TableFormat format) {
  return format == TableFormat::markdown ? markdown_text(text) : cleaned(text);
}

}  // namespace shoal
