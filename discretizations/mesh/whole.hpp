// Reductions over a whole surface, bitwise independent of the numbering of its elements and of the number of
// processes: sums are exact and rounded once.
#pragma once

#include "discretizations/common/exact_sum.hpp"
#include "discretizations/common/ranks.hpp"
#include "discretizations/mesh/mesh.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace shoal {

/// The range of vertices, edges or faces that enter a reduction; on a part of a surface those owned by this
/// process.
Range own(const Mesh& mesh, Location at);
inline Range own(const Mesh& /*mesh*/, const Range& range) {
  return range;
}

// Reductions of `values` at a place. Values are a vector, a vector expression, or a function of an element's
// index; a place is a Location, the cells of a scheme, or a range.

/// Also accepts functions whose values are vectors of fixed size.
template <class Place, class Values>
auto sum(const Mesh& mesh, const Place& place, const Values& values);
template <class Place, class A, class B>
double dot(const Mesh& mesh, const Place& place, const A& a, const B& b) {
  return sum(mesh, place, a.cwiseProduct(b));
}
/// NaN if one value is NaN; −∞ (max) or ∞ (min) if there are none.
template <class Place, class Values>
double max(const Mesh& mesh, const Place& place, const Values& values);
template <class Place, class Values>
double min(const Mesh& mesh, const Place& place, const Values& values);
/// The number of elements for which is_counted(index) holds.
template <class Place, class IsCounted>
Index count(const Mesh& mesh, const Place& place, const IsCounted& is_counted);
/// The sum of a number of each process.
Index total(const Mesh& mesh, Index here);
/// Whether `here` is true on all processes.
bool all(const Mesh& mesh, bool here);
/// Values [components, elements] at vertices, edges or faces in the numbering of the whole: on rank 0, and nothing elsewhere.
Eigen::MatrixXd gathered(const Mesh& mesh, Location at, const Eigen::MatrixXd& here);
/// The inverse: the values here of those that rank 0 gives for the whole.
Eigen::MatrixXd spread(const Mesh& mesh, Location at, const Eigen::MatrixXd& of_whole);
/// The vector that rank 0 gives.
Vector shared(const Ranks& ranks, const Vector& values);
/// The processes that share the surface.
const Ranks& ranks_of(const Mesh& mesh);
/// The position of the surface's first vertex: an origin for sums of positions that loses few digits.
Vector3 first_point(const Mesh& mesh, const Points& x);

// Implementation.

/// Reductions over all processes.
void add_up(const Mesh& mesh, ExactSum* sums, int count);
double largest_of_all(const Mesh& mesh, double here);

template <class Place, class Values>
auto sum(const Mesh& mesh, const Place& place, const Values& values) {
  const Range range = own(mesh, place);
  if constexpr (std::is_base_of_v<Eigen::EigenBase<Values>, Values>) {
    ExactSum result;
    result.add(values.segment(range.begin, range.count));
    add_up(mesh, &result, 1);
    return result.value();
  } else {
    using Result = std::decay_t<std::invoke_result_t<const Values&, Index>>;
    if constexpr (std::is_arithmetic_v<Result>) {
      ExactSum result;
      result.add(range.begin, range.count, values);
      add_up(mesh, &result, 1);
      return result.value();
    } else {
      constexpr int count = Result::RowsAtCompileTime;
      std::array<ExactSum, count> sums;
      for (Index i = range.begin; i < range.begin + range.count; ++i) {
        const Result value = values(i);
        for (int c = 0; c < count; ++c) sums[c].add(value[c]);
      }
      add_up(mesh, sums.data(), count);
      Result result;
      for (int c = 0; c < count; ++c) result[c] = sums[c].value();
      return result;
    }
  }
}

template <class Place, class Values>
double max(const Mesh& mesh, const Place& place, const Values& values) {
  const Range range = own(mesh, place);
  double result = -std::numeric_limits<double>::infinity();
  if constexpr (!std::is_base_of_v<Eigen::EigenBase<Values>, Values>) {
    for (Index i = range.begin; i < range.begin + range.count; ++i)
      if (const double value = values(i); value > result || std::isnan(value)) result = value;
  } else if (range.count > 0) {
    result = values.segment(range.begin, range.count).template maxCoeff<Eigen::PropagateNaN>();
  }
  return largest_of_all(mesh, result);
}

template <class Place, class IsCounted>
Index count(const Mesh& mesh, const Place& place, const IsCounted& is_counted) {
  const Range range = own(mesh, place);
  Index result = 0;
  for (Index i = range.begin; i < range.begin + range.count; ++i) result += is_counted(i) ? 1 : 0;
  return total(mesh, result);
}

template <class Place, class Values>
double min(const Mesh& mesh, const Place& place, const Values& values) {
  if constexpr (!std::is_base_of_v<Eigen::EigenBase<Values>, Values>)
    return -max(mesh, place, [&](Index i) { return -values(i); });
  else
    return -max(mesh, place, -values);
}

}  // namespace shoal
