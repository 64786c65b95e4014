// A world: models, the bodies among them, and what acts on both. Frame by frame, for the
// harness and for interactive programs alike.
#pragma once

#include "solvers/coupling/coupling.hpp"

namespace shoal {

class World {
 public:
  explicit World(const BodiesSetting& bodies = {});

  /// Takes a model into the world, which it must outlive. Nothing couples it to what else is there.
  void add(Model& model) { members_.push_back({&model, {}}); }
  /// Water on this bed [nV] with a coupling, which is one of the terms that act on it.
  void add(ShallowWater& water, const CouplingSetting& setting, Vector bed);

  // Inputs, also while the world runs. What begins now or later has the same effect whenever it is added before.
  /// Throws as Bodies::add() does, when the body enters; and Error where it is too small for the columns of a model that
  /// is coupled, or that model periodic: lines that miss a body do not hold it.
  void add(const BodyEntrance& entrance);
  void add(int model, const Source& source);
  void add(int model, const Push& push);
  // At `time`, which is now. They throw as those of Coupling do.
  void end_source(int model, std::size_t place, double time);
  void end_push(int model, std::size_t place, double time);
  /// Throws as Coupling::configure() does.
  void configure(int model, const CouplingOptions& options);

  /// First what models and bodies do to each other, then the models, then the bodies. Where a model fails its report is
  /// returned, and the world's time does not change.
  StepReport step(double dt, StageClock& clock);

  double time() const { return time_; }  ///< s
  int model_count() const { return members_.size(); }
  /// Null where nothing couples the model.
  const Coupling* coupling(int model) const;
  const Bodies& bodies() const { return bodies_; }  ///< those that have entered
  const Array<BodyEntrance>& entrances() const { return entrances_; }
  /// J: the energy with which the bodies came in, less what they have now.
  double energy_of_bodies_lost() const { return entered_energy_ - bodies_.energy(); }
  /// s, less than the longest step in which bodies that float on the water keep still: 2/ω, the restoring force that of
  /// the water over π·(bounding radius)². Infinite without bodies.
  double bodies_stable_dt() const;

  /// Between steps. A world that was made in the same way, with the same inputs, continues with the same bits.
  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  struct CoupledWater {
    ShallowWater& water;
    Coupling coupling;
  };
  struct Member {
    Model* model;
    std::unique_ptr<CoupledWater> coupled;  // whose address the water keeps; or null
  };
  Coupling& coupled(int model);
  static void require_columns(const BodySetting& body, const Member& member);
  void admit_bodies();

  double time_ = 0;
  double entered_energy_ = 0;
  Array<Member> members_;
  Bodies bodies_;
  Array<BodyEntrance> entrances_;
};

}  // namespace shoal
