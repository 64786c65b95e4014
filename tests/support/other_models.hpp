// Models other than shallow water on triangles: a tracer advected on a rectangular grid, and particles.
#pragma once

#include "experiments/harness/run/compute.hpp"
#include "solvers/model.hpp"

#include <cmath>

namespace shoal::test {

/// c_t + u c_x + v c_y = 0 on n × m squares of 1 m, periodic, by the upwind fluxes of first order.
class Tracer final : public Model {
 public:
  Tracer(Index n, Index m)
      : n_(n), m_(m), values_(n * m), corners_(3, (n + 1) * (m + 1)), squares_(4, n * m) {
    for (Index j = 0; j <= m; ++j)
      for (Index i = 0; i <= n; ++i) corners_.col(corner(i, j)) << i, j, 0;
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < n; ++i) {
        squares_.col(cell(i, j)) << corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1);
        values_[cell(i, j)] = std::exp(-0.1 * ((i - 4.0) * (i - 4.0) + (j - 3.0) * (j - 3.0)));
      }
  }

  Domain domain() const override { return {corners_, edges_, squares_}; }
  std::vector<OutputInfo> outputs() const override {
    return {{"tracer", "kg/m^2", "c", Location::face, 1},
            {"wind", "m/s", "(u, v)", Location::face, 3},
            {"mass", "kg", "Σ c A", Location::whole, 1},
            {"middle", "m", "position velocity of the centre of mass", Location::whole, 3}};
  }
  void sample(const std::string& name, Values& values) const override {
    if (name == "tracer") values = values_.transpose();
    if (name == "wind") values = wind_.replicate(1, values_.size());
    if (name == "mass") values = Values::Constant(1, 1, values_.sum());
    if (name != "middle") return;
    values = Values::Zero(3, 1);
    for (Index j = 0; j < m_; ++j)
      for (Index i = 0; i < n_; ++i) values.col(0) += values_[cell(i, j)] * Vector3(i + 0.5, j + 0.5, 0);
    values /= values_.sum();
  }
  double stable_dt() const override { return 1 / (wind_.x() + wind_.y()); }
  StepReport step(double dt, StageClock& clock) override {
    const auto stage = clock.measure(Stage::advection);
    const Vector before = values_;
    for (Index j = 0; j < m_; ++j)
      for (Index i = 0; i < n_; ++i)
        values_[cell(i, j)] -= dt * (wind_.x() * (before[cell(i, j)] - before[cell((i + n_ - 1) % n_, j)]) +
                                     wind_.y() * (before[cell(i, j)] - before[cell(i, (j + m_ - 1) % m_)]));
    if (values_.maxCoeff() < 10) return {};
    return {false, "the tracer has grown to 10 kg/m^2", true};
  }
  void save(Archive& archive) const override { archive.put("tracer", values_); }
  void restore(const Archive& archive) override { values_ = archive.vector("tracer"); }

 private:
  Index corner(Index i, Index j) const { return i + (n_ + 1) * j; }
  Index cell(Index i, Index j) const { return i + n_ * j; }

  Index n_, m_;
  Vector3 wind_{1, 0.5, 0};
  Vector values_;  // [cells] c
  Points corners_;
  Eigen::Matrix<Index, 2, Eigen::Dynamic> edges_;
  Eigen::Matrix<Index, 4, Eigen::Dynamic> squares_;
};

/// Particles that fall from different heights and stay on the ground.
class Particles final : public Model {
 public:
  explicit Particles(Index count) : places_(3, count), speeds_(Vector::Zero(count)) {
    for (Index i = 0; i < count; ++i) places_.col(i) << i, 0, 0.1 * (i + 1);
  }

  Domain domain() const override { return {places_, none_, none_}; }
  std::vector<OutputInfo> outputs() const override {
    return {{"positions", "m", "x", Location::vertex, 3}, {"speed", "m/s", "downwards", Location::vertex, 1}};
  }
  void sample(const std::string& name, Values& values) const override {
    if (name == "positions")
      values = places_;
    else
      values = speeds_.transpose();
  }
  double stable_dt() const override { return 0.1; }
  StepReport step(double dt, StageClock& /*clock*/) override {
    speeds_.array() += 9.81 * dt;
    places_.row(2) = (places_.row(2) - dt * speeds_.transpose()).cwiseMax(0);
    return {};
  }
  void save(Archive& archive) const override {
    archive.put_points("places", places_);
    archive.put("speeds", speeds_);
  }
  void restore(const Archive& archive) override {
    places_ = archive.points("places");
    speeds_ = archive.vector("speeds");
  }

 private:
  Points places_;
  Vector speeds_;
  Eigen::Matrix<Index, 2, Eigen::Dynamic> none_;
};

/// A run that owns its model, and its observer.
template <class Made, class... Arguments>
ObservedRun observed(const RunConfiguration& c, Arguments... arguments) {
  struct Owning final : Run {
    Owning(std::unique_ptr<Made> made, const RunConfiguration& of)
        : Run(*made, of.dt, *of.end), own(std::move(made)) {}
    std::unique_ptr<Made> own;
  };
  auto run = std::make_unique<Owning>(std::make_unique<Made>(arguments...), c);
  auto observer = std::make_unique<Observer>(*run);
  return {std::move(run), std::move(observer)};
}

/// Results files contain an experiment; experiments cannot name these models yet.
inline Experiment placeholder() {
  return parse_experiment("scene = 'rest'", "other.toml");
}

inline RunConfiguration of_tracer() {
  RunConfiguration c;
  c.scene = "cloud";
  c.discretization = "upwind";
  c.integrator = "euler";
  c.mesh = "squares:12x8";
  c.dt = 0.25;
  c.end = 5;
  c.snapshots = "every:1";
  return c;
}

}  // namespace shoal::test
