// Options of every run on a moving surface.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/inertia.hpp"

namespace shoal {

/// Declared by the scene or motion that moves the surface; read by the scheme and the model.
struct MovingOptions {
  MovingSurfaceOptions surface{};
  InertiaOptions inertia{};
  static Options<MovingOptions> describe() {
    return Options<MovingOptions>()
        .part(&MovingOptions::surface, MovingSurfaceOptions::describe())
        .part(&MovingOptions::inertia, InertiaOptions::describe());
  }
};

}  // namespace shoal
