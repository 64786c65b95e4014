// Every command printed in the help texts, experiments/README.md and the scripts works as printed in a new folder: it succeeds
// without warnings, and the orders that it shows are orders.
#include "experiments/harness/catalog/catalog.hpp"
#include "shoal.hpp"

#include <regex>
#include <vector>

namespace shoal {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The columns of a table headed "order", row by row, as they stand between the columns that the rule below the heading marks.
std::vector<std::string> orders_in(const std::string& table) {
  const auto characters = [](const std::string& line) {
    std::vector<std::string> all;
    for (const char c : line)
      if ((static_cast<unsigned char>(c) & 0xc0) == 0x80 && !all.empty())
        all.back() += c;
      else
        all.emplace_back(1, c);
    return all;
  };
  std::vector<std::string> orders;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // begin and end
  std::vector<std::string> before;
  for (const std::string& line : lines_of(table)) {
    const std::vector<std::string> now = characters(line);
    const auto part = [](const std::vector<std::string>& all, std::size_t begin, std::size_t end) {
      std::string text;
      for (std::size_t i = begin; i < std::min(end, all.size()); ++i) text += all[i] == " " ? "" : all[i];
      return text;
    };
    if (line.starts_with("---")) {
      places.clear();
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i] != "-") continue;
        const std::size_t begin = i;
        while (i < now.size() && now[i] == "-") ++i;
        if (part(before, begin, i) == "order") places.emplace_back(begin, i);
      }
    } else if (line.empty()) {
      places.clear();
    }
    for (const auto& [begin, end] : places)
      if (const std::string value = part(now, begin, end); !value.starts_with("-")) orders.push_back(value);
    before = now;
  }
  return orders;
}

class Example : public test::Shoal {
 protected:
  Example() { fs::create_directory_symlink(fs::path(SHOAL_SOURCE) / "experiments", folder_ / "experiments"); }

  /// The last line of a help text.
  std::string example(const std::string& command) const {
    EXPECT_EQ(shoal(command + " -h"), 0);
    std::string text = output();
    text.erase(text.find_last_not_of('\n') + 1);
    const std::string line = text.substr(text.find_last_of('\n') + 1);
    EXPECT_NE(line.find(SHOAL_PROGRAM), std::string::npos) << line;
    EXPECT_EQ(text.find("Example:"), text.rfind("Example:")) << text;
    return line;
  }

  void works(const std::string& line) const {
    EXPECT_EQ(shell(line), 0) << line << '\n' << error_output();
    for (const char* warning :
         {"note:", "unstable", "refused", "solver-failed", "with warnings", "not asymptotic", "↓"})
      EXPECT_EQ((output() + error_output()).find(warning), std::string::npos) << line << '\n'
                                                                              << output() << error_output();
    for (const std::string& order : orders_in(output())) {
      constexpr double min_order = 0.5, max_order = 3.5;  // of schemes of order 1 to 3
      const double value = std::strtod(order.c_str(), nullptr);
      EXPECT_TRUE(value >= min_order && value <= max_order) << order << " in\n" << output();
    }
  }

  /// Commands that take minutes are only begun.
  void begins(const std::string& line) const {
    constexpr int terminated = 143;
    EXPECT_EQ(shell(line + " & while kill -0 $! && ! ls results/*/*.h5; do sleep 0.1; done >messages 2>&1; "
                           "kill -TERM $!; wait $!"),
              terminated)
        << line << '\n'
        << error_output();
    EXPECT_FALSE(fs::is_empty(folder_ / "results")) << "nothing is kept of what was computed";
  }
};

class HelpExample : public Example, public testing::WithParamInterface<const char*> {};

TEST_P(HelpExample, works_as_printed) {
  works(example(GetParam()));
  if (std::string(GetParam()) == "converge") EXPECT_GE(orders_in(output()).size(), 8U) << output();
}

INSTANTIATE_TEST_SUITE_P(Program, HelpExample,
                         testing::Values("", "list", "run", "run custom", "converge", "table", "figures",
                                         "inspect", "spectrum", "rerun", "diff", "compare", "harmonics",
                                         "remesh", "help", "schema", "completion", "man"),
                         [](const auto& instance) {
                           std::string name = *instance.param ? instance.param : "shoal";
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

TEST_F(Example, those_of_all_commands_work_one_after_the_other_in_one_folder) {
  for (const char* command : {"", "run", "table", "rerun", "diff", "run custom", "table"})
    works(example(command));
}

TEST_F(Example, orders_are_found_in_tables) {
  EXPECT_EQ(
      orders_in(
          "a      level 2  order  fitted\n-----  -------  -----  ------\nΔη     1e-3     −1.65  2\nb      "
          "2e-3         –  3\n\norder\n"),
      (std::vector<std::string>{"−1.65", "–"}));
}

class LongExample : public Example, public testing::WithParamInterface<const char*> {};

TEST_P(LongExample, begins_as_printed) {
  begins(example(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Program, LongExample, testing::Values("sweep", "frontier"),
                         [](const auto& instance) { return instance.param; });

/// The example of each scene, which may take minutes, for its first steps.
class SceneExample : public Example, public testing::WithParamInterface<std::string> {};

TEST_P(SceneExample, begins_as_printed_without_a_warning) {
  works(example("run " + GetParam()) + " --end 0.01");
}

std::vector<std::string> scenes() {
  std::vector<std::string> names;
  for (const SceneEntry& scene : builtin().scenes)
    if (scene.name != "custom") names.push_back(scene.name);  // its example gives the end
  return names;
}

INSTANTIATE_TEST_SUITE_P(Program, SceneExample, testing::ValuesIn(scenes()), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

const fs::path page_of_commands = fs::path(SHOAL_SOURCE) / "experiments/README.md";

/// The lines of the page that call a program, without their explanations.
std::vector<std::string> lines_of_page(const std::string& program) {
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(test::text_of(page_of_commands)))
    if (line.starts_with("    " + program + " "))
      commands.push_back(line.substr(4, std::min(line.find("  #"), line.size()) - 4));
  return commands;
}

TEST_F(Example, commands_of_the_page_work) {
  const std::string program = "build/release/shoal";
  const std::vector<std::string> commands = lines_of_page(program);
  ASSERT_GE(commands.size(), 5U);
  for (const std::string& command : commands) {
    const std::string line = SHOAL_PROGRAM + command.substr(program.size());
    if (command.find(" frontier ") == std::string::npos)
      works(line);
    else
      begins(line);
  }
}

TEST_F(Example, the_experiment_file_of_the_page_works) {
  const std::string page = test::text_of(page_of_commands);
  std::smatch block, command;
  ASSERT_TRUE(std::regex_search(page, block, std::regex("```toml\n([^`]*(`[^`]+`[^`]*)*)```")));
  ASSERT_TRUE(std::regex_search(page, command, std::regex("`build/release/shoal (sweep ([a-z]+\\.toml))`")));
  std::ofstream(folder_ / command[2].str()) << block[1];
  works(fmt::format("'{}' {}", SHOAL_PROGRAM, command[1].str()));
  const std::string table = test::text_of(folder_ / "results/zonal/table.md");
  EXPECT_EQ(lines_of(table).size(), 8U) << table;
}

TEST_F(Example, every_script_explains_itself_from_any_folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SHOAL_SOURCE) / "scripts")) {
    const std::string name = entry.path().filename();
    if (entry.path().extension() != ".sh" || name == "lib.sh") continue;
    ++count;
    EXPECT_EQ(shell(fmt::format("'{}' -h", entry.path().string())), 0) << name << error_output();
    EXPECT_EQ(error_output(), "") << name;
    EXPECT_NE(output().find("\n  scripts/" + name), std::string::npos) << name << output();
    EXPECT_EQ(output().find('#'), std::string::npos) << output();
    EXPECT_EQ(shell(fmt::format("cd / && bash '{}' --help", entry.path().string())), 0)
        << name << error_output();
  }
  EXPECT_GE(count, 13);
  EXPECT_EQ(shell(fmt::format("'{}/scripts/experiment.sh' --list", SHOAL_SOURCE)), 0) << error_output();
  EXPECT_NE(output().find("\ndissipation "), std::string::npos) << output();
}

}  // namespace
}  // namespace shoal
