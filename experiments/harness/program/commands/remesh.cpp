// `shoal remesh`: a surface and its skin with fewer or better triangles.
#include "discretizations/mesh/characters/gltf_writer.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/formats/writer.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/pieces.hpp"
#include "discretizations/mesh/quality.hpp"
#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/system/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>

namespace shoal {
namespace {

/// As typed.
struct RemeshArguments {
  std::string input, output, vertices, edge_length, weld, height;
  bool repair = false, keep_largest = false;
};

struct RemeshRequest {
  std::string input, output;
  Index vertices = 0;         ///< at most one of these two is positive; if none, triangles are kept
  double edge_length = 0;     ///< m
  double weld = 0;            ///< m, closer vertices are merged; 0: see read_surface
  bool repair = false;        ///< make_manifold
  double height = 0;          ///< m, of the longest side of its box; 0: as it is
  bool keep_largest = false;  ///< of its pieces
};

RemeshRequest request_of(const RemeshArguments& arguments) {
  RemeshRequest request;
  request.input = arguments.input;
  request.output = followed(arguments.output);
  if (!arguments.vertices.empty()) request.vertices = whole_number(arguments.vertices, "--vertices", 4);
  request.edge_length = length(arguments.edge_length, "--edge-length");
  request.weld = length(arguments.weld, "--weld");
  request.height = length(arguments.height, "--height");
  request.keep_largest = arguments.keep_largest;
  request.repair = arguments.repair;
  return request;
}

/// A mesh and its skin while they are being changed.
struct Body {
  Surface surface;
  std::optional<Character> character;
};

double largest_side(const Points& x) {
  return (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).maxCoeff();
}

/// Makes a surface a manifold.
Surface read_repaired(const std::string& input, double weld) {
  Polygons polygons = read_polygons(input);
  return with_context(fmt::format("mesh '{}'", input), [&] {
    const Index shortened = drop_repeated_corners(polygons);
    Triangles triangles{polygons.x, triangulate(polygons), {}};
    triangles.source_vertex.resize(static_cast<std::size_t>(polygons.x.cols()));
    std::iota(triangles.source_vertex.begin(), triangles.source_vertex.end(), 0);
    const WeldTolerance tolerance = weld_tolerance_of(input, weld);
    const Welded welded = weld_vertices(triangles, tolerance, true);
    RepairReport report = make_manifold(triangles);
    report.twice += shortened + welded.faces;
    if (triangles.faces.cols() == 0) throw Error("no faces are left");
    Surface surface = make_surface(input, input, triangles.faces, triangles.x);
    surface.weld = tolerance;
    std::vector<std::string> all = polygons.remarks;
    if (welded.vertices > 0)
      all.push_back(
          fmt::format("merged {} vertices within {} of another", welded.vertices, describe(tolerance)));
    for (const std::string& sentence : report.sentences()) all.push_back(sentence);
    surface.repairs.insert(surface.repairs.begin(), all.begin(), all.end());
    return surface;
  });
}

Body read_body(const RemeshRequest& request) {
  Body body;
  body.surface = request.repair && !is_generated(request.input)
                     ? read_repaired(request.input, request.weld)
                     : load_surface(request.input, 1, request.weld);
  if (!has_skin(body.surface)) return body;
  try {
    body.character = load_character(body.surface);
  } catch (const Error& error) {
    body.surface.repairs.push_back(fmt::format("dropped its skin, which cannot move it ({})", error.what()));
  }
  return body;
}

/// The same character on renumbered vertices: number i is the former vertex[i].
Character of_vertices(const Character& character, const Array<Index>& vertex) {
  Character result = character;
  result.weights = {};
  for (const Index i : vertex) {
    Influences influences;
    character.weights.add_to(influences, i, 1);
    result.weights.append(std::move(influences), 0);
  }
  return result;
}

/// The vertices of `mesh` are in the order of `character`; the surface renumbers them.
Body make_body(const std::string& name, const PieceMesh& mesh, const std::optional<Character>& character) {
  Body body{make_surface(name, "generated", mesh.faces, mesh.x), {}};
  if (character)
    body.character = of_vertices(
        *character, Array<Index>(body.surface.input_vertex.begin(), body.surface.input_vertex.end()));
  return body;
}

std::string shape_of(const std::string& name, const Surface& surface) {
  const MeshQuality quality = assess(surface, make_geometry(surface.mesh, surface.x));
  return fmt::format("{}: {} vertices, {} triangles in {}, smallest angle {:.3g}°\n", name, quality.vertices,
                     quality.faces,
                     quality.components == 1 ? "one piece" : fmt::format("{} pieces", quality.components),
                     quality.angle.front());
}

std::string keep_largest(Body& body) {
  const std::vector<Piece> pieces =
      pieces_of(body.surface.mesh, make_geometry(body.surface.mesh, body.surface.x));
  if (pieces.size() == 1) return "";
  std::string text;
  for (std::size_t k = 1; k < pieces.size(); ++k)
    text += fmt::format("dropped a piece of {} vertices and {:.3g} m²\n", pieces[k].vertices.size(),
                        pieces[k].area);
  const PieceMesh kept = mesh_of(pieces.front(), body.surface.mesh, body.surface.x);
  std::optional<Character> character;
  if (body.character) character = of_vertices(*body.character, pieces.front().vertices);
  body = make_body(body.surface.name, kept, character);
  return text;
}

std::string scale(Body& body, double height) {
  const double size = largest_side(body.surface.x);
  const double factor = height / size;
  body.surface.x *= factor;
  if (body.character) body.character->skeleton.frame.prescale(factor);
  return fmt::format("scaled by {:.6g}, from {:.6g} to {:.6g} m\n", factor, size, height);
}

void remesh_body(Body& body, const RemeshRequest& request) {
  RemeshOptions options;
  options.vertices = request.vertices;
  options.edge_length = request.edge_length;
  const RemeshedSurface remeshed = remesh(body.surface.mesh, body.surface.x, options);
  std::optional<Character> character;
  if (body.character) character = transferred(*body.character, remeshed.places);
  body = make_body(body.surface.name, {remeshed.faces, remeshed.x}, character);
}

/// Reads, changes and writes the mesh; returns a report of the changes, one per line. Throws Error if the format of the output is
/// not supported, if a surface with several pieces and a boundary is to be remeshed without --keep-largest, and as the readers and
/// remesh() do.
std::string remesh_file(const RemeshRequest& request) {
  const std::string extension = std::filesystem::path(request.output).extension().string();
  if (extension != ".glb" && extension != ".obj" && extension != ".ply")
    throw Error(fmt::format("'{}': unsupported extension; use .glb, .obj or .ply", request.output));
  if (request.vertices > 0 && request.edge_length > 0)
    throw Error("--vertices and --edge-length cannot be combined");
  Body body = read_body(request);
  std::string text = shape_of(request.input, body.surface);
  for (const std::string& repair : body.surface.repairs) text += repair + "\n";
  if (body.character) text += "skin: " + describe(*body.character) + "\n";
  if (request.keep_largest) text += keep_largest(body);
  if (request.height > 0) text += scale(body, request.height);
  if (request.vertices > 0 || request.edge_length > 0)
    with_context(fmt::format("mesh '{}'", request.input), [&] { remesh_body(body, request); });
  const Surface& surface = body.surface;
  if (extension == ".glb")
    write_glb(request.output, surface.x, surface.mesh.faces, Points(),
              body.character ? &*body.character : nullptr);
  else if (extension == ".obj")
    write_obj(request.output, surface.x, surface.mesh.faces);
  else
    write_ply(request.output, surface.x, surface.mesh.faces);
  text += shape_of(request.output, surface);
  if (body.character && extension != ".glb")
    text += fmt::format("the skin is dropped: {} does not support it\n", extension);
  return text;
}

}  // namespace

Command remesh_command(Program& program) {
  const auto arguments = std::make_shared<RemeshArguments>();
  CLI::App& app = add_command(
      program, "remesh",
      "remesh a surface with uniform, nearly equilateral triangles; skinning and clips are kept",
      "Without --vertices and --edge-length the triangles are kept. GLB files have single precision.\n" +
          example(program, "remesh figure figure-600.glb --vertices 600"));
  add_argument(app, "MESH", arguments->input, "a mesh file or a generated mesh");
  add_argument(app, "OUTPUT", arguments->output, ".glb (with skin and clips, if any), .obj or .ply");
  add_option(app, "--vertices", arguments->vertices, "N", "number of vertices");
  add_option(app, "--edge-length", arguments->edge_length, "L", "approximate edge length, in m");
  add_weld_option(app, arguments->weld);
  add_flag(app, "--repair", arguments->repair,
           "repair a non-manifold file: drop degenerate and duplicate faces, flip faces without area, "
           "separate edges with three or more faces, and split vertices where parts meet");
  add_option(app, "--height", arguments->height, "H",
             "scale the longest side of the bounding box to this length, in m");
  add_flag(app, "--keep-largest", arguments->keep_largest,
           "drop all components except the one with the largest area");
  return {&app, [arguments] {
            say_done(remesh_file(request_of(*arguments)));
            return 0;
          }};
}

}  // namespace shoal
