// Files as written by other programs; unless noted, all contain the same octahedron.
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace shoal::test {
namespace {

constexpr Index octahedron_faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                          {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
constexpr int octahedron_points[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
const double octahedron_area = 4 * std::sqrt(3.0);
constexpr double tolerance = 1e-6;  // of areas, of coordinates in single precision

MeshQuality quality_of(const Surface& surface) {
  return assess(surface, make_geometry(surface.mesh, surface.x));
}

void expect_octahedron(const std::string& name, const std::string& content) {
  SCOPED_TRACE(name + ":\n" + content.substr(0, 200));
  Surface surface;
  ASSERT_NO_THROW(surface = parse_surface(name, content))
      << message_of([&] { parse_surface(name, content); });
  const MeshQuality quality = quality_of(surface);
  EXPECT_EQ(quality.vertices, 6);
  EXPECT_EQ(quality.faces, 8);
  EXPECT_TRUE(quality.closed);
  EXPECT_NEAR(quality.area, octahedron_area, tolerance);
}

std::string refusal(const std::string& name, const std::string& content) {
  const std::string message = message_of([&] { parse_surface(name, content); });
  EXPECT_TRUE(contains(message, "mesh '" + name + "'"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
  return message;
}

bool has_remark(const std::string& name, const std::string& content, const std::string& part) {
  for (const std::string& repair : parse_surface(name, content).repairs)
    if (repair.find(part) != std::string::npos) return true;
  return false;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}

std::string all_replaced(std::string text, char from, const std::string& to) {
  std::string result;
  for (const char c : text) result += c == from ? to : std::string(1, c);
  return result;
}

template <class Number>
std::string raw(Number value, bool big_endian) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// Lines of three numbers.
std::string points_text() {
  std::string text;
  for (const auto& p : octahedron_points) text += fmt::format("{} {} {}\n", p[0], p[1], p[2]);
  return text;
}
std::string faces_text(const std::string& before, Index first = 0) {
  std::string text;
  for (const auto& f : octahedron_faces)
    text += fmt::format("{}{} {} {}\n", before, f[0] + first, f[1] + first, f[2] + first);
  return text;
}

const std::string ply_head =
    "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 8\nproperty list uchar int vertex_indices\nend_header\n";
std::string ply() {
  return ply_head + points_text() + faces_text("3 ");
}
std::string binary_ply(bool big_endian) {
  std::string bytes = replaced(ply_head, "ascii", big_endian ? "binary_big_endian" : "binary_little_endian");
  for (const auto& p : octahedron_points)
    for (const int x : p) bytes += raw(static_cast<float>(x), big_endian);
  for (const auto& f : octahedron_faces) {
    bytes += '\3';
    for (const Index v : f) bytes += raw(v, big_endian);
  }
  return bytes;
}
std::string stl() {
  std::string text = "solid s\n";
  for (const auto& f : octahedron_faces) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const Index v : f)
      text += fmt::format("vertex {} {} {}\n", octahedron_points[v][0], octahedron_points[v][1],
                          octahedron_points[v][2]);
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid s\n";
}
/// Corners that should be one lie up to `jitter` apart.
std::string binary_stl(float jitter = 0) {
  std::string bytes(80, ' ');
  bytes += raw(std::uint32_t{8}, false);
  int corner = 0;
  for (const auto& f : octahedron_faces) {
    bytes += std::string(12, '\0');
    for (const Index v : f) {
      for (const int x : octahedron_points[v])
        bytes += raw(static_cast<float>(x) + jitter * static_cast<float>(corner % 3 - 1) / 4, false);
      ++corner;
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}
std::string vtk_head(const std::string& dataset, const std::string& version = "3.0",
                     const std::string& form = "ASCII") {
  return fmt::format("# vtk DataFile Version {}\nby a test\n{}\nDATASET {}\n", version, form, dataset);
}
std::string vtk_points() {
  return "POINTS 6 float\n" + points_text();
}
const std::string polygons_of_vtk = "POLYGONS 8 32\n" + faces_text("3 ");
std::string binary_vtk_points() {
  std::string bytes = "POINTS 6 double\n";
  for (const auto& p : octahedron_points)
    for (const int x : p) bytes += raw(static_cast<double>(x), true);
  return bytes + "\n";
}
std::string binary_vtk_cells(const std::string& name) {
  std::string bytes = name + " 8 32\n";
  for (const auto& f : octahedron_faces) {
    bytes += raw(std::int32_t{3}, true);
    for (const Index v : f) bytes += raw(v, true);
  }
  return bytes + "\n";
}

// ---- lines -----------------------------------------------------------------------------------------------

const std::string obj = "# by a test\n" + [] {
  std::string text;
  for (const auto& p : octahedron_points) text += fmt::format("v {} {} {}\n", p[0], p[1], p[2]);
  return text;
}() + faces_text("f ", 1);
const std::string off = "OFF\n# a comment\n6 8 12\n" + points_text() + faces_text("3 ");
const std::string msh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n" +
                        [] {
                          std::string text;
                          for (int v = 0; v < 6; ++v)
                            text += fmt::format("{} {} {} {}\n", 10 * v + 10, octahedron_points[v][0],
                                                octahedron_points[v][1], octahedron_points[v][2]);
                          return text;
                        }() +
                        "$EndNodes\n$Elements\n9\n1 15 2 0 1 10\n" +
                        [] {
                          std::string text;
                          int number = 1;
                          for (const auto& f : octahedron_faces)
                            text += fmt::format("{} 2 2 7 1 {} {} {}\n", ++number, 10 * f[0] + 10,
                                                10 * f[1] + 10, 10 * f[2] + 10);
                          return text;
                        }() +
                        "$EndElements\n";

TEST(ForeignFiles, may_end_their_lines_with_carriage_returns) {
  for (const char* end : {"\r", "\r\n", "\n"})
    for (const auto& [name, content] : {std::pair<std::string, std::string>{"a.obj", obj},
                                        {"a.off", off},
                                        {"a.ply", ply()},
                                        {"a.stl", stl()},
                                        {"a.msh", msh},
                                        {"a.vtk", vtk_head("POLYDATA") + vtk_points() + polygons_of_vtk}})
      expect_octahedron(name, all_replaced(content, '\n', end));
}

TEST(ForeignFiles, in_binary_ply_may_have_a_header_with_carriage_returns) {
  for (const bool big_endian : {false, true})
    for (const char* end : {"\r", "\r\n"}) {
      const std::string whole = binary_ply(big_endian);
      const std::size_t head = whole.find("end_header\n") + std::string("end_header\n").size();
      expect_octahedron("a.ply", all_replaced(whole.substr(0, head), '\n', end) + whole.substr(head));
    }
  // The first number begins with the byte of a line feed, which is not part of the line's end.
  const float almost_zero = 9.5e-33f;
  ASSERT_EQ(raw(almost_zero, true)[0], '\n');
  std::string bytes = all_replaced(replaced(ply_head, "ascii", "binary_big_endian"), '\n', "\r");
  bytes = replaced(replaced(bytes, "vertex 6", "vertex 3"), "face 8", "face 1");
  for (const float x : {almost_zero, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f, 0.0f, 2.0f, 0.0f}) bytes += raw(x, true);
  bytes += '\3';
  for (const Index v : {0, 1, 2}) bytes += raw(v, true);
  EXPECT_NEAR(quality_of(parse_surface("a.ply", bytes)).area, 2, tolerance);
}

TEST(ForeignFiles, of_old_obj_may_call_faces_fo) {
  expect_octahedron("a.obj", replaced(obj, "f 1 3 5", "fo 1 3 5"));
}

TEST(ForeignFiles, in_obj_may_continue_lines_that_end_with_a_carriage_return) {
  expect_octahedron("a.obj", all_replaced(replaced(obj, "f 1 3 5", "f 1 \\\n3 5"), '\n', "\r"));
}

// ---- OFF -------------------------------------------------------------------------------------------------

TEST(ForeignFiles, in_off_may_have_their_numbers_on_any_lines) {
  const std::string numbers = off.substr(off.find("6 8"));
  expect_octahedron("one-a-line.off", "OFF\n" + all_replaced(numbers, ' ', "\n"));
  expect_octahedron("one-line.off", "OFF " + all_replaced(numbers, '\n', " "));
  expect_octahedron("two-counts.off", replaced(off, "6 8 12", "6 8"));
  expect_octahedron("wrapped-counts.off", replaced(off, "6 8 12", "6\n8\n12"));
  std::string two = "OFF\n6 8\n", faces = faces_text("3 ");
  for (int k = 0; k < 6; ++k)
    two += fmt::format("{} {} {}{}", octahedron_points[k][0], octahedron_points[k][1],
                       octahedron_points[k][2], k % 2 == 1 ? "\n" : "  ");
  expect_octahedron("two-a-line.off", two + faces);
  expect_octahedron("coloured.off", two + all_replaced(faces, '\n', " 255 0 0\n"));
  std::string normals = "NOFF\n6 8\n";
  for (const auto& p : octahedron_points)
    normals += fmt::format("{0} {1} {2}\n{0} {1} {2}\n", p[0], p[1], p[2]);
  expect_octahedron("normals.off", normals + faces);
  EXPECT_TRUE(contains(refusal("short.off", off.substr(0, off.size() - 8)),
                       "the file ends at line 16 where face 7 of 8 should be"));
}

// ---- PLY -------------------------------------------------------------------------------------------------

TEST(ForeignFiles, in_ply_may_have_triangle_strips) {
  const std::string head = replaced(ply_head, "face 8", "tristrips 1");
  const std::string strips =
      "11 2 0 5 3 1 -1 1 2 5 -1 3";  // two strips, of 3 triangles and of 1, and one corner
  const Surface surface =
      parse_surface("a.ply", replaced(head, "uchar", "int") + points_text() + strips + "\n");
  EXPECT_EQ(surface.mesh.face_count(), 4);
  EXPECT_NEAR(quality_of(surface).area, octahedron_area / 2, tolerance);
  // Alternating orientation, so that none needed to be flipped.
  EXPECT_EQ(surface.repairs, std::vector<std::string>{"dropped 1 vertex in no face"});
  EXPECT_TRUE(contains(refusal("b.ply", replaced(head, "vertex_indices", "corners") + points_text() + strips),
                       "no list 'vertex_indices'"));
}

TEST(ForeignFiles, in_ply_may_have_a_line_of_their_own_in_the_header) {
  const std::string extra = replaced(ply(), "element vertex", "Created by some exporter\nelement vertex");
  expect_octahedron("a.ply", extra);
  EXPECT_TRUE(has_remark("a.ply", extra, "skipped line 3 of the header, which begins with 'Created'"));
  // What looks like a keyword that is damaged would shift all numbers that follow.
  EXPECT_TRUE(contains(refusal("b.ply", replaced(ply(), "property float y", "propery float y")),
                       "line 5: 'propery' is not recognized; did you mean 'property'?"));
}

// ---- STL -------------------------------------------------------------------------------------------------

TEST(ForeignFiles, in_stl_may_go_on_after_the_last_facet) {
  for (const std::string& more : {std::string(1, '\0'), std::string(64, 'x')}) {
    expect_octahedron("a.stl", binary_stl() + more);
    EXPECT_TRUE(has_remark("a.stl", binary_stl() + more,
                           fmt::format("ignored {} bytes after the last facet", more.size())));
    expect_octahedron("solid.stl", "solid" + binary_stl().substr(5) + more);
  }
}

TEST(ForeignFiles, in_stl_are_welded_within_a_tolerance_that_is_said_and_can_be_set) {
  expect_octahedron("rounded.stl", binary_stl(2e-7f));
  EXPECT_TRUE(has_remark("rounded.stl", binary_stl(2e-7f), "within 1e-06 of the diagonal of another"));
  EXPECT_TRUE(contains(refusal("loose.stl", binary_stl(1e-3f)),
                       "vertices within 1e-06 of the diagonal merged, see 'weld'"));
  const Surface surface = parse_surface("loose.stl", binary_stl(1e-3f), 2e-3);
  EXPECT_EQ(surface.mesh.vertex_count, 6);
  EXPECT_TRUE(surface.mesh.closed());
  EXPECT_EQ(surface.repairs, std::vector<std::string>{"welded 18 vertices within 0.002 m of another"});
}

TEST(ForeignFiles, lose_the_faces_that_welding_makes_lines) {
  // A square whose second diagonal is split by a vertex next to a corner.
  const std::string sliver = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1e-4 0 0\nf 1 5 4\nf 5 2 3\nf 5 3 4\n";
  const Surface surface = parse_surface("a.obj", sliver, 1e-3);
  EXPECT_EQ(surface.mesh.face_count(), 2);
  EXPECT_EQ(surface.repairs, (std::vector<std::string>{"welded 1 vertex within 0.001 m of another",
                                                       "dropped 1 face that lost a corner"}));
}

// ---- polygons --------------------------------------------------------------------------------------------

TEST(ForeignFiles, may_have_polygons_with_holes_at_the_end_of_a_bridge) {
  const std::string square = "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\n";
  const std::string keyhole = square + "v 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\nf 1 2 3 4 1 5 6 7 8 5\n";
  const std::string twice =
      square + "v 0 0 0\nv 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\nv 1 1 0\nf 1 2 3 4 5 6 7 8 9 10\n";
  // Two holes, bridged from two corners.
  const std::string two =
      "v 0 0 0\nv 8 0 0\nv 8 4 0\nv 0 4 0\nv 1 1 0\nv 1 3 0\nv 3 3 0\nv 3 1 0\n"
      "v 7 1 0\nv 5 1 0\nv 5 3 0\nv 7 3 0\nf 1 2 9 10 11 12 9 2 3 4 1 5 6 7 8 5\n";
  for (const auto& [text, area, loops] :
       {std::tuple(keyhole, 12.0, 2), std::tuple(twice, 12.0, 2), std::tuple(two, 24.0, 3)}) {
    const MeshQuality quality = quality_of(parse_surface("a.obj", text));
    EXPECT_NEAR(quality.area, area, tolerance) << text;
    EXPECT_EQ(quality.boundary_loops, loops) << text;
    EXPECT_EQ(quality.components, 1) << text;
  }
}

// ---- VTK -------------------------------------------------------------------------------------------------

TEST(ForeignFiles, in_vtk_may_have_strips_lines_and_data_in_any_order) {
  const std::string head = vtk_head("POLYDATA") + vtk_points();
  const std::string half = "POLYGONS 4 16\n3 0 2 4\n3 2 1 4\n3 1 3 4\n3 3 0 4\n";
  const std::string strips = "TRIANGLE_STRIPS 2 10\n5 2 0 5 3 1\n3 1 2 5\n";
  const std::string lines = "LINES 2 7\n2 0 2\n3 2 1 3\n", vertices = "VERTICES 2 4\n1 0\n1 1\n";
  const std::string metadata =
      "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 1 1\n\n";
  const std::string field =
      "FIELD FieldData 2\nTIME 1 1 double\n0.5\nnames 1 2 string\nfirst\nsecond%20one\n";
  const std::string data = "POINT_DATA 6\nSCALARS a float\nLOOKUP_TABLE default\n1 2 3 4 5 6\n";
  for (const std::string& content :
       {head + half + strips, head + strips + half, head + vertices + lines + polygons_of_vtk,
        head + polygons_of_vtk + lines, head + metadata + polygons_of_vtk + metadata + data,
        vtk_head("POLYDATA") + field + vtk_points() + polygons_of_vtk,
        replaced(head, "DATASET", field + "DATASET") + polygons_of_vtk + data,
        replaced(replaced(head, "POINTS", "points"), "3.0", "1.0") + polygons_of_vtk,
        // As written since 5.1.
        vtk_head("POLYDATA", "5.1") + vtk_points() + metadata +
            "POLYGONS 9 24\nOFFSETS vtktypeint64\n0 3 6 9 12 15 18 21 24\nCONNECTIVITY vtktypeint64\n" +
            faces_text(""),
        // Additional cells: a vertex, a line, a tetrahedron.
        vtk_head("UNSTRUCTURED_GRID", "4.2") + vtk_points() + metadata +
            "CELLS 11 42\n1 0\n2 0 1\n4 0 1 2 4\n" + faces_text("3 ") +
            "\nCELL_TYPES 11\n1\n3\n10\n5\n5 5 5\n5\n5\n5\n7\n" + data,
        vtk_head("UNSTRUCTURED_GRID", "5.1") + vtk_points() +
            "CELLS 9 24\nOFFSETS vtktypeint64\n0 3 6 9 12 15 18 21 24\nCONNECTIVITY vtktypeint64\n" +
            faces_text("") + "CELL_TYPES 8\n5 5 5 5 5 5 5 5\n"})
    expect_octahedron("a.vtk", content);
  EXPECT_TRUE(
      has_remark("a.vtk", head + polygons_of_vtk + lines + vertices, "skipped 4 points, lines or cells"));
  // Only faces, and the strip without its degenerate triangles.
  EXPECT_EQ(parse_surface("a.vtk", head + "TRIANGLE_STRIPS 1 9\n8 0 2 4 4 1 1 3 5\n").mesh.face_count(), 2);
}

TEST(ForeignFiles, in_vtk_may_have_polygons_and_cells_of_many_kinds) {
  const auto area = [](const std::string& content) {
    return quality_of(parse_surface("a.vtk", content)).area;
  };
  const std::string square = "POINTS 9 double\n0 0 0 2 0 0 2 2 0 0 2 0 1 0 0 2 1 0 1 2 0 0 1 0 1 1 0\n";
  EXPECT_NEAR(area(vtk_head("POLYDATA") + square + "POLYGONS 1 6\n5 0 4 5 2 3\n"), 3.5, tolerance);
  const auto cell = [&](const std::string& points, int type) {
    const auto count = 1 + std::count(points.begin(), points.end(), ' ');
    return area(vtk_head("UNSTRUCTURED_GRID") + square +
                fmt::format("CELLS 1 {}\n{} {}\nCELL_TYPES 1\n{}\n", count + 1, count, points, type));
  };
  EXPECT_NEAR(cell("0 1 2", 5), 2, tolerance);
  EXPECT_NEAR(cell("0 1 3 2", 8), 4, tolerance);  // pixel
  EXPECT_NEAR(cell("0 1 2 3", 9), 4, tolerance);
  EXPECT_NEAR(cell("0 1 2 4 5 8", 22), 2, tolerance);
  EXPECT_NEAR(cell("0 1 2 3 4 5 6 7", 23), 4, tolerance);
  EXPECT_NEAR(cell("0 1 2 3 4 5 6 7 8", 28), 4, tolerance);
  EXPECT_NEAR(cell("0 1 2 3 4 5 6 7", 36), 4, tolerance);
  EXPECT_NEAR(cell("0 1 3 2", 6), 4, tolerance);  // strip
}

TEST(ForeignFiles, in_vtk_may_be_binary) {
  const std::string head = vtk_head("POLYDATA", "3.0", "BINARY"), points = binary_vtk_points();
  std::string whole_points = "POINTS 6 int\n", offsets, connectivity;
  for (const auto& p : octahedron_points)
    for (const int x : p) whole_points += raw(std::int32_t{x}, true);
  for (std::int64_t k = 0; k <= 8; ++k) offsets += raw(3 * k, true);
  for (const auto& f : octahedron_faces)
    for (const Index v : f) connectivity += raw(std::int64_t{v}, true);
  const std::string vertices =
      "VERTICES 1 2\n" + raw(std::int32_t{1}, true) + raw(std::int32_t{0}, true) + "\n";
  const std::string field =
      "FIELD FieldData 2\nTIME 1 1 double\n" + raw(0.5, true) + "\nwords 1 2 string\n\xc2hi\xc1x\n";
  std::string types = "CELL_TYPES 8\n";
  for (int k = 0; k < 8; ++k) types += raw(std::int32_t{5}, true);
  const std::string cells = binary_vtk_cells("POLYGONS");
  for (const std::string& content :
       {head + points + cells, head + whole_points + "\n" + cells, head + points + vertices + cells,
        head + field + points + cells, head + points + "METADATA\nINFORMATION 0\n\n" + cells,
        vtk_head("POLYDATA", "5.1", "BINARY") + points + "POLYGONS 9 24\nOFFSETS vtktypeint64\n" + offsets +
            "\nCONNECTIVITY vtktypeint64\n" + connectivity + "\n",
        vtk_head("UNSTRUCTURED_GRID", "3.0", "BINARY") + points + binary_vtk_cells("CELLS") + types + "\n"})
    expect_octahedron("a.vtk", content);
}

TEST(ForeignFiles, in_vtk_that_are_damaged_are_refused_in_a_sentence) {
  const std::string head = vtk_head("POLYDATA"), grid = vtk_head("UNSTRUCTURED_GRID");
  const std::tuple<std::string, const char*> rows[] = {
      {head + "POINTS -3 double\n0 0 0\n", "line 5: '-3' is not a number of points"},
      {head + "POINTS 2000000000 double\n0 0 0\n", "the file is cut short"},
      {head + "POINTS 99999999999999999999 double\n", "is not a number of points"},
      {head + "POINTS 3000000000 double\n", "for the index type"},
      {head + "POINTS 3 splendid\n", "'splendid' is not a type"},
      {head + vtk_points() + "POLYGONS 1 4\n3 0 1 9\n", "face 0 names vertex 9"},
      {head + vtk_points() + "POLYGONS 1 4\n3 0 1 -1\n", "polygon 0 names point -1"},
      {head + vtk_points() + "POLYGONS 1 4\n7 0 1 2\n", "polygon 0 has 7 points, and 3 numbers are left"},
      {head + vtk_points() + "POLYGONS 2 4\n3 0 1 2\n", "the list of 4 numbers ends before polygon 1 of 2"},
      {head + vtk_points() + "POLYGONS 2 3\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2\n",
       "polygon 0 goes from 0 to 4 of 3 numbers"},
      {head + vtk_points() + "POLYGONS 2 3\nOFFSETS vtktypeint64\n-5 3\nCONNECTIVITY vtktypeint64\n0 1 2\n",
       "polygon 0 goes from -5"},
      {head + vtk_points() + "POLYGONS 2 3\nOFFSETS double\n0 3\n", "cannot be of type double"},
      {grid + vtk_points() + "CELLS 1 4\n3 0 1 2\n", "it has 1 cells, and the types of 0"},
      {grid + vtk_points() + "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n5\n", "cell 0 of type 5 has 2 points"},
      {grid + vtk_points() + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n", "it contains no polygons"},
      {head + polygons_of_vtk, "it has no POINTS"},
      {head + vtk_points() + vtk_points(), "duplicate POINTS"},
      {head + "garbage\n", "line 5: 'garbage' instead of a section"},
      {vtk_head("STRUCTURED_POINTS"), "unsupported dataset 'structured_points'"},
      {vtk_head("POLYDATA", "7.0"), "unsupported VTK version '7.0'; supported: 1.0 to 5.1"},
      {vtk_head("POLYDATA", "3.0", "HEX"), "line 3: 'hex' instead of ASCII or BINARY"},
      {head + "FIELD f 1\na 4000000000 4000000000 double\n1 2 3\n", "the file is cut short"},
      {"<?xml version=\"1.0\"?>", "is it in VTK's legacy format?"},
      {vtk_head("POLYDATA", "3.0", "BINARY") + "POINTS 2000000000 double\n", "the file is cut short"},
      {vtk_head("POLYDATA", "3.0", "BINARY") + binary_vtk_points() + "POLYGONS 1 4\n\x7f\xff\xff\xff" +
           std::string(12, '\1'),
       "polygon 0 has 2147483647 points, and 3 numbers are left"},
  };
  for (const auto& [content, message] : rows) EXPECT_TRUE(contains(refusal("a.vtk", content), message));
  const std::string whole =
      vtk_head("POLYDATA", "3.0", "BINARY") + binary_vtk_points() + binary_vtk_cells("POLYGONS");
  for (std::size_t size = 1; size + 1 < whole.size(); ++size) refusal("cut.vtk", whole.substr(0, size));
}

// ---- Gmsh ------------------------------------------------------------------------------------------------

/// Of version 2.2 or 4.1 in binary, with an element of one node before the triangles.
std::string binary_msh(bool new_version, bool big_endian) {
  const auto number = [&](int value) { return raw(std::int32_t{value}, big_endian); };
  const auto size = [&](std::uint64_t value) { return raw(value, big_endian); };
  std::string bytes = fmt::format("$MeshFormat\n{} 1 8\n", new_version ? "4.1" : "2.2") + number(1) +
                      "\n$EndMeshFormat\n$Comments\nby $Nodes\n$EndComments\n$Nodes\n";
  const auto position = [&](int v) {
    std::string text;
    for (const int x : octahedron_points[v]) text += raw(static_cast<double>(x), big_endian);
    return text;
  };
  if (new_version) {
    bytes += size(1) + size(6) + size(10) + size(60) + number(2) + number(1) + number(0) + size(6);
    for (int v = 0; v < 6; ++v) bytes += size(10 * v + 10);
    for (int v = 0; v < 6; ++v) bytes += position(v);
  } else {
    bytes += "6\n";
    for (int v = 0; v < 6; ++v) bytes += number(10 * v + 10) + position(v);
  }
  bytes += "\n$EndNodes\n$Elements\n";
  if (new_version)
    bytes += size(2) + size(9) + size(1) + size(9) + number(0) + number(1) + number(15) + size(1) + size(1) +
             size(10) + number(2) + number(1) + number(2) + size(8);
  else
    bytes += "9\n" + number(15) + number(1) + number(2) + number(1) + number(0) + number(1) + number(10) +
             number(2) + number(8) + number(2);
  int element = 1;
  for (const auto& f : octahedron_faces) {
    ++element;
    bytes += new_version ? size(element) : number(element) + number(0) + number(1);
    for (const Index v : f) bytes += new_version ? size(10 * v + 10) : number(10 * v + 10);
  }
  return bytes + "\n$EndElements\n";
}

TEST(ForeignFiles, of_gmsh_may_be_binary_and_of_old_versions) {
  for (const bool new_version : {false, true})
    for (const bool big_endian : {false, true}) {
      const std::string whole = binary_msh(new_version, big_endian);
      expect_octahedron("a.msh", whole);
      for (std::size_t size = 1; size + 2 < whole.size(); ++size) refusal("cut.msh", whole.substr(0, size));
    }
  std::string old = "$NOD\n6\n";
  for (int v = 0; v < 6; ++v)
    old += fmt::format("{} {} {} {}\n", v + 1, octahedron_points[v][0], octahedron_points[v][1],
                       octahedron_points[v][2]);
  old += "$ENDNOD\n$ELM\n8\n";
  int element = 0;
  for (const auto& f : octahedron_faces)
    old += fmt::format("{} 2 7 1 3 {} {} {}\n", ++element, f[0] + 1, f[1] + 1, f[2] + 1);
  expect_octahedron("old.msh", old + "$ENDELM\n");
}

TEST(ForeignFiles, of_gmsh_may_list_an_element_in_two_groups) {
  const std::string again =
      replaced(msh, "$EndElements", "10 2 2 8 1 10 30 50\n11 2 2 8 1 50 30 20\n$EndElements");
  const std::string counted =
      replaced(replaced(again, "$Elements\n9", "$Elements\n11"), "$EndMeshFormat\n",
               "$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"all\"\n2 8 \"skin\"\n$EndPhysicalNames\n");
  expect_octahedron("a.msh", counted);
  EXPECT_TRUE(has_remark("a.msh", counted, "skipped 2 duplicate elements"));
}

TEST(ForeignFiles, of_gmsh_that_are_damaged_are_refused_in_a_sentence) {
  const std::tuple<const char*, const char*, const char*> rows[] = {
      {"2.2 0 8", "3.0 0 8", "unsupported version 3"},
      {"$Nodes\n6", "$Nodes\n-6", "'-6' is not a number of nodes"},
      {"\n20 -1", "\n10 -1", "duplicate node 10"},
      {"2 2 2 7", "2 200 2 7", "unsupported elements of type 200"},
      {"2 2 2 7", "2 34 2 7", "unsupported elements of type 34"},
      {"2 2 2 7 1 10", "2 2 2 7 1 11", "face 0 names the node 11, which does not exist"},
      {"$EndNodes", "$EndNode", "'$EndNode' instead of '$EndNodes'"},
      {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "", "the version of the format is missing"},
      {"$MeshFormat", "Print \"a\";", "not a Gmsh mesh"},
  };
  for (const auto& [from, to, message] : rows)
    EXPECT_TRUE(contains(refusal("a.msh", replaced(msh, from, to)), message));
  EXPECT_TRUE(contains(refusal("b.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n0\n$EndElements\n"),
                       "no triangles or other faces"));
}

}  // namespace
}  // namespace shoal::test
