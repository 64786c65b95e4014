// Writing and reading of every format, and refusals.
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace shoal::test {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class Files : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }
  std::string refusal(const std::string& name, const std::string& content) const {
    const std::string path = write(name, content);
    const std::string message = message_of([&] { load_surface(path); });
    EXPECT_TRUE(contains(message, "mesh '" + path + "'"));
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }

  TemporaryFolder folder_;
};

// ---- writers ---------------------------------------------------------------------------------------------

template <class Number>
void append_bytes(std::string& bytes, Number value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

std::string to_obj(const Faces& faces, const Points& x) {
  std::string text = "# a comment\no thing\n";
  for (Eigen::Index v = 0; v < x.cols(); ++v) text += fmt::format("v {} {} {}\n", x(0, v), x(1, v), x(2, v));
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    text += fmt::format("f {} {} {}\n", faces(0, k) + 1, faces(1, k) + 1, faces(2, k) + 1);
  return text;
}

std::string to_off(const Faces& faces, const Points& x) {
  std::string text = fmt::format("OFF\n# a comment\n{} {} 0\n\n", x.cols(), faces.cols());
  for (Eigen::Index v = 0; v < x.cols(); ++v) text += fmt::format("{} {} {}\n", x(0, v), x(1, v), x(2, v));
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    text += fmt::format("3 {} {} {}\n", faces(0, k), faces(1, k), faces(2, k));
  return text;
}

std::string to_ply(const Faces& faces, const Points& x) {
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      x.cols(), faces.cols());
  for (Eigen::Index v = 0; v < x.cols(); ++v) text += fmt::format("{} {} {}\n", x(0, v), x(1, v), x(2, v));
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    text += fmt::format("3 {} {} {}\n", faces(0, k), faces(1, k), faces(2, k));
  return text;
}

/// With a colour, a normal list and an unused element in between.
std::string to_binary_ply(const Faces& faces, const Points& x, bool big_endian) {
  std::string bytes = fmt::format(
      "ply\nformat binary_{}_endian 1.0\ncomment by a test\nelement vertex {}\nproperty double x\nproperty "
      "uchar red\n"
      "property double y\nproperty double z\nelement tag 2\nproperty list uchar short marks\n"
      "element face {}\nproperty list uchar uint vertex_index\nproperty float weight\nend_header\n",
      big_endian ? "big" : "little", x.cols(), faces.cols());
  const auto append = [&](auto value) {
    std::string raw;
    append_bytes(raw, value);
    if (big_endian) std::reverse(raw.begin(), raw.end());
    bytes += raw;
  };
  for (Eigen::Index v = 0; v < x.cols(); ++v) {
    append(x(0, v));
    append(std::uint8_t{200});
    append(x(1, v));
    append(x(2, v));
  }
  for (std::uint8_t length : {2, 0}) {
    append(length);
    for (std::int16_t k = 0; k < length; ++k) append(k);
  }
  for (Eigen::Index k = 0; k < faces.cols(); ++k) {
    append(std::uint8_t{3});
    for (int c = 0; c < 3; ++c) append(static_cast<std::uint32_t>(faces(c, k)));
    append(0.5f);
  }
  return bytes;
}

/// Gmsh 2.2, with an additional line element and gaps in the numbering.
std::string to_msh(const Faces& faces, const Points& x) {
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", x.cols());
  for (Eigen::Index v = 0; v < x.cols(); ++v)
    text += fmt::format("{} {} {} {}\n", 3 * v + 5, x(0, v), x(1, v), x(2, v));
  text += fmt::format("$EndNodes\n$Elements\n{}\n1 1 2 0 1 5 8\n", faces.cols() + 1);
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    text += fmt::format("{} 2 2 0 1 {} {} {}\n", k + 2, 3 * faces(0, k) + 5, 3 * faces(1, k) + 5,
                        3 * faces(2, k) + 5);
  return text + "$EndElements\n";
}

/// Gmsh 4.1.
std::string to_new_msh(const Faces& faces, const Points& x) {
  std::string text =
      fmt::format("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {0} 1 {0}\n2 1 0 {0}\n", x.cols());
  for (Eigen::Index v = 0; v < x.cols(); ++v) text += fmt::format("{}\n", v + 1);
  for (Eigen::Index v = 0; v < x.cols(); ++v) text += fmt::format("{} {} {}\n", x(0, v), x(1, v), x(2, v));
  text += fmt::format("$EndNodes\n$Elements\n1 {0} 1 {0}\n2 1 2 {0}\n", faces.cols());
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    text += fmt::format("{} {} {} {}\n", k + 1, faces(0, k) + 1, faces(1, k) + 1, faces(2, k) + 1);
  return text + "$EndElements\n";
}

std::string to_vtk(const Faces& faces, const Points& x) {
  std::string text = fmt::format(
      "# vtk DataFile Version 3.0\nby a test\nASCII\nDATASET POLYDATA\nPOINTS {} double\n", x.cols());
  for (Eigen::Index v = 0; v < x.cols(); ++v) text += fmt::format("{} {} {}\n", x(0, v), x(1, v), x(2, v));
  text += fmt::format("POLYGONS {} {}\n", faces.cols(), 4 * faces.cols());
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    text += fmt::format("3 {} {} {}\n", faces(0, k), faces(1, k), faces(2, k));
  return text;
}

std::string to_stl(const Faces& faces, const Points& x) {
  std::string text = "solid thing\n";
  for (Eigen::Index k = 0; k < faces.cols(); ++k) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (int c = 0; c < 3; ++c)
      text += fmt::format("vertex {} {} {}\n", x(0, faces(c, k)), x(1, faces(c, k)), x(2, faces(c, k)));
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid thing\n";
}

std::string to_binary_stl(const Faces& faces, const Points& x) {
  std::string bytes(80, ' ');
  append_bytes(bytes, static_cast<std::uint32_t>(faces.cols()));
  for (Eigen::Index k = 0; k < faces.cols(); ++k) {
    for (int zero = 0; zero < 3; ++zero) append_bytes(bytes, 0.0f);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) append_bytes(bytes, static_cast<float>(x(i, faces(c, k))));
    append_bytes(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string gltf_buffer(const Faces& faces, const Points& x) {
  std::string bytes;
  for (const double value : x.reshaped()) append_bytes(bytes, static_cast<float>(value));
  for (const Index vertex : faces.reshaped()) append_bytes(bytes, static_cast<std::uint32_t>(vertex));
  return bytes;
}

/// `buffer` is the JSON member that says where the bytes are, `nodes` the JSON array of nodes that show mesh
/// 0.
std::string gltf_json(const Faces& faces, const Points& x, const std::string& buffer,
                      const std::string& nodes) {
  const auto vertex_bytes = 12 * x.cols(), index_bytes = 12 * faces.cols();
  const Vector3 low = x.rowwise().minCoeff(), high = x.rowwise().maxCoeff();
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{},)"
      R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{{{}"byteLength":{}}}],)"
      R"("bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}],)"
      R"("accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[{},{},{}],"max":[{},{},{}]}},)"
      R"({{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}]}})",
      nodes, buffer, vertex_bytes + index_bytes, vertex_bytes, vertex_bytes, index_bytes, x.cols(), low[0],
      low[1], low[2], high[0], high[1], high[2], 3 * faces.cols());
}

std::string to_gltf(const Faces& faces, const Points& x, const std::string& nodes = R"([{"mesh":0}])") {
  const std::string uri = "data:application/octet-stream;base64," + base64(gltf_buffer(faces, x));
  return gltf_json(faces, x, fmt::format(R"("uri":"{}",)", uri), nodes);
}

std::string to_glb(const Faces& faces, const Points& x) {
  std::string json = gltf_json(faces, x, "", R"([{"mesh":0}])");
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const std::string buffer = gltf_buffer(faces, x);
  std::string bytes = "glTF";
  append_bytes(bytes, std::uint32_t{2});
  append_bytes(bytes, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + buffer.size()));
  append_bytes(bytes, static_cast<std::uint32_t>(json.size()));
  bytes += "JSON" + json;
  append_bytes(bytes, static_cast<std::uint32_t>(buffer.size()));
  bytes += std::string("BIN\0", 4) + buffer;
  return bytes;
}

// ---- there and back --------------------------------------------------------------------------------------

Points in_input_order(const Surface& surface) {
  Points x(3, surface.mesh.vertex_count);
  for (Index i = 0; i < surface.mesh.vertex_count; ++i) x.col(surface.input_vertex[i]) = surface.x.col(i);
  return x;
}

/// The corners' positions, face by face in the input's order: the same whatever the vertices' numbers.
Points corners(const Surface& surface) {
  Points x(3, 3 * surface.mesh.face_count());
  for (Index k = 0; k < surface.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      x.col(3 * surface.input_face[k] + c) = surface.x.col(surface.mesh.faces(c, k));
  return x;
}

struct Format {
  const char* file;
  std::string (*write)(const Faces&, const Points&);
  bool keeps_vertices;  ///< the format numbers vertices
};

class EveryFormat : public Files, public ::testing::WithParamInterface<Format> {};

TEST_P(EveryFormat, is_read_with_faces_and_vertices_in_its_order) {
  const Format& format = GetParam();
  // Single precision, which all formats can represent.
  const Surface original = load_surface("blob:1");
  const Points x = in_input_order(original).cast<float>().cast<double>();
  Faces faces(3, original.mesh.face_count());
  for (Index k = 0; k < original.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      faces(c, original.input_face[k]) = original.input_vertex[original.mesh.faces(c, k)];

  const Surface surface = load_surface(write(format.file, format.write(faces, x)));
  EXPECT_EQ(surface.mesh.vertex_count, 42);
  EXPECT_EQ(surface.mesh.face_count(), 80);
  EXPECT_TRUE(surface.mesh.closed());
  EXPECT_EQ(surface.source, (folder_ / format.file).string());
  EXPECT_EQ(surface.repairs.empty(), format.keeps_vertices);
  EXPECT_EQ(surface.source_vertex.empty(), format.keeps_vertices);
  EXPECT_TRUE(!format.keeps_vertices || in_input_order(surface) == x);
  Points expected(3, 3 * faces.cols());
  for (Eigen::Index k = 0; k < faces.size(); ++k) expected.col(k) = x.col(faces(k % 3, k / 3));
  EXPECT_EQ(corners(surface), expected);
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, EveryFormat,
    ::testing::Values(
        Format{"a.obj", to_obj, true}, Format{"a.off", to_off, true}, Format{"a.ply", to_ply, true},
        Format{"a.stl", to_stl, false}, Format{"binary.stl", to_binary_stl, false},
        Format{"a.msh", to_msh, true}, Format{"new.msh", to_new_msh, true}, Format{"a.vtk", to_vtk, true},
        Format{"a.gltf", [](const Faces& faces, const Points& x) { return to_gltf(faces, x); }, true},
        Format{"a.glb", to_glb, true}, Format{"A.OBJ", to_obj, true},
        Format{"little.ply",
               [](const Faces& faces, const Points& x) { return to_binary_ply(faces, x, false); }, true},
        Format{"big.ply", [](const Faces& faces, const Points& x) { return to_binary_ply(faces, x, true); },
               true}),
    [](const auto& instance) {
      std::string name = instance.param.file;
      name[name.find('.')] = '_';
      return name;
    });

TEST_F(Files, in_text_keep_double_precision) {
  const Points x = tetrahedron_points() / 3;
  EXPECT_EQ(corners(load_surface(write("a.stl", to_stl(tetrahedron_faces(), x)))),
            x(Eigen::all, tetrahedron_faces().reshaped()));
  EXPECT_EQ(in_input_order(load_surface(write("a.obj", to_obj(tetrahedron_faces(), x)))), x);
  EXPECT_EQ(in_input_order(load_surface(write("a.off", to_off(tetrahedron_faces(), x)))), x);
  EXPECT_EQ(in_input_order(load_surface(write("a.ply", to_ply(tetrahedron_faces(), x)))), x);
}

TEST_F(Files, a_cube_in_stl_is_welded_and_closed) {
  const Points x =
      points_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}});
  const Faces faces = faces_of({{0, 2, 1},
                                {0, 3, 2},
                                {4, 5, 6},
                                {4, 6, 7},
                                {0, 1, 5},
                                {0, 5, 4},
                                {1, 2, 6},
                                {1, 6, 5},
                                {2, 3, 7},
                                {2, 7, 6},
                                {3, 0, 4},
                                {3, 4, 7}});
  const Surface surface = load_surface(write("cube.stl", to_stl(faces, x)));
  EXPECT_EQ(surface.mesh.vertex_count, 8);
  EXPECT_EQ(surface.mesh.face_count(), 12);
  EXPECT_TRUE(surface.mesh.closed());
  EXPECT_EQ(surface.source_vertex.size(), 8u);
  EXPECT_EQ(surface.repairs,
            std::vector<std::string>{"welded 28 vertices within 1e-06 of the diagonal of another"});
}

TEST_F(Files, gltf_nodes_move_their_meshes) {
  const Points x = tetrahedron_points();
  const Faces faces = tetrahedron_faces();
  // The mesh is shown twice: moved, and mirrored with its parent's scale.
  const std::string nodes =
      R"([{"scale":[2,2,2],"children":[1,2]},{"mesh":0,"translation":[5,0,0]},{"mesh":0,"scale":[-1,1,1]}])";
  const Surface surface = load_surface(write("two.gltf", to_gltf(faces, x, nodes)));
  EXPECT_EQ(surface.mesh.vertex_count, 8);
  EXPECT_EQ(surface.mesh.euler_characteristic(), 4);
  EXPECT_TRUE(surface.repairs.empty()) << surface.repairs.front();
  const Points read = in_input_order(surface);
  EXPECT_EQ(read.leftCols(4), (2 * (x.colwise() + Vector3(5, 0, 0))).eval());
  EXPECT_EQ(read.rightCols(4), (2 * (Vector3(-1, 1, 1).asDiagonal() * x)).eval());
}

/// `json` with its first `from` replaced by `to`.
std::string replaced(std::string json, const std::string& from, const std::string& to) {
  EXPECT_NE(json.find(from), std::string::npos) << from;
  return json.replace(json.find(from), from.size(), to);
}

TEST_F(Files, gltf_strips_and_fans_are_triangles_of_one_side) {
  // A square, once as a strip and once as a fan; both count its corners.
  Points x = points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
  const std::string triangles = to_gltf(faces_of({{0, 1, 2}}), x);
  const auto primitive = [&](int mode) {
    return replaced(triangles, R"("indices":1)", fmt::format(R"("mode":{})", mode));
  };
  const auto normals = [](const Surface& surface) {
    return make_geometry(surface.mesh, surface.x).face_normal.row(2).eval();
  };
  const Surface strip = load_surface(write("strip.gltf", primitive(5)));
  EXPECT_EQ(normals(strip), Eigen::RowVector2d(1, 1));
  EXPECT_TRUE(strip.repairs.empty());
  x.col(2).swap(x.col(3));
  const Surface fan = load_surface(
      write("fan.gltf", replaced(to_gltf(faces_of({{0, 1, 2}}), x), R"("indices":1)", R"("mode":6)")));
  EXPECT_EQ(normals(fan), Eigen::RowVector2d(1, 1));
  EXPECT_TRUE(fan.repairs.empty());
}

TEST_F(Files, gltf_primitives_of_one_mesh_share_their_vertices) {
  const std::string whole = to_gltf(tetrahedron_faces(), tetrahedron_points());
  const std::string primitive = R"({"attributes":{"POSITION":0},"indices":1})";
  const std::string twice =
      replaced(whole, primitive, primitive + R"(,{"attributes":{"POSITION":0},"mode":1})");
  const Surface surface = load_surface(write("lines.gltf", twice));
  EXPECT_EQ(surface.mesh.vertex_count, 4);
  EXPECT_EQ(surface.repairs, std::vector<std::string>{"skipped 1 primitives of points or lines"});
}

TEST_F(Files, gltf_buffers_may_be_files_beside_it) {
  const Faces faces = tetrahedron_faces();
  const Points x = tetrahedron_points();
  write("a b.bin", gltf_buffer(faces, x));
  const auto json = [&](const std::string& uri) {
    return gltf_json(faces, x, fmt::format(R"("uri":"{}",)", uri), R"([{"mesh":0}])");
  };
  EXPECT_EQ(in_input_order(load_surface(write("a.gltf", json("a%20b.bin")))), x);
  EXPECT_TRUE(contains(refusal("b.gltf", json("c.bin")), "buffers[0].uri: there is no such file"));
  EXPECT_TRUE(contains(refusal("c.gltf", json("/dev/zero")), "'/dev/zero' is not the name of a file beside"));
  EXPECT_TRUE(contains(refusal("d.gltf", json(".")), "buffers[0].uri: it is a directory"));
}

TEST_F(Files, faces_with_more_corners_are_cut_and_it_is_said) {
  const char* cube =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  const Surface surface = load_surface(write("cube.obj", cube));
  EXPECT_EQ(surface.mesh.face_count(), 12);
  EXPECT_TRUE(surface.mesh.closed());
  EXPECT_EQ(surface.repairs, std::vector<std::string>{"split 6 of 6 faces into triangles, 12 in total"});
}

TEST_F(Files, a_face_that_is_not_convex_is_cut_inside_its_outline) {
  // An L of area 3, starting at each of its corners.
  const char* corner[] = {"0 0 0", "2 0 0", "2 1 0", "1 1 0", "1 2 0", "0 2 0"};
  for (int start = 0; start < 6; ++start) {
    std::string text = "OFF\n6 1 0\n";
    for (int k = 0; k < 6; ++k) text += fmt::format("{}\n", corner[(start + k) % 6]);
    const Surface surface = load_surface(write("l.off", text + "6 0 1 2 3 4 5\n"));
    const Geometry geometry = make_geometry(surface.mesh, surface.x);
    EXPECT_DOUBLE_EQ(geometry.total_area(), 3);
    EXPECT_TRUE((geometry.face_normal.row(2).array() == 1).all());
  }
}

TEST_F(Files, obj_is_read_with_all_its_ways_to_number) {
  const char* text =
      "\xEF\xBB\xBFv 0 0 0\r\nv +1 0 0\r\nvt 0 0\nvn 0 0 1\nv 0 1e0 0 # end\nf 1/1/1 \\\n  2//1 3\nv 1 1 "
      "0\nf -1 3/1 -3\nl 1 2\n";
  const Surface surface = load_surface(write("odd.obj", text));
  EXPECT_EQ(surface.mesh.vertex_count, 4);
  EXPECT_EQ(surface.mesh.face_count(), 2);
  EXPECT_EQ(surface.repairs, std::vector<std::string>{"skipped 1 lines or points"});
}

TEST_F(Files, off_is_read_without_keyword_and_with_colours) {
  const char* body = "0 0 0 255 0 0\n1 0 0 255 0 0\n0 1 0 0 0 0\n3 0 1 2 0.5 0.5 0.5\n";
  for (const char* head : {"3 1 0\n", "OFF 3 1 3\n", "COFF\n3 1 0\n", "# first\nOFF\n3 1\n"})
    EXPECT_EQ(load_surface(write("c.off", std::string(head) + body)).mesh.face_count(), 1) << head;
}

// ---- refusals --------------------------------------------------------------------------------------------

TEST_F(Files, that_are_missing_or_of_unknown_kind_are_refused) {
  EXPECT_EQ(message_of([] { load_surface("missing.obj"); }), "mesh 'missing.obj': there is no such file");
  EXPECT_TRUE(contains(refusal("a.3ds", "x"),
                       "the extension '.3ds' is not one of .obj, .off, .ply, .stl, .msh, .vtk, .gltf, .glb"));
  EXPECT_TRUE(contains(refusal("a.ojb", "x"), "did you mean '.obj'?"));
  fs::create_directory(folder_ / "folder.obj");
  EXPECT_TRUE(contains(message_of([&] { load_surface((folder_ / "folder.obj").string()); }), "directory"));
}

TEST_F(Files, that_may_not_be_read_are_the_machines_failure) {
  const std::string path = write("secret.obj", "v 0 0 0\n");
  ::chmod(path.c_str(), 0);
  constexpr uid_t nobody = 65534;
  const uid_t user = ::geteuid();
  if (user == 0) {  // root may read everything
    ASSERT_EQ(::seteuid(nobody), 0);
  }
  EXPECT_THROW(load_surface(path), MachineError);
  if (user == 0) {
    ASSERT_EQ(::seteuid(user), 0);
  }
}

TEST_F(Files, that_are_empty_are_refused) {
  for (const std::string& extension : mesh_extensions())
    EXPECT_TRUE(contains(refusal("a" + extension, ""), "empty"));
}

TEST_F(Files, that_the_fuzzer_keeps_are_surfaces_or_refused) {
  int count = 0;
  for (const std::string& extension : mesh_extensions())
    for (const auto& entry : fs::directory_iterator(fs::path(SHOAL_FUZZ_CORPUS) / extension.substr(1))) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string content(std::istreambuf_iterator<char>(file), {});
      ++count;
      try {
        const Surface surface = parse_surface("fuzz" + extension, content);
        const Geometry geometry = make_geometry(surface.mesh, surface.x);
        EXPECT_GT(geometry.total_area(), 0) << entry.path();
        EXPECT_FALSE(quality_report(surface, assess(surface, geometry)).empty()) << entry.path();
      } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_FALSE(message.empty()) << entry.path();
        EXPECT_EQ(message.find_first_of("\n\r"), std::string::npos) << entry.path();
      }
    }
  EXPECT_GT(count, 0);
}

TEST_F(Files, that_are_garbage_or_cut_short_are_refused) {
  const Faces faces = tetrahedron_faces();
  const Points x = tetrahedron_points();
  std::string garbage;
  for (int k = 0; k < 500; ++k) garbage += static_cast<char>(k * 37 % 251);
  for (const std::string& extension : mesh_extensions()) refusal("garbage" + extension, garbage);
  const auto half = [](const std::string& text) { return text.substr(0, text.size() * 5 / 8); };
  refusal("half.off", half(to_off(faces, x)));
  refusal("text.stl", half(to_stl(faces, x)));
  refusal("half.gltf", half(to_gltf(faces, x)));
  refusal("half.glb", half(to_glb(faces, x)));
  refusal("half.stl", half(to_binary_stl(faces, x)));
}

TEST_F(Files, in_ply_are_refused_wherever_they_are_cut) {
  for (const std::string& whole : {to_ply(tetrahedron_faces(), tetrahedron_points()),
                                   to_binary_ply(tetrahedron_faces(), tetrahedron_points(), false)})
    // The last number but one character is still a number, of another vertex.
    for (std::size_t size = 1; size + 3 < whole.size(); ++size) refusal("cut.ply", whole.substr(0, size));
}

TEST_F(Files, in_stl_and_gltf_are_refused_wherever_they_are_cut) {
  const Faces faces = tetrahedron_faces();
  const Points x = tetrahedron_points();
  const std::pair<std::string, std::string> wholes[] = {{"text.stl", to_stl(faces, x)},
                                                        {"binary.stl", to_binary_stl(faces, x)},
                                                        {"cut.gltf", to_gltf(faces, x)},
                                                        {"cut.glb", to_glb(faces, x)}};
  for (const auto& [name, whole] : wholes) {
    // What is left out at the end of a text may be the name of the solid, or the end of the last line.
    const std::size_t min_length = name == "text.stl" ? std::string(" thing\n").size() : 0;
    for (std::size_t size = 1; size + min_length < whole.size(); ++size) refusal(name, whole.substr(0, size));
  }
}

TEST_F(Files, in_gmsh_and_vtk_are_refused_wherever_they_are_cut) {
  const Faces faces = tetrahedron_faces();
  const Points x = tetrahedron_points();
  const std::pair<std::string, std::string> wholes[] = {
      {"cut.msh", to_msh(faces, x)}, {"cut4.msh", to_new_msh(faces, x)}, {"cut.vtk", to_vtk(faces, x)}};
  for (const auto& [name, whole] : wholes)
    // The last number but one character is still a number, of another vertex.
    for (std::size_t size = 1; size + 3 < whole.size(); ++size) refusal(name, whole.substr(0, size));
}

TEST_F(Files, in_stl_are_refused_naming_the_line) {
  const std::string whole = to_stl(tetrahedron_faces(), tetrahedron_points());
  EXPECT_TRUE(
      contains(refusal("a.stl", replaced(whole, "outer", "inner")), "line 3: 'inner' instead of 'outer'"));
  EXPECT_TRUE(contains(refusal("b.stl", replaced(whole, "normal 0", "normal nil")),
                       "line 2: 'nil' is not a number of the facet's normal"));
  EXPECT_TRUE(contains(refusal("c.stl", std::string(100, 'x')), "neither STL text"));
}

TEST_F(Files, in_gltf_are_refused_naming_the_element) {
  const std::string whole = to_gltf(tetrahedron_faces(), tetrahedron_points());
  int number = 0;
  const auto error_message = [&](const std::string& from, const std::string& to) {
    return refusal(fmt::format("{}.gltf", ++number), replaced(whole, from, to));
  };
  EXPECT_TRUE(contains(error_message(R"("count":4)", R"("count":4000000000)"),
                       "accessors[0]: its 4000000000 elements from byte 0 lie outside the view of 48 bytes"));
  EXPECT_TRUE(contains(error_message(R"("count":4)", R"("count":-1)"),
                       "accessors[0].count: '-1' is not a whole number"));
  EXPECT_TRUE(contains(error_message("5125", "5126"),
                       "accessors[1]: its componentType is 5126 instead of 5121 or 5123 or "
                       "5125"));
  EXPECT_TRUE(contains(error_message("VEC3", "VEC2"), "accessors[0]: its type is VEC2 instead of VEC3"));
  EXPECT_TRUE(contains(error_message(R"("mesh":0)", R"("mesh":1)"),
                       "nodes[0].mesh: 1 is outside [0, 1), the numbers of "
                       "meshes"));
  EXPECT_TRUE(contains(error_message(R"("mesh":0)", R"("mesh":0,"children":[0])"), "node 0 occurs twice"));
  EXPECT_TRUE(
      contains(error_message(R"("version":"2.0")", R"("version":"1.0")"), "its glTF version is '1.0'"));
  EXPECT_TRUE(
      contains(error_message(R"("scene":0)", R"("extensionsRequired":["KHR_draco_mesh_compression"])"),
               "'KHR_draco_mesh_compression', which is not supported"));
  EXPECT_TRUE(contains(error_message(R"("scene":0)", R"("scene":+)"), "line 1, column 36: invalid JSON"));
  EXPECT_TRUE(
      contains(error_message(R"("scene":0)", R"("scene":)" + std::string(100000, '[')), "invalid JSON"));
}

TEST_F(Files, with_nodes_deeper_than_the_stack_are_read) {
  std::string nodes = "[";
  for (int k = 1; k <= 100000; ++k) nodes += fmt::format(R"({{"children":[{}]}},)", k);
  nodes += R"({"mesh":0}])";
  EXPECT_EQ(load_surface(write("deep.gltf", to_gltf(tetrahedron_faces(), tetrahedron_points(), nodes)))
                .mesh.face_count(),
            4);
}

TEST_F(Files, with_one_vertex_far_away_are_welded_in_linear_time) {
  // All vertices but one lie within 1e-9 of the diagonal; compared with each other they would take minutes.
  const Surface fine = load_surface("rectangle:400x400:structured");
  const std::string text = to_obj(fine.mesh.faces, fine.x) + "v 1e9 0 0\n";
  EXPECT_EQ(load_surface(write("far.obj", text)).mesh.vertex_count, fine.mesh.vertex_count);
}

TEST_F(Files, in_ply_are_refused_naming_the_line_or_element) {
  const std::string head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n";
  EXPECT_TRUE(contains(refusal("a.ply", head + "end_header\n"), "no 'z'"));
  EXPECT_TRUE(
      contains(refusal("b.ply", head + "property real z\nend_header\n"), "line 6: 'real' is not a type"));
  const std::string whole =
      head + "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
  EXPECT_TRUE(contains(refusal("c.ply", whole + "0 0 0\n1 0"), "vertex 1 of 3: the file ends there"));
  EXPECT_TRUE(
      contains(refusal("d.ply", whole + "0 0 0\n1 x 0"), "vertex 1 of 3: line 11: 'x' is not a number"));
  EXPECT_TRUE(
      contains(refusal("e.ply", whole + "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n"), "1.5 is not a vertex number"));
  EXPECT_TRUE(contains(refusal("f.ply", whole + "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n"), "-3 is not the length"));
}

TEST_F(Files, without_faces_are_refused) {
  EXPECT_TRUE(contains(refusal("a.obj", "v 0 0 0\n"), "no faces"));
  EXPECT_TRUE(contains(refusal("b.obj", "hello\n"), "no vertices"));
  EXPECT_TRUE(contains(refusal("a.off", "OFF\n0 0 0\n"), "no faces"));
}

TEST_F(Files, with_indices_out_of_range_are_refused_naming_the_face) {
  Faces faces = tetrahedron_faces();
  const Points x = tetrahedron_points();
  faces(1, 2) = 7;
  EXPECT_TRUE(contains(refusal("a.obj", to_obj(faces, x)), "face 2 names vertex 7"));
  EXPECT_TRUE(contains(refusal("a.off", to_off(faces, x)), "face 2 names vertex 7"));
  EXPECT_TRUE(contains(refusal("a.ply", to_ply(faces, x)), "face 2 names vertex 7"));
  EXPECT_TRUE(contains(refusal("a.gltf", to_gltf(faces, x)), "face 2 names vertex 7"));
  EXPECT_TRUE(contains(refusal("a.glb", to_glb(faces, x)), "face 2 names vertex 7"));
  EXPECT_TRUE(contains(refusal("b.obj", "v 0 0 0\nf 0 1 2\n"), "line 2: face 0 names vertex 0"));
  EXPECT_TRUE(contains(refusal("c.obj", "v 0 0 0\nf -2 1 2\n"), "line 2: face 0 names vertex -2"));
}

TEST_F(Files, with_numbers_that_are_not_finite_are_refused_naming_the_vertex) {
  const Faces faces = tetrahedron_faces();
  Points x = tetrahedron_points();
  x(1, 2) = NAN;
  for (const auto& [name, text] :
       {std::pair{"a.obj", to_obj(faces, x)}, {"a.off", to_off(faces, x)}, {"a.ply", to_ply(faces, x)}})
    EXPECT_TRUE(contains(refusal(name, text), "vertex 2 is not finite"));
  EXPECT_TRUE(contains(refusal("a.stl", to_binary_stl(faces, x)), "is not finite"));
}

TEST_F(Files, with_bad_lines_are_refused_naming_the_line) {
  EXPECT_TRUE(contains(refusal("a.obj", "v 0 0 0\nv 1 zero 0\n"), "line 2: 'zero' is not a coordinate"));
  EXPECT_TRUE(contains(refusal("b.obj", "v 0 0\n"), "line 1: vertex 0 has 2 coordinates"));
  EXPECT_TRUE(contains(refusal("c.obj", "v 0 0 0\nf 1 a 2\n"), "line 2: 'a' is not a vertex number"));
  EXPECT_TRUE(contains(refusal("d.obj", "v 0 0 0\nf 1 1\n"), "face 0 has 2 corners"));
  EXPECT_TRUE(contains(refusal("a.off", "OFF\n3 1 0\n0 0 0\n"), "ends at line 3 where vertex 1 of 3"));
  EXPECT_TRUE(
      contains(refusal("b.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n"), "face 0 has 4 corners"));
  EXPECT_TRUE(contains(refusal("c.off", "OFF BINARY\n"), "binary"));
}

TEST_F(Files, of_surfaces_that_are_none_are_refused_naming_the_element) {
  const char* fin = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n";
  EXPECT_TRUE(contains(refusal("fin.obj", fin), "(elements counted from 0): edge (0, 1) is not manifold"));
  EXPECT_TRUE(contains(refusal("fin.obj", fin), "; use shoal remesh --repair"));
  const char* bowtie = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv -1 0 0\nv -1 -1 0\nf 1 2 3\nf 1 4 5\n";
  EXPECT_TRUE(contains(refusal("bowtie.obj", bowtie), "vertex 0 is not manifold"));
  const char* flat = "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n";
  EXPECT_TRUE(contains(refusal("flat.obj", flat), "face 0 is degenerate"));
  const char* crossed = "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n";
  EXPECT_TRUE(contains(refusal("crossed.obj", crossed), "face 0 with 4 corners cannot be split"));
}

}  // namespace
}  // namespace shoal::test
