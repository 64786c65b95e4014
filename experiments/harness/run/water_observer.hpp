// What of a simulation is recorded, and what is said of it.
#pragma once

#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/run/observer.hpp"

namespace shoal {

/// Cells whose depth is below zero by more than rounding, 1e-13 of the largest depth: no method means that, and not all of them
/// stop at it.
struct NegativeDepths {
  std::int64_t cells = 0;                                  ///< the largest number of them after any step
  double time = std::numeric_limits<double>::quiet_NaN();  ///< s, when there was the first; NaN: never
};

/// A limit that takes effect at more elements than at the start.
struct ClampRise {
  std::string name;
  std::int64_t start = 0, most = 0;  ///< elements at the start, and the most at any time
  double time = 0;                   ///< s, of the first time with more than at the start
};

/// Whether the substeps of an explicit integrator were longer than the scheme allows, in the rows of a run while it was stable.
struct CflExcess {
  double time = 0, largest = 0;  ///< s, of the first; 0: never
};

class WaterObserver final : public Observer {
 public:
  /// `configuration`: as it was asked for.
  WaterObserver(const Simulation& simulation, const RunConfiguration& configuration);

  const std::vector<Quantity>& quantities() const override { return diagnostics_.quantities(); }
  std::vector<double> row(const SolverWork& work) override;
  std::vector<SnapshotField> fields() const override;
  /// The bed. Where cells drift in their triangles, as the circumcentres of dec on a surface that moves, theirs changes, and
  /// elevation is the depth less the bed then.
  std::vector<SnapshotField> constants() const override;
  WrittenOrder order() const override;
  void record_beginning(hdf5::File& file, hdf5::Group& run) const override;
  /// Counts the depths below zero and, where the surface moves, the limits that take effect (else at every row).
  void watch() override;
  std::string instability(bool row_follows) override;
  void record_watched(hdf5::Group& run) const override;
  std::string remarks(bool unstable) const override;
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

 private:
  const Discretization& scheme() const { return simulation_.discretization(); }
  /// The outputs on edges that the simulation gives.
  std::vector<OutputInfo> edge_outputs() const;
  void spread(const Vector& cell_values, Values& values) const;
  void watch_depths();
  void watch_clamps();
  void watch_cfl(const std::vector<double>& row);
  double mass() const;
  std::string unbooked_mass() const;

  const Simulation& simulation_;
  const RunConfiguration configuration_;
  Diagnostics diagnostics_;
  const Location cells_at_;  // at the start: vertices or faces
  const double start_mass_;  // kg
  Vector bed_at_vertices_;   // m, at the start
  Energy energy_;
  bool energy_is_whole_ = false, unstable_ = false;
  NegativeDepths negative_depths_;
  std::vector<ClampRise> clamps_;  // all that spoil accuracy
  std::size_t cfl_column_ = 0;
  CflExcess cfl_;
};

}  // namespace shoal
