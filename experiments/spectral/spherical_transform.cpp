// Spherical harmonics by libsharp (Reinecke & Seljebotn 2013, doi:10.1051/0004-6361/201321494).
#include "experiments/spectral/spherical_transform.hpp"

#include <libsharp/sharp_cxx.h>

#include <cmath>
#include <numbers>

namespace shoal {

struct SphericalTransform::Plan : sharp_cxxjob<double> {
  const sharp_geom_info& grid() const { return *ginfo; }
};

SphericalTransform::SphericalTransform(int truncation)
    : truncation_(truncation), plan_(std::make_unique<Plan>()) {
  // Three factors up to L, and Gauss's rule with n points is exact up to the degree 2n − 1.
  const int rings = (3 * truncation + 2) / 2, around = 2 * rings;
  plan_->set_Gauss_geometry(rings, around);
  plan_->set_triangular_alm_info(truncation, truncation);
  const Index count = rings * around;
  points_.resize(3, count);
  south_.resize(3, count);
  east_.resize(3, count);
  const auto place = [&](const sharp_ringinfo& ring) {
    for (int i = 0; i < ring.nph; ++i) {
      const double longitude = ring.phi0 + 2 * std::numbers::pi * i / ring.nph;
      const Vector3 out(std::cos(longitude), std::sin(longitude), 0);
      const Eigen::Index at = ring.ofs + i * ring.stride;
      points_.col(at) = ring.sth * out + ring.cth * Vector3::UnitZ();
      south_.col(at) = ring.cth * out - ring.sth * Vector3::UnitZ();
      east_.col(at) = Vector3::UnitZ().cross(out);
    }
  };
  for (int i = 0; i < plan_->grid().npairs; ++i) {
    place(plan_->grid().pair[i].r1);
    place(plan_->grid().pair[i].r2);
  }
}

SphericalTransform::~SphericalTransform() = default;

void SphericalTransform::synthesise(const Harmonics& harmonics, Vector& map) const {
  map.resize(points_.cols());
  plan_->alm2map(harmonics.data(), map.data(), false);
}

void SphericalTransform::synthesise(const VectorHarmonics& harmonics, TangentMap& map) const {
  map.south.resize(points_.cols());
  map.east.resize(points_.cols());
  plan_->alm2map_spin(harmonics.gradient.data(), harmonics.curl.data(), map.south.data(), map.east.data(), 1,
                      false);
}

void SphericalTransform::analyse(const Vector& map, Harmonics& harmonics) const {
  harmonics.resize(harmonics_count(truncation_));
  plan_->map2alm(map.data(), harmonics.data(), false);
}

void SphericalTransform::analyse(const TangentMap& map, VectorHarmonics& harmonics) const {
  harmonics.gradient.resize(harmonics_count(truncation_));
  harmonics.curl.resize(harmonics_count(truncation_));
  plan_->map2alm_spin(map.south.data(), map.east.data(), harmonics.gradient.data(), harmonics.curl.data(), 1,
                      false);
}

}  // namespace shoal
