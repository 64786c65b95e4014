// The HDF5 wrapper gives back what was written and names the file and the object when it cannot.
#include "experiments/harness/storage/hdf5.hpp"

#include "discretizations/common/error.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace shoal::hdf5 {
namespace {

class Hdf5 : public testing::Test {
 protected:
  std::filesystem::path temporary(const std::string& name) const { return folder_ / name; }
  static std::string bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    return names;
  }
  test::TemporaryFolder folder_;
};

TEST_F(Hdf5, attributes_of_every_kind_come_back) {
  const auto path = temporary("attributes.h5");
  {
    File file(path, Access::create);
    Group root = file.root();
    root.set("integer", std::int64_t{1} << 40);
    root.set("number", 1.0 / 60);
    root.set("text", "η₀ = 1 m");
    root.set("empty", "");
    root.set("list", std::vector<double>{0.25, 7});
    file.close();
  }
  const File file(path, Access::read);
  const Group root = file.root();
  EXPECT_EQ(root.integer("integer"), std::int64_t{1} << 40);
  EXPECT_EQ(root.number("number"), 1.0 / 60);
  EXPECT_EQ(root.text("text"), "η₀ = 1 m");
  EXPECT_EQ(root.text("empty"), "");
  EXPECT_EQ(root.attribute("list"), Attribute(std::vector<double>{0.25, 7}));
  EXPECT_EQ(root.attribute_names(), (std::vector<std::string>{"empty", "integer", "list", "number", "text"}));
}

TEST_F(Hdf5, an_attribute_set_again_holds_the_new_value) {
  File file(temporary("again.h5"), Access::create);
  Group root = file.root();
  root.set("steps", std::int64_t{1});
  root.set("steps", std::int64_t{2});
  root.set("outcome", "interrupted");
  root.set("outcome", "finished");
  EXPECT_EQ(root.integer("steps"), 2);
  EXPECT_EQ(root.text("outcome"), "finished");
}

TEST_F(Hdf5, rows_appended_in_pieces_come_back_in_order) {
  const auto path = temporary("rows.h5");
  constexpr std::size_t rows = 1100, width = 3;  // more than two chunks
  std::vector<double> values;
  for (std::size_t i = 0; i < rows * width; ++i) values.push_back(static_cast<double>(i) * 0.5);
  {
    File file(path, Access::create);
    Dataset dataset = file.root().create_rows("momentum", {width}, 512);
    const std::size_t pieces[] = {1, 510, 2, 587};
    const double* next = values.data();
    for (const std::size_t piece : pieces) {
      dataset.append({next, piece * width});
      next += piece * width;
    }
    file.close();
  }
  const File file(path, Access::read);
  const Dataset dataset = file.root().open_dataset("momentum");
  EXPECT_EQ(dataset.extent(), (Extent{rows, width}));
  EXPECT_EQ(dataset.read(), values);
}

TEST_F(Hdf5, a_slice_has_the_size_of_a_row_and_is_for_other_programs) {
  const auto path = temporary("slice.h5");
  {
    File file(path, Access::create);
    Group root = file.root();
    Dataset stack = root.create_rows("depth", {2}, 1);
    stack.append(std::vector<double>{1, 2, 3, 4});
    root.create_slice("view", "/depth", stack.extent(), 1);
    stack.append(std::vector<double>{5, 6});
    file.close();
  }
  const File file(path, Access::read);
  const Dataset view = file.root().open_dataset("view");  // what it shows: tests/survival/results_file.py
  EXPECT_EQ(view.extent(), Extent{2});
  EXPECT_FALSE(view.is_stored_here());
  EXPECT_THROW(view.read(), MachineError);
}

TEST_F(Hdf5, the_file_is_what_it_was_at_the_last_flush_and_can_be_read_while_it_is_written) {
  const auto path = temporary("flushed.h5");
  const auto recorded = [&] { return File(path, Access::read).root().open_dataset("mass").read(); };
  std::vector<double> expected;
  {
    File file(path, Access::create);
    Dataset dataset = file.root().create_rows("mass", {}, 512);
    file.flush();
    for (int row = 0; row < 300; ++row) {
      EXPECT_EQ(recorded(), expected) << row;
      for (int unpublished = 0; unpublished < 2; ++unpublished) {
        expected.push_back(0.5 * row + unpublished);
        dataset.append(std::vector<double>{expected.back()});
      }
      file.flush();
      file.root().set("steps", std::int64_t{row});  // not flushed yet
    }
  }
  EXPECT_EQ(recorded(), expected);
  EXPECT_FALSE(File(path, Access::read).root().has_attribute("steps") &&
               File(path, Access::read).root().integer("steps") == 299)
      << "what was not flushed is in the file";
  EXPECT_EQ(names_in(folder_ / ""), std::vector<std::string>{"flushed.h5"});
}

TEST_F(Hdf5, a_file_that_fails_half_way_stays_as_it_was) {
  const auto path = temporary("half.h5");
  {
    File file(path, Access::create);
    file.root().set("state", "whole");
    file.close();
  }
  const std::string before = bytes(path);
  EXPECT_THROW(
      {
        const File file(path, Access::update);
        file.root().set("state", "half");
        throw MachineError("a failure");
      },
      MachineError);
  EXPECT_EQ(bytes(path), before);
  EXPECT_EQ(names_in(folder_ / ""), std::vector<std::string>{"half.h5"});
}

TEST_F(Hdf5, a_file_that_is_replaced_keeps_its_permissions) {
  const auto path = temporary("private.h5");
  namespace fs = std::filesystem;
  {
    File file(path, Access::create);
    file.close();
  }
  for (const fs::perms mode : {fs::perms(0600), fs::perms(0640)}) {
    fs::permissions(path, mode);
    File file(path, Access::create);
    EXPECT_EQ(fs::status(path.string() + ".work").permissions() & fs::perms::others_all, fs::perms::none);
    file.flush();
    EXPECT_EQ(fs::status(path).permissions(), mode);
    file.root().set("more", 1.0);
    file.close();
    EXPECT_EQ(fs::status(path).permissions(), mode);
  }
}

TEST_F(Hdf5, who_reads_the_file_keeps_what_it_was_when_it_was_opened) {
  const auto path = temporary("reader.h5");
  File file(path, Access::create);
  Dataset dataset = file.root().create_rows("mass", {}, 512);
  dataset.append(std::vector<double>{1});
  file.flush();
  const File reader(path, Access::read);
  for (int i = 0; i < 4; ++i) {
    dataset.append(std::vector<double>{2});
    file.root().set("steps", std::int64_t{i});
    file.flush();
  }
  EXPECT_EQ(reader.root().open_dataset("mass").read(), std::vector<double>{1});
  EXPECT_EQ(File(path, Access::read).root().open_dataset("mass").read(),
            (std::vector<double>{1, 2, 2, 2, 2}));
}

TEST_F(Hdf5, a_group_copied_from_another_file_keeps_its_dimensions) {
  const auto from = temporary("from.h5"), to = temporary("to.h5");
  {
    File file(from, Access::create);
    Group run = file.root().create_group("runs").create_group("0001");
    run.set("scene", "rest");
    Dataset time = run.create_rows("time", {}, 4);
    time.make_scale("time");
    const Dataset vertex = run.create_dimension("vertex", 2);
    Group inner = run.create_group("snapshots");
    Dataset depth = inner.create_rows("depth", {2}, 1);
    depth.attach_scale(0, time);
    depth.attach_scale(1, vertex);
    time.append(std::vector<double>{0, 1});
    depth.append(std::vector<double>{1, 2, 3, 4});
    file.close();
  }
  {
    const File source(from, Access::read);
    File file(to, Access::create);
    file.root().create_group("runs").copy(source.root().open_group("runs"), "0001");
    file.close();
  }
  const File file(to, Access::read);
  const Group run = file.root().open_group("runs").open_group("0001");
  EXPECT_EQ(run.text("scene"), "rest");
  EXPECT_EQ(run.open_group("snapshots").open_dataset("depth").read(), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_TRUE(run.open_group("snapshots").open_dataset("depth").has_attribute("DIMENSION_LIST"));
  EXPECT_TRUE(run.open_dataset("vertex").is_dimension());  // survival.xarray_opens_the_results reads them
}

TEST_F(Hdf5, failures_name_file_and_object) {
  const auto message = [](const auto& body) -> std::string {
    try {
      body();
    } catch (const MachineError& error) {
      return error.what();
    }
    return "nothing was thrown";
  };
  const auto path = temporary("failures.h5");
  File file(path, Access::create);
  EXPECT_EQ(message([&] {
              file.root().open_group("runs");
            }).rfind(path.string() + ": /: cannot open the group 'runs'", 0),
            0u)
      << message([&] { file.root().open_group("runs"); });
  std::ofstream(temporary("text.h5")) << "no HDF5";
  EXPECT_NE(message([&] {
              File(temporary("text.h5"), Access::read);
            }).find("text.h5: cannot open the file as HDF5"),
            std::string::npos);
}

TEST_F(Hdf5, numbers_that_the_file_does_not_hold_are_not_read) {
  const auto path = temporary("forged.h5");
  File file(path, Access::create);
  Group root = file.root();
  const Dataset large = root.create_dimension("dimension", 2'000'000'000);
  EXPECT_TRUE(large.is_dimension());
  EXPECT_THROW(large.read(), MachineError);
  EXPECT_THROW(large.read_rows(0, 1), MachineError);
  EXPECT_THROW(large.read_integers(), MachineError);
  const Dataset text = root.write_text("text", "a text");
  EXPECT_THROW(text.read(), MachineError);
  const Dataset numbers = root.write("numbers", {2}, std::vector<double>{1, 2});
  EXPECT_THROW(numbers.read_text(), MachineError);
  EXPECT_THROW(numbers.read_rows(1, 2), MachineError);
}

TEST_F(Hdf5, what_lies_elsewhere_is_not_followed) {
  {
    File secret(temporary("secret.h5"), Access::create);
    secret.root().create_group("inner").write("numbers", {1}, std::vector<double>{42});
    secret.close();
  }
  File file(temporary("links.h5"), Access::create);
  Group root = file.root();
  root.create_group("runs").link("0001", "secret.h5", "/inner");
  EXPECT_TRUE(root.open_group("runs").is_link("0001"));
  EXPECT_FALSE(root.open_group("runs").is_group("0001"));
  EXPECT_THROW(root.open_group("runs").open_group("0001"), MachineError);
  EXPECT_THROW(root.open_dataset("runs/0001/numbers"), MachineError);
  File copy(temporary("copy.h5"), Access::create);
  EXPECT_THROW(copy.root().copy(root, "runs"), MachineError);
}

}  // namespace
}  // namespace shoal::hdf5
