// Writes a run as groups, datasets and attributes, and determines when each is written.
#include "experiments/harness/run/recorder.hpp"

#include "experiments/harness/run/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace shoal {
namespace {

constexpr std::chrono::seconds flush_interval{2};

/// CF names of a quantity. The standard names identify the geoid with the surface of the water at rest.
struct CfName {
  std::string_view name, standard_name, long_name;
};
constexpr std::array<CfName, 11> cf_names = {{
    {"time", "time", "time"},
    {"positions", "", "position of the vertices"},
    {"depth", "sea_floor_depth_below_sea_surface", "depth of the water"},
    {"elevation", "sea_surface_height_above_geoid", "elevation of the water"},
    {"bed_depth", "sea_floor_depth_below_geoid", "depth of the bed below the water at rest"},
    {"depth_rate", "", "rate of the depth"},
    {"velocity", "", "velocity of the water"},
    {"vorticity", "", "vorticity of the velocity at the vertices"},
    {"divergence", "", "divergence of the velocity at the vertices"},
    {"normal_velocity", "", "velocity of the water across edges"},
    {"reference_depth", "", "depth of the scene's solution"},
}};

/// Sets the long and the standard name, if any.
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
    if (dataset.has_attribute("location") && dataset.text("location") != "edge")
      views.create_slice(name, fmt::format("/runs/{}/snapshots/{}", id, name), dataset.extent(), row);
}

Recorder::Recorder(hdf5::File& file, const std::string& id, const Run& run, const Observer& observer)
    : file_(file),
      id_(id),
      run_(run),
      observer_(observer),
      // A file that is discarded has one element of each kind.
      order_(writes() ? observer.order()
                      : WrittenOrder{.mesh = "", .vertices = {0}, .edges = {0}, .faces = {0}}),
      group_(file.root().open_group("runs").open_group(id)),
      timing_(group_.create_group("timing")),
      snapshots_(group_.create_group("snapshots")),
      fields_(observer.fields()) {
  group_.set("mesh", order_.mesh);
  group_.set("dt", run.dt());
  if (run.adaptive()) group_.set("dt_rule", "auto");
  group_.set("t_end", run.end());
  create_dimensions();
  create_diagnostics();
  create_snapshots();
  observer.record_beginning(file_, group_);
  record_constants();
}

void Recorder::create_dimensions() {
  dimensions_.emplace("component", group_.create_dimension("component", 3));
  for (const Location location : {Location::vertex, Location::edge, Location::face})
    if (const std::size_t count = order_.at(location).size(); count > 0)
      dimensions_.emplace(to_string(location), group_.create_dimension(to_string(location), count));
}

hdf5::Dataset Recorder::rows(hdf5::Group& group, const std::string& name, const hdf5::Extent& row,
                             const std::string& unit) {
  hdf5::Dataset dataset =
      group.create_rows(name, row, &group == &snapshots_ && !row.empty() ? 1 : rows_per_chunk);
  set_unit(dataset, unit);
  return dataset;
}

void Recorder::create_diagnostics() {
  hdf5::Group group = group_.create_group("diagnostics");
  group.set("Conventions", conventions);
  for (const Quantity& quantity : observer_.quantities()) {
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
      if (width == 3) dataset.attach_scale(1, dimensions_.at("component"));
    }
    columns_.push_back({std::move(dataset), width, {}});
  }
  hdf5::Dataset step = rows(group_, "step", {}, "1");
  step.make_scale("step");
  timing_columns_.emplace("step", Column{std::move(step), 1, {}});
  hdf5::Dataset total = rows(timing_, "total", {}, "s");
  total.attach_scale(0, timing_columns_.at("step").dataset);
  timing_columns_.emplace("total", Column{std::move(total), 1, {}});
}

/// Sets the CF names of a field and the location of its values on the mesh, which is a UGRID topology.
void Recorder::describe(hdf5::Dataset& dataset, const SnapshotField& field, unsigned first_dimension) const {
  const std::string location = to_string(field.location);
  dataset.set("location", location);
  dataset.set("mesh",
              fmt::format("{}/topology", order_.own_topology ? "/runs/" + id_ : "/meshes/" + order_.mesh));
  set_cf_names(dataset, field.name);
  dataset.attach_scale(first_dimension, dimensions_.at(location));
  if (field.components == 3) dataset.attach_scale(first_dimension + 1, dimensions_.at("component"));
}

void Recorder::create_snapshots() {
  snapshots_.set("Conventions", conventions);
  hdf5::Dataset time = rows(snapshots_, "time", {}, "s");
  time.make_scale("time");
  set_cf_names(time, "time");
  for (const SnapshotField& field : fields_) {
    hdf5::Extent row = {order_.at(field.location).size()};
    if (field.components > 1) row.push_back(static_cast<std::uint64_t>(field.components));
    hdf5::Dataset dataset = rows(snapshots_, field.name, row, field.unit);
    dataset.attach_scale(0, time);
    describe(dataset, field, 1);
    snapshot_datasets_.emplace(field.name, std::move(dataset));
  }
  snapshot_datasets_.emplace("time", std::move(time));
}

void Recorder::record_constants() {
  for (const SnapshotField& field : observer_.constants()) {
    const std::vector<double> values = in_order(field);
    if (!writes()) continue;
    hdf5::Dataset dataset = group_.write(field.name, {values.size()}, values);
    set_unit(dataset, field.unit);
    describe(dataset, field, 0);
  }
}

/// The values of a field in the order of the file; NaN if the run does not have the field.
std::vector<double> Recorder::in_order(const SnapshotField& field) const {
  const std::vector<Index>& order = order_.at(field.location);
  const auto components = static_cast<std::size_t>(field.components);
  Values values;
  const bool has_field = field.evaluate(values);
  if (has_field) values = observer_.of_whole(field, values);
  if (!writes()) return {};
  std::vector<double> row(order.size() * components, std::numeric_limits<double>::quiet_NaN());
  if (!has_field) return row;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t c = 0; c < components; ++c)
      row[components * i + c] = values(static_cast<Index>(c), order[i]);
  return row;
}

void Recorder::record_row(const std::vector<double>& row) {
  ++rows_recorded_;
  auto value = row.begin();
  for (Column& column : columns_) {
    column.buffer.insert(column.buffer.end(), value, value + static_cast<std::ptrdiff_t>(column.width));
    value += static_cast<std::ptrdiff_t>(column.width);
  }
}

Recorder::Column& Recorder::stage_column(const std::string& stage) {
  const auto found = timing_columns_.find(stage);
  if (found != timing_columns_.end()) return found->second;
  hdf5::Dataset dataset = rows(timing_, stage, {}, "s");
  dataset.attach_scale(0, timing_columns_.at("step").dataset);
  return timing_columns_.emplace(stage, Column{std::move(dataset), 1, std::vector<double>(steps_recorded_)})
      .first->second;  // this stage did not occur in the previous steps
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

/// Computes all fields before writing any, because a computation may fail.
void Recorder::record_snapshot() {
  std::vector<std::vector<double>> rows;
  for (const SnapshotField& field : fields_) rows.push_back(in_order(field));
  if (!writes()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) snapshot_datasets_.at(fields_[i].name).append(rows[i]);
  snapshot_datasets_.at("time").append(std::vector{run_.time()});
  create_views(file_.root(), id_, snapshot_datasets_, snapshots_recorded_++);
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
  group_.set("t_reached", run_.time());
  group_.set("steps", run_.steps_done());
  if (run_.adaptive()) {
    group_.set("dt_min", run_.shortest_dt());
    group_.set("dt_max", run_.longest_dt());
  }
  observer_.record_watched(group_);
  to_disk ? file_.flush_to_disk() : file_.flush();
  time_flushed_ = run_.time();
  last_flush_ = std::chrono::steady_clock::now();
}

void Recorder::save(Archive& archive) const {
  archive.put("counts",
              Vector(Vector3(static_cast<double>(rows_recorded_), static_cast<double>(steps_recorded_),
                             static_cast<double>(snapshots_recorded_))));
}

void Recorder::restore(const Archive& archive, const hdf5::Group* previous) {
  const Vector& counts = archive.vector("counts");
  rows_recorded_ = static_cast<std::uint64_t>(counts[0]);
  const auto steps = static_cast<std::uint64_t>(counts[1]), snapshots = static_cast<std::uint64_t>(counts[2]);
  const auto read = [](const hdf5::Group& group, const std::string& name, std::uint64_t first,
                       std::uint64_t count) {
    const hdf5::Dataset dataset = group.open_dataset(name);
    if (dataset.rows() < first + count) throw MachineError(dataset.where() + ": rows are missing");
    return dataset.read_rows(first, count);
  };
  if (!previous) {
    steps_recorded_ = steps;
    return;
  }
  const hdf5::Group diagnostics = previous->open_group("diagnostics"),
                    timing = previous->open_group("timing"), fields = previous->open_group("snapshots");
  for (std::size_t i = 0; i < columns_.size(); ++i)
    columns_[i].buffer = read(diagnostics, observer_.quantities()[i].name, 0, rows_recorded_);
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
  group_.set("state_checksum", checksum(run_));
  record_outcome(group_, outcome);
  flush(false);  // the writer of the results waits for the disk, which would take longer than a short run
}

}  // namespace shoal
