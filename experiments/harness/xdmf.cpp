// The XDMF text that shows ParaView the snapshots of a results file.
#include "experiments/harness/xdmf.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <fstream>

namespace shoal {
namespace {

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

/// Builds the document for one results file.
class Writer {
 public:
  explicit Writer(const hdf5::File& file)
      : root_(file.root()), name_(escaped(file.path().filename().string())) {}

  std::string document() const {
    std::string text = "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n<Domain>\n";
    const hdf5::Group runs = root_.open_group("runs");
    for (const std::string& id : runs.names()) {
      const hdf5::Group run = runs.open_group(id);
      if (run.has("snapshots")) text += collection(id, run);
    }
    return text + "</Domain>\n</Xdmf>\n";
  }

 private:
  std::string collection(const std::string& id, const hdf5::Group& run) const {
    const std::string label =
        fmt::format("{} {} {} {} dt={:.6g}", id, run.text("scene"), run.text("discretization"),
                    run.text("integrator"), run.number("dt"));
    std::string text = fmt::format("<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                                   escaped(label));
    const std::vector<double> times = run.open_group("snapshots").open_dataset("time").read();
    for (std::size_t row = 0; row < times.size(); ++row) text += grid(id, run, row, times[row]);
    return text + "</Grid>\n";
  }

  std::string grid(const std::string& id, const hdf5::Group& run, std::size_t row, double time) const {
    const std::string mesh = "/meshes/" + run.text("mesh");
    std::string text = fmt::format("<Grid Name=\"{}\">\n<Time Value=\"{}\"/>\n", id, time);
    const std::string triangles = run.has("faces") ? fmt::format("/runs/{}/faces", id) : mesh + "/faces";
    const hdf5::Extent faces = extent(triangles), vertices = extent(mesh + "/vertices");
    text += fmt::format("<Topology TopologyType=\"Triangle\" NumberOfElements=\"{}\">\n{}</Topology>\n",
                        faces[0], item(triangles, faces, "Int", 4));
    text +=
        fmt::format("<Geometry GeometryType=\"XYZ\">\n{}</Geometry>\n", item(mesh + "/vertices", vertices));
    const std::string views = fmt::format("/xdmf/{}/{:06}", id, row);
    for (const std::string& name : root_.open_group(views.substr(1)).names()) {
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

void write_xdmf(const hdf5::File& file) {
  const std::filesystem::path path = std::filesystem::path(file.path()).replace_extension(".xdmf");
  const std::string text = Writer(file).document();
  std::ofstream stream(path);
  if (!(stream << text).flush()) throw MachineError(fmt::format("'{}' cannot be written", path.string()));
}

}  // namespace shoal
