// What of a run is recorded, and what is said of it: here of any model, of water in water_observer.hpp.
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
  /// values [components, elements]; false where the run has not got it any more: NaN stands for it then.
  std::function<bool(Values& values)> evaluate;
};

class Observer {
 public:
  /// The run must outlive it.
  explicit Observer(const Run& run);
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// Columns of the diagnostics, the time first; and their values now, components in a row. `work` is that of linear solvers since
  /// the row before.
  virtual const std::vector<Quantity>& quantities() const { return quantities_; }
  virtual std::vector<double> row(const SolverWork& work);
  virtual std::vector<SnapshotField> fields() const;
  /// Fields that stay as they are at the start, and are written once.
  virtual std::vector<SnapshotField> constants() const { return {}; }
  virtual WrittenOrder order() const;
  /// Attributes of the run, and its mesh. The dimensions of what is recorded are in the group.
  virtual void record_beginning(hdf5::File& file, hdf5::Group& run) const;

  /// After the start and after every step that was made.
  virtual void watch() {}
  /// At the start and after every step: "" while the run is stable, else what broke and where. A row follows, or may be left out.
  virtual std::string instability(bool /*row_follows*/) { return ""; }
  /// Attributes about what was watched so far.
  virtual void record_watched(hdf5::Group& /*run*/) const {}
  /// What the user of a run that ended should know, as an end of the reason where it became unstable; or "".
  virtual std::string remarks(bool /*unstable*/) const { return ""; }

  /// What later rows depend on besides the run. To be restored at the start.
  virtual void save(Archive& /*archive*/) const {}
  virtual void restore(const Archive& /*archive*/) {}

 protected:
  const Run& run_;

 private:
  std::vector<Quantity> quantities_;
};

/// "" where all values of a row are finite, or blank where they may be; else the first that is not.
std::string not_finite(const std::vector<Quantity>& quantities, const std::vector<double>& row);

}  // namespace shoal
