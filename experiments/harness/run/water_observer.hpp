// The record and the warnings of a run of shallow water.
#pragma once

#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/run/observer.hpp"

namespace shoal {

/// Cells whose depth is negative by more than round-off, 1e-13 of the largest depth. Such depths are an error of the method, but
/// not every method stops.
struct NegativeDepths {
  std::int64_t cells = 0;                                  ///< the largest number after any step
  double time = std::numeric_limits<double>::quiet_NaN();  ///< s, of the first occurrence; NaN: never
};

/// A limit that affects more elements than at the start.
struct ClampRise {
  std::string name;
  std::int64_t start = 0, max_count = 0;  ///< elements at the start, and the largest number
  double time = 0;                        ///< s, when the number first exceeded that of the start
};

/// Substeps of an explicit integrator that exceeded the stable step of the scheme, in the rows of a run while it was stable.
struct CflExcess {
  double time = 0, largest = 0;  ///< s, of the first one; largest ratio, 0: none
};

class WaterObserver final : public Observer {
 public:
  /// `configuration` is the requested one, before values are resolved.
  WaterObserver(const Simulation& simulation, const RunConfiguration& configuration);

  const std::vector<Quantity>& quantities() const override { return diagnostics_.quantities(); }
  std::vector<double> row(const SolverWork& work) override;
  std::vector<SnapshotField> fields() const override;
  /// The bed at the start. The bed of cells changes if they drift within their triangles, as the circumcentres of dec do on a moving
  /// surface; the elevation is then relative to the present bed.
  std::vector<SnapshotField> constants() const override;
  WrittenOrder order() const override;
  Values of_whole(const SnapshotField& field, const Values& here) const override;
  void record_beginning(hdf5::File& file, hdf5::Group& run) const override;
  /// Counts negative depths and, if the surface moves, the elements at which limits take effect (otherwise row() does).
  void watch() override;
  std::string instability(bool row_follows) override;
  void record_watched(hdf5::Group& run) const override;
  std::string remarks(bool unstable) const override;
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

 private:
  const ShallowWater& water() const { return simulation_.water(); }
  const Discretization& scheme() const { return simulation_.discretization(); }
  /// The outputs on edges, if the integrator carries a velocity.
  std::vector<OutputInfo> edge_outputs() const;
  /// The whole surface as results describe it, with edges if they contain them.
  std::shared_ptr<const Surface> recorded_surface() const;
  /// That of the scheme on the whole surface; null: it uses the surface's. On rank 0.
  const Mesh* own_triangulation() const {
    return scheme().mesh().part ? gathered_triangulation_.get() : scheme().own_triangulation();
  }
  void spread(const Vector& cell_values, Values& values) const;
  void watch_depths();
  void watch_clamps();
  void watch_cfl(const std::vector<double>& row);
  double mass() const;
  std::string unbooked_mass() const;
  std::string fast_flow() const;

  const Simulation& simulation_;
  const RunConfiguration configuration_;
  Diagnostics diagnostics_;
  const Location cells_at_;  // at the start: vertices or faces
  const double start_mass_;  // kg
  const std::shared_ptr<const Mesh>
      gathered_triangulation_;  // on rank 0 of several, if the scheme has its own
  Energy energy_;
  bool energy_is_whole_ = false, unstable_ = false;
  NegativeDepths negative_depths_;
  std::vector<ClampRise> clamps_;  // all limits that reduce accuracy
  std::size_t cfl_column_ = 0;
  CflExcess cfl_;
};

}  // namespace shoal
