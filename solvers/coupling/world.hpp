// A world: models, the bodies among them, and their interactions. It advances frame by frame, for the harness
// and for interactive programs alike.
#pragma once

#include "solvers/coupling/coupling.hpp"

namespace shoal {

class World {
 public:
  explicit World(const BodiesSetting& bodies = {});

  /// Adds a model, which must outlive the world. The model is not coupled to the rest of the world.
  void add(Model& model) { members_.push_back({&model, {}}); }
  /// Adds water on this bed [nV] with a coupling, which becomes a term of its forcing.
  void add(ShallowWater& water, const CouplingSetting& setting, Vector bed);

  // Inputs, which may be added while the world runs. An input that begins now or later has the same effect
  // whenever it was added before.
  /// Throws like Bodies::add(), but already now; also throws Error if the body is too small for the columns
  /// of a coupled model, whose lines could miss it, or if that model is periodic.
  void add(const BodyEntrance& entrance);
  void add(int model, const Source& source);
  void add(int model, const Push& push);
  // `time` must be the present. They throw like those of Coupling.
  void end_source(int model, std::size_t place, double time);
  void end_push(int model, std::size_t place, double time);
  /// Removes a body between two steps. Throws Error if there is no body of this name now.
  void remove_body(const std::string& name);
  /// Throws like Coupling::configure().
  void configure(int model, const CouplingOptions& options);
  void set_bed(int model, const Vector& bed) { coupled(model).set_bed(bed); }

  /// Computes the interactions of models and bodies, then advances the models, then the bodies. If a model
  /// fails, returns its report and does not advance the time.
  StepReport step(double dt, StageClock& clock);

  double time() const { return time_; }  ///< s
  int model_count() const { return members_.size(); }
  /// Null if the model is not coupled.
  const Coupling* coupling(int model) const;
  const Bodies& bodies() const { return bodies_; }  ///< bodies that have entered, in the order of entrances()
  const Array<BodyEntrance>& entrances() const { return entrances_; }
  /// J: the energy of the bodies at their entrance minus that at their removal or at present.
  double energy_of_bodies_lost() const { return entered_energy_ - bodies_.energy(); }
  /// s, lower bound of the largest stable step of floating bodies: 2/ω, with the restoring force of the water
  /// over π·(bounding radius)². Infinite without bodies.
  double bodies_stable_dt() const;
  /// The longest time, s, at most dt, in which no body near the water moves farther relative to the surface than
  /// `part` of its smallest extent.
  double dt_of_paths(double part, double dt);

  /// Between steps. A world constructed in the same way, with the same inputs, continues bit for bit.
  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  struct CoupledWater {
    ShallowWater& water;
    Coupling coupling;
  };
  struct Member {
    Model* model;
    std::unique_ptr<CoupledWater> coupled;  // or null; the water keeps its address
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
