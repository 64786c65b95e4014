// The projection of the rotation term: what it keeps, what it takes, and that it does no work.
#include "discretizations/operators/hodge_projection.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <random>

namespace shoal {
namespace {

/// Two tori that share the three corners of a face that both lack: of genus 2.
Surface double_torus() {
  const Surface one = load_surface("torus:12x8");
  const auto count = one.mesh.vertex_count, faces = one.mesh.face_count();
  Eigen::Index outer = 0;  // the face that lies farthest out along x
  const Geometry geometry = make_geometry(one.mesh, one.x);
  for (Index k = 0; k < faces; ++k)
    if (geometry.centroid(one.mesh, k).x() > geometry.centroid(one.mesh, static_cast<Index>(outer)).x())
      outer = k;
  Points x(3, 2 * count - 3);
  x.leftCols(count) = one.x;
  Array<Index> twin(count);
  Index next = count;
  const double far = one.x.row(0).maxCoeff();
  for (Index i = 0; i < count; ++i) {
    const bool shared = (one.mesh.faces.col(outer).array() == i).any();
    twin[i] = shared ? i : next;
    if (!shared) x.col(next++) = Vector3(2.2 * far - one.x(0, i), one.x(1, i), one.x(2, i));
  }
  Faces all(3, 2 * faces - 2);
  Eigen::Index at = 0;
  for (Index k = 0; k < faces; ++k) {
    if (k == outer) continue;
    all.col(at++) = one.mesh.faces.col(k);
    const Index a = one.mesh.faces(0, k), b = one.mesh.faces(1, k), c = one.mesh.faces(2, k);
    all.col(at++) << twin[a], twin[c], twin[b];  // the mirror image
  }
  return make_surface("double-torus", "generated", all, x);
}

std::vector<Surface> surfaces() {
  return {load_surface("icosphere:2"), load_surface("torus:12x8"), double_torus(),
          load_surface("rectangle:6x5"), load_surface("blob:2:slivers")};
}

TEST(ClosedForms, are_two_for_each_handle_closed_and_no_gradients) {
  for (const Surface& surface : surfaces()) {
    const Mesh& mesh = surface.mesh;
    const auto boundaries = static_cast<Index>(mesh.boundary_sets.empty() ? 0 : 1);
    const std::vector<ClosedForm> forms = closed_forms(mesh);
    ASSERT_EQ(static_cast<Index>(forms.size()), 2 - mesh.euler_characteristic() - boundaries) << surface.name;
    for (const ClosedForm& form : forms) {
      // On an edge both of its triangles agree.
      std::map<Index, double> along;
      for (const ClosedForm::Entry& entry : form.entries) {
        const double by_edge[3] = {entry.second - entry.first, -entry.second, entry.first};
        for (int c = 0; c < 3; ++c) {
          const Index e = mesh.face_edges(c, entry.face);
          const double forward =
              mesh.faces((c + 1) % 3, entry.face) == mesh.edges(0, e) ? by_edge[c] : -by_edge[c];
          const auto [found, added] = along.try_emplace(e, forward);
          EXPECT_EQ(found->second, forward) << surface.name;
        }
      }
    }
  }
}

struct Projected {
  explicit Projected(Surface from)
      : surface(std::move(from)), geometry(make_geometry(surface.mesh, surface.x)) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    const Index faces = surface.mesh.face_count();
    weight.resize(faces);
    density = Vector::Ones(surface.mesh.vertex_count);
    rates.resize(2 * faces);
    for (double& rate : rates) rate = number(random);
    for (Index k = 0; k < faces; ++k) weight[k] = geometry.face_area[k] * (1 + 0.5 * number(random));
  }
  /// Σ w a·b
  double product(const Vector& a, const Vector& b) const {
    double sum = 0;
    const Index faces = surface.mesh.face_count();
    for (Index k = 0; k < faces; ++k) {
      const Vector3 first = geometry.corner(surface.mesh, k, 1) - geometry.corner(surface.mesh, k, 0),
                    second = geometry.corner(surface.mesh, k, 2) - geometry.corner(surface.mesh, k, 0);
      sum += weight[k] * (a[k] * first + a[faces + k] * second).dot(b[k] * first + b[faces + k] * second);
    }
    return sum;
  }
  Surface surface;
  Geometry geometry;
  Vector weight, density, rates;
};

constexpr int enough = 1000;  // iterations

TEST(HodgeProjection, is_an_orthogonal_projection) {
  for (const Surface& surface : surfaces()) {
    const Projected p(surface);
    HodgeProjection projection(p.surface.mesh, p.geometry);
    constexpr double tolerance = 1e-13;
    Vector once = p.rates;
    projection.project(p.weight, p.density, tolerance, enough, once.data());
    Vector twice = once;
    projection.project(p.weight, p.density, tolerance, enough, twice.data());
    const double size = p.product(p.rates, p.rates);
    EXPECT_LT(p.product(twice - once, twice - once), 1e-18 * size) << surface.name;
    EXPECT_LT(std::abs(p.product(once, p.rates - once)), 1e-9 * size) << surface.name;
    EXPECT_GT(p.product(p.rates - once, p.rates - once), 0.1 * size) << "what is inert is taken";
  }
}

TEST(HodgeProjection, with_one_weight_everywhere_is_one_solve) {
  const Projected p(load_surface("icosphere:3"));
  HodgeProjection projection(p.surface.mesh, p.geometry);
  Vector rates = p.rates;
  EXPECT_TRUE(projection.project(p.geometry.face_area, p.density, 1e-12, enough, rates.data()));
  EXPECT_LE(projection.iterations(), 2);
}

TEST(HodgeProjection, is_the_same_with_the_factors_of_another_geometry) {
  const Surface sphere = load_surface("icosphere:3");
  Geometry geometry = make_geometry(sphere.mesh, sphere.x);
  Vector weight = geometry.face_area;
  const Vector density = Vector::Ones(sphere.mesh.vertex_count), rates = Projected(sphere).rates;
  HodgeProjection kept(sphere.mesh, geometry);
  Vector first = rates;
  kept.project(weight, density, 1e-12, enough, first.data());
  for (const double height : {0.9, 0.5, 0.2, 0.05}) {
    compute_geometry(sphere.mesh, Eigen::DiagonalMatrix<double, 3>(1, 1, height) * sphere.x, geometry);
    weight = geometry.face_area;
    kept.refresh();
    Vector by_kept = rates, by_new = rates;
    EXPECT_TRUE(kept.project(weight, density, 1e-12, enough, by_kept.data())) << height;
    HodgeProjection(sphere.mesh, geometry).project(weight, density, 1e-12, enough, by_new.data());
    EXPECT_LT((by_kept - by_new).norm(), 1e-9 * by_new.norm()) << height;
  }
  // Made anew where shapes are too different, and from then on as good as new ones.
  kept.forget();
  Vector again = rates;
  kept.project(weight, density, 1e-12, enough, again.data());
  EXPECT_LE(kept.iterations(), 2);
}

TEST(HodgeProjection, goes_on_from_its_memory_with_the_same_bits) {
  const Surface sphere = load_surface("icosphere:3");
  Geometry geometry = make_geometry(sphere.mesh, sphere.x);
  const Projected p(sphere);
  HodgeProjection one(sphere.mesh, geometry), other(sphere.mesh, geometry);
  Vector rates = p.rates;
  one.project(p.weight, p.density, 1e-8, enough, rates.data());
  compute_geometry(sphere.mesh, Eigen::DiagonalMatrix<double, 3>(1, 1, 0.05) * sphere.x, geometry);
  for (int i = 0; i < 3; ++i) {
    other.memory() = Vector(one.memory());
    one.refresh();
    other.refresh();
    Vector of_one = p.rates, of_other = p.rates;
    one.project(p.weight, p.density, 1e-8, enough, of_one.data());
    other.project(p.weight, p.density, 1e-8, enough, of_other.data());
    EXPECT_EQ(of_one, of_other) << i;
  }
}

TEST(HodgeProjection, keeps_the_flow_around_the_holes_of_a_torus) {
  // The harmonic fields of a torus are e_φ/r and n×e_φ/r. Less of them is lost the finer the mesh.
  double lost[2];
  for (int i = 0; i < 2; ++i) {
    Projected p(load_surface(i == 0 ? "torus:24x16" : "torus:48x32"));
    p.weight = p.geometry.face_area;
    const Index faces = p.surface.mesh.face_count();
    for (Index k = 0; k < faces; ++k) {
      const Vector3 x = p.geometry.centroid(p.surface.mesh, k), around(-x.y(), x.x(), 0);
      const Vector3 v = around / around.squaredNorm() +
                        Vector3(p.geometry.face_normal.col(k)).cross(around) / around.squaredNorm();
      const FaceFrame frame = face_frame(p.surface.mesh, p.geometry, k);
      const Vector3 first = p.geometry.corner(p.surface.mesh, k, 1) - p.geometry.corner(p.surface.mesh, k, 0),
                    second =
                        p.geometry.corner(p.surface.mesh, k, 2) - p.geometry.corner(p.surface.mesh, k, 0);
      const BarycentricRates rates = frame.rates(frame.raised({v.dot(first), v.dot(second)}));
      p.rates[k] = rates.first;
      p.rates[faces + k] = rates.second;
    }
    HodgeProjection projection(p.surface.mesh, p.geometry);
    Vector kept = p.rates;
    projection.project(p.weight, p.density, 1e-12, enough, kept.data());
    lost[i] = std::sqrt(p.product(kept - p.rates, kept - p.rates) / p.product(p.rates, p.rates));
  }
  EXPECT_LT(lost[1], 0.1);
  EXPECT_GT(lost[0] / lost[1], 1.7);
}

/// dE/dt of a state under its rates: the energy is a cubic, whose derivative two differences give exactly.
double power(const test::Trial& trial, const State& state, const State& rate, double length) {
  const auto energy = [&](double part) {
    State at = state;
    at.q += part * rate.q;
    const Cells& cells = trial.discretization->cells();
    const Vector h =
        at.q.segment(trial.discretization->volume().offset, cells.count()).cwiseQuotient(cells.area) -
        cells.bed;
    return trial.discretization->kinetic_energy(at) + 0.5 * test::gravity * cells.area.dot(h.cwiseAbs2());
  };
  const auto difference = [&](double part) { return (energy(part) - energy(-part)) / (2 * part); };
  return (4 * difference(0.5 * length) - difference(length)) / 3;
}

TEST(FefvRotation, keeps_the_energy_of_any_state_to_round_off) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const Surface& surface : surfaces()) {
    test::Configuration setup;
    setup.surface = surface;
    setup.advection = "vector-invariant";
    setup.integrator = "ssprk3";
    setup.rotation = {0.3, -0.4, 0.5};
    test::Trial trial(setup);
    State state = trial.zero();
    Block volume = state[trial.discretization->volume()];
    for (Index i = 0; i < volume.size(); ++i)
      volume[i] = trial.discretization->cells().area[i] * (1 + 0.3 * number(random));
    for (double& rate : state[trial.discretization->velocity()]) rate = number(random);
    trial.discretization->project_initial_velocity(Term::advection, state, trial.right_side.scratch());
    State rate = trial.zero();
    const Terms terms = Term::gravity | Term::advection | Term::coriolis;
    trial.discretization->add_rates(state, trial.forces, terms, 1, rate);
    State rotation = trial.zero();
    trial.discretization->add_rates(state, trial.forces, Term::advection | Term::coriolis, 1, rotation);
    const double length = 0.1 * state.q.norm() / rate.q.norm();
    const double scale = trial.discretization->kinetic_energy(state) * rotation.q.norm() / state.q.norm();
    EXPECT_LT(std::abs(power(trial, state, rate, length)), 1e-9 * scale) << surface.name;
  }
}

}  // namespace
}  // namespace shoal
