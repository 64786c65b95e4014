// The module that holds Gmsh: its elements of two dimensions as polygons.
#include "discretizations/mesh/gmsh_module.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <gmsh.h>

#include <limits>
#include <unordered_map>
#include <utility>

namespace {

/// Gmsh as long as this object lives; it says nothing to the terminal and reads no settings of the user's.
class Gmsh {
 public:
  Gmsh() {
    gmsh::initialize(0, nullptr, false);
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::logger::start();
  }
  ~Gmsh() {
    gmsh::logger::stop();  // which forgets what it has heard
    gmsh::finalize();
  }
  Gmsh(const Gmsh&) = delete;
  Gmsh& operator=(const Gmsh&) = delete;

  /// The first complaint, without the file's name; "" where there is none.
  static std::string complaint(const std::string& path) {
    static const std::string mark = "Error: ";
    std::vector<std::string> log;
    gmsh::logger::get(log);
    for (std::string line : log) {
      if (line.rfind(mark, 0) != 0) continue;
      line.erase(0, mark.size());
      const std::size_t at = line.find("'" + path + "'");
      if (at != std::string::npos) line.replace(at, path.size() + 2, "it");
      return line;
    }
    return "";
  }
};

void add_faces(int type, const std::vector<std::size_t>& nodes,
               const std::unordered_map<std::size_t, shoal::Index>& number, shoal::Polygons& polygons) {
  std::string name;
  int dimension = 0, order = 0, count = 0, corners = 0;
  std::vector<double> coordinates;
  gmsh::model::mesh::getElementProperties(type, name, dimension, order, count, coordinates, corners);
  if (count < 1 || corners < 3) return;
  for (auto node = nodes.begin(); nodes.end() - node >= count; node += count) {
    for (int c = 0; c < corners; ++c) {
      const auto found = number.find(node[c]);
      if (found == number.end())
        throw shoal::Error(
            fmt::format("face {} names the node {}, which there is not", polygons.count(), node[c]));
      polygons.corner.push_back(found->second);
    }
    polygons.close_face();
  }
  if (order > 1)
    polygons.remarks.push_back(fmt::format("of its elements '{}' only the corners are taken", name));
}

}  // namespace

extern "C" shoal::Polygons shoal_read_with_gmsh(const std::string& path) {
  const Gmsh gmsh;
  try {
    gmsh::open(path);
  } catch (const std::string& message) {
    const std::string complaint = Gmsh::complaint(path);
    throw shoal::Error("Gmsh cannot read it" + (complaint.empty() ? "" : ": " + complaint));
  }
  if (const std::string complaint = Gmsh::complaint(path); !complaint.empty())
    throw shoal::Error("Gmsh reads it only in part: " + complaint);
  std::vector<std::size_t> tags;
  std::vector<double> x, parameters;
  gmsh::model::mesh::getNodes(tags, x, parameters);
  if (std::cmp_greater(tags.size(), std::numeric_limits<shoal::Index>::max()))
    throw shoal::Error("it has more nodes than can be numbered");
  shoal::Polygons polygons;
  polygons.x = shoal::Points::Map(x.data(), 3, static_cast<Eigen::Index>(tags.size()));
  std::unordered_map<std::size_t, shoal::Index> number;
  for (std::size_t i = 0; i < tags.size(); ++i) number[tags[i]] = static_cast<shoal::Index>(i);
  std::vector<int> types;
  std::vector<std::vector<std::size_t>> elements, nodes;
  gmsh::model::mesh::getElements(types, elements, nodes, 2);
  for (std::size_t i = 0; i < types.size(); ++i) add_faces(types[i], nodes[i], number, polygons);
  if (polygons.count() == 0)
    throw shoal::Error("it holds no triangles or other faces; of a geometry Gmsh makes them by 'gmsh -2'");
  return polygons;
}
