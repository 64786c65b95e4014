#include "experiments/harness/run/run_attributes.hpp"

#include "discretizations/mesh/formats/reader.hpp"
#include "experiments/harness/fields/given_fields.hpp"
#include "experiments/harness/fields/harmonic_solution.hpp"
#include "experiments/harness/plan/keys.hpp"
#include "experiments/harness/run/checksum.hpp"
#include "experiments/harness/run/motion_files.hpp"
#include "experiments/harness/storage/provenance.hpp"

namespace shoal {

std::string files_hash(const Catalog& catalog, const RunConfiguration& c) {
  const std::vector<std::string> files = motion_files(catalog, c);
  const std::vector<FieldFile> fields = field_files(c.parameters);
  const auto given = c.parameters.find("solution_file");
  const std::string reference = given == c.parameters.end() ? "" : to_string(given->second);
  if (files.empty() && fields.empty() && reference.empty()) return "";
  Checksum hash;
  for (const std::string& file : files) {
    const Points x = read_polygons(file).x;
    hash.add(x.data(), static_cast<std::size_t>(x.size()) * sizeof(double));
    if (!is_gltf(file)) continue;  // which may also contain a skin and clips
    const std::string bytes = read_mesh_bytes(file);
    hash.add(bytes.data(), bytes.size());
  }
  for (const FieldFile& file : fields) {
    const std::vector<double> values = read_field(file).values;
    hash.add(values.data(), values.size() * sizeof(double));
  }
  if (!reference.empty()) {
    const HarmonicSolution solution = given_solution(reference);
    hash.add(solution.times.data(), solution.times.size() * sizeof(double));
    for (const Harmonics& depth : solution.depth) hash.add(depth.data(), depth.size() * sizeof(depth[0]));
    for (const VectorHarmonics& velocity : solution.velocity)
      for (const Harmonics* part : {&velocity.gradient, &velocity.curl})
        hash.add(part->data(), part->size() * sizeof((*part)[0]));
  }
  return hash.text();
}

void record_keys(hdf5::Group& run, const RunConfiguration& c) {
  for (const KeyEntry& key : run_keys()) {
    if (key.name == "snapshots") continue;  // the recorder writes the times that the run reached
    const std::optional<Value> value = key.get(c);
    if (value && key.kind == KeyKind::whole)
      run.set(key.attribute, static_cast<std::int64_t>(std::get<double>(*value)));
    else if (value)
      std::visit([&](const auto& v) { run.set(key.attribute, v); }, *value);
    else if (key.absent)
      run.set(key.attribute, key.absent);
  }
  const BuildInfo& build = build_info();
  run.set("git_commit", build.git_commit);
  run.set("git_dirty", std::int64_t{build.git_dirty});
}

void record_parameters(hdf5::Group& run, const Catalog& catalog, const RunConfiguration& c) {
  const Parameters parameters = parameters_of(catalog, c);
  std::vector<std::string> names;
  for (const auto& [name, value] : parameters.values()) names.push_back(name);
  run.set("parameters", join(names));
  for (const auto& [name, value] : parameters.values())
    std::visit([&, key = name](const auto& v) { run.set(key, v); }, value);
}

void record_setup(hdf5::Group& run, const Simulation& simulation) {
  run.set("vertices", std::int64_t{simulation.whole_surface().mesh.vertex_count});
  run.set("triangles", std::int64_t{simulation.whole_surface().mesh.face_count()});
  std::int64_t unknowns = 0;
  const Mesh& mesh = simulation.discretization().mesh();
  for (const Field& field : simulation.water().layout().fields()) {
    if (field.location == Location::boundary_set || field.location == Location::whole)
      continue;  // sums of what entered and left
    Index here = field.size;
    if (mesh.part) {
      const Cells& cells = simulation.discretization().cells();
      const Range range = own(mesh, place_of(field, cells));
      here = 0;
      for (Index i = 0; i < field.size; ++i) here += range.has(element_of(field, i, cells));
    }
    unknowns += total(mesh, here);
  }
  run.set("unknowns", unknowns);
  run.set("substeps", std::int64_t{simulation.substeps()});
  if (simulation.solves_linear_systems()) run.set("subnormals", "zero in linear solves");
  run.set("density", simulation.scene().density);
  run.set("gravity", simulation.scene().gravity);
  run.set("energy_scale", simulation.energy_scale());
  if (!simulation.scene().no_reference.empty()) run.set("no_reference", simulation.scene().no_reference);
  if (const auto& references = simulation.scene().references;
      !references.empty() && !references.front().equations.empty())
    run.set("solution", references.front().equations);
  if (simulation.mode()) run.set("mode_angular_frequency", simulation.mode()->angular_frequency);
  if (const auto theory = simulation.mode_amplification()) {
    run.set("theory_modulus", theory->modulus);
    run.set("theory_phase", theory->phase);
  }
}

void record_outcome(hdf5::Group& run, const Outcome& outcome) {
  run.set("reason", outcome.reason);
  run.set("t_reached", outcome.t_reached);
  run.set("steps", outcome.steps);
  run.set("outcome", outcome.outcome);
}

Outcome read_outcome(const hdf5::Group& run) {
  for (const char* name : {"outcome", "reason", "t_reached", "steps"})
    if (!run.has_attribute(name))
      return {"interrupted", "the program ended while it wrote the outcome", 0, 0};
  return {run.text("outcome"), run.text("reason"), run.number("t_reached"), run.integer("steps")};
}

}  // namespace shoal
