#include "reference/session/playback.hpp"

#include "discretizations/common/thrown.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/results/rerun.hpp"
#include "experiments/harness/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

Index nearest(const std::vector<double>& times, double time) {
  const auto found = std::min_element(times.begin(), times.end(), [&](double a, double b) {
    return std::abs(a - time) < std::abs(b - time);
  });
  return static_cast<Index>(found - times.begin());
}

hdf5::Group mesh_group(const Results& results, const RecordedRun& run) {
  return results.root().open_group("meshes").open_group(run.group().text("mesh"));
}

/// One number for each vertex or face.
std::vector<ShownField> scalars(const hdf5::Group& snapshots) {
  std::vector<ShownField> fields;
  for (const std::string& name : snapshots.names()) {
    const hdf5::Dataset dataset = snapshots.open_dataset(name);
    if (!dataset.has_attribute("location") || dataset.extent().size() != 2) continue;
    const std::string location = dataset.text("location");
    if (location == "vertex" || location == "face")
      fields.push_back({name, dataset.text("unit"), location == "face" ? Location::face : Location::vertex});
  }
  return fields;
}

bool can_be_shown(const RecordedRun& run) {
  if (!run.group().has("snapshots")) return false;
  const hdf5::Group snapshots = run.group().open_group("snapshots");
  return snapshots.open_dataset("time").rows() > 0 &&
         (snapshots.has("depth_at_vertices") || !scalars(snapshots).empty());
}

std::vector<NamedRun> names_of_runs(const Results& results) {
  std::vector<NamedRun> names;
  for (const RecordedRun& run : results.runs())
    if (can_be_shown(run)) names.push_back(named_run(run));
  return names;
}

Points points_of(const std::vector<double>& values, Index count, const std::string& what) {
  if (static_cast<Index>(values.size()) != 3 * count)
    throw Error(fmt::format("{}: {} values instead of {}", what, values.size(), 3 * count));
  return Eigen::Map<const Points>(values.data(), 3, count);
}

}  // namespace

const RecordedRun& run_with_snapshots(const Results& results, const std::string& file,
                                      const std::string& id) {
  std::vector<std::string> ids;
  for (const RecordedRun& run : results.runs()) {
    if (!can_be_shown(run)) continue;
    if (id.empty() || run.id() == id) return run;
    ids.push_back(run.id());
  }
  if (ids.empty()) throw Error(fmt::format("results '{}': no run has snapshots to show", file));
  throw Error(
      fmt::format("results '{}': no run '{}' with snapshots; runs with snapshots: {}", file, id, join(ids)));
}

const std::string& require_readable(const Catalog& catalog, const std::string& file, const std::string& id) {
  read_in_a_process({file}, [&] {
    const Results results(file);
    names_of_runs(results);
    const RecordedRun& chosen = run_with_snapshots(results, file, id);
    SavedRun run(catalog, results, file, chosen);
    Values values;
    for (Index i = 0; i < run.snapshot_count(); ++i) {
      run.show_snapshot(i);
      for (const ShownField& field : run.fields()) run.sample(field.name, values);
      if (run.has_velocity()) run.sample("velocity", values);
    }
    return std::string();
  });
  return file;
}

std::string mesh_of_results(const std::string& file) {
  try {
    return read_in_a_process({file}, [&] {
      const Results results(file);
      return results.runs().empty() ? "" : results.runs().front().group().text("mesh_name");
    });
  } catch (const std::exception&) {
    return "";
  }
}

SavedRun::SavedRun(const Catalog& catalog, const Results& results, const std::string& file,
                   const RecordedRun& run)
    : run_(run) {
  if (!can_be_shown(run)) throw Error(fmt::format("run {} has no snapshots to show", run.id()));
  const hdf5::Group group = mesh_group(results, run), snapshots = run.group().open_group("snapshots");
  const std::vector<double> vertices = group.open_dataset("vertices").read();
  const auto vertex_count = static_cast<Index>(vertices.size() / 3);
  mesh_ = make_mesh(read_triangles(group, vertex_count), vertex_count);
  geometry_ = make_geometry(mesh_, points_of(vertices, vertex_count, "vertices"));
  is_water_ = snapshots.has("depth_at_vertices");
  bed_.setOnes(vertex_count);
  if (is_water_) {
    const std::vector<double> bed = run.group().open_dataset("bed_depth_at_vertices").read();
    if (static_cast<Index>(bed.size()) != vertex_count)
      throw Error("bed_depth_at_vertices has the wrong size");
    bed_ = Eigen::Map<const Vector>(bed.data(), vertex_count);
  }
  depth_ = bed_;
  times_ = snapshots.open_dataset("time").read();
  row_times_ = run.diagnostics("time");
  mass_ = run.diagnostics("mass");
  energy_ = run.diagnostics("energy_total");
  dt_ = run.group().number("dt");
  if (run.group().has_attribute("gravity")) gravity_ = run.group().number("gravity");
  moves_ = snapshots.has("positions");
  has_velocity_ = snapshots.has("velocity") && !run.group().has("faces");
  cells_are_faces_ = snapshots.has("depth") && snapshots.has("elevation") && !run.group().has("faces") &&
                     snapshots.open_dataset("depth").text("location") == "face";
  if (run.group().has_attribute("wet_depth")) wet_depth_ = run.group().number("wet_depth");
  for (const auto& [key, value] :
       {std::pair("scene", &configuration_.scene),
        std::pair("discretization", &configuration_.discretization),
        std::pair("integrator", &configuration_.integrator),
        std::pair("advection", &configuration_.advection), std::pair("mesh_name", &configuration_.mesh),
        std::pair("motion", &configuration_.motion)})
    if (run.group().has_attribute(key)) *value = run.group().text(key);
  if (catalog.scenes.has(configuration_.scene))
    for (const ParameterInfo& info : catalog.scenes.find(configuration_.scene).parameters) {
      if (!run.group().has_attribute(info.name)) continue;
      const hdf5::Attribute value = run.group().attribute(info.name);
      if (const auto* text = std::get_if<std::string>(&value)) configuration_.parameters[info.name] = *text;
      if (const auto* number = std::get_if<double>(&value)) configuration_.parameters[info.name] = *number;
    }
  find_bodies(catalog, results, file);
  show_snapshot(0);
}

/// Reads the polygons of a mesh and splits them into fans of triangles.
Faces SavedRun::read_triangles(const hdf5::Group& mesh, Index vertex_count) {
  if (!mesh.has("faces")) throw Error("the mesh has no faces to show");
  const hdf5::Dataset dataset = mesh.open_dataset("faces");
  const std::vector<std::int64_t> corners = dataset.read_integers();
  for (const std::int64_t corner : corners)
    if (corner < 0 || corner >= vertex_count)
      throw Error(fmt::format("a face refers to vertex {}, but there are {}", corner, vertex_count));
  const hdf5::Extent extent = dataset.extent();
  if (extent.size() != 2 || extent[0] == 0 || extent[1] < 3) throw Error("the faces are not polygons");
  const std::size_t sides = extent[1], triangles = extent[0] * (sides - 2);
  Faces faces(3, static_cast<Eigen::Index>(triangles));
  for (std::size_t k = 0; k < triangles; ++k) {
    const std::size_t first = k / (sides - 2) * sides, c = 1 + k % (sides - 2);
    faces.col(static_cast<Eigen::Index>(k)) << static_cast<Index>(corners[first]),
        static_cast<Index>(corners[first + c]), static_cast<Index>(corners[first + c + 1]);
    face_of_triangle_.push_back(static_cast<Index>(k / (sides - 2)));
  }
  return faces;
}

/// Finds the bodies of the run: the file contains their positions, and the scene and the inputs determine their shapes.
void SavedRun::find_bodies(const Catalog& catalog, const Results& results, const std::string& file) {
  const std::vector<std::string> names = run_.group().has("diagnostics")
                                             ? run_.group().open_group("diagnostics").names()
                                             : std::vector<std::string>();
  if (std::none_of(names.begin(), names.end(),
                   [](const std::string& name) { return name.ends_with("_immersed"); }))
    return;
  try {
    const Rerun rerun = make_rerun(catalog, results, file, run_.id());
    RunConfiguration c = expand(catalog, rerun.experiment).front().configuration;
    c.threads = 1;
    const Surface surface = load_surface(catalog, c);
    const Simulation simulation(catalog, c, surface);
    for (const BodyEntrance& entrance : simulation.world().entrances())
      bodies_.push_back({entrance.body.name, entrance.body.solid,
                         run_.diagnostics(entrance.body.name + "_position"),
                         run_.diagnostics(entrance.body.name + "_turn")});
  } catch (...) {
    note_ = fmt::format("the bodies of the run cannot be shown: {}", thrown());
  }
}

Index SavedRun::snapshot_at(double time) const {
  return nearest(times_, time);
}

void SavedRun::show_a_velocity() {
  for (Index i = 0; i < snapshot_count() && !has_velocity(); ++i) show_snapshot(i);
}

void SavedRun::show_snapshot(Index snapshot) {
  const auto row = static_cast<std::uint64_t>(snapshot);
  const hdf5::Group snapshots = run_.group().open_group("snapshots");
  if (is_water_) {
    const std::vector<double> depth = snapshots.open_dataset("depth_at_vertices").read_rows(row, 1);
    if (static_cast<Index>(depth.size()) != mesh_.vertex_count)
      throw Error(
          fmt::format("depth_at_vertices: {} values for {} vertices", depth.size(), mesh_.vertex_count));
    depth_ = Eigen::Map<const Vector>(depth.data(), mesh_.vertex_count);
  }
  if (moves_)
    compute_geometry(
        mesh_,
        points_of(snapshots.open_dataset("positions").read_rows(row, 1), mesh_.vertex_count, "positions"),
        geometry_);
  snapshot_ = snapshot;
  if (has_velocity_)  // blank after a change to an integrator without velocity
    velocity_is_blank_ = std::isnan(snapshots.open_dataset("velocity").read_rows(row, 1).front());
  if (!row_times_.empty())
    row_ = static_cast<std::size_t>(nearest(row_times_, times_[static_cast<std::size_t>(snapshot)]));
}

double SavedRun::at_row(const std::vector<double>& values) const {
  return row_ < values.size() ? values[row_] : std::numeric_limits<double>::quiet_NaN();
}

std::vector<ShownField> SavedRun::fields() const {
  std::vector<ShownField> fields = scalars(run_.group().open_group("snapshots"));
  if (!is_water_) return fields;
  const bool other_faces = run_.group().has("faces");  // than those of the mesh
  std::erase_if(fields, [&](const ShownField& field) {
    return field.name == "depth" || field.name == "elevation" || field.name == "depth_at_vertices" ||
           (field.location == Location::face && other_faces);
  });
  return fields;
}

void SavedRun::sample(const std::string& name, Values& values) const {
  if (name == "depth_at_vertices") {
    values = depth_.transpose();
    return;
  }
  const hdf5::Dataset dataset = run_.group().open_group("snapshots").open_dataset(name);
  const std::vector<double> read = dataset.read_rows(static_cast<std::uint64_t>(snapshot_), 1);
  const bool on_faces =
      dataset.has_attribute("location") ? dataset.text("location") == "face" : name == "velocity";
  const Index count = on_faces ? face_of_triangle_.back() + 1 : mesh_.vertex_count,
              rows = name == "velocity" ? 3 : 1;
  if (static_cast<Index>(read.size()) != rows * count)
    throw Error(fmt::format("snapshots/{} has the wrong size", name));
  values = Eigen::Map<const Values>(read.data(), rows, count);
  if (on_faces && count < mesh_.face_count()) values = Values(values(Eigen::all, face_of_triangle_));
}

bool SavedRun::sample_cells(Vector& depth, Vector& elevation) const {
  if (!cells_are_faces_) return false;
  const hdf5::Group snapshots = run_.group().open_group("snapshots");
  for (const auto& [name, values] : {std::pair("depth", &depth), std::pair("elevation", &elevation)}) {
    const std::vector<double> read =
        snapshots.open_dataset(name).read_rows(static_cast<std::uint64_t>(snapshot_), 1);
    if (static_cast<Index>(read.size()) != mesh_.face_count())
      throw Error(fmt::format("snapshots/{}: {} values for {} faces", name, read.size(), mesh_.face_count()));
    *values = Eigen::Map<const Vector>(read.data(), mesh_.face_count());
  }
  return !depth.array().isNaN().all();  // NaN after a change to a scheme with other cells
}

std::vector<ShownBody> SavedRun::bodies() const {
  std::vector<ShownBody> shown;
  for (const Body& body : bodies_) {
    if (body.position.size() < 3 * (row_ + 1)) continue;
    Pose pose;
    pose.position = Eigen::Map<const Vector3>(body.position.data() + 3 * row_);
    if (!pose.position.allFinite()) continue;  // not yet or no longer present
    if (body.turn.size() >= 3 * (row_ + 1)) {
      const Vector3 turn = Eigen::Map<const Vector3>(body.turn.data() + 3 * row_);
      if (turn.norm() > 0)
        pose.rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    }
    shown.push_back({body.name, body.solid.get(), pose});
  }
  return shown;
}

Playback::Playback(const Catalog& catalog, const std::string& file, const std::string& id,
                   const ViewOptions& view, double aspect)
    : file_(require_readable(catalog, file, id)),
      results_(file),
      aspect_(aspect),
      last_(Clock::now()),
      view_options_(view) {
  runs_ = names_of_runs(results_);
  const RecordedRun& chosen = run_with_snapshots(results_, file, id);
  id_ = chosen.id();
  with_context(fmt::format("results '{}'", file),
               [&] { run_ = std::make_unique<SavedRun>(catalog, results_, file, chosen); });
  message_ = run_->note();
  time_ = run_->times().front();
  const double length = run_->times().back() - time_;
  constexpr double shortest = 2, longest = 60, usual = 15;  // s of playback
  speed_ = length <= 0 || (length >= shortest && length <= longest) ? 1 : length / usual;
  look(view, aspect);
  if (!view_) throw Error(message_);
  publish();
}

void Playback::go_to(double time) {
  const std::vector<double>& times = run_->times();
  time_ = std::clamp(time, times.front(), times.back());
  if (const Index snapshot = run_->snapshot_at(time_); snapshot != run_->snapshot()) {
    run_->show_snapshot(snapshot);
    changed_ = true;
  }
}

void Playback::pause(bool paused) {
  paused_ = paused;
  last_ = Clock::now();
  if (!paused && time_ >= run_->times().back()) go_to(run_->times().front());
}

void Playback::step_once() {
  const Index next = (run_->snapshot() + 1) % run_->snapshot_count();
  go_to(run_->times()[static_cast<std::size_t>(next)]);
}

void Playback::show(const ViewOptions& view, double aspect) {
  look(view, aspect);
  changed_ = true;
}

/// Colours and framing cover the whole run, so that pictures can be compared; long runs are sampled.
void Playback::look(const ViewOptions& view, double aspect) {
  constexpr Index max_snapshots = 200;
  const Index now = run_->snapshot(), count = run_->snapshot_count(),
              looked_at = std::min(count, max_snapshots);
  run_->show_a_velocity();
  try {
    auto made = std::make_unique<RunView>(*run_, view, aspect);
    for (Index i = 0; i < looked_at; ++i) {
      run_->show_snapshot(looked_at > 1 ? static_cast<Index>(std::int64_t{i} * (count - 1) / (looked_at - 1))
                                        : 0);
      made->survey(*run_, false);
    }
    view_ = std::move(made);
    view_options_ = view;
    aspect_ = aspect;
  } catch (const Error& error) {
    message_ = error.what();
  }
  run_->show_snapshot(now);
}

std::shared_ptr<const FrameSnapshot> Playback::latest() {
  const auto now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  constexpr double stays = 1;  // s, at the end
  if (!paused_ && time_ < run_->times().back()) {
    go_to(time_ + speed_ * elapsed);
    at_end_ = 0;
  } else if (!paused_ && !repeats_) {
    paused_ = true;
  } else if (!paused_ && (at_end_ += elapsed) >= stays) {
    go_to(run_->times().front());
  }
  if (changed_) publish();
  return latest_;
}

void Playback::publish() {
  auto moment = std::make_shared<FrameSnapshot>();
  look_at(*run_, *view_, *moment);
  moment->aspect = aspect_;
  moment->time = run_->times()[static_cast<std::size_t>(run_->snapshot())];
  moment->dt = run_->dt();
  moment->steps = std::llround(moment->time / run_->dt());
  moment->mass = run_->mass();
  moment->energy = run_->energy();
  moment->pace = paused_ ? 0 : speed_;
  moment->configuration = run_->configuration();
  latest_ = std::move(moment);
  changed_ = false;
}

}  // namespace shoal
