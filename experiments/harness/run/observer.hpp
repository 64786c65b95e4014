// The record and the warnings of a run of any model; water_observer.hpp adds the parts specific to shallow water.
#pragma once

#include "experiments/harness/diagnostics/entry.hpp"
#include "experiments/harness/run/recorded_mesh.hpp"
#include "experiments/harness/run/run.hpp"

namespace shoal {

/// A field of the snapshots.
struct SnapshotField {
  std::string name, unit;
  Location location = Location::vertex;
  Index components = 1;
  /// Computes values [components, elements]; returns false if the run no longer has the field, which is then written as NaN.
  std::function<bool(Values& values)> evaluate;
};

class Observer {
 public:
  /// `run` must outlive this.
  explicit Observer(const Run& run);
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// The columns of the diagnostics, with time as the first, and their present values. `work` is the work of linear solvers since
  /// the previous row.
  virtual const std::vector<Quantity>& quantities() const { return quantities_; }
  virtual std::vector<double> row(const SolverWork& work);
  virtual std::vector<SnapshotField> fields() const;
  /// Fields that do not change and are written once.
  virtual std::vector<SnapshotField> constants() const { return {}; }
  /// The order of the whole, in which rank 0 writes.
  virtual WrittenOrder order() const;
  /// Values of a field on rank 0 in the numbering of the whole; nothing elsewhere.
  virtual Values of_whole(const SnapshotField& /*field*/, const Values& here) const { return here; }
  /// Writes attributes of the run and its mesh. The group already contains the dimensions.
  virtual void record_beginning(hdf5::File& file, hdf5::Group& run) const;

  /// Called at the start and after every successful step.
  virtual void watch() {}
  /// Called at the start and after every step. Returns "" while the run is stable, otherwise what failed and where. Without
  /// `row_follows`, a cheaper estimate is enough.
  virtual std::string instability(bool /*row_follows*/) { return ""; }
  /// Writes attributes with the observations so far.
  virtual void record_watched(hdf5::Group& /*run*/) const {}
  /// Warnings about a finished run, or the end of the reason why a run became unstable; "" if there is nothing to say.
  virtual std::string remarks(bool /*unstable*/) const { return ""; }

  /// Save and restore the state, besides that of the run, on which later rows depend. Restore it at the start.
  virtual void save(Archive& /*archive*/) const {}
  virtual void restore(const Archive& /*archive*/) {}

 protected:
  const Run& run_;

 private:
  std::vector<Quantity> quantities_;
};

/// Names the first value of a row that is not finite; "" if there is none. NaN is allowed if the quantity may be blank.
std::string not_finite(const std::vector<Quantity>& quantities, const std::vector<double>& row);

}  // namespace shoal
