// The generated families: parsing of their names and construction of the meshes.
#include "discretizations/mesh/generators/generators.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/common/parameters.hpp"
#include "discretizations/mesh/generators/character_shapes.hpp"
#include "discretizations/mesh/generators/random.hpp"
#include "discretizations/mesh/generators/spheres.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

namespace shoal {
namespace {

using std::numbers::pi;

constexpr Index max_level = 10;        // 10 million vertices
constexpr Index max_random_level = 7;  // 160 thousand, some seconds
constexpr Index max_cells_per_side = 1'000'000;
constexpr std::int64_t max_cells = 10'000'000;  // keeps 3·faces well within Index
constexpr double tube_radius = 0.4;             // radius of the torus tube relative to that of its axis
constexpr double jitter_of_cell = 0.2;

struct Raw {
  Faces faces;
  Points x;
  Points corner_shift = {};  // on periodic meshes
};

// ---- reading a name --------------------------------------------------------------------------------------

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

std::optional<std::int64_t> read_integer(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The arguments after a family's name, removed one by one; remaining arguments are an error.
class Arguments {
 public:
  explicit Arguments(const std::string& name) : parts_(split(name, ':')) {
    family_ = parts_.front();
    parts_.erase(parts_.begin());
  }

  /// L, subdivision level.
  Index level(Index max = max_level) {
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
      const auto value = read_integer(*part);
      if (!value) continue;
      if (*value < 0 || *value > max) throw Error(fmt::format("level {} is outside [0, {}]", *part, max));
      parts_.erase(part);
      return static_cast<Index>(*value);
    }
    if (parts_.empty()) throw Error(fmt::format("the level is missing, e.g. '{}:4'", family_));
    throw Error(fmt::format("'{}' is not a level, a whole number in [0, {}]", parts_.front(), max));
  }

  /// N in [min, max], a number of vertices, or `fallback`.
  Index vertices(Index fallback, Index min, Index max) {
    if (parts_.empty()) return fallback;
    const auto value = read_integer(parts_.front());
    if (!value || *value < min || *value > max)
      throw Error(fmt::format("'{}' is not a number of vertices, a whole number in [{}, {}]", parts_.front(),
                              min, max));
    parts_.erase(parts_.begin());
    return static_cast<Index>(*value);
  }

  /// KEY=X with X in [min, max], or `fallback`.
  double number(const std::string& key, double fallback, double min, double max) {
    const std::optional<std::string> text = value_of(key);
    if (!text) return fallback;
    const double value = parse_number(*text, key);
    if (!(value >= min && value <= max))
      throw Error(fmt::format("{}={} is outside [{}, {}]", key, *text, min, max));
    return value;
  }

  /// KEY=N with N ≥ 0, or `fallback`.
  std::int64_t whole_number(const std::string& key, std::int64_t fallback) {
    const std::optional<std::string> text = value_of(key);
    if (!text) return fallback;
    const auto value = read_integer(*text);
    if (!value || *value < 0)
      throw Error(fmt::format("{}={} is not a whole number of at least 0", key, *text));
    return *value;
  }

  /// NxM, the first argument of that form.
  std::pair<Index, Index> counts(const char* example) {
    if (parts_.empty()) throw Error(fmt::format("the numbers of cells are missing, e.g. '{}'", example));
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
      const auto sides = split(*part, 'x');
      if (sides.size() != 2) continue;
      const auto n = read_integer(sides[0]), m = read_integer(sides[1]);
      if (!n || !m) continue;
      if (*n < 1 || *m < 1 || *n > max_cells_per_side || *m > max_cells_per_side || *n * *m > max_cells)
        throw Error(
            fmt::format("'{}' is not two whole numbers NxM of at least 1 with at most {} cells in total",
                        *part, max_cells));
      parts_.erase(part);
      return {static_cast<Index>(*n), static_cast<Index>(*m)};
    }
    throw Error(fmt::format("'{}' is not two whole numbers NxM, e.g. '{}'", parts_.front(), example));
  }

  /// Positive numbers separated by `separator`; empty if no argument has that form.
  std::optional<std::vector<double>> lengths(char separator, std::size_t count, const std::string& what) {
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
      const auto texts = split(*part, separator);
      if (texts.size() < 2) continue;
      if (texts.size() != count) throw Error(fmt::format("'{}' is not {} numbers: {}", *part, count, what));
      std::vector<double> values;
      for (const std::string& text : texts) {
        const double value = parse_number(text, what);
        if (!(value > 1e-100 && value < 1e100))
          throw Error(fmt::format("'{}': the {} must be positive", *part, what));
        values.push_back(value);
      }
      parts_.erase(part);
      return values;
    }
    return std::nullopt;
  }

  /// The given one of `words`, or the first.
  std::string word(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const auto part = std::find(parts_.begin(), parts_.end(), word);
      if (part == parts_.end()) continue;
      parts_.erase(part);
      return word;
    }
    return words.front();
  }

  void done(const std::vector<std::string>& words) const {
    if (parts_.empty()) return;
    const std::string allowed = words.empty() ? "" : fmt::format(" (valid words: {})", join(words));
    throw Error(fmt::format("'{}' is not an argument of {}{}{}", parts_.front(), family_, allowed,
                            did_you_mean(parts_.front(), words)));
  }

 private:
  std::optional<std::string> value_of(const std::string& key) {
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
      if (part->rfind(key + "=", 0) != 0) continue;
      const std::string text = part->substr(key.size() + 1);
      parts_.erase(part);
      return text;
    }
    return std::nullopt;
  }

  std::string family_;
  std::vector<std::string> parts_;
};

// ---- spheres ---------------------------------------------------------------------------------------------

Raw scaled(SphereMesh mesh, double radius) {
  return {std::move(mesh.faces), radius * mesh.x};
}

Raw sphere(Arguments& arguments, const std::string& family, double radius) {
  const Index level = arguments.level(family == "random-sphere" ? max_random_level : max_level);
  const bool jittered = family == "jittered-sphere";
  const double jitter = jittered ? arguments.number("jitter", 0.2, 0, 0.3) : 0;
  const auto seed = jittered || family == "random-sphere"
                        ? static_cast<std::uint64_t>(arguments.whole_number("seed", 1))
                        : 0;
  arguments.done({});
  if (jittered) return scaled(jittered_sphere(level, jitter, seed), radius);
  if (family == "uv-sphere") return scaled(uv_sphere(level), radius);
  if (family == "random-sphere") return scaled(random_sphere(level, seed), radius);
  if (family == "refined-sphere") return scaled(refined_sphere(level), radius);
  return scaled(icosphere(level), radius);
}

Raw ellipsoid(Arguments& arguments, double radius) {
  const Index level = arguments.level();
  const auto axes = arguments.lengths(',', 3, "semi-axes A,B,C").value_or(std::vector{1.0, 0.8, 0.6});
  arguments.done({});
  Raw raw = scaled(icosphere(level), 1);
  raw.x = radius * (Vector3(axes[0], axes[1], axes[2]).asDiagonal() * raw.x);
  return raw;
}

// ---- blob: a model of a badly meshed scan ----------------------------------------------------------------

Vector3 random_in_cube(std::mt19937_64& random) {
  const double a = symmetric_random(random), b = symmetric_random(random), c = symmetric_random(random);
  return {a, b, c};
}

/// A star-shaped surface r(d) = 1 + Σ aₘ exp(−|d − dₘ|²/w²) of 24 smooth bumps and dents.
class Bumps {
 public:
  explicit Bumps(std::mt19937_64& random) {
    for (Bump& bump : bumps_) {
      do bump.center = random_in_cube(random);
      while (bump.center.norm() > 1 || bump.center.norm() < 0.1);
      bump.center.normalize();
      bump.height = 0.12 * symmetric_random(random);
    }
  }
  Vector3 at(const Vector3& direction) const {
    double radius = 1;
    for (const Bump& bump : bumps_)
      radius += bump.height * std::exp(-(direction - bump.center).squaredNorm() / (0.4 * 0.4));
    return radius * direction;
  }

 private:
  struct Bump {
    Vector3 center;
    double height;
  };
  std::array<Bump, 24> bumps_;
};

double smallest_angle(const Vector3& a, const Vector3& b, const Vector3& c) {
  const double twice_area = (b - a).cross(c - a).norm();
  return std::min({std::atan2(twice_area, (b - a).dot(c - a)), std::atan2(twice_area, (c - b).dot(a - b)),
                   std::atan2(twice_area, (a - c).dot(b - c))});
}

/// Displaces the vertices of a unit sphere at random, one by one, provided that no face at the vertex is
/// inverted or has an angle below `floor_angle` on the bumpy surface.
void jitter_sphere(Raw& sphere, const Bumps& bumps, double floor_angle, std::mt19937_64& random) {
  const Mesh mesh = make_mesh(sphere.faces, static_cast<Index>(sphere.x.cols()));
  const auto acceptable = [&](Index corner) {
    const Vector3 a = sphere.x.col(mesh.faces(0, corner / 3)), b = sphere.x.col(mesh.faces(1, corner / 3)),
                  c = sphere.x.col(mesh.faces(2, corner / 3));
    return (b - a).cross(c - a).dot(a) > 0 &&
           smallest_angle(bumps.at(a), bumps.at(b), bumps.at(c)) > floor_angle;
  };
  const double reach = 0.75 * (sphere.x.col(mesh.edges(1, 0)) - sphere.x.col(mesh.edges(0, 0))).norm();
  constexpr int attempts = 8;
  for (Index v = 0; v < mesh.vertex_count; ++v) {
    const Vector3 home = sphere.x.col(v);
    for (int attempt = 0; attempt < attempts; ++attempt) {
      sphere.x.col(v) = (home + reach * random_in_cube(random)).normalized();
      const auto ring = mesh.ring_corner.begin();
      if (std::all_of(ring + mesh.ring_start[v], ring + mesh.ring_start[v + 1], acceptable)) break;
      sphere.x.col(v) = home;
    }
  }
}

Raw blob(Arguments& arguments, double radius) {
  const std::vector<std::string> words = {"rough", "slivers"};
  const Index level = arguments.level();
  const bool slivers = arguments.word(words) == "slivers";
  arguments.done(words);
  std::mt19937_64 random(1);
  const Bumps bumps(random);
  Raw raw = scaled(icosphere(level), 1);
  jitter_sphere(raw, bumps, (slivers ? 1.0 : 15.0) * pi / 180, random);
  for (Index v = 0; v < raw.x.cols(); ++v) raw.x.col(v) = radius * bumps.at(raw.x.col(v));
  return raw;
}

// ---- figure and letters ----------------------------------------------------------------------------------

Raw character(Arguments& arguments, const std::string& family, double radius) {
  const bool figure = family == "figure";
  const Index vertices =
      figure ? arguments.vertices(figure_vertices, min_figure_vertices, max_character_vertices)
             : arguments.vertices(letters_vertices, min_letters_vertices, max_character_vertices);
  arguments.done({});
  RemeshedSurface surface = figure ? figure_surface(vertices) : letters_surface(vertices);
  return {std::move(surface.faces), radius * surface.x};
}

// ---- torus -----------------------------------------------------------------------------------------------

Raw torus(Arguments& arguments, double radius) {
  const std::vector<std::string> words = {"staggered", "structured"};
  const auto [around_axis, around_tube] = arguments.counts("torus:32x24");
  const bool staggered = arguments.word(words) == "staggered";
  arguments.done(words);
  if (around_axis < 3 || around_tube < 3)
    throw Error(fmt::format("{}x{} is too few: at least 3 vertices are required in each direction",
                            around_axis, around_tube));
  if (staggered && around_tube % 2 != 0)
    throw Error(
        fmt::format("staggered rows require an even number around the tube, not {}; 'structured' allows any",
                    around_tube));
  Raw raw;
  const Index count = around_axis * around_tube;
  raw.x.resize(3, count);
  raw.faces.resize(3, 2 * count);
  const auto vertex = [&, n = around_axis, m = around_tube](Index i, Index j) { return (j % m) * n + i % n; };
  for (Index j = 0; j < around_tube; ++j) {
    const bool shifted = staggered && j % 2 == 1;
    const double tube = 2 * pi * j / around_tube;
    for (Index i = 0; i < around_axis; ++i) {
      const double axis = 2 * pi * (i + (shifted ? 0.5 : 0.0)) / around_axis;
      const double distance = 1 + tube_radius * std::cos(tube);
      raw.x.col(vertex(i, j)) = radius * Vector3(distance * std::cos(axis), distance * std::sin(axis),
                                                 tube_radius * std::sin(tube));
      const Index a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i, j + 1), d = vertex(i + 1, j + 1);
      const Index face = 2 * a;
      if (staggered && !shifted) {
        raw.faces.col(face) << a, b, c;
        raw.faces.col(face + 1) << b, d, c;
      } else {
        raw.faces.col(face) << a, b, d;
        raw.faces.col(face + 1) << a, d, c;
      }
    }
  }
  return raw;
}

// ---- rectangle -------------------------------------------------------------------------------------------

struct RectangleSize {
  Index nx, ny;
  double width, height;
};

/// Square cells, each cut along its rising diagonal.
Raw structured_rectangle(const RectangleSize& size) {
  Raw raw;
  const Index row = size.nx + 1;
  raw.x.resize(3, row * (size.ny + 1));
  raw.faces.resize(3, 2 * size.nx * size.ny);
  for (Index j = 0; j <= size.ny; ++j)
    for (Index i = 0; i <= size.nx; ++i)
      raw.x.col(j * row + i) << size.width * i / size.nx, size.height * j / size.ny, 0;
  for (Index j = 0; j < size.ny; ++j)
    for (Index i = 0; i < size.nx; ++i) {
      const Index a = j * row + i, face = 2 * (j * size.nx + i);
      raw.faces.col(face) << a, a + 1, a + row + 1;
      raw.faces.col(face + 1) << a, a + row + 1, a + row;
    }
  return raw;
}

/// Displaces the interior vertices; 20 % of a cell cannot invert a triangle.
Raw jittered_rectangle(const RectangleSize& size) {
  Raw raw = structured_rectangle(size);
  std::mt19937_64 random(1);
  for (Index j = 1; j < size.ny; ++j)
    for (Index i = 1; i < size.nx; ++i) {
      auto x = raw.x.col(j * (size.nx + 1) + i);
      x[0] += jitter_of_cell * symmetric_random(random) * size.width / size.nx;
      x[1] += jitter_of_cell * symmetric_random(random) * size.height / size.ny;
    }
  return raw;
}

/// Even rows have nx + 1 vertices; odd rows are shifted by half a cell and have one more, at both walls.
Raw staggered_rectangle(const RectangleSize& size) {
  Raw raw;
  const Index nx = size.nx;
  const auto row_start = [&](Index j) { return (j / 2) * (2 * nx + 3) + (j % 2) * (nx + 1); };
  raw.x.resize(3, row_start(size.ny + 1));
  raw.faces.resize(3, (2 * nx + 1) * size.ny);
  for (Index j = 0; j <= size.ny; ++j) {
    const Index count = nx + 1 + j % 2;
    for (Index i = 0; i < count; ++i) {
      const double along = j % 2 == 0 ? i : std::clamp(i - 0.5, 0.0, static_cast<double>(nx));
      raw.x.col(row_start(j) + i) << size.width * along / nx, size.height * j / size.ny, 0;
    }
  }
  Index face = 0;
  for (Index j = 0; j < size.ny; ++j) {
    const Index low = row_start(j), high = row_start(j + 1);
    const bool wide_above = j % 2 == 0;
    for (Index i = 0; i <= nx; ++i) {
      if (wide_above) {
        raw.faces.col(face++) << low + i, high + i + 1, high + i;
        if (i < nx) raw.faces.col(face++) << low + i, low + i + 1, high + i + 1;
      } else {
        raw.faces.col(face++) << low + i, low + i + 1, high + i;
        if (i < nx) raw.faces.col(face++) << low + i + 1, high + i + 1, high + i;
      }
    }
  }
  return raw;
}

/// Rows of (nx + 1) vertices, with the last vertices in x or y identified with the first.
Raw joined(const Raw& raw, const RectangleSize& size, bool in_x, bool in_y) {
  const Index row = size.nx + 1, columns = in_x ? size.nx : row, rows = in_y ? size.ny : size.ny + 1;
  Raw result;
  result.x.resize(3, columns * rows);
  for (Index j = 0; j < rows; ++j)
    for (Index i = 0; i < columns; ++i) result.x.col(j * columns + i) = raw.x.col(j * row + i);
  result.faces.resize(3, raw.faces.cols());
  result.corner_shift.resize(3, 3 * raw.faces.cols());
  for (Index k = 0; k < raw.faces.cols(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index i = raw.faces(c, k) % row, j = raw.faces(c, k) / row;
      result.faces(c, k) = j % rows * columns + i % columns;
      result.corner_shift.col(3 * Eigen::Index{k} + c) << (i >= columns ? size.width : 0.0),
          (j >= rows ? size.height : 0.0), 0;
    }
  return result;
}

/// Even rows at whole cells, odd ones shifted by half a cell, periodic in x; corners beyond the seam lie
/// outside of the period.
Raw staggered_joined_rectangle(const RectangleSize& size, bool in_y) {
  const Index nx = size.nx, ny = size.ny;
  if (in_y && ny % 2 != 0)
    throw Error(fmt::format("periodic in y with staggered rows requires an even number of rows, not {}", ny));
  Raw raw;
  const Index rows = in_y ? ny : ny + 1;
  raw.x.resize(3, nx * rows);
  for (Index j = 0; j < rows; ++j)
    for (Index i = 0; i < nx; ++i)
      raw.x.col(j * nx + i) << size.width * (i + 0.5 * (j % 2)) / nx, size.height * j / ny, 0;
  raw.faces.resize(3, 2 * nx * ny);
  raw.corner_shift.resize(3, 6 * Eigen::Index{nx} * ny);
  Index face = 0;
  const auto add = [&](std::initializer_list<std::pair<Index, Index>> corners) {
    int c = 0;
    for (const auto& [i, j] : corners) {
      raw.faces(c, face) = j % rows * nx + i % nx;
      raw.corner_shift.col(3 * Eigen::Index{face} + c) << (i >= nx ? size.width : 0.0),
          (j >= rows ? size.height : 0.0), 0;
      ++c;
    }
    ++face;
  };
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i) {
      if (j % 2 == 0) {
        add({{i, j}, {i + 1, j}, {i, j + 1}});
        add({{i + 1, j}, {i + 1, j + 1}, {i, j + 1}});
      } else {
        add({{i, j}, {i + 1, j + 1}, {i, j + 1}});
        add({{i, j}, {i + 1, j}, {i + 1, j + 1}});
      }
    }
  return raw;
}

Raw periodic_rectangle(const RectangleSize& size, const std::string& layout, const std::string& periodic) {
  const bool in_x = periodic != "periodic-y", in_y = periodic != "periodic-x";
  if ((in_x && size.nx < 3) || (in_y && size.ny < 3))
    throw Error("periodic: at least 3 cells are required from seam to seam");
  if (layout == "staggered" && !in_x)
    throw Error(
        "periodic-y with staggered rows would give half cells at the walls; add structured or jittered");
  if (layout == "staggered") return staggered_joined_rectangle(size, in_y);
  return joined(layout == "structured" ? structured_rectangle(size) : jittered_rectangle(size), size, in_x,
                in_y);
}

Raw rectangle(Arguments& arguments) {
  const std::vector<std::string> words = {"staggered", "structured", "jittered"};
  const std::vector<std::string> seams = {"walls", "periodic", "periodic-x", "periodic-y"};
  const std::string layout = arguments.word(words), seam = arguments.word(seams);
  const auto [nx, ny] = arguments.counts("rectangle:40x10");
  const auto sides =
      arguments.lengths('x', 2, "size WxH").value_or(std::vector{1.0, static_cast<double>(ny) / nx});
  const RectangleSize size = {nx, ny, sides[0], sides[1]};
  std::vector<std::string> all = words;
  all.insert(all.end(), seams.begin(), seams.end());
  arguments.done(all);
  if (seam != "walls") return periodic_rectangle(size, layout, seam);
  if (layout == "structured") return structured_rectangle(size);
  if (layout == "jittered") return jittered_rectangle(size);
  return staggered_rectangle(size);
}

Raw generate(Arguments& arguments, const std::string& family, double radius) {
  if (family == "ellipsoid") return ellipsoid(arguments, radius);
  if (family == "blob") return blob(arguments, radius);
  if (family == "torus") return torus(arguments, radius);
  if (family == "rectangle") return rectangle(arguments);
  if (family == "figure" || family == "letters") return character(arguments, family, radius);
  return sphere(arguments, family, radius);
}

/// Whether an argument is a resolution: a level or NxM, in whole numbers.
bool is_resolution(const std::string& text) {
  const std::vector<std::string> sides = split(text, 'x');
  return sides.size() <= 2 && std::all_of(sides.begin(), sides.end(), [](const std::string& side) {
           return read_integer(side).has_value();
         });
}

}  // namespace

const std::vector<MeshFamily>& mesh_families() {
  static const std::vector<MeshFamily> families = {
      {"icosphere", "icosphere:L",
       "sphere, 10·4^L+2 vertices, icosahedron subdivided L = 0 … 10 times; times radius"},
      {"jittered-sphere", "jittered-sphere:L[:jitter=0.2][:seed=1]",
       "icosphere:L with each vertex displaced randomly on the sphere, by at most `jitter` ≤ 0.3 of its edge "
       "length; times radius"},
      {"uv-sphere", "uv-sphere:L",
       "sphere with 2^(L+1) − 1 staggered rows of 2^(L+2) vertices between the poles; times "
       "radius"},
      {"random-sphere", "random-sphere:L[:seed=1]",
       "sphere, Delaunay triangulation of 10·4^L+2 random points with a minimum distance, L = 0 … 7; times "
       "radius"},
      {"refined-sphere", "refined-sphere:L",
       "sphere, 30·4^L+2 vertices, icosahedron refined twice at its north pole and then L times everywhere; "
       "times radius"},
      {"ellipsoid", "ellipsoid:L[:A,B,C]",
       "icosphere:L stretched to semi-axes A,B,C (1,0.8,0.6) along x, y, z; times radius"},
      {"torus", "torus:NxM[:structured]",
       "N vertices around the z axis (radius 1), M around the tube (radius 0.4), rows staggered (M even) or "
       "structured; "
       "times radius"},
      {"rectangle", "rectangle:NxM[:WxH][:structured|jittered][:periodic|periodic-x|periodic-y]",
       "N by M cells on [0,W]×[0,H], default W = 1 and square cells; staggered rows (default), structured "
       "(right triangles), or jittered (interior vertices displaced randomly by 20 % of a cell); boundaries "
       "left, right, bottom and top, unless periodic",
       false, false},
      {"blob", "blob:L[:slivers]",
       "bumpy closed surface with the connectivity of icosphere:L and badly shaped triangles: angles down to "
       "15°, with slivers down to 1°; times radius"},
      {"figure", "figure[:N]",
       "human figure 10 m tall, upright along y with its soles at y = 0, arms and legs spread; N = 200 … "
       "100000 vertices, default 1346; times radius",
       true, false},
      {"letters", "letters[:N]",
       "the letters E T H Z side by side, 5 m high along y, with rounded edges: four closed surfaces; N = "
       "600 … 100000 vertices, default 3832; times radius",
       true, false},
  };
  return families;
}

bool is_generated(const std::string& name) {
  const std::string family = name.substr(0, name.find(':'));
  const auto& families = mesh_families();
  return std::any_of(families.begin(), families.end(),
                     [&](const MeshFamily& entry) { return entry.name == family; });
}

/// left, right, bottom, top: the edges with both ends at the minimum and maximum x and y.
void name_sides(Surface& surface) {
  const Mesh& mesh = surface.mesh;
  struct Side {
    const char* name;
    int axis;
    double position;
  };
  const Vector3 low = surface.x.rowwise().minCoeff(), high = surface.x.rowwise().maxCoeff();
  std::vector<BoundarySet> sets;
  for (const Side& side : {Side{"left", 0, low.x()}, Side{"right", 0, high.x()}, Side{"bottom", 1, low.y()},
                           Side{"top", 1, high.y()}}) {
    BoundarySet set{side.name, {}};
    for (Index e = 0; e < mesh.edge_count(); ++e)
      if (mesh.is_wall(e) && surface.x(side.axis, mesh.edges(0, e)) == side.position &&
          surface.x(side.axis, mesh.edges(1, e)) == side.position)
        set.edges.push_back(e);
    if (!set.edges.empty()) sets.push_back(std::move(set));
  }
  surface.mesh.boundary_sets = std::move(sets);
}

namespace {

/// Divides "icosphere:1,blob:2,3:slivers" before each family that follows arguments. Any other text is returned unchanged.
std::vector<std::string> divided_at_families(const std::string& text) {
  std::vector<std::string> lists;
  for (const std::string& part : split(text, ',')) {
    const bool begins = lists.empty() || (lists.back().find(':') != std::string::npos &&
                                          is_generated(lists.back()) && is_generated(part));
    if (begins)
      lists.push_back(part);
    else
      lists.back() += "," + part;
  }
  return lists;
}

}  // namespace

std::vector<std::string> meshes_of_list(const std::string& text) {
  if (const std::vector<std::string> lists = divided_at_families(text); lists.size() > 1) {
    std::vector<std::string> names;
    for (const std::string& list : lists)
      for (std::string& name : meshes_of_list(list)) names.push_back(std::move(name));
    return names;
  }
  const std::vector<std::string> parts = split(text, ':');
  const std::vector<std::string> families = split(parts.front(), ',');
  if (!std::all_of(families.begin(), families.end(), is_generated)) return {text};
  std::vector<std::string> levels = {""};
  if (parts.size() > 1) {
    levels = split(parts[1], ',');
    if (!std::all_of(levels.begin(), levels.end(), is_resolution)) levels = {parts[1]};
  }
  std::vector<std::string> names;
  for (const std::string& family : families)
    for (const std::string& level : levels) {
      std::vector<std::string> words = {family};
      if (parts.size() > 1) words.push_back(level);
      if (parts.size() > 2) words.insert(words.end(), parts.begin() + 2, parts.end());
      names.push_back(join(words, ":"));
    }
  return names;
}

MeshResolution split_resolution(const std::string& name) {
  std::vector<std::string> parts = split(name, ':');
  // A mesh in memory may be called like a generated one, "mine:20", but not like a file.
  if (!is_generated(parts.front()) && parts.front().find_first_of("./") != std::string::npos)
    return {name, ""};
  const auto found = std::find_if(parts.begin() + 1, parts.end(), is_resolution);
  if (found == parts.end()) return {name, ""};
  const std::string resolution = *found;
  parts.erase(found);
  return {join(parts, ":"), resolution};
}

namespace {

std::string family_of(const std::string& name) {
  return name.substr(0, name.find(':'));
}

Raw generate(const std::string& name, double radius) {
  if (!(radius > 1e-100 && radius < 1e100))
    throw Error(fmt::format("radius {} is not between 1e-100 and 1e100", radius));
  Arguments arguments(name);
  return generate(arguments, family_of(name), radius);
}

}  // namespace

Surface generate_surface(const std::string& name, double radius) {
  const Raw raw = generate(name, radius);
  Surface surface = raw.corner_shift.size() ? make_periodic_surface(name, raw.faces, raw.x, raw.corner_shift)
                                            : make_surface(name, "generated", raw.faces, raw.x);
  if (family_of(name) == "rectangle") name_sides(surface);
  return surface;
}

Surface generate_triangles(const std::string& name, double radius) {
  const Raw raw = generate(name, radius);
  return list_triangles(name, "generated", raw.faces, raw.x);
}

}  // namespace shoal
