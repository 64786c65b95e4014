// Written meshes are read back with the same bits.
#include "discretizations/mesh/formats/writer.hpp"
#include "discretizations/mesh/characters/gltf_writer.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "shapes.hpp"
#include "tests/support/temporary.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace shoal::test {
namespace {

/// Numbers of every size, −0 and a denormal among them.
Points awkward_points() {
  Points x = tetrahedron_points();
  x(0, 1) = 1.0 / 3;
  x(1, 2) = 1e-300;
  x(2, 0) = -0.0;
  x(2, 3) = std::numeric_limits<double>::denorm_min();
  x(0, 3) = -std::numeric_limits<double>::max();
  return x;
}

void expect_read_back(const std::string& path, const Points& x, const Faces& faces) {
  const Polygons read = read_polygons(path);
  ASSERT_EQ(read.x.cols(), x.cols());
  EXPECT_EQ(std::memcmp(read.x.data(), x.data(), sizeof(double) * static_cast<std::size_t>(x.size())), 0);
  ASSERT_EQ(read.count(), faces.cols());
  EXPECT_EQ(read.corner, std::vector<Index>(faces.data(), faces.data() + faces.size()));
  for (Index k = 0; k <= read.count(); ++k) EXPECT_EQ(read.start[static_cast<std::size_t>(k)], 3 * k);
}

TEST(Writer, files_are_read_back_bit_for_bit) {
  const TemporaryFolder folder;
  const Faces faces = tetrahedron_faces();
  const Points x = awkward_points(), normals = x.colwise().normalized();
  const std::string obj = folder / "a.obj", ply = folder / "a.ply";
  for (const Points& given : {Points(), normals}) {
    write_obj(obj, x, faces, given);
    expect_read_back(obj, x, faces);
    for (const VertexScalar& scalar : {VertexScalar{}, VertexScalar{"depth", Vector::LinSpaced(4, 0, 1)}}) {
      write_ply(ply, x, faces, given, scalar);
      expect_read_back(ply, x, faces);
    }
  }
}

TEST(Writer, glb_is_read_back_in_single_precision) {
  const TemporaryFolder folder;
  const Faces faces = tetrahedron_faces();
  Points x = tetrahedron_points();
  x(0, 1) = 1.0 / 3;
  const std::string path = folder / "a.glb";
  for (const Points& normals : {Points(), Points(x.colwise().normalized())}) {
    write_glb(path, x, faces, normals);
    const Polygons read = read_polygons(path);
    EXPECT_EQ(read.x, x.cast<float>().cast<double>());
    EXPECT_EQ(read.corner, std::vector<Index>(faces.data(), faces.data() + faces.size()));
  }
  EXPECT_EQ(glb_bytes(x, faces).size() % 4, 0U);
  EXPECT_EQ(glb_bytes(x, Faces(3, 0)).substr(0, 4), "glTF");  // no water yet
  x(0, 0) = 1e300;
  EXPECT_THROW(glb_bytes(x, faces), Error);
}

TEST(Writer, a_part_of_larger_arrays_is_written_without_the_rest) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.ply";
  Points x = Points::Random(3, 9);
  Faces faces = Faces::Zero(3, 9);
  x.leftCols(4) = tetrahedron_points();
  faces.leftCols(4) = tetrahedron_faces();
  write_ply(path, x.leftCols(4), faces.leftCols(4));
  expect_read_back(path, tetrahedron_points(), tetrahedron_faces());
}

TEST(Writer, a_file_that_cannot_be_written_is_the_machines_failure_and_leaves_nothing) {
  const TemporaryFolder folder;
  const Faces faces = tetrahedron_faces();
  const Points x = tetrahedron_points();
  EXPECT_THROW(write_obj(folder / "none/a.obj", x, faces), MachineError);
  std::filesystem::create_directory(folder / "a.ply");
  EXPECT_THROW(write_ply(folder / "a.ply", x, faces), MachineError);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.ply.part"));
}

TEST(Writer, a_scalar_needs_a_name_of_its_own) {
  const Faces faces = tetrahedron_faces();
  const Points x = tetrahedron_points();
  for (const char* name : {"nx", "z", "water depth", "tide\n"}) {
    const std::string message = message_of([&] { ply_bytes(x, faces, Points(), {name, Vector::Zero(4)}); });
    EXPECT_TRUE(contains(message, "cannot be the name of a PLY property"));
  }
}

}  // namespace
}  // namespace shoal::test
