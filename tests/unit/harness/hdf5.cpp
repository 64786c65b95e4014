// The HDF5 wrapper gives back what was written and names the file and the object when it cannot.
#include "experiments/harness/hdf5.hpp"

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

TEST_F(Hdf5, what_was_flushed_is_in_the_file_though_it_was_not_closed) {
  const auto path = temporary("flushed.h5"), copy = temporary("copy.h5");
  File file(path, Access::create);
  Dataset dataset = file.root().create_rows("mass", {}, 512);
  dataset.append(std::vector<double>{1, 2});
  file.flush();
  dataset.append(std::vector<double>{3});
  std::filesystem::copy_file(path, copy,
                             std::filesystem::copy_options::overwrite_existing);  // as after a kill
  EXPECT_EQ(File(copy, Access::read).root().open_dataset("mass").read(), (std::vector<double>{1, 2}));
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
            }).rfind(path.string() + ": : cannot open the group 'runs'", 0),
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
