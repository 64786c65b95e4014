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
  test::TemporaryFolder folder_;
};

TEST_F(Hdf5, attributes_of_every_kind_come_back) {
  const auto path = temporary("attributes.h5");
  {
    const File file(path, Access::create);
    Group root = file.root();
    root.set("integer", std::int64_t{1} << 40);
    root.set("number", 1.0 / 60);
    root.set("text", "η₀ = 1 m");
    root.set("empty", "");
    root.set("list", std::vector<double>{0.25, 7});
  }
  const File file(path, Access::read);
  const Group root = file.root();
  EXPECT_EQ(root.integer("integer"), std::int64_t{1} << 40);
  EXPECT_EQ(root.number("number"), 1.0 / 60);
  EXPECT_EQ(root.text("text"), "η₀ = 1 m");
  EXPECT_EQ(root.text("empty"), "");
  EXPECT_EQ(root.numbers("list"), (std::vector<double>{0.25, 7}));
  EXPECT_EQ(root.attribute_names(), (std::vector<std::string>{"empty", "integer", "list", "number", "text"}));
}

TEST_F(Hdf5, an_attribute_set_again_holds_the_new_value) {
  const File file(temporary("again.h5"), Access::create);
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
    const File file(path, Access::create);
    Dataset dataset = file.root().create_rows("momentum", {width}, 512);
    const std::size_t pieces[] = {1, 510, 2, 587};
    const double* next = values.data();
    for (const std::size_t piece : pieces) {
      dataset.append({next, piece * width});
      next += piece * width;
    }
  }
  const File file(path, Access::read);
  const Dataset dataset = file.root().open_dataset("momentum");
  EXPECT_EQ(dataset.extent(), (Extent{rows, width}));
  EXPECT_EQ(dataset.read(), values);
}

TEST_F(Hdf5, a_slice_shows_one_row_of_a_stack) {
  const auto path = temporary("slice.h5");
  {
    const File file(path, Access::create);
    Group root = file.root();
    Dataset stack = root.create_rows("depth", {2}, 1);
    stack.append(std::vector<double>{1, 2, 3, 4});
    root.create_slice("view", "/depth", stack.extent(), 1);
    stack.append(std::vector<double>{5, 6});
  }
  const File file(path, Access::read);
  EXPECT_EQ(file.root().open_dataset("view").read(), (std::vector<double>{3, 4}));
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
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".next"));
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".last"));
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

TEST_F(Hdf5, a_group_copied_from_another_file_keeps_its_dimensions_and_its_views) {
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
    run.create_slice("view", "/runs/0001/snapshots/depth", depth.extent(), 1);
  }
  {
    const File source(from, Access::read);
    File file(to, Access::create);
    file.root().create_group("runs").copy(source.root().open_group("runs"), "0001");
  }
  const File file(to, Access::read);
  const Group run = file.root().open_group("runs").open_group("0001");
  EXPECT_EQ(run.text("scene"), "rest");
  EXPECT_EQ(run.open_group("snapshots").open_dataset("depth").read(), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(run.open_dataset("view").read(), (std::vector<double>{3, 4}));
  EXPECT_EQ(run.open_group("snapshots").open_dataset("depth").scales(),
            (std::vector<std::vector<std::string>>{{"/runs/0001/time"}, {"/runs/0001/vertex"}}));
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
  const File file(path, Access::create);
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

}  // namespace
}  // namespace shoal::hdf5
