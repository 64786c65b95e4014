// One run as groups, datasets and attributes: what is written when, and in which order of elements.
#include "experiments/harness/run/recorder.hpp"

#include "experiments/harness/run/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>

namespace shoal {
namespace {

constexpr std::uint64_t rows_per_chunk = 512;
constexpr std::chrono::seconds flush_interval{2};
constexpr double depth_rounding =
    1e-13;  // of the largest depth: what rounding leaves of a cell that has run dry

/// What CF and the programs that follow it know a quantity by; the names of the standard take the water at rest for the geoid.
struct CfName {
  std::string_view name, standard_name, long_name;
};
constexpr std::array<CfName, 9> cf_names = {{
    {"time", "time", "time"},
    {"positions", "", "position of the vertices"},
    {"depth", "sea_floor_depth_below_sea_surface", "depth of the water"},
    {"elevation", "sea_surface_height_above_geoid", "elevation of the water"},
    {"bed_depth", "sea_floor_depth_below_geoid", "depth of the bed below the water at rest"},
    {"depth_rate", "", "rate of the depth"},
    {"velocity", "", "velocity of the water"},
    {"normal_velocity", "", "velocity of the water across edges"},
    {"reference_depth", "", "depth of the scene's solution"},
}};

/// Where the values of a dataset lie: `topology` is the path of the mesh in terms of UGRID.
void set_place(hdf5::Dataset& dataset, const std::string& location, const std::string& topology) {
  dataset.set("location", location);
  dataset.set("mesh", topology);
}

/// The long and the standard name, of what has any.
void set_cf_names(hdf5::Dataset& dataset, std::string_view name) {
  const std::string_view where = "_at_vertices";
  const bool at_vertices = name.find(where) != std::string_view::npos;
  const std::string_view quantity = name.substr(0, name.find(where));
  const auto* found =
      std::find_if(cf_names.begin(), cf_names.end(), [&](const CfName& one) { return one.name == quantity; });
  if (found == cf_names.end()) return;
  dataset.set("long_name", fmt::format("{}{}", found->long_name, at_vertices ? " at the vertices" : ""));
  if (!found->standard_name.empty()) dataset.set("standard_name", std::string(found->standard_name));
}

}  // namespace

void create_views(hdf5::Group root, const std::string& id,
                  const std::map<std::string, hdf5::Dataset>& snapshots, std::uint64_t row) {
  hdf5::Group views =
      root.open_group("xdmf").open_or_create_group(id).create_group(fmt::format("{:06}", row));
  for (const auto& [name, dataset] : snapshots)
    if (dataset.has_attribute("location") && name != "normal_velocity")
      views.create_slice(name, fmt::format("/runs/{}/snapshots/{}", id, name), dataset.extent(), row);
}

Recorder::Recorder(hdf5::File& file, const std::string& id, const Simulation& simulation,
                   const Diagnostics& diagnostics)
    : file_(file),
      id_(id),
      simulation_(simulation),
      diagnostics_(diagnostics),
      run_(file.root().open_group("runs").open_group(id)),
      timing_(run_.create_group("timing")),
      snapshots_(run_.create_group("snapshots")) {
  create_dimensions();
  if (discretization().own_triangulation()) {
    face_number_.resize(simulation.surface().input_face.size());
    std::iota(face_number_.begin(), face_number_.end(), 0);
  } else {
    face_number_ = simulation.surface().input_face;
  }
  create_diagnostics();
  create_snapshots();
  record_bed();
  record_own_faces();
}

void Recorder::create_dimensions() {
  const Mesh& mesh = simulation_.surface().mesh;
  for (const VertexCopy& copy : vertex_copies(simulation_.surface())) copied_vertex_.push_back(copy.vertex);
  dimensions_.emplace("component", run_.create_dimension("component", 3));
  dimensions_.emplace(
      "vertex",
      run_.create_dimension("vertex", static_cast<std::uint64_t>(mesh.vertex_count) + copied_vertex_.size()));
  dimensions_.emplace("face", run_.create_dimension("face", static_cast<std::uint64_t>(mesh.face_count())));
}

hdf5::Dataset Recorder::rows(hdf5::Group& group, const std::string& name, const hdf5::Extent& row,
                             const std::string& unit) {
  hdf5::Dataset dataset =
      group.create_rows(name, row, &group == &snapshots_ && !row.empty() ? 1 : rows_per_chunk);
  set_unit(dataset, unit);
  return dataset;
}

void Recorder::create_diagnostics() {
  hdf5::Group group = run_.create_group("diagnostics");
  group.set("Conventions", conventions);
  for (const Quantity& quantity : diagnostics_.quantities()) {
    const auto width = static_cast<std::size_t>(quantity.components);
    hdf5::Dataset dataset =
        rows(group, quantity.name, width > 1 ? hdf5::Extent{width} : hdf5::Extent{}, quantity.unit);
    dataset.set("meaning", quantity.meaning);
    dataset.set("long_name", quantity.meaning);
    if (columns_.empty()) {
      dataset.make_scale("time");  // time is the first quantity
      dataset.set("standard_name", "time");
    } else {
      dataset.attach_scale(0, columns_.front().dataset);
      if (width > 1) dataset.attach_scale(1, dimensions_.at("component"));
    }
    columns_.push_back({std::move(dataset), width, {}});
  }
  hdf5::Dataset step = rows(run_, "step", {}, "1");
  step.make_scale("step");
  timing_columns_.emplace("step", Column{std::move(step), 1, {}});
  hdf5::Dataset total = rows(timing_, "total", {}, "s");
  total.attach_scale(0, timing_columns_.at("step").dataset);
  timing_columns_.emplace("total", Column{std::move(total), 1, {}});
}

void Recorder::create_snapshots() {
  const bool has_velocity = simulation_.water().has_velocity();
  const Discretization& discretization = simulation_.discretization();
  const std::string place = discretization.cells().location == Location::vertex ? "vertex" : "face";
  snapshots_.set("location", place);
  snapshots_.set("Conventions", conventions);
  hdf5::Dataset time = rows(snapshots_, "time", {}, "s");
  time.make_scale("time");
  set_cf_names(time, "time");
  const auto create = [&](const std::string& name, const std::string& unit, const std::string& location,
                          bool vector) {
    hdf5::Extent row = {dimensions_.at(location).extent()[0]};
    if (vector) row.push_back(3);
    hdf5::Dataset dataset = rows(snapshots_, name, row, unit);
    set_place(dataset, location, topology());
    set_cf_names(dataset, name);
    dataset.attach_scale(0, time);
    dataset.attach_scale(1, dimensions_.at(location));
    if (vector) dataset.attach_scale(2, dimensions_.at("component"));
    snapshot_datasets_.emplace(name, std::move(dataset));
  };
  if (simulation_.moves()) create("positions", "m", "vertex", true);
  create("depth", "m", place, false);
  create("depth_at_vertices", "m", "vertex", false);
  create("elevation", "m", place, false);
  create("elevation_at_vertices", "m", "vertex", false);
  if (!has_velocity) create("depth_rate", "m/s", place, false);
  if (has_velocity) create("velocity", "m/s", "face", true);
  if (has_velocity && discretization.find_output("normal_velocity")) {
    record_edges();
    create("normal_velocity", "m/s", "edge", false);
  }
  for (const Reference& reference : simulation_.scene().references)
    create("reference_depth_at_vertices" + (reference.name.empty() ? "" : "_" + reference.name), "m",
           "vertex", false);
  snapshot_datasets_.emplace("time", std::move(time));
}

/// The edges that normal_velocity refers to: the mesh's, or the run's own beside its own faces.
void Recorder::record_edges() {
  const Surface& surface = simulation_.surface();
  const Mesh* own = discretization().own_triangulation();
  dimensions_.emplace("edge",
                      run_.create_dimension("edge", static_cast<std::uint64_t>(surface.mesh.edge_count())));
  if (!own) {
    edge_order_ = source_edge_order(surface);
    record_mesh_edges(file_.root().open_group("meshes").open_group(run_.text("mesh")), surface, edge_order_);
    return;
  }
  edge_order_.resize(static_cast<std::size_t>(own->edge_count()));
  std::iota(edge_order_.begin(), edge_order_.end(), 0);
  shoal::record_edges(run_, *own, surface, edge_order_).attach_scale(0, dimensions_.at("edge"));
}

/// The faces that face values refer to, where the scheme lives on triangles of its own.
void Recorder::record_own_faces() {
  const Mesh* own = discretization().own_triangulation();
  if (!own) return;
  std::vector<std::int32_t> faces;
  for (Index k = 0; k < own->face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      faces.push_back(simulation_.surface().input_vertex[static_cast<std::size_t>(own->faces(c, k))]);
  hdf5::Dataset dataset = run_.write("faces", {face_number_.size(), 3}, faces);
  dataset.set("meaning", "the triangles that this run's face values refer to, in place of the mesh's");
  dataset.attach_scale(0, dimensions_.at("face"));
  describe_faces(dataset);
  hdf5::Dataset topology = write_topology(run_, fmt::format("/meshes/{}/", run_.text("mesh")), "faces");
  if (run_.has("edges")) topology.set("edge_node_connectivity", "edges");
}

/// As it is at the start. Where cells drift in their triangles, as the circumcentres of dec on a surface that moves, their
/// bed changes, and elevation is the depth less the bed then.
void Recorder::record_bed() {
  const Points& x = simulation_.surface().x;
  Vector at_vertices(x.cols());
  for (Index i = 0; i < x.cols(); ++i) at_vertices[i] = simulation_.scene().bed_depth(x.col(i));
  bed_depth_at_vertices_ = by_vertex(at_vertices);
  const auto write = [&](const std::string& name, const std::vector<double>& values,
                         const std::string& location) {
    hdf5::Dataset dataset = run_.write(name, {values.size()}, values);
    set_unit(dataset, "m");
    set_place(dataset, location, topology());
    set_cf_names(dataset, name);
    dataset.attach_scale(0, dimensions_.at(location));
  };
  write("bed_depth", by_cell_element(discretization().cells().bed), snapshots_.text("location"));
  write("bed_depth_at_vertices", bed_depth_at_vertices_, "vertex");
}

std::string Recorder::topology() const {
  return discretization().own_triangulation() ? fmt::format("/runs/{}/topology", id_)
                                              : fmt::format("/meshes/{}/topology", run_.text("mesh"));
}

void Recorder::record_diagnostics(const std::vector<double>& row) {
  ++rows_recorded_;
  auto value = row.begin();
  for (Column& column : columns_) {
    column.buffer.insert(column.buffer.end(), value, value + static_cast<std::ptrdiff_t>(column.width));
    value += static_cast<std::ptrdiff_t>(column.width);
  }
  watch_clamps();
}

Recorder::Column& Recorder::stage_column(const std::string& stage) {
  const auto found = timing_columns_.find(stage);
  if (found != timing_columns_.end()) return found->second;
  hdf5::Dataset dataset = rows(timing_, stage, {}, "s");
  dataset.attach_scale(0, timing_columns_.at("step").dataset);
  return timing_columns_.emplace(stage, Column{std::move(dataset), 1, std::vector<double>(steps_recorded_)})
      .first->second;  // no time in the steps so far
}

void Recorder::record_timing(double total, const StageClock& clock) {
  for (std::size_t stage = 0; stage < stage_names.size(); ++stage)
    if (clock.seconds(static_cast<Stage>(stage)) > 0) stage_column(stage_names[stage]);
  for (std::size_t stage = 0; stage < stage_names.size(); ++stage)
    if (const auto column = timing_columns_.find(stage_names[stage]); column != timing_columns_.end())
      column->second.buffer.push_back(clock.seconds(static_cast<Stage>(stage)));
  timing_columns_.at("total").buffer.push_back(total);
  timing_columns_.at("step").buffer.push_back(static_cast<double>(++steps_recorded_));
}

std::vector<double> Recorder::by_vertex(const Vector& values) const {
  const auto& number = simulation_.surface().input_vertex;
  std::vector<double> result(number.size());
  for (std::size_t i = 0; i < number.size(); ++i)
    result[static_cast<std::size_t>(number[i])] = values[static_cast<Index>(i)];
  for (const Index vertex : copied_vertex_) result.push_back(values[vertex]);
  return result;
}

/// Of the moving surface.
std::vector<double> Recorder::positions_by_vertex() const {
  const Points& x = simulation_.discretization().geometry().x;
  const auto& number = simulation_.surface().input_vertex;
  std::vector<double> result(3 * number.size());
  for (std::size_t i = 0; i < number.size(); ++i)
    for (Index c = 0; c < 3; ++c)
      result[3 * static_cast<std::size_t>(number[i]) + static_cast<std::size_t>(c)] =
          x(c, static_cast<Index>(i));
  return result;
}

/// Cell values spread over the vertices or faces that the cells consist of.
std::vector<double> Recorder::by_cell_element(const Vector& cell_values) const {
  const Cells& cells = simulation_.discretization().cells();
  const Surface& surface = simulation_.surface();
  const auto& number = cells.location == Location::vertex ? surface.input_vertex : face_number_;
  std::vector<double> result(number.size());
  for (std::size_t i = 0; i < number.size(); ++i)
    result[static_cast<std::size_t>(number[i])] = cell_values[cells.of_element[static_cast<Index>(i)]];
  if (cells.location == Location::vertex)
    for (const Index vertex : copied_vertex_) result.push_back(cell_values[cells.of_element[vertex]]);
  return result;
}

/// Along the cycles of the numbering, so that no second copy is held.
void Recorder::order_by_face(Values& values) const {
  Eigen::Map<Points> columns(values.data(), 3, values.cols());
  std::vector<bool> placed(face_number_.size(), false);
  for (std::size_t first = 0; first < placed.size(); ++first) {
    if (placed[first]) continue;
    Vector3 carried = columns.col(static_cast<Index>(first));
    std::size_t at = first;
    do {
      at = static_cast<std::size_t>(face_number_[at]);
      columns.col(static_cast<Index>(at)).swap(carried);
      placed[at] = true;
    } while (at != first);
  }
}

void Recorder::append_snapshot(const std::string& name, std::span<const double> row) {
  snapshot_datasets_.at(name).append(row);
}

/// Fields that the scheme has not, to which a run was changed, are NaN. Nothing is written before all are computed, which may
/// fail.
void Recorder::record_snapshot() {
  std::vector<std::pair<std::string, std::vector<double>>> rows;
  const auto keep = [&](const std::string& name, std::vector<double> row) {
    rows.emplace_back(name, std::move(row));
  };
  const Discretization& discretization = simulation_.discretization();
  const ShallowWater& water = simulation_.water();
  const Vector& area = discretization.cells().area;
  const auto blank = [&](const std::string& name) {
    std::size_t size = 1;
    const hdf5::Extent extent = snapshot_datasets_.at(name).extent();
    for (std::size_t i = 1; i < extent.size(); ++i) size *= extent[i];
    keep(name, std::vector<double>(size, std::numeric_limits<double>::quiet_NaN()));
  };
  const bool same_place = snapshots_.text("location") ==
                          (discretization.cells().location == Location::vertex ? "vertex" : "face");
  const auto depth_and_elevation = [&](const std::string& where, std::vector<double> depth,
                                       const std::vector<double>& bed_depth) {
    keep("depth" + where, depth);
    for (std::size_t i = 0; i < depth.size(); ++i) depth[i] -= bed_depth[i];
    keep("elevation" + where, depth);
  };
  if (same_place) {
    depth_and_elevation("", by_cell_element(water.volume().cwiseQuotient(area)),
                        by_cell_element(discretization.cells().bed));
  } else {
    blank("depth");
    blank("elevation");
  }
  Values sampled;
  water.sample("depth_at_vertices", sampled);
  Vector values = sampled.row(0);
  depth_and_elevation("_at_vertices", by_vertex(values), bed_depth_at_vertices_);
  if (snapshot_datasets_.count("depth_rate")) {
    if (same_place && !water.has_velocity())
      keep("depth_rate", by_cell_element(water.state()[water.layout()["volume_rate"]].cwiseQuotient(area)));
    else
      blank("depth_rate");
  }
  if (snapshot_datasets_.count("velocity") && !water.has_velocity()) {
    blank("velocity");
  } else if (snapshot_datasets_.count("velocity")) {
    water.sample("velocity", sampled);
    order_by_face(sampled);
    keep("velocity", {sampled.data(), sampled.data() + sampled.size()});
  }
  if (snapshot_datasets_.count("normal_velocity") &&
      !(water.has_velocity() && discretization.find_output("normal_velocity"))) {
    blank("normal_velocity");
  } else if (snapshot_datasets_.count("normal_velocity")) {
    water.sample("normal_velocity", sampled);
    std::vector<double> row;
    for (const Index edge : edge_order_) row.push_back(sampled(0, edge));
    keep("normal_velocity", std::move(row));
  }
  if (snapshot_datasets_.count("positions")) keep("positions", positions_by_vertex());
  for (const Reference& reference : simulation_.scene().references) {
    reference.depth(discretization.geometry().x, simulation_.time(), values);
    keep("reference_depth_at_vertices" + (reference.name.empty() ? "" : "_" + reference.name),
         by_vertex(values));
  }
  keep("time", {simulation_.time()});
  for (const auto& [name, row] : rows) append_snapshot(name, row);
  create_views(file_.root(), id_, snapshot_datasets_, snapshots_recorded_++);
}

void Recorder::watch() {
  watch_depths();
  if (simulation_.scene().motion) watch_clamps();
}

void Recorder::watch_depths() {
  const Vector depth = simulation_.water().volume().cwiseQuotient(discretization().cells().area);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double largest =  // of those that are numbers
      (depth.array() > 0 && depth.array() < infinity).select(depth.array(), 0).maxCoeff();
  const std::int64_t cells = (depth.array() < -depth_rounding * largest).count();
  if (cells > 0 && negative_depths_.cells == 0) negative_depths_.time = simulation_.time();
  negative_depths_.cells = std::max(negative_depths_.cells, cells);
}

void Recorder::watch_clamps() {
  const std::vector<ClampCount> counts =
      discretization().clamp_counts(simulation_.state(), simulation_.water().forces());
  const bool first = clamps_.empty();
  for (const ClampCount& clamp : counts) {
    if (!clamp.spoils) continue;
    if (first) clamps_.push_back({clamp.name, clamp.count, clamp.count});
    const auto found = std::find_if(clamps_.begin(), clamps_.end(),
                                    [&](const ClampRise& one) { return one.name == clamp.name; });
    if (found == clamps_.end()) continue;  // of another scheme, which the run was changed to
    ClampRise& rise = *found;
    if (clamp.count > rise.start && rise.most == rise.start) rise.time = simulation_.time();
    rise.most = std::max<std::int64_t>(rise.most, clamp.count);
  }
}

std::vector<ClampRise> Recorder::risen_clamps() const {
  std::vector<ClampRise> risen;
  std::copy_if(clamps_.begin(), clamps_.end(), std::back_inserter(risen),
               [](const ClampRise& clamp) { return clamp.most > clamp.start; });
  return risen;
}

void Recorder::Column::write() {
  dataset.append(buffer);
  buffer.clear();
}

bool Recorder::flush_if_due() {
  const bool due = std::chrono::steady_clock::now() - last_flush_ >= flush_interval;
  if (due) flush(true);
  return due;
}

void Recorder::flush(bool to_disk) {
  for (Column& column : columns_) column.write();
  for (auto& [name, column] : timing_columns_) column.write();
  run_.set("t_reached", simulation_.time());
  run_.set("steps", simulation_.steps_done());
  if (simulation_.follows_water()) {
    run_.set("dt_min", simulation_.shortest_dt());
    run_.set("dt_max", simulation_.longest_dt());
  }
  run_.set("negative_depth_cells", negative_depths_.cells);
  run_.set("negative_depth_time", negative_depths_.time);
  run_.set("negative_depth_rounding", depth_rounding);
  to_disk ? file_.flush_to_disk() : file_.flush();
  time_flushed_ = simulation_.time();
  last_flush_ = std::chrono::steady_clock::now();
}

void Recorder::save(Archive& archive) const {
  Vector counts(5);
  counts << static_cast<double>(rows_recorded_), static_cast<double>(steps_recorded_),
      static_cast<double>(snapshots_recorded_), static_cast<double>(negative_depths_.cells),
      negative_depths_.time;
  archive.put("counts", counts);
  Vector clamps(3 * static_cast<Eigen::Index>(clamps_.size()));
  for (std::size_t i = 0; i < clamps_.size(); ++i)
    clamps.segment<3>(3 * static_cast<Eigen::Index>(i)) << static_cast<double>(clamps_[i].start),
        static_cast<double>(clamps_[i].most), clamps_[i].time;
  archive.put("clamps", clamps);
}

void Recorder::restore(const Archive& archive, const hdf5::Group& earlier) {
  const Vector& counts = archive.vector("counts");
  rows_recorded_ = static_cast<std::uint64_t>(counts[0]);
  const auto steps = static_cast<std::uint64_t>(counts[1]), snapshots = static_cast<std::uint64_t>(counts[2]);
  negative_depths_ = {static_cast<std::int64_t>(counts[3]), counts[4]};
  watch_clamps();  // so that their names are there
  const Vector& clamps = archive.vector("clamps");
  if (clamps.size() != 3 * static_cast<Eigen::Index>(clamps_.size()))
    throw Error("the saved run had other limits than this one");
  for (std::size_t i = 0; i < clamps_.size(); ++i) {
    const auto saved = clamps.segment<3>(3 * static_cast<Eigen::Index>(i));
    clamps_[i].start = static_cast<std::int64_t>(saved[0]);
    clamps_[i].most = static_cast<std::int64_t>(saved[1]);
    clamps_[i].time = saved[2];
  }
  const auto read = [](const hdf5::Group& group, const std::string& name, std::uint64_t first,
                       std::uint64_t count) {
    const hdf5::Dataset dataset = group.open_dataset(name);
    if (dataset.rows() < first + count) throw MachineError(dataset.where() + ": rows are missing");
    return dataset.read_rows(first, count);
  };
  const hdf5::Group diagnostics = earlier.open_group("diagnostics"), timing = earlier.open_group("timing"),
                    fields = earlier.open_group("snapshots");
  for (std::size_t i = 0; i < columns_.size(); ++i)
    columns_[i].buffer = read(diagnostics, diagnostics_.quantities()[i].name, 0, rows_recorded_);
  for (const std::string& stage : timing.names()) stage_column(stage).buffer = read(timing, stage, 0, steps);
  for (std::uint64_t step = 1; step <= steps; ++step)
    timing_columns_.at("step").buffer.push_back(static_cast<double>(step));
  steps_recorded_ = steps;
  for (; snapshots_recorded_ < snapshots; ++snapshots_recorded_) {
    for (auto& [name, dataset] : snapshot_datasets_)
      dataset.append(read(fields, name, snapshots_recorded_, 1));
    create_views(file_.root(), id_, snapshot_datasets_, snapshots_recorded_);
  }
}

void Recorder::finish(const Outcome& outcome) {
  run_.set("state_checksum", checksum(simulation_));
  record_outcome(run_, outcome);
  flush(false);  // waiting for the disk would take longer than short runs; the writer of the results does it
}

}  // namespace shoal
