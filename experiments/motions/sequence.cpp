// Positions from a sequence of meshes in files.
#include "experiments/motions/motion.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace shoal {
namespace {

namespace fs = std::filesystem;

/// By name, numbers in it by their value: f2 before f10.
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

/// The files of a folder whose names begin and end as the pattern around its * says, in the order of their
/// numbers.
std::vector<fs::path> matching(const std::string& pattern) {
  const fs::path path(pattern);
  const std::string name = path.filename().string();
  const auto star = name.find('*');
  if (star == std::string::npos || name.find('*', star + 1) != std::string::npos)
    throw parameter_error(
        "sequence",
        fmt::format("'{}' must name files with one * in the last part, such as frames/*.obj", pattern));
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
    throw MachineError(fmt::format("the folder '{}' cannot be read: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end(), comes_before);
  if (files.size() < 2)
    throw parameter_error("sequence",
                          fmt::format("{} called '{}', a sequence has two at least",
                                      files.empty() ? "no file is" : "only one file is", pattern));
  return files;
}

/// Vertices and faces as the file has them, for comparison with another.
struct InFileOrder {
  Points x;
  Faces faces;
};

InFileOrder in_file_order(const Surface& surface) {
  InFileOrder result{Points(3, surface.x.cols()), Faces(3, surface.mesh.face_count())};
  for (Index i = 0; i < surface.mesh.vertex_count; ++i)
    result.x.col(surface.input_vertex[static_cast<std::size_t>(i)]) = surface.x.col(i);
  for (Index k = 0; k < surface.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      result.faces(c, surface.input_face[static_cast<std::size_t>(k)]) =
          surface.input_vertex[static_cast<std::size_t>(surface.mesh.faces(c, k))];
  return result;
}

/// The positions of a file for the vertices of `surface`.
Points read_frame(const Surface& surface, const Faces& faces, const fs::path& file) {
  const InFileOrder frame = in_file_order(read_surface(file.string()));
  const auto context = fmt::format("parameter 'sequence': {}", file.string());
  if (frame.x.cols() != surface.mesh.vertex_count || frame.faces.cols() != faces.cols())
    throw Error(fmt::format("{} has {} vertices and {} faces, the mesh '{}' has {} and {}", context,
                            frame.x.cols(), frame.faces.cols(), surface.name, surface.mesh.vertex_count,
                            faces.cols()));
  if (frame.faces != faces)
    throw Error(
        fmt::format("{} joins its vertices in another way than the mesh '{}'", context, surface.name));
  Points x(3, frame.x.cols());
  for (Index i = 0; i < surface.mesh.vertex_count; ++i)
    x.col(i) = frame.x.col(surface.input_vertex[static_cast<std::size_t>(i)]);
  return x;
}

}  // namespace

Motion mesh_sequence(const Surface& surface, const std::string& pattern, double rate) {
  const Faces faces = in_file_order(surface).faces;
  auto frames = std::make_shared<std::vector<Points>>();
  for (const fs::path& file : matching(pattern)) frames->push_back(read_frame(surface, faces, file));
  const double size = (surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff()).norm();
  if (!((frames->front() - surface.x).lpNorm<Eigen::Infinity>() <= 1e-6 * size))
    throw parameter_error("sequence",
                          fmt::format("the first of the files '{}' is not the mesh '{}' that the run "
                                      "starts on; give it as the mesh",
                                      pattern, surface.name));
  frames->front() = surface.x;
  return [frames, rate](double time, Points& x) {
    const double last = static_cast<double>(frames->size() - 1), at = std::clamp(time * rate, 0.0, last);
    const auto below = static_cast<std::size_t>(std::min(std::floor(at), std::max(0.0, last - 1)));
    const double part = at - static_cast<double>(below);
    if (part == 0)
      x = (*frames)[below];
    else
      x = (1 - part) * (*frames)[below] + part * (*frames)[below + 1];
  };
}

}  // namespace shoal
