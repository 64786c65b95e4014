#include "solvers/assembly.hpp"

#include "discretizations/renewal.hpp"
#include "solvers/sponge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace shoal {

namespace {

/// The terms whose rates the scheme evaluates: advection may be absent or left to a transport.
Terms equations(const ShallowWaterSetting& setting) {
  const bool advects =
      setting.discretization.transports_momentum() || (setting.advection && setting.advection->is_rate);
  return advects ? Terms::all() : Terms::all().without(Term::advection);
}

}  // namespace

Options<ShallowWaterOptions> ShallowWaterOptions::describe() {
  using O = ShallowWaterOptions;
  return Options<O>()
      .number("friction", "1/s", &O::friction, 0, std::numeric_limits<double>::infinity(),
              "linear friction f, v_t = −f v, coupled to the step by the splitting unless the integrator "
              "includes it. f = 1/c for the coefficient c of Angst 2007, table C.2, where c = 0 stops all "
              "motion; c = 100 s corresponds to f = 0.01 1/s")
      .number(
          "manning", "s/m^(1/3)", &O::manning, 0, std::numeric_limits<double>::infinity(),
          "Manning's coefficient n of friction at the bed, v_t = −g n² |v| v/η^(4/3), in addition to linear "
          "friction; implicit in each Euler step of explicit and ssprk…, which keeps steady flows; otherwise "
          "the exact solution at fixed depth, half before and half after each step; 0: none")
      .number(
          "chezy", "m^(1/2)/s", &O::chezy, 0, std::numeric_limits<double>::infinity(),
          "Chézy's coefficient C of friction at the bed, v_t = −g |v| v/(C² η), an alternative to manning; "
          "C = √(8g/f) for the factor f of Darcy and Weisbach; 0: none")
      .number("sink_part", "1", &O::sink_part, 0, 1,
              "maximum fraction of the water in a cell that may be removed per substep or stage (by sinks, "
              "negative rain and outward discharges); the shortfall is recorded as mass_lacking")
      .choice("flow_inertia", &O::flow_inertia, {{"off", false}, {"on", true}},
              "whether aₙ includes the inertia of flow over a curved or rotating surface, −2 vᵅ n·∂_αẋ − "
              "II(v, v); extrapolated from the last two steps, so that the order in Δt is at most 2")
      .number(
          "acceleration_limit", "m/s^2", &O::acceleration_limit, 0, std::numeric_limits<double>::infinity(),
          "upper limit of the external acceleration of a vertex (Angst 2007, table C.2): of the vector sum "
          "of forces, pushes, artificial acceleration and inertia (with carried_velocity = circulation only "
          "its normal part), but not of g and the contact with bodies; 0: no limit")
      .part(&O::surface, MovingSurfaceOptions::describe())
      .part(&O::inertia, InertiaOptions::describe());
}

FrictionLaw ShallowWaterOptions::bed_friction(double gravity) const {
  if (manning > 0 && chezy > 0)
    throw parameter_error("chezy", "manning is another law of the same friction; set one of them to 0");
  if (manning > 0) return FrictionLaw::manning(manning, gravity);
  return chezy > 0 ? FrictionLaw::chezy(chezy, gravity) : FrictionLaw();
}

ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator) {
  const std::vector<std::string> names =
      integrator.carries_velocity
          ? std::vector<std::string>{"friction",  "manning",      "chezy",
                                     "sink_part", "flow_inertia", "acceleration_limit"}
          : std::vector<std::string>{"sink_part", "acceleration_limit"};
  ParameterInfos infos;
  for (const ParameterInfo& info : describe_options<ShallowWaterOptions>())
    if (std::ranges::find(names, info.name) != names.end()) infos.push_back(info);
  return infos;
}

ParameterInfos declared_parameters(const ShallowWaterSetting& setting) {
  ParameterInfos all = setting.discretization.parameters;
  const auto add = [&all](const ParameterInfos& more) { all.insert(all.end(), more.begin(), more.end()); };
  add(setting.integrator.parameters);
  add(shallow_water_parameters(setting.integrator));
  if (setting.linear_solver) add(setting.linear_solver->parameters);
  if (setting.advection) add(setting.advection->parameters);
  add(describe_options<MovingSurfaceOptions>());
  add(describe_options<InertiaOptions>());
  return all;
}

ShallowWaterSetting with_parameters(ShallowWaterSetting setting, const std::map<std::string, Value>& values) {
  setting.parameters = Parameters(declared_parameters(setting), values);
  return setting;
}

std::string boundary_incompatibility(const IntegratorEntry& integrator,
                                     const BoundaryConditions& conditions) {
  if (Sponge::is_in(conditions) && !integrator.carries_velocity)
    return integrator.name + " carries no velocity for a sponge";
  const bool follow_state = std::any_of(conditions.begin(), conditions.end(),
                                        [](const BoundaryCondition& one) { return one.follows_state(); });
  if (!follow_state || integrator.explicit_terms.has(Term::gravity)) return "";
  return integrator.name +
         " treats gravity implicitly and supports only walls and discharges, because the flux through other "
         "boundaries depends on the state";
}

int layers_of_step(const ShallowWaterSetting& setting, const BoundaryConditions& boundaries) {
  const DiscretizationEntry& scheme = setting.discretization;
  double reach = scheme.reach(setting.parameters);
  // Water that enters or leaves changes the vorticity of the adjacent triangles, too.
  const bool opens = std::any_of(boundaries.begin(), boundaries.end(),
                                 [](const BoundaryCondition& one) { return one.kind != BoundaryKind::wall; });
  if (opens && setting.advection && setting.advection->is_rate) reach *= 2;
  const int evaluations = setting.integrator.evaluations(setting.substeps);
  int layers = scheme.rim + static_cast<int>(std::ceil(reach * evaluations));
  // Friction at the bed reaches half a layer before the step and half a layer after it, or a layer in each stage and half of one
  // after the last.
  if (read_options<ShallowWaterOptions>(setting.parameters).bed_friction(1).acts())
    layers += setting.integrator.resists ? evaluations + 1 : 1;
  const SplittingEntry splitting =
      setting.splitting ? *setting.splitting : default_splitting(setting.integrator, setting.advection);
  if (!setting.advection || (setting.advection->is_rate && !splitting.splits)) return layers;
  const bool per_substep = read_options<AdvectionIntervalOptions>(setting.parameters).per_substep;
  const int transports =
      splitting.order * (per_substep ? setting.substeps : 1) * (opens && setting.advection->is_rate ? 2 : 1);
  return layers + setting.advection->reach(scheme) * transports;
}

std::string part_incompatibility(const DiscretizationEntry& scheme) {
  return scheme.square_cells ? scheme.name + " joins the triangles of the whole surface in pairs" : "";
}

std::shared_ptr<Discretization> make_discretization(const ShallowWaterSetting& setting, const Mesh& mesh,
                                                    const Geometry& geometry, const ScalarField& bed_depth) {
  const std::string reason = mesh.part ? part_incompatibility(setting.discretization) : "";
  if (!reason.empty()) throw Refusal("on several processes: " + reason + "; use one process");
  return setting.discretization.make(mesh, geometry, bed_depth, setting.parameters, equations(setting));
}

bool same_discretization(const ShallowWaterSetting& a, const ShallowWaterSetting& b) {
  if (a.discretization.name != b.discretization.name || !(equations(a) == equations(b))) return false;
  ParameterInfos declared = a.discretization.parameters;
  for (const ParameterInfo& info : describe_options<MovingSurfaceOptions>()) declared.push_back(info);
  const auto value = [](const Parameters& parameters, const ParameterInfo& info) {
    const Value* given = parameters.value(info.name);
    return given ? *given : info.fallback;
  };
  return std::all_of(declared.begin(), declared.end(), [&](const ParameterInfo& info) {
    return value(a.parameters, info) == value(b.parameters, info);
  });
}

Assembly::Assembly(const ShallowWaterSetting& given, std::shared_ptr<Discretization> scheme,
                   RightSide of_scheme)
    : setting(given),
      options(read_options<ShallowWaterOptions>(given.parameters)),
      discretization(std::move(scheme)),
      right_side(std::move(of_scheme)),
      moving(offered<MovesWithSurface>(*discretization)),
      turning(offered<TurnsVelocity>(std::as_const(*discretization))),
      bed_friction(offered<BedFriction>(std::as_const(*discretization))),
      splitting(given.splitting ? *given.splitting : default_splitting(given.integrator, given.advection)) {
  std::string reason = advection_incompatibility(setting.advection, setting.discretization,
                                                 setting.integrator, setting.parameters);
  if (!reason.empty()) throw Refusal(reason);
  reason = splitting_incompatibility(splitting, setting.integrator, setting.advection);
  if (!reason.empty()) throw Refusal("splitting = " + splitting.name + ": " + reason);
  terms = integrated_terms(splitting, setting.discretization, setting.integrator, setting.advection);
  if (setting.advection && (splitting.splits || !setting.advection->is_rate))
    advection = setting.advection->make(right_side, setting.parameters);
  integrator = make_integrator(setting.integrator, setting.discretization,
                               {right_side, setting.parameters, setting.linear_solver, terms});
  renewal = renewal_of(discretization->mesh(), discretization->cells(), integrator->layout());
  set_substeps(setting.substeps, setting.substeps_per_renewal);
}

void Assembly::set_substeps(int substeps, int per_renewal) {
  setting.substeps = substeps;
  setting.substeps_per_renewal = per_renewal > 0 ? per_renewal : substeps;
  const bool per_substep = read_options<AdvectionIntervalOptions>(setting.parameters).per_substep;
  parts = advection && per_substep ? substeps : 1;
  integrator->set_substeps(substeps / parts, setting.substeps_per_renewal, renewal.get());
}

void Assembly::require_support(const Forcing& forcing) const {
  const Forces& forces = right_side.forces();
  if (forces.rotates && !has_velocity())
    throw Refusal(setting.integrator.name + " carries no velocity for the Coriolis force; use coriolis = 0");
  if (forces.rotates && !setting.discretization.terms.has(Term::coriolis) &&
      !right_side.offered<TurnsVelocity>())
    throw Refusal(setting.discretization.name + " has no Coriolis force; use coriolis = 0");
  if (forces.rotates && splitting.splits && !turning)
    throw Refusal("splitting = " + splitting.name + ": " + setting.discretization.name + " offers no " +
                  TurnsVelocity::name + " apart from its rates; use splitting = none");
  const bool has_bed_friction = options.bed_friction(forcing.gravity).acts();
  if (has_bed_friction && has_velocity() && !bed_friction)
    throw Refusal(setting.discretization.name + " offers no " + BedFriction::name +
                  "; use manning = 0 and chezy = 0");
  if ((forces.friction > 0 || has_bed_friction) && !has_velocity())
    throw Refusal(setting.integrator.name +
                  " carries no velocity for friction; it may have its own drag parameter");
  // Whether or not it rains now.
  const bool prescribes_velocity =
      std::ranges::any_of(forcing.distributed_inflows,
                          [](const DistributedInflow& inflow) { return inflow.velocity.has_value(); });
  if (prescribes_velocity && !has_velocity())
    throw Refusal(setting.integrator.name +
                  " carries no velocity for rain with a prescribed one; use rain_velocity = water, the "
                  "velocity of the water below");
  const bool absorbs = Sponge::is_in(forcing.boundaries);
  if (forces.has_inflow) require_that_mass_is_kept("sources");
  if (absorbs) require_that_mass_is_kept("a sponge");
  const std::string reason = boundary_incompatibility(setting.integrator, forcing.boundaries);
  if (!reason.empty()) throw Refusal("boundaries: " + reason);
}

MovesWithSurface& Assembly::motion() const {
  if (!moving) throw Refusal(setting.discretization.name + " requires a surface at rest");
  return *moving;
}

void Assembly::require_that_mass_is_kept(const std::string& what) const {
  const std::string reason = setting.integrator.mass_drift(setting.parameters);
  if (!reason.empty()) throw Refusal(setting.integrator.name + " does not support " + what + ": " + reason);
}

}  // namespace shoal
