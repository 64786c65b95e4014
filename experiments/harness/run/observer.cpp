#include "experiments/harness/run/observer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

Observer::Observer(const Run& run) : run_(run), quantities_{{"time", "s", "time"}} {
  for (const OutputInfo& output : run.model().outputs())
    if (output.location == Location::whole)
      quantities_.push_back({output.name, output.unit, output.meaning, output.components});
}

std::vector<double> Observer::row(const SolverWork& /*work*/) {
  std::vector<double> row = {run_.time()};
  Values values;
  for (std::size_t i = 1; i < quantities_.size(); ++i) {
    run_.model().sample(quantities_[i].name, values);
    row.insert(row.end(), values.data(), values.data() + values.size());
  }
  return row;
}

std::vector<SnapshotField> Observer::fields() const {
  std::vector<SnapshotField> fields;
  for (const OutputInfo& output : run_.model().outputs())
    if (output.location != Location::whole)
      fields.push_back({output.name, output.unit, output.location, output.components,
                        [&model = run_.model(), name = output.name](Values& values) {
                          model.sample(name, values);
                          return true;
                        }});
  return fields;
}

WrittenOrder Observer::order() const {
  return own_order(run_.model().domain());
}

void Observer::record_beginning(hdf5::File& file, hdf5::Group& run) const {
  record_mesh(file.root().open_group("meshes"), run_.model().domain(), run.text("mesh_name"));
}

std::string not_finite(const std::vector<Quantity>& quantities, const std::vector<double>& row) {
  auto value = row.begin();
  for (const Quantity& quantity : quantities)
    for (int component = 0; component < quantity.components; ++component, ++value)
      if (!std::isfinite(*value) && !(std::isnan(*value) && quantity.may_be_blank))
        return fmt::format("{} = {} {} is not finite", quantity.name, *value, quantity.unit);
  return "";
}

}  // namespace shoal
