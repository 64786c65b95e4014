// The XDMF text that shows ParaView the snapshots of a results file.
#include "experiments/harness/storage/xdmf.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/system/files.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <fstream>

namespace shoal {
namespace {

namespace fs = std::filesystem;

/// As the value of an attribute or the text of an element; what XML cannot hold is made visible.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : visible(text)) {
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
      case '\n':
        result += ' ';
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
  /// `name` is that of the file, from the folder of the .xdmf.
  Writer(const hdf5::File& file, const std::string& name) : root_(file.root()), name_(escaped(name)) {}

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
      if (name == "positions" || !is_plain_utf8(name)) continue;
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
        type, precision, dimensions(size), name_, escaped(path));
  }

  std::string difference(const std::string& a, const std::string& b, const hdf5::Extent& size) const {
    return fmt::format(
        "<DataItem ItemType=\"Function\" Function=\"$0 - $1\" Dimensions=\"{}\">\n{}{}</DataItem>\n",
        dimensions(size), item(a, size), item(b, size));
  }

  static std::string attribute(const std::string& name, const hdf5::Extent& size, bool on_faces,
                               const std::string& item) {
    return fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">\n{}</Attribute>\n",
                       escaped(name), size.size() > 1 ? "Vector" : "Scalar", on_faces ? "Cell" : "Node",
                       item);
  }

  hdf5::Group root_;
  std::string name_;
};

/// The first lines, by which a file is known as that of these results.
std::string head(const fs::path& results) {
  return fmt::format(
      "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n<Information Name=\"shoal\" "
      "Value=\"{}\"/>\n<Domain>\n",
      escaped(results.filename().string()));
}

/// Of versions before, without a name: known by what it refers to.
bool is_of_earlier_version(const std::string& text, const fs::path& results) {
  return text.rfind("<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n<Domain>\n<Grid Name=\"", 0) == 0 &&
         text.find('>' + escaped(results.filename().string()) + ":/meshes/") != std::string::npos;
}

}  // namespace

fs::path xdmf_path(const fs::path& results) {
  return results.extension() == ".h5" ? fs::path(results).replace_extension(".xdmf")
                                      : fs::path(results.string() + ".xdmf");
}

void require_own_xdmf(const fs::path& results) {
  const fs::path path = xdmf_path(results);
  std::error_code unknown;
  const fs::file_status status = fs::symlink_status(path, unknown);
  if (status.type() == fs::file_type::not_found) return;
  if (status.type() == fs::file_type::none)
    throw Error(fmt::format("output '{}': there can be no '{}' beside it ({}); --output names another",
                            results.string(), path.filename().string(), unknown.message()));
  std::string text(1 << 16, '\0');
  if (fs::is_regular_file(status)) {
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.rfind(head(results), 0) == 0 || is_of_earlier_version(text, results)) return;
  }
  throw Error(fmt::format(
      "'{}', the file for ParaView beside '{}', exists and is not of these results: move it away, or "
      "--output names another",
      path.string(), results.filename().string()));
}

Xdmf::Xdmf(const fs::path& results) : results_(results), path_(xdmf_path(results)) {
  if (!is_plain_utf8(results.filename().string()))
    problem_ = fmt::format("there is no .xdmf for ParaView: XML cannot hold the name '{}'", results.string());
  else
    require_own_xdmf(results);
}

/// From the folder of the results, in which the file lies or one level deeper.
std::string Xdmf::name_of(const fs::path& file) const {
  return file == results_ ? file.filename() : file.parent_path().filename() / file.filename();
}

void Xdmf::update(const hdf5::File& file, const std::string& id) {
  const hdf5::Group run = file.root().open_group("runs").open_group(id);
  if (!run.has("snapshots")) return;
  const std::string name = name_of(file.path());
  const Writer writer(file, name);
  Collection& collection = collections_[id];
  if (collection.file != name) collection = {name, 0, writer.head(id, run)};
  const std::vector<double> times = run.open_group("snapshots").open_dataset("time").read();
  for (; collection.snapshots < times.size(); ++collection.snapshots) {
    collection.text += writer.grid(id, run, collection.snapshots, times[collection.snapshots]);
    changed_ = true;
  }
}

bool Xdmf::forget(const std::string& id, const fs::path& file) {
  const auto shown = collections_.find(id);
  if (shown == collections_.end() || shown->second.file != name_of(file)) return false;
  collections_.erase(shown);
  changed_ = true;
  return true;
}

void Xdmf::write() {
  if (!changed_ || !problem_.empty()) return;
  changed_ = false;
  try {
    require_own_xdmf(results_);
    if (collections_.empty()) {  // ParaView crashes on a file without grids
      std::error_code ignored;
      fs::remove(path_, ignored);
      return;
    }
    std::string text = head(results_);
    for (const auto& [id, collection] : collections_) text += collection.text + "</Grid>\n";
    replace_file(path_, text + "</Domain>\n</Xdmf>\n", results_);
  } catch (const Error& error) {  // the results are worth more
    problem_ = error.what();
  } catch (const MachineError& error) {
    problem_ = error.what();
  }
}

}  // namespace shoal
