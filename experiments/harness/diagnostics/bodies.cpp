// The positions of bodies, and the exchange of momentum and energy between bodies and water.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

constexpr double blank = std::numeric_limits<double>::quiet_NaN();

const World& world_of(Instant& now) {
  return now.simulation().world();
}

constexpr const char* while_absent = "; NaN before it enters and after it is removed";

bool is_present(const Bodies& bodies, int body) {
  return body < bodies.count() && bodies.is_present(body);
}

/// A column of three numbers of one body.
DiagnosticColumn vector_of_body(int body, const std::string& name, const std::string& unit,
                                const std::string& meaning, Vector3 (*get)(const Bodies&, int)) {
  return {{name, unit, meaning + while_absent, 3, true}, [body, get](Instant& now, double* value) {
            const Bodies& bodies = world_of(now).bodies();
            const Vector3 v =
                is_present(bodies, body) ? get(bodies, body) : Vector3(Vector3::Constant(blank));
            std::copy_n(v.data(), 3, value);
          }};
}

DiagnosticColumn impulse(const std::string& name, const std::string& meaning,
                         Vector3 (*get)(const CollisionLedger&)) {
  return {{name, "N s", meaning + ", since t = 0", 3}, [get](Instant& now, double* value) {
            const Vector3 v = get(world_of(now).coupling(0)->collision().ledger());
            std::copy_n(v.data(), 3, value);
          }};
}

}  // namespace

DiagnosticEntry bodies_diagnostic() {
  return {
      "bodies", [](const Simulation& simulation) {
        std::vector<DiagnosticColumn> columns;
        const World& world = simulation.world();
        const Index count = world.entrances().size();
        if (count == 0 || !world.coupling(0)) return columns;
        for (int i = 0; i < count; ++i) {
          const std::string name = world.entrances()[i].body.name;
          columns.push_back(vector_of_body(
              i, name + "_position", "m", "position of the centre of mass",
              [](const Bodies& bodies, int body) -> Vector3 { return bodies.pose(body).position; }));
          columns.push_back(vector_of_body(
              i, name + "_velocity", "m/s", "velocity of the centre of mass",
              [](const Bodies& bodies, int body) -> Vector3 { return bodies.velocity(body); }));
          columns.push_back(vector_of_body(i, name + "_turn", "rad",
                                           "rotation vector from the initial to the present orientation",
                                           [](const Bodies& bodies, int body) -> Vector3 {
                                             const Eigen::AngleAxisd turn(bodies.pose(body).rotation);
                                             return turn.angle() * turn.axis();
                                           }));
          columns.push_back(
              {{name + "_height", "m",
                std::string("height of the centre of mass, against the gravity of bodies") + while_absent, 1,
                true},
               [i](Instant& now, double* value) {
                 const Bodies& bodies = world_of(now).bodies();
                 const double g = bodies.gravity().norm();
                 const Vector3 up = g > 0 ? Vector3(-bodies.gravity() / g) : Vector3(Vector3::UnitZ());
                 *value = is_present(bodies, i) ? up.dot(bodies.pose(i).position) : blank;
               }});
          columns.push_back(
              {{name + "_immersed", "m^3", "volume below the surrounding water level in the last step"},
               [i](Instant& now, double* value) {
                 const auto& volumes = world_of(now).coupling(0)->collision().immersed_volume();
                 *value = i < volumes.size() ? volumes[i] : 0;
               }});
        }
        columns.push_back({{"energy_bodies", "J", "kinetic and potential energy of the bodies"},
                           [](Instant& now, double* value) { *value = world_of(now).bodies().energy(); }});
        columns.push_back(impulse("impulse_bodies_along", "on the bodies along the surface",
                                  [](const CollisionLedger& l) { return l.on_bodies_along; }));
        columns.push_back(impulse("impulse_water_along", "of the bodies on the water, along the surface",
                                  [](const CollisionLedger& l) { return l.on_water_along; }));
        columns.push_back(impulse("impulse_bodies_normal", "on the bodies, normal to the surface",
                                  [](const CollisionLedger& l) { return l.on_bodies_normal; }));
        columns.push_back(impulse("impulse_water_normal", "of the bodies on the water, normal to the surface",
                                  [](const CollisionLedger& l) { return l.on_water_normal; }));
        columns.push_back(impulse("impulse_surface", "impulse on the support of the surface",
                                  [](const CollisionLedger& l) { return l.on_surface(); }));
        columns.push_back(
            {{"impulse_ground", "N s", "of contacts with the bed on the bodies, since t = 0", 3},
             [](Instant& now, double* value) {
               std::copy_n(world_of(now).bodies().ground_impulse().data(), 3, value);
             }});
        return columns;
      }};
}

}  // namespace shoal
