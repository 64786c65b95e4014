// Lists of numbers given by a rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace shoal {

/// The numbers of "geometric:A:B:N", N numbers from A to B with equal ratios, or of "arithmetic:A:B:N", with equal
/// differences; a suffix ":D" rounds them to D significant digits. A and B may be fractions and are exactly the first and
/// last number. Nothing if the text is not a rule. Throws Error "WHERE: …" if it begins like a rule but is invalid.
std::optional<std::vector<double>> numbers_of_rule(const std::string& text, const std::string& where);

}  // namespace shoal
