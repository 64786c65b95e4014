// Motion `sequence`: positions from a sequence of meshes in files.
#include "experiments/motions/common.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/formats/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace shoal {
namespace {

namespace fs = std::filesystem;

struct SequenceOptions {
  std::string files;
  double rate = 24;  ///< 1/s
  static Options<SequenceOptions> describe() {
    using O = SequenceOptions;
    return Options<O>()
        .text("sequence", "", &O::files,
              "file name with one *, e.g. frames/*.obj, of the deformed meshes; the first is the mesh of the "
              "run")
        .number("frame_rate", "1/s", &O::rate, motion::min_positive, motion::unlimited,
                "files per second of simulated time");
  }
};

Motion make(const Surface& surface, const SequenceOptions& options, std::uint64_t) {
  return mesh_sequence(surface, options.files, options.rate);
}

/// Orders by name, comparing numbers by their value: f2 before f10.
bool comes_before(const fs::path& one, const fs::path& other) {
  const std::string a = one.filename().string(), b = other.filename().string();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
      continue;
    }
    const auto number = [&](const std::string& text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string m = number(a, i), n = number(b, j);
    if (m.size() != n.size()) return m.size() < n.size();
    if (m != n) return m < n;
  }
  return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

/// The files that match a pattern with one *, in the order of their numbers.
std::vector<fs::path> matching(const std::string& pattern) {
  if (pattern.empty())
    throw parameter_error("sequence", "motion = sequence requires files, e.g. frames/*.obj");
  const fs::path path(pattern);
  const std::string name = path.filename().string();
  const auto star = name.find('*');
  if (star == std::string::npos || name.find('*', star + 1) != std::string::npos)
    throw parameter_error(
        "sequence", fmt::format("'{}' must contain one * in its last part, e.g. frames/*.obj", pattern));
  const std::string begin = name.substr(0, star), end = name.substr(star + 1);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw parameter_error("sequence", fmt::format("there is no folder '{}'", folder.string()));
  std::vector<fs::path> files;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (file.size() >= begin.size() + end.size() && file.starts_with(begin) && file.ends_with(end) &&
        file.front() != '.')
      files.push_back(entry->path());
  }
  if (error)
    throw MachineError(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end(), comes_before);
  if (files.size() < 2)
    throw parameter_error("sequence",
                          fmt::format("{} '{}'; a sequence requires at least two",
                                      files.empty() ? "no file matches" : "only one file matches", pattern));
  return files;
}

/// The faces of a surface in the numbering of its source.
Faces source_faces(const Surface& surface) {
  Faces faces(3, surface.mesh.face_count());
  for (Index k = 0; k < faces.cols(); ++k)
    for (int c = 0; c < 3; ++c)
      faces(c, surface.input_face[static_cast<std::size_t>(k)]) =
          surface.input_vertex[static_cast<std::size_t>(surface.mesh.faces(c, k))];
  return faces;
}

/// The first mesh of a sequence, which must be the mesh of the run.
class FirstFrame {
 public:
  FirstFrame(const Surface& surface, const std::string& file)
      : file_(file), polygons_(read_polygons(file)), vertex_(surface.input_vertex) {
    const Surface first = read_surface(file);
    const auto wrong = [&](const std::string& how) {
      return parameter_error(
          "sequence", fmt::format("the first file, {}, is not the mesh '{}' of the run ({}); use it as the "
                                  "mesh",
                                  file, surface.name, how));
    };
    if (first.mesh.vertex_count != surface.mesh.vertex_count ||
        first.mesh.face_count() != surface.mesh.face_count())
      throw wrong(fmt::format("{} vertices and {} faces, not {} and {}", first.mesh.vertex_count,
                              first.mesh.face_count(), surface.mesh.vertex_count, surface.mesh.face_count()));
    if (source_faces(first) != source_faces(surface)) throw wrong("different connectivity");
    if (!first.source_vertex.empty())
      for (Index& vertex : vertex_) vertex = first.source_vertex[static_cast<std::size_t>(vertex)];
    const double size = (surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff()).norm();
    if (!((placed(polygons_.x) - surface.x).lpNorm<Eigen::Infinity>() <= 1e-6 * size))
      throw wrong("different vertex positions");
  }

  /// The positions of another file of the sequence, which must have the same vertices and faces. Vertices welded and faces flipped in
  /// the first file are treated likewise, whatever their distances.
  Points positions(const std::string& file) const {
    const Polygons frame = read_polygons(file);
    const auto context = fmt::format("parameter 'sequence': {}", file);
    if (frame.x.cols() != polygons_.x.cols() || frame.count() != polygons_.count())
      throw Error(fmt::format("{} has {} vertices and {} faces, but the first file, {}, has {} and {}",
                              context, frame.x.cols(), frame.count(), file_, polygons_.x.cols(),
                              polygons_.count()));
    if (frame.start != polygons_.start || frame.corner != polygons_.corner)
      throw Error(fmt::format("{} has another connectivity than the first file, {}", context, file_));
    return placed(frame.x);
  }

 private:
  Points placed(const Points& in_file) const {
    Points x(3, static_cast<Eigen::Index>(vertex_.size()));
    for (std::size_t i = 0; i < vertex_.size(); ++i)
      x.col(static_cast<Eigen::Index>(i)) = in_file.col(vertex_[i]);
    return x;
  }

  std::string file_;
  Polygons polygons_;
  std::vector<Index> vertex_;  // vertex of the file for each of ours
};

}  // namespace

std::vector<std::string> sequence_files(const std::string& pattern) {
  std::vector<std::string> files;
  for (const fs::path& file : matching(pattern)) files.push_back(file.string());
  return files;
}

Motion mesh_sequence(const Surface& surface, const std::string& pattern, double rate) {
  const std::vector<std::string> files = sequence_files(pattern);
  const FirstFrame first(surface, files.front());
  auto frames = std::make_shared<std::vector<Points>>(1, surface.x);
  for (std::size_t i = 1; i < files.size(); ++i) frames->push_back(first.positions(files[i]));
  std::vector<double> times;
  for (std::size_t i = 0; i < files.size(); ++i) times.push_back(static_cast<double>(i) / rate);
  return Motion([frames, rate](double time, Points& x) {
           const double last = static_cast<double>(frames->size() - 1),
                        at = std::clamp(time * rate, 0.0, last);
           const auto below = static_cast<std::size_t>(std::min(std::floor(at), std::max(0.0, last - 1)));
           const double part = at - static_cast<double>(below);
           if (part == 0)
             x = (*frames)[below];
           else
             x = (1 - part) * (*frames)[below] + part * (*frames)[below + 1];
         })
      .with_period(1 / rate)
      .with_corners(std::move(times));
}

MotionEntry sequence_motion() {
  return describe_motion(
      {.name = "sequence",
       .summary = "a sequence of meshes from files, in the order of the numbers in their names, with linear "
                  "interpolation in time (inertia receives an impulse at each file); the last one stays",
       .files =
           [](const Parameters& parameters) {
             return sequence_files(read_options<SequenceOptions>(parameters).files);
           }},
      make);
}

}  // namespace shoal
