// The XDMF text that shows ParaView the snapshots of a results file.
#include "experiments/harness/storage/xdmf.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace shoal {
namespace {

namespace fs = std::filesystem;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string dimensions(const hdf5::Extent& extent) {
  return fmt::format("{}", fmt::join(extent, " "));
}

/// Describes what one file holds.
class Writer {
 public:
  explicit Writer(const hdf5::File& file)
      : root_(file.root()), name_(escaped(file.path().filename().string())) {}

  std::string head(const std::string& id, const hdf5::Group& run) const {
    const std::string label =
        fmt::format("{} {} {} {} dt={:.6g}", id, run.text("scene"), run.text("discretization"),
                    run.text("integrator"), run.number("dt"));
    return fmt::format("<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                       escaped(label));
  }

  std::string grid(const std::string& id, const hdf5::Group& run, std::size_t row, double time) const {
    const std::string mesh = "/meshes/" + run.text("mesh");
    std::string text = fmt::format("<Grid Name=\"{}\">\n<Time Value=\"{}\"/>\n", id, time);
    const std::string triangles = run.has("faces") ? fmt::format("/runs/{}/faces", id) : mesh + "/faces";
    const hdf5::Extent faces = extent(triangles), vertices = extent(mesh + "/vertices");
    text += fmt::format("<Topology TopologyType=\"Triangle\" NumberOfElements=\"{}\">\n{}</Topology>\n",
                        faces[0], item(triangles, faces, "Int", 4));
    const std::string views = fmt::format("/xdmf/{}/{:06}", id, row);
    const hdf5::Group shown = root_.open_group(views.substr(1));
    text += fmt::format("<Geometry GeometryType=\"XYZ\">\n{}</Geometry>\n",
                        item(shown.has("positions") ? views + "/positions" : mesh + "/vertices",
                             vertices));  // moving, or at rest
    for (const std::string& name : shown.names()) {
      if (name == "positions") continue;
      const hdf5::Extent size = extent(views + "/" + name);
      const bool on_faces = run.open_group("snapshots").open_dataset(name).text("location") == "face";
      text += attribute(name, size, on_faces, item(views + "/" + name, size));
      if (name == "depth" || name == "depth_at_vertices")
        text += attribute(name == "depth" ? "elevation" : "elevation_at_vertices", size, on_faces,
                          difference(views + "/" + name,
                                     fmt::format("/runs/{}/{}", id,
                                                 name == "depth" ? "bed_depth" : "bed_depth_at_vertices"),
                                     size));
    }
    return text + "</Grid>\n";
  }

 private:
  hdf5::Extent extent(const std::string& path) const { return root_.open_dataset(path.substr(1)).extent(); }

  std::string item(const std::string& path, const hdf5::Extent& size, const char* type = "Float",
                   int precision = 8) const {
    return fmt::format(
        "<DataItem Format=\"HDF\" NumberType=\"{}\" Precision=\"{}\" Dimensions=\"{}\">{}:{}</DataItem>\n",
        type, precision, dimensions(size), name_, path);
  }

  std::string difference(const std::string& a, const std::string& b, const hdf5::Extent& size) const {
    return fmt::format(
        "<DataItem ItemType=\"Function\" Function=\"$0 - $1\" Dimensions=\"{}\">\n{}{}</DataItem>\n",
        dimensions(size), item(a, size), item(b, size));
  }

  static std::string attribute(const std::string& name, const hdf5::Extent& size, bool on_faces,
                               const std::string& item) {
    return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">\n{}</Attribute>\n", name,
                       size.size() > 1 ? "Vector" : "Scalar", on_faces ? "Cell" : "Node", item);
  }

  hdf5::Group root_;
  std::string name_;
};

}  // namespace

Xdmf::Xdmf(const fs::path& results) : path_(fs::path(results).replace_extension(".xdmf")) {}

void Xdmf::update(const hdf5::File& file, const std::string& id) {
  const hdf5::Group run = file.root().open_group("runs").open_group(id);
  if (!run.has("snapshots")) return;
  const Writer writer(file);
  Collection& collection = collections_[id];
  if (const std::string name = file.path().filename().string(); collection.file != name)
    collection = {name, 0, writer.head(id, run)};
  const std::vector<double> times = run.open_group("snapshots").open_dataset("time").read();
  for (; collection.snapshots < times.size(); ++collection.snapshots) {
    collection.text += writer.grid(id, run, collection.snapshots, times[collection.snapshots]);
    changed_ = true;
  }
}

bool Xdmf::forget(const std::string& id, const fs::path& file) {
  const auto shown = collections_.find(id);
  if (shown == collections_.end() || shown->second.file != file.filename().string()) return false;
  collections_.erase(shown);
  changed_ = true;
  return true;
}

void Xdmf::write() {
  if (!changed_) return;
  changed_ = false;
  if (collections_.empty()) {  // ParaView crashes on a file without grids
    std::error_code ignored;
    fs::remove(path_, ignored);
    return;
  }
  const fs::path next = path_.string() + ".next";
  errno = 0;
  std::ofstream stream(next);
  stream << "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n<Domain>\n";
  for (const auto& [id, collection] : collections_) stream << collection.text << "</Grid>\n";
  stream << "</Domain>\n</Xdmf>\n";
  stream.close();
  std::error_code failure;
  if (stream) fs::rename(next, path_, failure);
  if (!stream) failure.assign(errno != 0 ? errno : EIO, std::generic_category());
  if (failure) {
    std::error_code ignored;
    fs::remove(next, ignored);
    throw MachineError(
        fmt::format("'{}': the file cannot be written ({})", path_.string(), failure.message()));
  }
}

}  // namespace shoal
