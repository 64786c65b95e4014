// The list entry of a scheme: the information that the command line, sweeps and tests use before they
// construct it.
#pragma once

#include "discretizations/capabilities.hpp"

#include <functional>
#include <limits>
#include <memory>

namespace shoal {

/// A capability that a scheme offers, and the check whether its options exclude it.
struct Offer {
  std::string capability;
  std::function<std::string(const Parameters&)> unavailable;  ///< the reason, or ""
};

/// The highest order in Δt that a right-hand side allows with any integrator, and the reason.
struct OrderLimit {
  int order = std::numeric_limits<int>::max();
  std::string reason;  ///< "" if there is no limit
};

/// One row of the list of discretizations.
struct DiscretizationEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  std::vector<Offer> offers;
  Terms terms;        ///< terms for which the scheme has a rate
  Terms inseparable;  ///< terms that are only available together, such as those of one flux; may be empty
  /// Whether the flux damps every wave: the eigenvalues of f lie left of the imaginary axis, so that forward
  /// Euler and the Runge–Kutta methods are stable for steps up to stable_dt.
  bool dissipative = false;
  /// The domain of dependence, in layers of triangles that share a vertex: `reach` layers for each evaluation
  /// of f, and `rim` further layers once, for the geometry.
  std::function<double(const Parameters&)> reach = [](const Parameters&) { return 1.0; };
  int rim = 1;
  /// Whether depths stay nonnegative under forward Euler with a step of at most stable_dt, dry cells
  /// included.
  bool positive = false;
  /// Whether it exists on the square cells of a flat mesh only (grid/square_grid.hpp).
  bool square_cells = false;
  /// Limits of order due to the smoothness of f: an f with kinks that a solution crosses now and then allows
  /// 2.
  OrderLimit order_limit;
  /// Whether under these options the scheme omits v·∇η from its rate, so that a transport must advect the
  /// depth.
  std::function<bool(const Parameters&)> leaves_depth_to_transport = [](const Parameters&) { return false; };
  std::function<std::unique_ptr<Discretization>(const Mesh&, const Geometry&, const ScalarField& bed_depth,
                                                const Parameters&, Terms)>
      construct;

  /// Constructs the scheme on this mesh for equations with these terms.
  std::unique_ptr<Discretization> make(const Mesh& mesh, const Geometry& geometry,
                                       const ScalarField& bed_depth, const Parameters& values,
                                       Terms of_equations = Terms::all()) const {
    return construct(mesh, geometry, bed_depth, values, of_equations);
  }

  template <class Capability>
  bool offers_capability() const {
    return find_offer(Capability::name) != nullptr;
  }
  /// "" if the scheme offers it under these options, else the reason: "requires split rates", or the option
  /// that excludes it.
  template <class Capability>
  std::string unavailable(const Parameters& options) const {
    const Offer* offer = find_offer(Capability::name);
    if (!offer) return std::string("requires ") + Capability::name;
    return offer->unavailable(options);
  }
  /// Whether the scheme's own flux advects the velocity; no further advection can then be added.
  bool transports_momentum() const { return inseparable.has(Term::advection); }

 private:
  const Offer* find_offer(std::string_view capability) const;
};

/// The entry of a scheme with Scheme::SchemeOptions. It offers the capabilities that the scheme derives from,
/// unless Scheme::unavailable(capability, options), if defined, returns a reason. The depth has a flux unless
/// Scheme::leaves_depth_to_transport(options), which a FaceVelocity may define. The constructor takes the
/// mesh, the geometry, the bed's depth, the parameters and, if the scheme depends on them, the terms of the
/// equations.
template <class Scheme>
DiscretizationEntry describe_scheme(std::string name, std::string summary) {
  using SchemeOptions = typename Scheme::SchemeOptions;
  DiscretizationEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.parameters = describe_options<DiscretizationOptions>();
  for (ParameterInfo& info : describe_options<SchemeOptions>()) entry.parameters.push_back(std::move(info));
  const auto offer = [&]<class Capability>() {
    if constexpr (std::is_base_of_v<Capability, Scheme>)
      entry.offers.push_back({Capability::name, [](const Parameters& parameters) -> std::string {
                                if constexpr (requires(const SchemeOptions& options) {
                                                Scheme::unavailable(Capability::name, options);
                                              })
                                  return Scheme::unavailable(Capability::name,
                                                             read_options<SchemeOptions>(parameters));
                                else
                                  return "";
                              }});
  };
  offer.template operator()<MovesWithSurface>();
  offer.template operator()<OpensBoundaries>();
  offer.template operator()<TurnsVelocity>();
  offer.template operator()<Split>();
  offer.template operator()<Wave>();
  offer.template operator()<FaceVelocity>();
  offer.template operator()<Linearises>();
  offer.template operator()<OwnStep>();
  if constexpr (requires(const SchemeOptions& options) { Scheme::leaves_depth_to_transport(options); })
    entry.leaves_depth_to_transport = [](const Parameters& parameters) {
      return Scheme::leaves_depth_to_transport(read_options<SchemeOptions>(parameters));
    };
  entry.construct = [](const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                       const Parameters& values, Terms of_equations) -> std::unique_ptr<Discretization> {
    if constexpr (std::is_constructible_v<Scheme, const Mesh&, const Geometry&, const ScalarField&,
                                          const Parameters&, Terms>)
      return std::make_unique<Scheme>(mesh, geometry, bed_depth, values, of_equations);
    else
      return std::make_unique<Scheme>(mesh, geometry, bed_depth, values);
  };
  return entry;
}

}  // namespace shoal
