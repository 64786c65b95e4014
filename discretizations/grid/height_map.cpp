#include "discretizations/grid/height_map.hpp"

namespace shoal {

Options<HeightMapOptions> HeightMapOptions::describe() {
  using O = HeightMapOptions;
  using Form = VelocityAdvection;
  return Options<O>()
      .choice("layout", &O::centred, {{"edge", false}, {"centre", true}},
              "where velocities are kept. edge: the component normal to each edge, as the source decides; "
              "centre: both in the cells, where central differences do not see waves of two cells (3.4)")
      .choice("advection_form", &O::advection,
              {{"imperative-d", Form::imperative_d},
               {"none", Form::none},
               {"local", Form::local},
               {"global", Form::global},
               {"global-weighted", Form::global_weighted},
               {"local-weighted", Form::local_weighted},
               {"local-weighted-corrected", Form::corrected},
               {"semi-lagrangian", Form::semi_lagrangian},
               {"imperative-a", Form::imperative_a},
               {"imperative-b", Form::imperative_b},
               {"imperative-c", Form::imperative_c},
               {"stelling", Form::stelling}},
              "the form of v·∇v (Krog 2003). none: omitted, as in the source's final program; local (3.5), "
              "global (3.8), global-weighted (3.9), local-weighted (3.12) and twice that "
              "(local-weighted-corrected): differences of velocities; semi-lagrangian: traced back along the "
              "flow "
              "(ours, for comparison with packets); imperative-d: momentum moves with the "
              "water to the next edge, which conserves it, and is the only form of the source without waves "
              "of two cells; imperative-a, -b, -c: to or from other edges (a and b are our reading of lost "
              "drawings); stelling: Stelling & Duinmeijer 2003")
      .choice(
          "update", &O::simultaneous, {{"depth-first", false}, {"simultaneous", true}},
          "whether the velocity is accelerated by the new depths or, simultaneous, by the old ones, which "
          "amplifies every wave")
      .choice("back_trace", &O::midpoint, {{"euler", false}, {"midpoint", true}},
              "of advection_form = semi-lagrangian: along the velocity at the end, or half way")
      .choice(
          "continuity", &O::advective_depth, {{"flux", false}, {"advective", true}},
          "flux: the depth changes by −∇·(ηv); advective, with advection_form = semi-lagrangian alone: it is "
          "traced back, too, and changes by −η∇·v, which does not keep mass (after class notes of "
          "SIGGRAPH 2008, chapter 11, whose formulas we do not have)")
      .choice("flux_depth", &O::upwind_depth, {{"mean", false}, {"upwind", true}},
              "depth of the water that crosses an edge: the mean of both cells (the source), or that of the "
              "cell it leaves, which keeps depths nonnegative")
      .number("dry_depth", "m", &O::dry_depth, 0, 1e300, "no water leaves a cell of at most this depth")
      .choice(
          "shore", &O::shore,
          {{"general", Shore::general},
           {"removed", Shore::removed},
           {"algorithm-3", Shore::algorithm_3},
           {"algorithm-4", Shore::algorithm_4},
           {"fill-ratio", Shore::fill_ratio}},
          "what becomes of water thinner than thin_water × Δ (Krog 2003, chapter 5). general: nothing "
          "special; removed: taken out, booked as a negative source of mass, though not of energy, which may "
          "end the run; algorithm-3: it does not enter empty "
          "cells, and evens out with its neighbours in one step; algorithm-4: after drop_time it does enter; "
          "fill-ratio: fluxes times the part of the cell that is under water (SIGGRAPH 2008 class notes, "
          "chapter 11, named after what remains of it)")
      .number("thin_water", "1", &O::thin, 0, 1e300, "α/Δ, for shore = removed, algorithm-3 and -4")
      .number(
          "drop_time", "s", &O::drop_time, 0, 1e300,
          "with algorithm-4: for how long a cell holds its thin water back from empty cells (a_dropt, not "
          "given in the source)")
      .number("film_depth", "1", &O::film, 0, 1e300,
              "ε_η/Δ: with fill-ratio, water of at most this depth does not enter a dry cell")
      .number("artificial_resistance", "s/m^2", &O::resistance, 0, 1e300,
              "a_r: u_t = −a_r u³ (3.14), of each component apart; a_r = g S/u³ stops the acceleration on a "
              "slope S at the speed u. Its "
              "work is not booked")
      .number(
          "artificial_pressure", "1", &O::pressure, 0, 1e300,
          "with advection_form = none: the pressure gh + a_p h_t (3.13) with a_p = this × Δ √(g/η), which "
          "diffuses velocity and removes waves of two cells; the source gives no value");
}

HeightMap::HeightMap(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                     const Parameters& parameters)
    : GridScheme("height-map", mesh, geometry, bed_depth, parameters),
      options_(read_options<HeightMapOptions>(parameters)) {
  if (options_.advective_depth && !traces())
    throw Refusal("continuity = advective traces the depth back; use advection_form = semi-lagrangian");
  if (options_.advective_depth && options_.upwind_depth)
    throw Refusal("flux_depth = upwind has no effect with continuity = advective, which has no fluxes");
}

HeightMap::Place HeightMap::walk(Place at, double dx, double dy) const {
  const auto part_to_side = [](double from, double by) {
    return by == 0 ? 2 : std::max(0.0, ((by > 0 ? 0.5 : -0.5) - from) / by);
  };
  while (true) {
    const double to_x = part_to_side(at.x, dx), to_y = part_to_side(at.y, dy);
    const double part = std::min({to_x, to_y, 1.0});
    at.x += part * dx;
    at.y += part * dy;
    if (part == 1) return at;
    dx *= 1 - part;
    dy *= 1 - part;
    double &along = to_x <= to_y ? at.x : at.y, &rest = to_x <= to_y ? dx : dy;
    const int side = (to_x <= to_y ? SquareGrid::west : SquareGrid::south) + (rest > 0 ? 1 : 0);
    const Index next = grid_.neighbour[at.cell][side];
    along = (next == SquareGrid::none) == (rest > 0) ? 0.5 : -0.5;
    if (next == SquareGrid::none)
      rest = 0;
    else
      at.cell = next;
  }
}

double HeightMap::between_centres(const double* values, const Place& at, double beyond_x,
                                  double beyond_y) const {
  const int x_side = at.x < 0 ? SquareGrid::west : SquareGrid::east,
            y_side = at.y < 0 ? SquareGrid::south : SquareGrid::north;
  const Index beside = grid_.neighbour[at.cell][x_side], above = grid_.neighbour[at.cell][y_side];
  const double x = std::abs(at.x), y = std::abs(at.y);
  const double here = values[at.cell];
  const double a = beside != SquareGrid::none ? values[beside] : beyond_x * here;
  const double b = above != SquareGrid::none ? values[above] : beyond_y * here;
  const Index first = beside != SquareGrid::none ? grid_.neighbour[beside][y_side] : SquareGrid::none,
              second = above != SquareGrid::none ? grid_.neighbour[above][x_side] : SquareGrid::none;
  // The mean of both ways around, so that turned scenes give turned flows.
  const double corner = 0.5 * ((first != SquareGrid::none ? values[first] : beyond_y * a) +
                               (second != SquareGrid::none ? values[second] : beyond_x * b));
  return (1 - x) * (1 - y) * here + (x * (1 - y) * a + (1 - x) * y * b) + x * y * corner;
}

std::string HeightMap::unbounded_trace(const ConstBlock& flow, double dt) const {
  constexpr double longest = 1e4;  // cells
  const bool is_short = flow.cwiseAbs().maxCoeff() * dt <= longest * side_;
  return is_short ? "" : "the water crosses more than 10000 cells in a step";
}

double HeightMap::advection_term(const Carried& here, const Carried& before, const Carried& after) const {
  const double depth = before.depth + after.depth;
  const double weight = depth > 0 ? 1 / depth : 0;
  switch (options_.advection) {
    case VelocityAdvection::local:
      return 0.5 * here.w * (after.u - before.u);
    case VelocityAdvection::global:
      return 0.25 * (before.w + after.w) * (after.u - before.u);
    case VelocityAdvection::global_weighted:
      return 0.5 * weight * (after.depth * after.w * after.u - before.depth * before.w * before.u) +
             0.25 * (before.w * after.u - after.w * before.u);
    default:
      return (options_.advection == VelocityAdvection::corrected ? 1 : 0.5) * here.w * weight *
             (after.depth * after.u - before.depth * before.u);
  }
}

/// κ: stable for linear waves on any flow. Forms that no κ makes stable in a flow have the smallest κ of the others.
double HeightMap::stable_part(double directions) const {
  using Form = VelocityAdvection;
  if (options_.advective_depth) return 1;
  const Form form = options_.centred ? Form::local : options_.advection;
  if (form == Form::none || traces()) return directions == 2 ? 0.7 : 1;
  if (form == Form::imperative_d) return options_.upwind_depth ? 0.66 : directions == 2 ? 0.7 : 1;
  const bool is_half_upwind = form == Form::stelling || form == Form::imperative_b;
  return is_half_upwind && options_.upwind_depth ? 0.95 : 0.47;
}

/// (|u| + |v| + c/ν) Δt ≤ κ Δ with ν² + 2πν = 1/m in m directions; κ is that of grid.md.
double HeightMap::stable_dt(const State& state, const Forces& forces, Terms /*terms*/,
                            Scratch& /*scratch*/) const {
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const ConstBlock volumes = state[volume()], flow = state[velocity()];
  const double directions = std::max(1, (grid_.columns > 1) + (grid_.rows > 1));
  const double wave = max(mesh_, cells_, [&](Index c) { return acceleration[c] * volumes[c] / area_; });
  const double x = flow.head(x_count_).cwiseAbs().maxCoeff(),
               y = flow.tail(flow.size() - x_count_).cwiseAbs().maxCoeff();
  const double p = pressure_factor(), courant = std::sqrt(p * p + 1 / directions) - p;
  const double flow_speed = options_.advective_depth ? 0 : x + y;
  return stable_part(directions) * side_ / (flow_speed + std::sqrt(std::max(wave, 1e-300)) / courant);
}

DiscretizationEntry height_map() {
  DiscretizationEntry entry = describe_grid_scheme<EdgeHeightMap>(
      "height-map", "depths at the centres of square cells, velocities on their edges (Krog 2003)");
  entry.construct = [](const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                       const Parameters& values, Terms) -> std::unique_ptr<Discretization> {
    if (read_options<HeightMapOptions>(values).centred)
      return std::make_unique<CentreHeightMap>(mesh, geometry, bed_depth, values);
    return std::make_unique<EdgeHeightMap>(mesh, geometry, bed_depth, values);
  };
  entry.order_limit = {1, "Euler steps, and upwind advection"};
  return entry;
}

}  // namespace shoal
