// Lists of numbers given by a rule instead of one by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace shoal {

/// The numbers of "geometric:A:B:N", N from A to B in equal ratios, or of "arithmetic:A:B:N", in equal
/// differences; with ":D" behind it they are rounded to D significant digits. A and B may be fractions, and
/// the list begins and ends with exactly these. Nothing if the text is no such rule. Throws Error "WHERE: …"
/// where it begins like one and is wrong.
std::optional<std::vector<double>> numbers_of_rule(const std::string& text, const std::string& where);

}  // namespace shoal
