// The list entry of a scheme: all that the command line, sweeps and tests use of it before it is made.
#pragma once

#include "discretizations/capabilities.hpp"

#include <functional>
#include <limits>
#include <memory>

namespace shoal {

/// A capability that a scheme offers, and the options that rule it out.
struct Offer {
  std::string capability;
  std::function<std::string(const Parameters&)> unavailable;  ///< the reason, or ""
};

/// The highest order in Δt that a right side allows under any integrator, and why.
struct OrderLimit {
  int order = std::numeric_limits<int>::max();
  std::string reason;  ///< "" where there is no limit
};

/// One row of the list of discretizations: all that the command line, sweeps and tests use of a scheme.
struct DiscretizationEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  std::vector<Offer> offers;
  Terms terms;        ///< that have a rate
  Terms inseparable;  ///< terms among them that come only together, as those of one flux; or none
  /// Whether the flux damps every wave: the eigenvalues of f lie left of the imaginary axis, so that forward
  /// Euler and the Runge–Kutta methods are stable under stable_dt.
  bool dissipative = false;
  /// What a value here depends on: so many layers of triangles around it for each evaluation of f, and once as many more for
  /// the geometry. Layers are of all that share a vertex with the one before.
  double reach = 1;
  int rim = 1;
  /// Whether no depth becomes negative under forward Euler with a step of at most stable_dt, dry cells included.
  bool positive = false;
  /// Where f is not smooth enough for any order: f with kinks that a solution crosses now and then allows 2.
  OrderLimit order_limit;
  /// Whether under these options the depth has no flux of its own: a transport carries it, because the scheme
  /// leaves v·∇η out of its rate.
  std::function<bool(const Parameters&)> leaves_depth_to_transport = [](const Parameters&) { return false; };
  std::function<std::unique_ptr<Discretization>(const Mesh&, const Geometry&, const ScalarField& bed_depth,
                                                const Parameters&, Terms)>
      construct;

  /// The scheme on this mesh, for the solution of equations with these terms.
  std::unique_ptr<Discretization> make(const Mesh& mesh, const Geometry& geometry,
                                       const ScalarField& bed_depth, const Parameters& values,
                                       Terms of_equations = Terms::all()) const {
    return construct(mesh, geometry, bed_depth, values, of_equations);
  }

  template <class Capability>
  bool offers_capability() const {
    return find_offer(Capability::name) != nullptr;
  }
  /// "" if it offers it under these options, else the reason: "requires split rates", or what rules it out.
  template <class Capability>
  std::string unavailable(const Parameters& options) const {
    const Offer* offer = find_offer(Capability::name);
    if (!offer) return std::string("requires ") + Capability::name;
    return offer->unavailable(options);
  }
  /// Whether the scheme's own flux advects the velocity, so that no advection can be added to it.
  bool transports_momentum() const { return inseparable.has(Term::advection); }

 private:
  const Offer* find_offer(std::string_view capability) const;
};

/// The entry of a scheme with Scheme::SchemeOptions; it offers what it derives from, unless
/// Scheme::unavailable(capability, options), where there is one, returns a reason. It has a flux unless
/// Scheme::leaves_depth_to_transport(options), which a FaceVelocity may have. Its constructor takes the mesh, the
/// geometry, the bed's depth and the parameters, and the terms of the equations where it makes a difference.
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
