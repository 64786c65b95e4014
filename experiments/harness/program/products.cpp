// Tables written beside the results, and the command lines of figures.
#include "experiments/harness/program/products.hpp"

#include "experiments/harness/results/orders.hpp"
#include "experiments/harness/spectrum/frontier.hpp"
#include "experiments/harness/spectrum/spectrum_file.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace shoal {
namespace {

namespace fs = std::filesystem;

/// The format by its name, or by the suffix of the file.
TableFormat format_of(const TableEntry& table, const LocatedText& file) {
  static const std::map<std::string, TableFormat> formats = {{".txt", TableFormat::text},
                                                             {".md", TableFormat::markdown},
                                                             {".csv", TableFormat::csv},
                                                             {".tex", TableFormat::latex}};
  // Even if the format is given: a foreign experiment must not write files that other programs execute.
  const auto suffix = formats.find(fs::path(file.text).extension());
  if (suffix == formats.end())
    throw Error(fmt::format("{}: '{}' ends in none of .txt, .md, .csv, .tex", file.where, file.text));
  return table.format ? table_format(table.format->text, table.format->where) : suffix->second;
}

void check_script(const LocatedText& script, const fs::path& folder) {
  if (script.text.find('/') != std::string::npos || !script.text.ends_with(".py"))
    throw Error(fmt::format("{}: '{}' is not the name of a Python script in scripts/plots", script.where,
                            script.text));
  std::error_code unknown;
  if (!fs::is_directory(folder, unknown)) return;  // no scripts to compare with
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".py") names.push_back(entry.path().filename());
  std::ranges::sort(names);
  if (std::ranges::find(names, script.text) == names.end())
    throw Error(fmt::format("{}: there is no '{}' in scripts/plots{}", script.where, script.text,
                            did_you_mean(script.text, names)));
}

std::vector<std::string> texts(const std::vector<LocatedText>& placed) {
  std::vector<std::string> words;
  for (const LocatedText& word : placed) words.push_back(word.text);
  return words;
}

OrderRequest requested_orders(const TableEntry& table) {
  OrderRequest request = order_request(table.orders->text, table.orders->where, texts(table.errors));
  request.where = texts(table.where);
  return request;
}

}  // namespace

fs::path plots_folder() {
  std::error_code unknown;
  const fs::path here = fs::path("scripts") / "plots";
  const fs::path program =
      fs::read_symlink("/proc/self/exe", unknown).parent_path();  // of a build, or installed
  for (const fs::path& folder :
       {here, program / ".." / ".." / "scripts" / "plots", program / ".." / "share" / "shoal" / "plots"})
    if (fs::is_directory(folder, unknown)) return folder.lexically_normal();
  return here;
}

std::string table_of(const Results& results, TableFormat format, TableView view, const ColumnOffer& planned) {
  const hdf5::Group root = results.root();
  if (view.columns.empty() && view.where.empty() && view.order.empty() && root.has("frontier"))
    return format_table(frontier_grid(root, format), format, view.digits);
  if (view.columns.empty() && root.has("spectrum")) view.columns = spectrum_columns();
  return make_table(results, format, view, planned);
}

void check_products(const Experiment& experiment) {
  std::vector<std::string> made;
  for (const TableEntry& table : experiment.tables)
    for (const LocatedText& file : table.files) {
      format_of(table, file);
      made.push_back(file.text);
      if (table.orders) requested_orders(table);
    }
  const fs::path folder = plots_folder();
  for (const FigureEntry& figure : experiment.figures) {
    check_script(figure.script, folder);
    for (const LocatedText& argument : figure.arguments)  // options may be abbreviated
      if (const std::string name = argument.text.substr(0, argument.text.find('='));
          name.size() > 2 && std::string_view("--output").starts_with(name))
        throw Error(fmt::format("{}: '{}': figures are written to the folder of the results", argument.where,
                                argument.text));
    if (figure.from && std::ranges::find(made, figure.from->text) == made.end())
      throw Error(fmt::format("{}: '{}' is not one of the tables of this experiment ({}){}",
                              figure.from->where, figure.from->text,
                              made.empty() ? "it has none" : join(made),
                              did_you_mean(figure.from->text, made)));
  }
}

std::vector<Product> tables_of(const Catalog& catalog, const Experiment& experiment, const fs::path& output) {
  std::vector<Product> made;
  if (experiment.tables.empty()) return made;
  const Results results(output);
  ColumnOffer planned = planned_columns(catalog, expand(catalog, experiment));
  if (results.root().has("frontier")) planned.add(frontier_columns());
  const bool any_diagnostics = !ColumnOffer(results).diagnostics.empty();
  for (const TableEntry& table : experiment.tables) {
    TableView view{
        .columns = {}, .where = texts(table.where), .order = texts(table.order), .digits = table.digits};
    for (const LocatedText& column : table.columns) {
      view.columns.push_back(column.text);
      if (!any_diagnostics) planned.diagnostics.insert(column.text.substr(0, column.text.find('@')));
    }
    for (const LocatedText& file : table.files) {
      const TableFormat format = format_of(table, file);
      const std::string text = with_context(file.where, [&] {
        return table.orders
                   ? format_orders(find_orders(results, requested_orders(table)), format, table.digits)
                   : table_of(results, format, view, planned);
      });
      made.push_back({output.parent_path() / file.text, text});
    }
  }
  return made;
}

std::string figure_commands(const Experiment& experiment, const fs::path& output) {
  std::string text;
  for (const FigureEntry& figure : experiment.figures) {
    std::vector<std::string> words = {
        (plots_folder() / figure.script.text).string(),
        figure.from ? (output.parent_path() / figure.from->text).string() : output.string()};
    for (const LocatedText& argument : figure.arguments) words.push_back(argument.text);
    words.insert(words.end(), {"--name", fs::path(figure.file.text).stem().string()});
    for (std::string& word : words) word = shell_quoted(word);
    text += join(words, " ") + "\n";
  }
  return text;
}

}  // namespace shoal
