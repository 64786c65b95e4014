// Contents of glTF files other than one plain mesh, refusals, and the document's data for readers of skins and clips.
#include "discretizations/mesh/formats/gltf_format.hpp"

#include "discretizations/mesh/formats/reader.hpp"
#include "shapes.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace shoal::test {
namespace {

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// A file with a buffer of its own for each view, and a view for each accessor.
struct File {
  std::vector<std::string> uris, views, accessors;
  std::string meshes, nodes = R"([{"mesh":0}])", more;  ///< JSON; `more` follows with its comma before it

  /// The number of the view.
  std::size_t add_view(const std::string& bytes, const std::string& stride = "") {
    uris.push_back(
        fmt::format(R"({{"byteLength":{},"uri":"data:;base64,{}"}})", bytes.size(), base64(bytes)));
    views.push_back(
        fmt::format(R"({{"buffer":{},"byteLength":{}{}}})", uris.size() - 1, bytes.size(), stride));
    return views.size() - 1;
  }
  /// The number of the accessor; `members` follow with a comma before them.
  std::size_t add(const std::string& bytes, std::size_t count, int type, const char* shape,
                  const std::string& members = "", const std::string& stride = "") {
    accessors.push_back(fmt::format(R"({{"bufferView":{},"componentType":{},"count":{},"type":"{}"{}}})",
                                    add_view(bytes, stride), type, count, shape, members));
    return accessors.size() - 1;
  }
  std::string json() const {
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[0]}}],"nodes":{},"meshes":{},"buffers":[{}],)"
        R"("bufferViews":[{}],"accessors":[{}]{}}})",
        nodes, meshes, join(uris, ","), join(views, ","), join(accessors, ","), more);
  }
};

std::vector<float> coordinates(const Points& x) {
  const Eigen::VectorXf numbers = x.reshaped().cast<float>();
  return {numbers.begin(), numbers.end()};
}

/// Accessor 0: the positions of a tetrahedron; accessor 1: its corners; mesh 0: both.
File tetrahedron() {
  File file;
  const Faces faces = tetrahedron_faces();
  file.add(bytes_of(coordinates(tetrahedron_points())), 4, GltfDocument::float32, "VEC3");
  file.add(bytes_of(std::vector<std::uint8_t>(faces.data(), faces.data() + faces.size())), 12,
           GltfDocument::uint8, "SCALAR");
  file.meshes = R"([{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}])";
  return file;
}

std::string no_file(const std::string& name) {
  throw Error(fmt::format("asked for '{}'", name));
}

Polygons read(const File& file) {
  return parse_gltf(file.json(), no_file);
}

std::string refusal(const std::string& json) {
  return message_of([&] { parse_gltf(json, no_file); });
}
std::string refusal(const File& file) {
  return refusal(file.json());
}

std::string replaced(std::string json, const std::string& from, const std::string& to) {
  EXPECT_NE(json.find(from), std::string::npos) << from;
  return json.replace(json.find(from), from.size(), to);
}

/// A GLB file of a JSON text and a chunk of bytes that says it is `claimed` long.
std::string glb(std::string json, const std::string& bytes, std::size_t claimed) {
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto word = [](std::size_t number) {
    return bytes_of<std::uint32_t>({static_cast<std::uint32_t>(number)});
  };
  return "glTF" + word(2) + word(12 + 8 + json.size() + 8 + bytes.size()) + word(json.size()) + "JSON" +
         json + word(claimed) + std::string("BIN\0", 4) + bytes;
}

// ---- meshes ----------------------------------------------------------------------------------------------

TEST(Gltf, sparse_positions_replace_those_of_the_view) {
  File file = tetrahedron();
  const std::size_t numbers = file.add_view(bytes_of<std::uint16_t>({1, 3}));
  const std::size_t values = file.add_view(bytes_of<float>({2, 0, 0, 0.5f, 0.25f, 4}));
  file.accessors[0] =
      replaced(file.accessors[0], R"("type")",
               fmt::format(R"("sparse":{{"count":2,"indices":{{"bufferView":{},"componentType":5123}},)"
                           R"("values":{{"bufferView":{}}}}},"type")",
                           numbers, values));
  Points expected = tetrahedron_points();
  expected.col(1) << 2, 0, 0;
  expected.col(3) << 0.5, 0.25, 4;
  EXPECT_EQ(read(file).x, expected);

  const std::string whole = file.json();
  EXPECT_TRUE(contains(refusal(replaced(whole, R"("sparse":{"count":2)", R"("sparse":{"count":5)")),
                       "accessors[0]: it replaces 5 of 4 elements"));
  EXPECT_TRUE(contains(refusal(replaced(whole, R"("componentType":5123)", R"("componentType":5125)")),
                       "accessors[0]: its 2 elements from byte 0 lie outside the view of 4 bytes"));
  EXPECT_TRUE(contains(refusal(replaced(whole, R"("componentType":5123)", R"("componentType":5126)")),
                       "accessors[0].sparse.indices.componentType: '5126' is not one of 5121, 5123, 5125"));
  File outside = file;
  outside.uris[numbers] = replaced(outside.uris[numbers], base64(bytes_of<std::uint16_t>({1, 3})),
                                   base64(bytes_of<std::uint16_t>({1, 4})));
  EXPECT_TRUE(contains(refusal(outside), "accessors[0]: it replaces element 4, outside [0, 4)"));
}

TEST(Gltf, quantized_positions_are_read_where_the_file_needs_the_extension) {
  // Two bytes of padding after each position; −32768 and −32767 are both −1.
  File file = tetrahedron();
  file.accessors.clear();
  file.add(bytes_of<std::int16_t>({0, 0, 0, 0, 32767, 0, 0, 0, 0, 32767, 0, 0, 0, 0, -32768, 0}), 4,
           GltfDocument::int16, "VEC3", R"(,"normalized":true)", R"(,"byteStride":8)");
  const Faces faces = tetrahedron_faces();
  file.add(bytes_of(std::vector<std::uint16_t>(faces.data(), faces.data() + faces.size())), 12,
           GltfDocument::uint16, "SCALAR");
  EXPECT_TRUE(contains(refusal(file), "accessors[0]: its componentType is 5122 instead of 5126"));

  file.more = R"(,"extensionsRequired":["KHR_mesh_quantization"])";
  EXPECT_EQ(read(file).x, points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}}));
  file.accessors[0] = replaced(file.accessors[0], "true", "false");
  EXPECT_EQ(read(file).x, points_of({{0, 0, 0}, {32767, 0, 0}, {0, 32767, 0}, {0, 0, -32768}}));
}

TEST(Gltf, every_type_of_component_is_read) {
  File file = tetrahedron();
  const auto values = [&](const auto& numbers, GltfDocument::Component type, bool normalised) {
    File other = file;
    const std::size_t number = other.add(bytes_of(numbers), numbers.size(), type, "SCALAR",
                                         normalised ? R"(,"normalized":true)" : "");
    return load_gltf(other.json(), no_file).values(static_cast<int>(number), "SCALAR", {type}).eval();
  };
  using Row = Eigen::RowVector3d;
  const std::vector<std::int8_t> bytes = {-128, -127, 127};
  EXPECT_EQ(values(bytes, GltfDocument::int8, false), Row(-128, -127, 127));
  EXPECT_EQ(values(bytes, GltfDocument::int8, true), Row(-1, -1, 1));
  const std::vector<std::uint8_t> unsigned_bytes = {0, 51, 255};
  EXPECT_EQ(values(unsigned_bytes, GltfDocument::uint8, false), Row(0, 51, 255));
  EXPECT_EQ(values(unsigned_bytes, GltfDocument::uint8, true), Row(0, 0.2, 1));
  const std::vector<std::uint16_t> unsigned_words = {0, 13107, 65535};
  EXPECT_EQ(values(unsigned_words, GltfDocument::uint16, false), Row(0, 13107, 65535));
  EXPECT_EQ(values(unsigned_words, GltfDocument::uint16, true), Row(0, 0.2, 1));
  EXPECT_EQ(values(std::vector<std::uint32_t>{0, 1, 4294967295u}, GltfDocument::uint32, false),
            Row(0, 1, 4294967295.0));
  EXPECT_EQ(values(std::vector<float>{0, -0.5f, 1e30f}, GltfDocument::float32, false), Row(0, -0.5, 1e30f));
}

TEST(Gltf, matrices_and_translation_rotation_scale_are_the_same) {
  // A quarter turn about z after a scale: (x, y, z) → (−2y, 3x, 4z) + (5, 6, 7).
  File file = tetrahedron();
  file.nodes = R"([{"mesh":0,"translation":[5,6,7],"rotation":[0,0,1,1],"scale":[3,2,4]}])";
  const Points x = read(file).x;
  file.nodes = R"([{"mesh":0,"matrix":[0,3,0,0,-2,0,0,0,0,0,4,0,5,6,7,1]}])";
  const Points by_matrix = read(file).x;
  Points expected(3, 4);
  const Points rest = tetrahedron_points();
  expected << 5 - 2 * rest.row(1).array(), 6 + 3 * rest.row(0).array(), 7 + 4 * rest.row(2).array();
  EXPECT_EQ(by_matrix, expected);
  constexpr double tolerance = 1e-14;  // a few roundings of numbers up to 10
  EXPECT_NEAR((x - expected).cwiseAbs().maxCoeff(), 0, tolerance);

  file.nodes = R"([{"mesh":0,"rotation":[0,0,0,0]}])";
  EXPECT_TRUE(contains(refusal(file), "nodes[0]: its rotation cannot be normalised"));
  file.nodes = R"([{"mesh":0,"matrix":[1,0,0]}])";
  EXPECT_TRUE(contains(refusal(file), "nodes[0].matrix: it has 3 entries, not 16"));
}

TEST(Gltf, a_mesh_that_two_nodes_show_is_there_twice) {
  File file = tetrahedron();
  file.nodes = R"([{"children":[1,2]},{"mesh":0},{"mesh":0,"translation":[8,0,0]}])";
  const Polygons twice = read(file);
  EXPECT_EQ(twice.count(), 8);
  EXPECT_EQ(twice.x.leftCols(4), tetrahedron_points());
  EXPECT_EQ(twice.x.rightCols(4), (tetrahedron_points().colwise() + Vector3(8, 0, 0)).eval());
  file.nodes = R"([{"children":[1,1]},{"mesh":0}])";
  EXPECT_TRUE(contains(refusal(file), "nodes[0].children[0]: node 1 occurs twice"));
}

TEST(Gltf, buffers_of_one_mesh_may_lie_in_several_places) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return (folder / name).string();
  };
  File file = tetrahedron();
  const Faces faces = tetrahedron_faces();
  const std::string corners = bytes_of(std::vector<std::uint8_t>(faces.data(), faces.data() + faces.size())) +
                              "more than is asked for";
  const std::pair<const char*, const char*> names[] = {{"a b.bin", "a%20b.bin"},
                                                       {"a+b.bin", "a+b.bin"},
                                                       {"ü.bin", "%C3%BC.bin"},
                                                       {"5%.bin", "5%.bin"},
                                                       {"data.bin", "./data.bin"}};
  for (const auto& [name, uri] : names) {
    write(name, corners);
    file.uris[1] = fmt::format(R"({{"byteLength":12,"uri":"{}"}})", uri);
    const Polygons polygons = read_polygons(write("a.gltf", file.json()));
    EXPECT_EQ(polygons.count(), 4) << name;
    EXPECT_EQ(polygons.x, tetrahedron_points()) << name;
  }
  for (const char* uri : {"/a.bin", "https://a.org/a.bin", "", "a%00.bin"}) {
    file.uris[1] = fmt::format(R"({{"byteLength":12,"uri":"{}"}})", uri);
    EXPECT_TRUE(contains(refusal(file), "buffers[1].uri: '")) << uri;
    EXPECT_TRUE(contains(refusal(file), "is not the name of a file beside this one")) << uri;
  }
}

TEST(Gltf, buffers_outside_the_models_folder_are_not_read) {
  const TemporaryFolder folder;
  const auto write = [&](const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  };
  const Faces faces = tetrahedron_faces();
  const std::string corners = bytes_of(std::vector<std::uint8_t>(faces.data(), faces.data() + faces.size()));
  const std::filesystem::path model = folder / "models/one/a.gltf";
  for (const char* name :
       {"secret.bin", "models/secret.bin", "models/one/in/data.bin", "models/one-more/secret.bin"})
    write(folder / name, corners);
  std::filesystem::create_symlink("../secret.bin", folder / "models/one/link.bin");
  std::filesystem::create_symlink("in", folder / "models/one/inside");
  std::filesystem::create_symlink("..", folder / "models/one/up");
  File file = tetrahedron();
  const auto message = [&](const std::string& uri) {
    file.uris[1] = fmt::format(R"({{"byteLength":12,"uri":"{}"}})", uri);
    write(model, file.json());
    return message_of([&] { read_polygons(model.string()); });
  };
  for (const char* uri : {"in/data.bin", "in/../in/data.bin", "inside/data.bin", "../one/in/data.bin"}) {
    file.uris[1] = fmt::format(R"({{"byteLength":12,"uri":"{}"}})", uri);
    write(model, file.json());
    EXPECT_EQ(read_polygons(model.string()).count(), 4) << uri;
  }
  for (const char* uri : {"../secret.bin", "../../secret.bin", "in/../../secret.bin", "%2e%2e/secret.bin",
                          "..%2Fsecret.bin", "link.bin", "up/secret.bin", "../one-more/secret.bin",
                          "inside/../../secret.bin", "../not-there.bin", "in/../../not-there.bin"})
    EXPECT_TRUE(contains(message(uri), "is outside the folder of the model")) << uri;
  for (const char* uri : {"file:///etc/hostname", "%2Fetc%2Fhostname", "/etc/hostname"})
    EXPECT_TRUE(contains(message(uri), "is not the name of a file beside this one")) << uri;
  EXPECT_TRUE(contains(message("in"), "it is a directory, not a file"));
}

TEST(Gltf, buffers_that_no_accessor_uses_are_not_loaded) {
  File file = tetrahedron();
  file.uris.push_back(R"({"byteLength":12,"uri":"picture.png"})");
  file.views.push_back(R"({"buffer":2,"byteLength":12})");
  file.more = R"(,"images":[{"bufferView":2,"mimeType":"image/png"},{"uri":"another.png"}])";
  EXPECT_EQ(read(file).count(), 4);
}

TEST(Gltf, a_skinned_mesh_is_read_in_its_bind_pose_and_it_is_said) {
  File file = tetrahedron();
  std::vector<float> matrix(16, 0);
  for (const std::size_t k : {0, 5, 10, 15}) matrix[k] = 1;
  matrix[12] = -3;
  file.add(bytes_of(matrix), 1, GltfDocument::float32, "MAT4");
  file.nodes = R"([{"translation":[9,9,9],"children":[1,2]},{"mesh":0,"skin":0,"scale":[-1,2,2]},)"
               R"({"name":"hip","translation":[3,0,0]}])";
  file.more = R"(,"skins":[{"joints":[2],"inverseBindMatrices":2}])";
  const Polygons polygons = read(file);
  // The joint stands at (12, 9, 9), and in the bind pose at (3, 0, 0).
  EXPECT_EQ(polygons.x, (tetrahedron_points().colwise() + Vector3(9, 9, 9)).eval());
  const Faces faces = tetrahedron_faces();
  EXPECT_EQ(polygons.corner, std::vector<Index>(faces.data(), faces.data() + faces.size()));
  EXPECT_EQ(polygons.remarks,
            std::vector<std::string>{"read 1 skinned meshes in their bind pose, with the first joint at its "
                                     "default position"});
}

TEST(Gltf, a_skinned_mesh_has_the_size_and_stands_as_its_armature_says) {
  // In the file in centimetres and along z, shown in metres and along y.
  File file = tetrahedron();
  std::vector<float> matrices(32, 0);
  for (const std::size_t k : {0, 5, 10, 15, 16, 21, 26, 31}) matrices[k] = 1;
  matrices[30] = -100;  // the second joint, first in the list: 100 cm along z
  std::rotate(matrices.begin(), matrices.begin() + 16, matrices.end());
  file.add(bytes_of(matrices), 2, GltfDocument::float32, "MAT4");
  file.nodes = R"([{"scale":[0.01,0.01,0.01],"rotation":[-1,0,0,1],"children":[3,1]},{"mesh":0,"skin":0},)"
               R"({"translation":[0,0,100]},{"children":[2]}])";
  file.more = R"(,"skins":[{"joints":[2,3],"inverseBindMatrices":2}])";
  const Points x = read(file).x, rest = tetrahedron_points();
  Points expected(3, 4);  // (x, y, z) → (x, z, −y)
  expected << rest.row(0) / 100, rest.row(2) / 100, -rest.row(1) / 100;
  constexpr double tolerance = 1e-16;  // roundings of numbers up to 0.01
  EXPECT_NEAR((x - expected).cwiseAbs().maxCoeff(), 0, 10 * tolerance);
  file.more = R"(,"skins":[{"joints":[2,3],"inverseBindMatrices":0}])";
  EXPECT_TRUE(contains(refusal(file), "accessors[0]: its type is VEC3"));
}

TEST(Gltf, morph_targets_move_vertices_by_their_default_weights) {
  File file = tetrahedron();
  const Points rest = tetrahedron_points();
  const std::size_t doubled = file.add(bytes_of(coordinates(rest)), 4, GltfDocument::float32, "VEC3");
  Points up = Points::Zero(3, 4);
  up.row(1).setConstant(4);
  const std::size_t lifted = file.add(bytes_of(coordinates(up)), 4, GltfDocument::float32, "VEC3");
  const std::string primitives = fmt::format(
      R"("primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"targets":[{{"POSITION":{}}},{{"NORMAL":0}},{{"POSITION":{}}}]}}])",
      doubled, lifted);
  file.meshes = fmt::format(R"([{{{}}}])", primitives);
  EXPECT_EQ(read(file).x, rest);
  EXPECT_TRUE(read(file).remarks.empty());
  file.meshes = fmt::format(R"([{{{},"weights":[1,1,0.5]}}])", primitives);
  EXPECT_EQ(read(file).x, (2 * rest + up / 2).eval());
  EXPECT_EQ(read(file).remarks,
            std::vector<std::string>{
                "moved the vertices of 1 primitives by the default weights of their morph targets"});
  // The weights of a node override those of the mesh, separately for each instance.
  file.nodes = R"([{"children":[1,2]},{"mesh":0,"weights":[0.5,0,0]},{"mesh":0}])";
  EXPECT_EQ(read(file).x.leftCols(4), (1.5 * rest).eval());
  EXPECT_EQ(read(file).x.rightCols(4), (2 * rest + up / 2).eval());
  // Of two primitives with the same positions one has targets.
  file.nodes = R"([{"mesh":0}])";
  file.meshes = fmt::format(
      R"([{{"weights":[1],"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}},{{"attributes":{{"POSITION":0}},"indices":1,"targets":[{{"POSITION":{}}}]}}]}}])",
      doubled);
  EXPECT_EQ(read(file).x.leftCols(4), rest);
  EXPECT_EQ(read(file).x.rightCols(4), (2 * rest).eval());
  const std::size_t fewer =
      file.add(bytes_of(coordinates(rest.leftCols(3))), 3, GltfDocument::float32, "VEC3");
  file.meshes = fmt::format(
      R"([{{"weights":[1],"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"targets":[{{"POSITION":{}}}]}}]}}])",
      fewer);
  EXPECT_TRUE(
      contains(refusal(file), fmt::format("accessors[{}]: a morph target moves 3 of 4 vertices", fewer)));
}

TEST(Gltf, sparse_positions_without_a_view_replace_zeros) {
  File file = tetrahedron();
  const std::size_t numbers = file.add_view(bytes_of<std::uint8_t>({1, 2, 3}));
  const Points rest = tetrahedron_points();  // whose first is zero
  const std::size_t values = file.add_view(bytes_of(coordinates(rest.rightCols(3))));
  const auto positions = [&](std::uint64_t count) {
    return fmt::format(
        R"({{"componentType":5126,"count":{},"type":"VEC3","sparse":{{"count":3,"indices":{{"bufferView":{},"componentType":5121}},"values":{{"bufferView":{}}}}}}})",
        count, numbers, values);
  };
  file.accessors[0] = positions(4);
  EXPECT_EQ(read(file).x, rest);
  // That many zeros would be an attack.
  file.accessors[0] = positions(700'000'000);
  EXPECT_TRUE(contains(refusal(file),
                       "accessors[0]: it has no 'bufferView', and no accessor with one has as many "
                       "as its 700000000 elements"));
}

TEST(Gltf, extensions_of_textures_alone_may_be_required) {
  File file = tetrahedron();
  for (const char* name : {"EXT_texture_webp", "EXT_texture_avif", "KHR_texture_basisu", "MSFT_texture_dds",
                           "KHR_materials_unlit", "KHR_lights_punctual", "KHR_texture_transform"}) {
    file.more = fmt::format(R"(,"extensionsRequired":["{}"])", name);
    EXPECT_EQ(read(file).count(), 4) << name;
  }
  for (const char* name :
       {"EXT_meshopt_compression", "KHR_draco_mesh_compression", "EXT_mesh_gpu_instancing"}) {
    file.more = fmt::format(R"(,"extensionsRequired":["{}"])", name);
    EXPECT_TRUE(
        contains(refusal(file), fmt::format("it requires the extension '{}', which is not supported", name)));
  }
}

// ---- documents -------------------------------------------------------------------------------------------

TEST(Gltf, a_document_has_skins_and_clips_at_hand) {
  File file = tetrahedron();
  std::vector<float> matrices(32);
  for (std::size_t k = 0; k < matrices.size(); ++k) matrices[k] = static_cast<float>(k);
  file.add(bytes_of(matrices), 2, GltfDocument::float32, "MAT4");
  file.add(bytes_of<float>({0, 0.5f, 1}), 3, GltfDocument::float32, "SCALAR");
  file.add(bytes_of<std::int8_t>({0, 0, 0, 127, 0, 0, 127, 0, 0, 0, 0, 127}), 3, GltfDocument::int8, "VEC4",
           R"(,"normalized":true)");
  file.nodes = R"([{"mesh":0,"skin":0,"children":[1]},{"name":"hip","children":[2]},{"name":"knee"}])";
  file.more =
      R"(,"skins":[{"joints":[1,2],"inverseBindMatrices":2},{"joints":[2],"skeleton":1}],"animations":[)"
      R"({"name":"walk","samplers":[{"input":3,"output":4,"interpolation":"STEP"},{"input":3,"output":4}],)"
      R"("channels":[{"sampler":1,"target":{"node":2,"path":"rotation"}},)"
      R"({"sampler":0,"target":{"path":"pointer"}}]}])";
  const GltfDocument document = load_gltf(file.json(), no_file);
  const tinygltf::Model& model = document.model();
  ASSERT_EQ(model.skins.size(), 2u);
  EXPECT_EQ(model.skins[0].joints, (std::vector<int>{1, 2}));
  const Eigen::MatrixXd inverse =
      document.values(model.skins[0].inverseBindMatrices, "MAT4", {GltfDocument::float32});
  EXPECT_EQ(inverse.rows(), 16);
  EXPECT_EQ(inverse(3, 1), 19);
  EXPECT_EQ(model.skins[1].inverseBindMatrices, -1);  // none: identities
  EXPECT_EQ(model.nodes[2].name, "knee");
  ASSERT_EQ(model.animations.size(), 1u);
  const tinygltf::Animation& walk = model.animations[0];
  EXPECT_EQ(walk.name, "walk");
  ASSERT_EQ(walk.channels.size(), 1u);  // one that moves no node is left out
  EXPECT_EQ(walk.channels[0].target_node, 2);
  const tinygltf::AnimationSampler& sampler =
      walk.samplers[static_cast<std::size_t>(walk.channels[0].sampler)];
  EXPECT_EQ(sampler.interpolation, "LINEAR");
  EXPECT_EQ(document.values(sampler.input, "SCALAR", {GltfDocument::float32}), Eigen::RowVector3d(0, 0.5, 1));
  EXPECT_EQ(document.values(sampler.output, "VEC4", {GltfDocument::float32, GltfDocument::int8}).col(1),
            Eigen::Vector4d(0, 0, 1, 0));
}

TEST(Gltf, what_the_library_would_take_on_trust_is_refused_naming_the_element) {
  File file = tetrahedron();
  file.nodes = R"([{"mesh":0,"skin":0,"children":[1]},{}])";
  file.more = R"(,"skins":[{"joints":[1],"skeleton":1}],"animations":[{"samplers":[{"input":0,"output":1}],)"
              R"("channels":[{"sampler":0,"target":{"node":1,"path":"scale"}}]}])";
  const std::string whole = file.json();
  EXPECT_EQ(parse_gltf(whole, no_file).count(), 4);
  const std::tuple<const char*, const char*, const char*> rows[] = {
      // It would cut them to 32 bits.
      {R"("mesh":0)", R"("mesh":4294967296)",
       "nodes[0].mesh: 4294967296 is outside [0, 1), the numbers of meshes"},
      {R"("POSITION":0)", R"("POSITION":4294967296)",
       "meshes[0].primitives[0].attributes.POSITION: 4294967296"},
      {R"("children":[1])", R"("children":[-1])", "nodes[0].children[0]: '-1' is not a whole number"},
      // It would read the file without them.
      {R"("mesh":0)", R"("mesh":0.5)", "nodes[0].mesh: '0.5' is not a whole number"},
      {R"("indices":1)", R"("indices":"1")",
       "meshes[0].primitives[0].indices: '\"1\"' is not a whole number"},
      {R"("attributes":{)", R"("attribute":{)", "meshes[0].primitives[0]: it has no 'attributes'"},
      {R"("nodes":[0])", R"("nodes":[true])", "scenes[0].nodes[0]: 'true' is not a whole number"},
      {R"("primitives":[{)", R"("primitives":{"a":{)", "invalid JSON"},
      {R"("mesh":0)", R"("mesh":0,"translation":[0,"1",0])",
       "nodes[0].translation[1]: '\"1\"' is not a number"},
      {R"("mesh":0)", R"("mesh":0,"name":["a"])", "nodes[0].name: a list is not a text"},
      {R"("byteLength":48)", R"("byteLength":-5)", "buffers[0].byteLength: '-5' is not a whole number"},
      // It would compare them with nothing.
      {R"("joints":[1])", R"("joints":[1,2])",
       "skins[0].joints[1]: 2 is outside [0, 2), the numbers of nodes"},
      {R"("joints":[1])", R"("bones":[1])", "skins[0]: it has no 'joints'"},
      {R"("skeleton":1)", R"("skeleton":7)", "skins[0].skeleton: 7 is outside [0, 2)"},
      {R"("sampler":0)", R"("sampler":1)", "animations[0].channels[0].sampler: 1 is outside [0, 1)"},
      {R"("node":1)", R"("node":9)", "animations[0].channels[0].target.node: 9 is outside [0, 2)"},
      {R"("input":0)", R"("input":0,"interpolation":"QUADRATIC")",
       "animations[0].samplers[0].interpolation: '\"QUADRATIC\"' is not one of \"LINEAR\""},
      {R"("buffer":0)", R"("buffer":2)",
       "bufferViews[0].buffer: 2 is outside [0, 2), the numbers of buffers"},
      {R"("buffer":0)", R"("buffer":0,"byteStride":6)",
       "bufferViews[0].byteStride: 6 is not a multiple of 4"},
      {R"("buffer":0)", R"("buffer":0,"byteStride":8)",
       "bufferViews[0]: its byteStride 8 is less than the 12 bytes of an element of accessors[0]"},
      {R"("buffer":0)", R"("buffer":0,"byteOffset":1)",
       "bufferViews[0]: its bytes 1 to 49 lie outside the buffer of 48"},
      {R"("bufferView":0)", R"("bufferView":0,"byteOffset":4)",
       "accessors[0]: its 4 elements from byte 4 lie outside the view of 48 bytes"},
      {R"("bufferView":0,)", "", "accessors[0]: it has no 'bufferView'"},
      {R"("bufferView":1,)", "", "tinygltf failed: accessor[1] invalid bufferView"},
      {R"("type":"SCALAR")", R"("type":"SCALAR","normalized":true)", "accessors[1]: it is normalised"},
      {R"("type":"VEC3")", R"("type":"VEC5")", "accessors[0].type: '\"VEC5\"' is not one of \"SCALAR\""},
      {R"("meshes":[)", R"("meshes":[7,)", "meshes[0]: it is not a JSON object"},
      {R"("meshes":)", R"("mashes":)", "nodes[0].mesh: it names 0, and there are no meshes"},
      {"base64,AAAA", "base64,AA*A", "buffers[0].uri: '*' is not a digit of base64"},
      {"base64,AAAA", "base64,", "buffers[0]: it should have 48 bytes and has 45"},
  };
  for (const auto& [from, to, message] : rows)
    EXPECT_TRUE(contains(refusal(replaced(whole, from, to)), message));
}

TEST(Gltf, extras_may_be_deeper_than_the_stack) {
  const std::string deep = std::string(50000, '[') + std::string(50000, ']');
  const std::string whole = tetrahedron().json();
  EXPECT_EQ(parse_gltf(replaced(whole, R"("mesh":0)", R"("mesh":0,"extras":)" + deep), no_file).count(), 4);
  EXPECT_EQ(
      parse_gltf(replaced(whole, R"("scenes")", R"("extensions":{"A":)" + deep + R"(},"scenes")"), no_file)
          .count(),
      4);
  EXPECT_TRUE(contains(refusal(replaced(whole, R"("mesh":0)", R"("mesh":)" + deep)),
                       "nodes[0].mesh: a list is not a whole number"));
}

TEST(Gltf, a_chunk_longer_than_the_file_or_empty_is_no_harm) {
  const std::string json = R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
                           R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
                           R"("buffers":[{"byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],)"
                           R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]})";
  const std::string bytes(36, '\0');
  EXPECT_EQ(parse_glb(glb(json, bytes, 36), no_file).count(), 1);
  for (const std::size_t claimed : {37, 40, 44, 48})
    EXPECT_TRUE(contains(message_of([&] { parse_glb(glb(json, bytes, claimed), no_file); }),
                         "its chunk 'BIN' is missing or damaged"));
  EXPECT_TRUE(contains(message_of([&] { parse_glb(glb(json, "", 0), no_file); }),
                       "buffers[0]: it should have 36 bytes and has 0"));
  const std::string empty = replaced(replaced(json, "36", "0"), R"("byteLength":36)", R"("byteLength":0)");
  EXPECT_TRUE(contains(message_of([&] { parse_glb(glb(empty, "", 0), no_file); }),
                       "accessors[0]: its 3 elements from byte 0 lie outside the view of 0 bytes"));
}

}  // namespace
}  // namespace shoal::test
