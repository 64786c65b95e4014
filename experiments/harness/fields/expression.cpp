#include "experiments/harness/fields/expression.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

// The letters of names: muParser's own and the two Greek ones, which are two bytes each.
constexpr const char* letters = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\u03BB\u03C6";

/// muParser accepts x = 3 as an assignment, which would silently change the position.
void refuse_assignments(const std::string& formula) {
  for (std::size_t i = 0; i < formula.size(); ++i) {
    if (formula[i] != '=') continue;
    if (i + 1 < formula.size() && formula[i + 1] == '=') {
      ++i;
      continue;
    }
    if (i > 0 && (formula[i - 1] == '<' || formula[i - 1] == '>' || formula[i - 1] == '!')) continue;
    throw Error(
        fmt::format("'{}' contains an assignment at character {}; use == for comparisons", formula, i + 1));
  }
}

}  // namespace

struct Expression::Parser {
  mu::Parser parser;
  double x = 0, y = 0, z = 0, r = 0, lambda = 0, phi = 0, time = 0;
  bool varies = false;
};

Expression::Expression(const std::string& formula, const std::map<std::string, double>& constants)
    : parser_(std::make_shared<Parser>()) {
  refuse_assignments(formula);
  mu::Parser& parser = parser_->parser;
  const std::map<std::string, double*> variables = {
      {"x", &parser_->x},    {"y", &parser_->y},           {"z", &parser_->z},
      {"r", &parser_->r},    {"lambda", &parser_->lambda}, {"phi", &parser_->phi},
      {"t", &parser_->time}, {"\u03BB", &parser_->lambda}, {"\u03C6", &parser_->phi}};
  std::vector<std::string> names = {"pi"};
  try {
    parser.DefineNameChars(letters);
    parser.DefineConst("pi", std::numbers::pi);
    for (const auto& [name, place] : variables) {
      parser.DefineVar(name, place);
      names.push_back(name);
    }
    for (const auto& [name, value] : constants) {
      if (variables.contains(name) || name == "pi") continue;  // the coordinate takes precedence
      parser.DefineConst(name, value);
      names.push_back(name);
    }
    for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
    parser.SetExpr(formula);
    parser_->varies = parser.GetUsedVar().contains("t");
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    std::string message =
        fmt::format("'{}' is neither a formula nor FILE.h5:DATASET or FILE.ply:PROPERTY: ", formula);
    if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN && !error.GetToken().empty()) {
      std::string token = error.GetToken();
      token.erase(token.find_last_not_of(' ') + 1);
      if (token.starts_with('.') &&
          formula.find_first_of("+*^(") == std::string::npos)  // the end of a file's name
        throw Error(message.substr(0, message.size() - 2));
      const bool chooses = token.substr(0, token.find_first_of("( ")) == "if";
      throw Error(
          fmt::format("{}'{}' is not known{}", message, token,
                      chooses ? "; write conditionals as CONDITION ? A : B" : did_you_mean(token, names)));
    }
    if (error.GetCode() == mu::ecUNEXPECTED_PARENS && error.GetPos() > 0) {  // of a function, mostly
      const std::size_t end = static_cast<std::size_t>(error.GetPos());
      const std::size_t before = formula.find_last_not_of(letters, end - 1);
      const std::string name = formula.substr(before == std::string::npos ? 0 : before + 1,
                                              end - (before == std::string::npos ? 0 : before + 1));
      if (!name.empty())
        throw Error(fmt::format(
            "{}there is no function '{}'{}", message, name,
            name == "if" ? "; write conditionals as CONDITION ? A : B" : did_you_mean(name, names)));
    }
    std::string reason = error.GetMsg();
    if (!reason.empty() && reason.back() == '.') reason.pop_back();
    throw Error(message + reason);
  }
}

double Expression::operator()(const Vector3& x, double time) const {
  Parser& p = *parser_;
  p.x = x.x();
  p.y = x.y();
  p.z = x.z();
  p.r = x.norm();
  p.lambda = std::atan2(p.y, p.x);
  p.phi = p.r > 0 ? std::asin(std::clamp(p.z / p.r, -1.0, 1.0)) : 0;
  p.time = time;
  return p.parser.Eval();
}

bool Expression::varies() const {
  return parser_->varies;
}

}  // namespace shoal
