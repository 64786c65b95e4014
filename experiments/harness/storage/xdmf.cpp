// The XDMF text with which ParaView shows the snapshots of a run. XDMF 3 readers do not evaluate expressions, so every displayed
// field is stored.
#include "experiments/harness/storage/xdmf.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/storage/atomic_file.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <regex>
#include <set>
#include <utility>

namespace shoal {
namespace {

namespace fs = std::filesystem;

/// Escapes text for an attribute or element; characters not allowed in XML are made visible.
std::string escaped(const std::string& text) {
  static const std::map<char, const char*> entities = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', " "}};
  std::string result;
  for (const char c : visible(text)) {
    const auto entity = entities.find(c);
    result += entity == entities.end() ? std::string(1, c) : entity->second;
  }
  return result;
}

/// Writes the XDMF text for a results file.
class Writer {
 public:
  /// `name` is the path of the file relative to the folder of the .xdmf.
  Writer(const hdf5::File& file, const std::string& name) : root_(file.root()), name_(escaped(name)) {}

  std::string head(const std::string& id, const hdf5::Group& run) const {
    const std::string label =
        fmt::format("{} {} {} {} dt={:.6g}", id, run.text("scene"), run.text("discretization"),
                    run.text("integrator"), run.number("dt"));
    return fmt::format("<Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                       escaped(label));
  }

  std::string grid(const std::string& id, const hdf5::Group& run, std::size_t row, double time) const {
    const std::string mesh = "/meshes/" + run.text("mesh"), views = fmt::format("/xdmf/{}/{:06}", id, row);
    const hdf5::Group shown = root_.open_group(views.substr(1));
    const std::string points = shown.has("positions") ? views + "/positions" : mesh + "/vertices";
    std::string attributes;
    for (const std::string& name : shown.names()) {
      if (name == "positions" || !is_plain_utf8(name)) continue;
      const bool on_faces = run.open_group("snapshots").open_dataset(name).text("location") == "face";
      attributes +=
          fmt::format("<Attribute Name=\"{}\" AttributeType=\"{}\" Center=\"{}\">\n{}</Attribute>\n",
                      escaped(name), shown.open_dataset(name).extent().size() > 1 ? "Vector" : "Scalar",
                      on_faces ? "Cell" : "Node", item(views + "/" + name));
    }
    return fmt::format(
        "<Grid Name=\"{}\">\n<Time Value=\"{}\"/>\n{}"
        "<Geometry GeometryType=\"XYZ\">\n{}</Geometry>\n{}</Grid>\n",
        id, time,
        topology(run.has("faces") ? fmt::format("/runs/{}", id) : mesh, extent(mesh + "/vertices")[0]),
        item(points), attributes);
  }

 private:
  /// The polygons of a mesh or, if it has none, its lines or its points.
  std::string topology(const std::string& mesh, std::uint64_t points) const {
    const hdf5::Group group = root_.open_group(mesh.substr(1));
    if (!group.has("faces") && !group.has("edges"))
      return fmt::format("<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"{}\"/>\n", points);
    const std::string path = mesh + (group.has("faces") ? "/faces" : "/edges");
    const hdf5::Extent elements = extent(path);
    const char* type = elements[1] == 2   ? "Polyline\" NodesPerElement=\"2"
                       : elements[1] == 3 ? "Triangle"
                                          : "Quadrilateral";
    return fmt::format("<Topology TopologyType=\"{}\" NumberOfElements=\"{}\">\n{}</Topology>\n", type,
                       elements[0], item(path, "Int", 4));
  }

  hdf5::Extent extent(const std::string& path) const { return root_.open_dataset(path.substr(1)).extent(); }

  std::string item(const std::string& path, const char* type = "Float", int precision = 8) const {
    return fmt::format(
        "<DataItem Format=\"HDF\" NumberType=\"{}\" Precision=\"{}\" Dimensions=\"{}\">{}:{}</DataItem>\n",
        type, precision, fmt::join(extent(path), " "), name_, escaped(path));
  }

  hdf5::Group root_;
  std::string name_;
};

constexpr const char* start = "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"2.0\">\n";

/// The first lines, which identify a file as belonging to these results. ParaView's readers crash on an <Information> before the
/// domain.
std::string head(const fs::path& results) {
  return fmt::format("{}<Domain>\n<Information Name=\"shoal\" Value=\"{}\"/>\n", start,
                     escaped(results.filename().string()));
}

/// Whether an earlier version wrote the text for these results: either with the name before the domain, or without a name but with
/// references to the results.
bool is_of_earlier_version(const std::string& text, const fs::path& results) {
  const std::string name = escaped(results.filename().string());
  return text.rfind(fmt::format("{}<Information Name=\"shoal\" Value=\"{}\"/>\n<Domain>\n", start, name),
                    0) == 0 ||
         (text.rfind(fmt::format("{}<Domain>\n<Grid Name=\"", start), 0) == 0 &&
          text.find('>' + name + ":/meshes/") != std::string::npos);
}

/// Whether the path is a regular file, not a link, that shows these results.
bool is_own(const fs::path& path, const fs::path& results) {
  std::error_code unknown;
  if (!fs::is_regular_file(fs::symlink_status(path, unknown))) return false;
  std::string text(1 << 16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text.rfind(head(results), 0) == 0 || is_of_earlier_version(text, results);
}

fs::file_type type_of(const fs::path& path, const fs::path& results) {
  std::error_code unknown;
  const fs::file_status status = fs::symlink_status(path, unknown);
  if (status.type() == fs::file_type::none)
    throw Error(fmt::format("output '{}': cannot write '{}' beside it ({}); use --output for another file",
                            results.string(), path.filename().string(), unknown.message()));
  return status.type();
}

void require_own_file(const fs::path& path, const fs::path& results) {
  if (type_of(path, results) != fs::file_type::not_found && !is_own(path, results))
    throw Error(
        fmt::format("'{}', the file for ParaView beside '{}', exists and does not belong to these results; "
                    "move it away, or use --output for another file",
                    path.string(), results.filename().string()));
}

/// Throws unless the path is a folder of this user or does not exist.
void require_own_folder(const XdmfFiles& files) {
  const fs::file_type type = type_of(files.folder, files.results);
  struct stat there {};
  if (type == fs::file_type::not_found) return;
  if (type != fs::file_type::directory || stat(files.folder.c_str(), &there) != 0 ||
      there.st_uid != geteuid())
    throw Error(fmt::format(
        "'{}', the folder for ParaView beside '{}', {}; move it away, or use --output for another file",
        files.folder.string(), files.results.filename().string(),
        type == fs::file_type::directory ? "belongs to another user" : "exists and is not a folder"));
}

}  // namespace

XdmfFiles::XdmfFiles(const fs::path& output, std::vector<std::string> runs)
    : results(output), ids(std::move(runs)) {
  const bool has_ending = output.extension() == ".h5";
  single = has_ending ? fs::path(output).replace_extension(".xdmf") : fs::path(output.string() + ".xdmf");
  folder = (has_ending ? fs::path(output).replace_extension() : output).string() + "-paraview";
}

std::string obstacle_to_xdmf(const fs::path& results) {
  const std::string name = results.filename().string();
  if (!is_plain_utf8(name))
    return fmt::format("no .xdmf for ParaView: XML cannot contain the name '{}'", results.string());
  if (name.find_first_of(":|") !=
      std::string::npos)  // XDMF ends a file name at the first ':' and separates names by '|'
    return fmt::format("no .xdmf for ParaView: its readers do not support ':' and '|' in the name '{}'",
                       results.string());
  return "";
}

void require_own_xdmf(const XdmfFiles& files) {
  if (files.several()) require_own_folder(files);
  for (const std::string& id : files.ids) require_own_file(files.of(id), files.results);
}

Xdmf::Xdmf(XdmfFiles files) : files_(std::move(files)), problem_(obstacle_to_xdmf(files_.results)) {
  if (problem_.empty()) require_own_xdmf(files_);
}

void Xdmf::update(const hdf5::File& results, const std::string& id) {
  const hdf5::Group run = results.root().open_group("runs").open_group(id);
  if (!run.has("snapshots")) return;
  const fs::path name = files_.results.filename();  // from the folder of the .xdmf
  const Writer writer(results, files_.several() ? ".." / name : name);
  const auto [entry, is_new] = collections_.try_emplace(id);
  Collection& collection = entry->second;
  if (is_new) collection.text = writer.head(id, run);
  const std::vector<double> times = run.open_group("snapshots").open_dataset("time").read();
  for (; collection.snapshots < times.size(); ++collection.snapshots) {
    collection.text += writer.grid(id, run, collection.snapshots, times[collection.snapshots]);
    collection.changed = true;
  }
}

bool Xdmf::forget(const std::string& id) {
  if (collections_.erase(id) == 0) return false;
  others_may_be_there_ = true;
  return true;
}

/// Removes files of these results that show no present run, and temporary files left by a killed program.
void Xdmf::remove_others() {
  if ((files_.several() || collections_.empty()) && is_own(files_.single, files_.results))
    remove_with_twin(files_.single);
  try {
    require_own_folder(files_);
  } catch (const Error&) {
    return;  // the folder is not needed and belongs to someone else
  }
  static const std::regex ours("([0-9]{4,})\\.xdmf(\\.work)?");
  std::set<fs::path> found;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(files_.folder, failure)) {
    const std::string name = entry.path().filename().string();
    std::smatch parts;
    if (!std::regex_match(name, parts, ours) || (files_.several() && collections_.count(parts[1].str()) > 0))
      continue;
    const fs::path file = files_.folder / (parts[1].str() + ".xdmf");
    const bool is_work = parts[2].matched;
    if (is_work ? fs::is_directory(fs::symlink_status(entry.path(), failure)) &&
                      (is_own(file, files_.results) || !fs::exists(fs::symlink_status(file, failure)))
                : is_own(file, files_.results))
      found.insert(file);
  }
  for (const fs::path& file : found) remove_with_twin(file);
  rmdir(files_.folder.c_str());  // unless something is in it
}

void Xdmf::make_folder() const {
  const mode_t mode = folder_mode(files_.results);
  if (mkdir(files_.folder.c_str(), mode) != 0 && errno != EEXIST)
    throw MachineError(fmt::format("'{}': cannot create the folder for ParaView ({})", files_.folder.string(),
                                   std::strerror(errno)));
  require_own_folder(files_);
}

void Xdmf::write() {
  if (!problem_.empty()) return;
  try {
    if (std::exchange(others_may_be_there_, false))
      remove_others();  // ParaView crashes on a file without grids
    for (auto& [id, collection] : collections_) {
      if (!std::exchange(collection.changed, false)) continue;
      if (files_.several()) make_folder();
      const fs::path path = files_.of(id);
      require_own_file(path, files_.results);
      replace_file(path, head(files_.results) + collection.text + "</Grid>\n</Domain>\n</Xdmf>\n",
                   files_.results);
    }
  } catch (const Error& error) {  // a failure here must not affect the results
    problem_ = error.what();
  } catch (const MachineError& error) {
    problem_ = error.what();
  }
}

}  // namespace shoal
