// Treats numbers below 2.2e-308 as zero while a linear system is solved.
#pragma once

#include "discretizations/common/parallel.hpp"

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

namespace shoal {

/// In its scope, this thread and those of its loops treat subnormal numbers as zero if the processor supports that. The entries of a factor
/// decay geometrically with the distance along the mesh, faster for shorter steps. On large meshes most of them are
/// below 2.2e-308, and a processor computes with such numbers a hundred times slower.
class FlushSubnormals {
 public:
#ifdef __SSE2__
  FlushSubnormals() : before_(_mm_getcsr()) {
    set_in_all_threads(before_ | flush_to_zero | denormals_are_zero);
  }
  ~FlushSubnormals() {
    set_in_all_threads(before_);
  }

 private:
  static void set_in_all_threads(unsigned mode) {
    _mm_setcsr(mode);
    if (thread_count() == 1) return;
#pragma omp parallel num_threads(thread_count())
    _mm_setcsr(mode);
  }

  static constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  unsigned before_;

 public:
#else
  FlushSubnormals() = default;
#endif
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;
};

}  // namespace shoal
