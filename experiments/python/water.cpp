// ShallowWater from Python, and what every water shows.
#include "experiments/python/bindings.hpp"

#include "experiments/harness/plan/experiment.hpp"

#include <fmt/format.h>

#include <cmath>
#include <list>

namespace shoal::python {
namespace {

std::map<std::string, Value> values_of(const py::dict& given) {
  std::map<std::string, Value> values;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (py::isinstance<py::bool_>(value))
      throw Error(
          fmt::format("{}: required is a number or a word, not {}", name, std::string(py::str(value))));
    if (py::isinstance<py::float_>(value) || PyNumber_Check(value.ptr()))
      values[name] = value.cast<double>();
    else if (py::isinstance<py::str>(value))
      values[name] = value.cast<std::string>();
    else
      throw Error(
          fmt::format("{}: required is a number or a word, not {}", name, std::string(py::str(value))));
  }
  return values;
}

/// The parts by name, with their parameters. Entries are copied, because those of the catalogue move when others are added.
struct Parts {
  DiscretizationEntry discretization;
  IntegratorEntry integrator;
  std::optional<LinearSolverEntry> linear_solver;
  std::optional<AdvectionEntry> advection;
  std::optional<SplittingEntry> splitting;

  ShallowWaterSetting setting(const std::map<std::string, Value>& values, int substeps, double density,
                              bool forced) const {
    ShallowWaterSetting setting{.discretization = discretization,
                                .integrator = integrator,
                                .linear_solver = linear_solver ? &*linear_solver : nullptr,
                                .advection = advection ? &*advection : nullptr,
                                .splitting = splitting ? &*splitting : nullptr,
                                .substeps = substeps,
                                .density = density,
                                .forced = forced};
    std::vector<std::string> names;
    for (const ParameterInfo& info : declared_parameters(setting)) names.push_back(info.name);
    for (const auto& [name, value] : values)
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw Error(fmt::format("there is no option '{}' for {} with {}: choose from {}{}", name,
                                discretization.name, integrator.name, join(names),
                                did_you_mean(name, names)));
    return with_parameters(setting, values);
  }
};

Parts parts_of(const py::dict& given) {
  const auto name = [&](const char* key) {
    return given.contains(key) && !given[key].is_none() ? given[key].cast<std::string>() : std::string();
  };
  const Catalog& all = catalog();
  Parts parts{
      all.discretizations.find(name("discretization")), all.integrators.find(name("integrator")), {}, {}, {}};
  const std::string solver = name("linear_solver");
  if (!solver.empty() && !parts.integrator.uses_linear_solver)
    throw Error(fmt::format("linear_solver = {}: {} solves no linear system", solver, parts.integrator.name));
  if (parts.integrator.uses_linear_solver)
    parts.linear_solver = solver.empty() ? all.linear_solvers.front() : all.linear_solvers.find(solver);
  const std::string advection = name("advection");
  if (parts.discretization.transports_momentum()) {
    if (!advection.empty() && advection != "built-in")
      throw Refusal(
          fmt::format("advection = {}: {} includes it in its flux", advection, parts.discretization.name));
  } else if (!advection.empty() && advection != "none") {
    parts.advection = all.advections.find(advection);
  }
  if (const std::string splitting = name("splitting"); !splitting.empty())
    parts.splitting = all.splittings.find(splitting);
  return parts;
}

/// The given number of substeps, or that of the integrator for 0.
int substeps_of(const IntegratorEntry& integrator, int given) {
  if (given < 0) throw Error(fmt::format("substeps: {} is not a number ≥ 1", given));
  if (given > 1 && integrator.default_substeps == 0)
    throw Error(fmt::format("substeps = {}: {} has no substeps", given, integrator.name));
  return given > 0 ? given : std::max(1, integrator.default_substeps);
}

void require_positive(double value, const char* name) {
  if (!(value > 0 && std::isfinite(value)))
    throw Error(fmt::format("{}: {} is not a number > 0", name, value));
}

Vector finite(Vector values, const char* name) {
  if (!values.allFinite()) throw Error(fmt::format("{}: a value is not finite", name));
  return values;
}

/// Forces given as functions of points and time, which are added to those that the water calls.
std::vector<TimedForce> timed_forces(const py::dict& fields, std::vector<Held>& called) {
  std::vector<TimedForce> forces;
  const auto function = [&](const char* name) -> std::optional<Held> {
    if (!fields.contains(name) || !PyCallable_Check(py::object(fields[name]).ptr())) return {};
    return called.emplace_back(fields[name]);
  };
  if (const auto acceleration = function("body_acceleration"))
    forces.push_back(
        {.add = [f = *acceleration](double time, const WaterNow& water, double share, ForceSum& sum) {
          sum.body_acceleration() += share * vectors_at(f, water.geometry.x, time, "body_acceleration");
        }});
  if (const auto acceleration = function("normal_acceleration"))
    forces.push_back(
        {.add = [f = *acceleration](double time, const WaterNow& water, double share, ForceSum& sum) {
          Vector& all = sum.normal_acceleration();
          all += share * (scalars_at(f, water.geometry.x, time, "normal_acceleration") - all);
        }});
  if (const auto rain = function("rain"))
    forces.push_back({.add =
                          [f = *rain](double time, const WaterNow& water, double share, ForceSum& sum) {
                            const Cells& cells = water.discretization.cells();
                            sum.inflow(cells.count()).array() +=
                                share * cells.area.array() *
                                scalars_at(f, cells.points, time, "rain").array();
                          },
                      .works = false});
  return forces;
}

class OwnWater final : public WaterView {
 public:
  OwnWater(std::shared_ptr<SharedSurface> surface, const py::dict& parts, const py::dict& fields,
           const py::dict& options, int substeps, double density, double gravity, double safety)
      : surface_(std::move(surface)), safety_(safety), density_(density) {
    const Parts& chosen = parts_.emplace_back(parts_of(parts));
    substeps = substeps_of(chosen.integrator, substeps);
    require_positive(density, "density");
    require_positive(safety, "safety");
    if (!(gravity >= 0 && std::isfinite(gravity)))
      throw Error(fmt::format("gravity: {} is not a number ≥ 0", gravity));
    Forcing forcing{Vector::Constant(surface_->mesh().vertex_count, -gravity), gravity};
    const auto given = [&](const char* name) -> py::object {
      return fields.contains(name) ? py::object(fields[name]) : py::none();
    };
    const Index vertices = surface_->mesh().vertex_count;
    std::vector<TimedForce> forces = timed_forces(fields, called_);
    if (const py::object normal = given("normal_acceleration");
        !normal.is_none() && !PyCallable_Check(normal.ptr()))
      forcing.normal_acceleration =
          finite(vector_of(doubles_of(normal, "normal_acceleration"), vertices, "normal_acceleration"),
                 "normal_acceleration");
    if (const py::object body = given("body_acceleration");
        !body.is_none() && !PyCallable_Check(body.ptr())) {
      forcing.body_acceleration.resize(3, vertices);
      const VectorField field = vector_field(body, surface_, "body_acceleration");
      for (Index i = 0; i < vertices; ++i)
        forcing.body_acceleration.col(i) = field(surface_->surface().x.col(i));
    }
    if (const py::object rotation = given("rotation"); !rotation.is_none())
      forcing.rotation = finite(vector_of(doubles_of(rotation, "rotation"), 3, "rotation"), "rotation");
    if (const py::object boundaries = given("boundaries"); !boundaries.is_none())
      forcing.boundaries = parse_boundaries(boundaries.cast<std::string>());
    const bool forced = !forces.empty() || forcing.body_acceleration.size() > 0 ||
                        (forcing.normal_acceleration.array() != -gravity).any();

    const ScalarField bed = scalar_field(given("bed_depth"), surface_, "bed_depth");
    const ScalarField elevation = scalar_field(given("elevation"), surface_, "elevation");
    ScalarField depth = scalar_field(given("depth"), surface_, "depth");
    if (!depth)
      depth = [=](const Vector3& x) { return std::max(0.0, bed(x) + (elevation ? elevation(x) : 0.0)); };
    const auto checked_depth = [depth](const Vector3& x) {
      const double eta = depth(x);
      if (!(eta >= 0))
        throw Error(fmt::format("depth: {:.6g} m at ({:.6g}, {:.6g}, {:.6g}) is below zero", eta, x.x(),
                                x.y(), x.z()));
      return eta;
    };
    const VectorField velocity = vector_field(given("velocity"), surface_, "velocity");
    water_ = std::make_unique<ShallowWater>(surface_->mesh(), surface_->surface().x, bed, forcing,
                                            chosen.setting(values_of(options), substeps, density, forced),
                                            [&](const Discretization& scheme, const Forces&) {
                                              return scheme.project({checked_depth, velocity});
                                            });
    if (const py::object rain = given("rain"); PyCallable_Check(rain.ptr()))
      rain_ = called_.emplace_back(rain);
    if (!forces.empty()) water_->add_term(forces_.emplace(std::move(forces)));
    if (const py::object motion = given("motion"); !motion.is_none()) take_motion(Held(motion));
    if (const py::object rain = given("rain"); !rain.is_none() && !PyCallable_Check(rain.ptr())) {
      const ScalarField field = scalar_field(rain, surface_, "rain");
      const Cells& cells = water_->discretization().cells();
      forcing.inflow.resize(cells.count());
      for (Index i = 0; i < cells.count(); ++i)
        forcing.inflow[i] = cells.area[i] * field(cells.points.col(i));
      water_->set_forcing(forcing);
    }
    calls_python_ = forces_.has_value() || motion_ || is_written_in_python(chosen.discretization.name);
  }

  const ShallowWater& water() const override { return *water_; }
  ShallowWater& water() { return *water_; }

  /// One step with the interpreter's lock released. A step that does not succeed changes nothing if it calls Python.
  void step(double dt) {
    if (!(dt > 0 && std::isfinite(dt))) throw Error(fmt::format("dt: {} is not a step > 0", dt));
    if (moved_ && *moved_ != dt)
      throw Error(fmt::format("dt: {} s is not the step of {} s for which move_to has moved the surface", dt,
                              *moved_));
    const Turns::Turn turn(turns());
    begin(dt);
    std::optional<Archive> before;
    if (calls_python_) water_->save(before.emplace());
    try {
      const py::gil_scoped_release unlocked;
      const StepReport report = water_->step(dt, clock_);
      if (!report.ok)
        throw StepFailure(
            fmt::format("the step from t = {:.6g} s failed: {}", water_->time(), report.reason));
      require_finite_volumes();
      moved_.reset();
    } catch (...) {
      if (before) water_->restore(*before);
      throw;
    }
  }

  void steps(double dt, int count) {
    if (count < 1) throw Error(fmt::format("count: {} is not a number of steps ≥ 1", count));
    for (int i = 0; i < count; ++i) {
      step(dt);
      if (i + 1 < count) check_signals();
    }
  }

  void move_to(const Doubles& positions, double dt) {
    const Points x = points_of(positions, "positions");
    if (x.cols() != surface_->mesh().vertex_count)
      throw Error(fmt::format("positions: {} were given; the mesh has {} vertices", x.cols(),
                              surface_->mesh().vertex_count));
    if (motion_) throw Error("positions: the surface follows its motion");
    if (!(dt > 0 && std::isfinite(dt))) throw Error(fmt::format("dt: {} is not a step > 0", dt));
    const Turns::Turn turn(turns());
    water_->move_to(x, dt, clock_);
    moved_ = dt;
  }

  /// The longest stable step at the present state, times `safety` and substeps; for integrators without a limit of gravity waves too.
  double suggested_dt() {
    const Turns::Turn turn(turns());
    return safety_ * water_->substeps() * water_->stable_dt();
  }

  /// The step, at most dt, that is still stable for the water that rain adds until its end, if it falls as now or as then.
  double allowing_for_rain(double dt) {
    Vector inflow = water_->constant_forcing().inflow;
    const Cells& cells = water_->discretization().cells();
    if (rain_) {
      const double now = water_->time();
      const Vector rate = scalars_at(*rain_, cells.points, now, "rain")
                              .cwiseMax(scalars_at(*rain_, cells.points, now + dt, "rain"));
      if (inflow.size() == 0) inflow.setZero(cells.count());
      inflow.array() += cells.area.array() * rate.array();
    }
    if (inflow.size() == 0) return dt;
    constexpr double little = 0.1;  // of the water, which changes the wave speed by a twentieth
    const Vector added = dt * inflow.cwiseMax(0);
    if (!(added.array() > little * water_->volume().array()).any()) return dt;
    const Turns::Turn turn(turns());
    Archive present;
    water_->save(present);
    water_->exchange(added, Points(3, 0));
    const double allowed = safety_ * water_->substeps() * water_->stable_dt();
    water_->restore(present);
    return std::fmin(dt, allowed);
  }

  /// Equal steps of at most dt to `until`, or, without dt, steps of at most max_dt chosen anew each time.
  void run(double until, std::optional<double> dt, std::optional<double> max_dt, const py::object& callback) {
    if (!std::isfinite(until)) throw Error(fmt::format("until: {} is not a time", until));
    if (dt && !(*dt > 0)) throw Error(fmt::format("dt: {} is not a step > 0", *dt));
    if (max_dt && !(*max_dt > 0)) throw Error(fmt::format("max_dt: {} is not a step > 0", *max_dt));
    if (dt && max_dt) throw Error("dt and max_dt were both given; one is enough");
    if (moved_) throw Error("run: move_to has moved the surface for one step; take it by step first");
    constexpr double rounding = 1e-9, max_growth = 1.1, min_ratio = 1e-6, max_steps = 1e9;
    if (until < water_->time())
      throw Error(fmt::format("until: {} s is before the present time, {} s", until, water_->time()));
    const bool limited = parts_.back().integrator.explicit_terms.has(Term::gravity);
    double last = 0;
    std::optional<double> first;
    while (true) {
      const double rest = until - water_->time();
      if (!(rest > rounding * std::max(std::abs(until), 1e-300))) return;
      double free = dt ? *dt : (limited || !first) ? suggested_dt() : *first;
      if (!dt) {
        if (limited && last > 0) free = std::min(free, max_growth * last);
        free = std::min(free, max_dt.value_or(free));
        if (limited) free = allowing_for_rain(std::min(free, rest));
        if (!std::isfinite(water_->stable_dt()) && !max_dt && free == rest)
          throw Error(fmt::format("run: {} has no stable step; give dt, or max_dt for the longest step",
                                  (water_->volume().array() > 0).any() ? "the scheme" : "dry land"));
      }
      if (!first) first = free;
      if (!(free > 0 && (dt || free >= min_ratio * *first)))
        throw StepFailure(
            fmt::format("the stable step has fallen from {:.3g} s to {:.3g} s at t = {:.6g} s: the flow "
                        "is unstable, or some water runs away",
                        first.value_or(0), free, water_->time()));
      const double count = std::ceil(rest / free - rounding);
      if (!(count < max_steps))
        throw Error(fmt::format("run: steps of {:.3g} s to t = {:.6g} s are more than {:.0e}", free, until,
                                max_steps));
      last = free;
      step(rest / std::max(1.0, count));
      check_signals();
      if (!callback.is_none() && is_true(callback())) return;
    }
  }

  void exchange(const Doubles& volume, const py::object& impulse) {
    const Vector volumes = vector_of(volume, water_->discretization().cells().count(), "volume");
    const Points impulses = impulse.is_none() ? Points(3, 0) : points_of(impulse.cast<Doubles>(), "impulse");
    if (impulses.size() > 0 && impulses.cols() != surface_->mesh().face_count())
      throw Error(fmt::format("impulse: {} vectors were given; the mesh has {} triangles", impulses.cols(),
                              surface_->mesh().face_count()));
    const Turns::Turn turn(turns());
    water_->exchange(volumes, impulses);
  }

  void change(const py::dict& parts, const py::dict& options, int substeps) {
    const Turns::Turn turn(turns());
    const Parts& chosen = parts_.emplace_back(parts_of(parts));
    // A change may free the memory of the state, on which Python may have views, so it is made on a copy. Where the unknowns stay
    // the same, so does their memory; otherwise views keep the memory of theirs.
    Vector& present = const_cast<State&>(water_->state()).q;
    const std::string unknowns = names_of_unknowns();
    Vector& kept = viewed_->q;
    kept = present;
    kept.swap(present);
    try {
      substeps = substeps_of(chosen.integrator, substeps);
      water_->change(chosen.setting(values_of(options), substeps, density_, forces_.has_value()));
    } catch (...) {  // nothing has changed
      kept.swap(present);
      kept.resize(0);
      parts_.pop_back();
      throw;
    }
    Vector& changed = const_cast<State&>(water_->state()).q;
    if (names_of_unknowns() == unknowns && changed.size() == kept.size()) {
      kept = changed;
      kept.swap(changed);
      kept.resize(0);
    } else {
      viewed_ = std::make_shared<Viewed>();
    }
    calls_python_ = forces_.has_value() || motion_ || is_written_in_python(chosen.discretization.name);
  }

  const std::vector<Held>& called() const { return called_; }

  py::object owner_of_state(const py::object& self) const override {
    using Owner = std::pair<py::object, std::shared_ptr<Viewed>>;
    return py::capsule(new Owner(self, viewed_), [](void* owner) { delete static_cast<Owner*>(owner); });
  }

  py::dict save() const {
    if (moved_) throw Error("save: move_to has moved the surface for one step; take it first");
    const Turns::Turn turn(turns());
    Archive archive;
    water_->save(archive);
    py::dict saved;
    for (const auto& [name, values] : archive.values())
      saved[name.c_str()] = Doubles(values.size(), values.data());
    return saved;
  }
  void restore(const py::dict& saved) {
    Archive archive;
    for (const auto& [name, values] : saved) {
      const auto array = values.cast<Doubles>();
      archive.put(name.cast<std::string>(), Eigen::Map<const Vector>(array.data(), array.size()));
    }
    const Turns::Turn turn(turns());
    begin(1);
    try {
      water_->restore(archive);
    } catch (const std::out_of_range&) {
      throw Error("restore: something is missing from what save() returns");
    }
    moved_.reset();
  }

 private:
  /// The memory of earlier unknowns, kept by the views on it; empty for the present ones.
  struct Viewed {
    Vector q;
  };

  std::string names_of_unknowns() const {
    std::string names;
    for (const Field& field : water_->layout().fields())
      names += fmt::format("{} {};", field.name, field.size);
    return names;
  }

  /// A value that is not finite reaches the volumes by the next step.
  void require_finite_volumes() const {
    const auto volume = water_->volume();
    if (std::isfinite(volume.sum())) return;
    const Cells& cells = water_->discretization().cells();
    Index cell = 0;
    while (cell + 1 < cells.count() && std::isfinite(volume[cell])) ++cell;
    throw StepFailure(fmt::format(
        "the depth of cell {} at ({:.6g}, {:.6g}, {:.6g}) is not finite at t = {:.6g} s: a force, rain or "
        "flux returned such a "
        "value, or the flow is unstable, and a shorter dt may help",
        cell, cells.points(0, cell), cells.points(1, cell), cells.points(2, cell), water_->time()));
  }

  void take_motion(const Held& motion) {
    Points x = positions_at(motion, 0);
    if ((x - surface_->surface().x).cwiseAbs().maxCoeff() >
        1e-9 * surface_->surface().x.cwiseAbs().maxCoeff())
      throw Error("motion: at t = 0 it has to return the vertices of the mesh");
    motion_ = called_.emplace_back(motion);
  }
  Points positions_at(const Held& motion, double time) const {
    const py::gil_scoped_acquire lock;
    Points x = points_of(Doubles((*motion)(time)), "motion");
    if (x.cols() != surface_->mesh().vertex_count)
      throw Error(fmt::format("motion: {} positions were returned; the mesh has {} vertices", x.cols(),
                              surface_->mesh().vertex_count));
    return x;
  }
  /// The motion begins with the first step, whose length is its scale of time.
  void begin(double dt) {
    if (!motion_ || follows_) return;
    follows_ = true;
    water_->follow([this](double time, Points& x) { x = positions_at(*motion_, time); }, dt);
  }

  std::shared_ptr<SharedSurface> surface_;
  std::list<Parts> parts_;  // past ones too, to which the water may refer
  double safety_, density_;
  std::optional<TimedForces> forces_;
  std::optional<Held> motion_;
  std::vector<Held> called_;  // every function, once for each reference that the water has to it
  std::unique_ptr<ShallowWater> water_;
  std::optional<Held> rain_;     // a function of points and time
  std::optional<double> moved_;  // the length of the next step, after move_to
  std::shared_ptr<Viewed> viewed_ = std::make_shared<Viewed>();
  StageClock clock_;
  bool follows_ = false, calls_python_ = false;
};

/// Lets Python's collector find cycles of a water and the functions that it calls, such as methods of the object that owns it.
void collect_cycles(PyHeapTypeObject* heap_type) {
  const auto of = [](PyObject* self) -> const OwnWater* {
    const auto holder = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder();
    return holder.holder_constructed() ? holder.value_ptr<OwnWater>() : nullptr;
  };
  static constexpr auto waters = of;
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (const OwnWater* water = waters(self))
      for (const Held& one : water->called()) Py_VISIT((*one).ptr());
    return 0;
  };
  type.tp_clear = [](PyObject* self) {
    if (const OwnWater* water = waters(self))
      for (const Held& one : water->called()) one.clear();
    return 0;
  };
}

/// [entries] or, for several components, [components, elements].
py::array field_view(const State& state, const Field& field, const py::handle& owner) {
  const double* data = state.q.data() + field.offset;
  if (field.components == 1) return view(data, {field.size}, owner);
  return view(data, {field.components, field.size / field.components}, owner);
}

py::dict state_views(const py::object& self) {
  const auto& one = self.cast<const WaterView&>();
  const py::object owner = one.owner_of_state(self);
  py::dict fields;
  for (const Field& field : one.water().layout().fields())
    if (field.size > 0) fields[field.name.c_str()] = field_view(one.water().state(), field, owner);
  return fields;
}

py::dict outputs_of(const WaterView& self) {
  py::dict outputs;
  for (const OutputInfo& info : self.water().outputs())
    outputs[info.name.c_str()] =
        py::dict(py::arg("unit") = info.unit, py::arg("location") = to_string(info.location),
                 py::arg("components") = info.components, py::arg("meaning") = info.meaning);
  return outputs;
}

py::array output(const WaterView& self, const std::string& name) {
  const std::vector<OutputInfo> infos = self.water().outputs();
  std::vector<std::string> names;
  for (const OutputInfo& info : infos) names.push_back(info.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error(fmt::format("there is no output '{}': choose from {}{}{}", name, join(names),
                            did_you_mean(name, names),
                            self.water().has_velocity() ? "" : "; the integrator carries no velocity"));
  Values values;
  {
    const Turns::Turn turn(self.turns());
    const py::gil_scoped_release unlocked;
    self.water().sample(name, values);
  }
  return taken(std::move(values));
}

py::dict budget(const WaterView& self) {
  const Turns::Turn turn(self.turns());
  const ShallowWater& water = self.water();
  const Energy energy = water.energy();
  const Ledger ledger = water.ledger();
  return py::dict(py::arg("mass") = water.density() * water.total_volume(),
                  py::arg("energy_kinetic") = energy.kinetic, py::arg("energy_potential") = energy.potential,
                  py::arg("energy_total") = energy.total(), py::arg("mass_source") = ledger.mass_source,
                  py::arg("mass_lacking") = ledger.mass_lacking, py::arg("work") = ledger.work(),
                  py::arg("work_geometry") = ledger.work_geometry,
                  py::arg("work_forces") = ledger.work_forces, py::arg("work_source") = ledger.work_source);
}

}  // namespace

void bind_water(py::module_& module) {
  const auto cells = [](const py::object& self) -> const Cells& {
    return self.cast<const WaterView&>().water().discretization().cells();
  };
  py::class_<WaterView>(module, "Water")
      .def_property_readonly(
          "time", [](const WaterView& self) { return self.water().time(); }, "s")
      .def_property_readonly(
          "density", [](const WaterView& self) { return self.water().density(); }, "ρ, kg/m³")
      .def_property_readonly(
          "substeps", [](const WaterView& self) { return self.water().substeps(); },
          "per step, of explicit integrators")
      .def_property_readonly(
          "state", &state_views,
          "The unknowns by name, as read-only views on the memory of the solver, which follow every step.")
      .def_property_readonly(
          "volume",
          [](const py::object& self) {
            const auto& one = self.cast<const WaterView&>();
            return field_view(one.water().state(), one.water().discretization().volume(),
                              one.owner_of_state(self));
          },
          "V = A η [cells], m³: a read-only view, which follows every step")
      .def_property_readonly(
          "cell_areas", [=](const py::object& self) { return view(cells(self).area, self); },
          "A [cells], m²: a read-only view")
      .def_property_readonly(
          "cell_points", [=](const py::object& self) { return view(cells(self).points, self); },
          "[cells, 3], m: the points to which the depths belong; a read-only view")
      .def_property_readonly(
          "cell_bed", [=](const py::object& self) { return view(cells(self).bed, self); },
          "H [cells], m, the depth of the bed below the zero level; a read-only view")
      .def_property_readonly(
          "cell_location", [=](const py::object& self) { return to_string(cells(self).location); },
          "\"vertex\" or \"face\": what the cells belong to")
      .def_property_readonly(
          "positions",
          [](const py::object& self) {
            return view(self.cast<const WaterView&>().water().geometry().x, self);
          },
          "[nV, 3], m, of the vertices now; a read-only view")
      .def_property_readonly(
          "outputs", &outputs_of,
          "What `output` computes: name -> unit, location (\"vertex\", \"face\", …), components, meaning.")
      .def("output", &output, py::arg("name"),
           "The output with this name at the present state: [elements] or [elements, components]; a new "
           "array. Raises Error for "
           "an unknown name.")
      .def("budget", &budget,
           R"(Mass and energy now, and what was added since the start:

mass (kg), energy_kinetic, energy_potential = ½ρg Σ A (h − h̄)² with the area mean h̄, energy_total (J);
mass_source (kg, by sources, rain and boundaries), mass_lacking (kg, that was to be removed and was not there);
work (J, all of the following), work_geometry (by the motion of the surface), work_forces, work_source (with the water that entered).)")
      .def(
          "stable_dt",
          [](const WaterView& self) {
            const Turns::Turn turn(self.turns());
            return self.water().stable_dt();
          },
          "The longest stable explicit substep at the present state, s; inf where there is no water.");

  py::class_<OwnWater, WaterView>(module, "ShallowWater", py::custom_type_setup(&collect_cycles))
      .def(py::init<std::shared_ptr<SharedSurface>, const py::dict&, const py::dict&, const py::dict&, int,
                    double, double, double>(),
           py::arg("mesh"), py::arg("parts"), py::arg("fields"), py::arg("options"), py::arg("substeps"),
           py::arg("density"), py::arg("gravity"), py::arg("safety"))
      .def("step", &OwnWater::steps, py::arg("dt"), py::arg("count") = 1,
           R"(Takes `count` steps of dt, s.

Raises StepFailure if a step fails or a depth is not finite after it. If it calls Python (a force, a motion, a scheme), the step that
failed is undone. After move_to, dt is that of the move.)")
      .def(
          "step",
          [](const OwnWater&, Anything, const py::args&, const py::kwargs&) {
            throw Error("step(dt, count=1): dt is a number of seconds, count a number of steps");
          },
          py::arg("dt"))
      .def("_move_to", &OwnWater::move_to, py::arg("positions"), py::arg("dt"))
      .def("_run", &OwnWater::run, py::arg("until"), py::arg("dt"), py::arg("max_dt"), py::arg("callback"))
      .def("_exchange", &OwnWater::exchange, py::arg("volume"), py::arg("impulse"))
      .def("_change", &OwnWater::change, py::arg("parts"), py::arg("options"), py::arg("substeps"))
      .def("_save", &OwnWater::save)
      .def("_restore", &OwnWater::restore, py::arg("saved"));
}

}  // namespace shoal::python
