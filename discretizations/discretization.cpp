#include "discretizations/discretization.hpp"

#include <algorithm>
#include <limits>

namespace shoal {

std::string to_string(Capability capability) {
  switch (capability) {
    case Capability::split:
      return "split rates";
    case Capability::wave:
      return "wave operators";
    case Capability::dissipative:
      return "a dissipative flux";
  }
  return "";
}

bool DiscretizationEntry::offers_capability(Capability capability) const {
  return std::find(offers.begin(), offers.end(), capability) != offers.end();
}

Discretization::Discretization(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters)
    : mesh_(mesh), geometry_(geometry) {
  const std::string& limit = parameters.text("normal_acceleration_max");
  normal_acceleration_max_ = limit == "none" ? std::numeric_limits<double>::infinity()
                                             : parse_number(limit, "parameter 'normal_acceleration_max'");
}

void Discretization::set_forcing(const Forcing& forcing) {
  normal_acceleration_ = forcing.normal_acceleration.cwiseMin(normal_acceleration_max_);
  clamped_accelerations_ =
      static_cast<Index>((forcing.normal_acceleration.array() > normal_acceleration_max_).count());
  forcing_changed();
}

std::vector<ClampCount> Discretization::clamp_counts() const {
  return {{"clamped_accelerations", clamped_accelerations_}};
}

ParameterInfos common_parameters() {
  return {
      text("normal_acceleration_max", "m/s^2", "-0.4905",
           "aₙ is kept at or below this; above zero the equations are ill-posed. 'none' lets the run fail")};
}

}  // namespace shoal
