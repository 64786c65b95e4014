// Options of every run on a surface that moves.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/inertia.hpp"

namespace shoal {

/// Read by the scheme and by the model; declared by whatever moves the surface.
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
