#include "discretizations/dec/linear_vorticity.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/part.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

LinearVorticity::LinearVorticity(const Mesh& mesh, const DualMesh& dual, const Cells& cells)
    : dual_(dual), mesh_(dual.triangulation().mesh), cells_(cells) {
  if (const Part* part = mesh.part.get())
    renewal_ = part->ranks->renewal({part->vertex_ghosts.begin(), part->vertex_ghosts.end()});
  const Index faces = mesh_.face_count();
  Array<Array<Index>> around(mesh_.vertex_count);
  for (Array<Index>& slots : slot_) slots.assign(mesh_.edge_count(), 3 * faces);
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c) {
      around[mesh_.faces(c, k)].push_back(k);
      const Index e = mesh_.face_edges(c, k);
      slot_[mesh_.edge_faces(0, e) == k ? 0 : 1][e] = c * faces + k;
    }
  ring_sum_ = GatherSum<6>(around, faces);
}

void LinearVorticity::resize(LinearVorticityScratch& s) const {
  s.volume.setZero(mesh_.face_count());
  s.edge_depth.setZero(mesh_.edge_count());
  s.edge_flux.setZero(mesh_.edge_count());
  s.torque.setZero(3 * mesh_.face_count() + 1);
  s.face_sum.setZero(mesh_.face_count() + 1);
  for (Vector* v : {&s.circulation, &s.q, &s.diagonal, &s.inverse, &s.residual, &s.direction})
    v->setZero(mesh_.vertex_count);
}

void LinearVorticity::set_volumes(const Vector& cell_depth, LinearVorticityScratch& s) const {
  constexpr double least = 0.1;
  const Vector& area = dual_.triangulation().face_area;
  parallel_for(mesh_.face_count(), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      double at_edges = 0;
      for (int c = 0; c < 3; ++c) at_edges = std::max(at_edges, s.edge_depth[mesh_.face_edges(c, k)]);
      s.volume[k] = area[k] * std::max(cell_depth[cells_.of_element[k]], least * at_edges);
    }
  });
}

/// Chebyshev's iteration: relative to its diagonal, the mass matrix of any triangles with any positive depths
/// has its eigenvalues in [½, 2] (Wathen 1987), so that the error decreases by a factor of 3 per iteration. It
/// starts from the solution with the lumped matrix, and takes no sums over all vertices. On parts every iteration reaches a layer
/// further, so that each renews its direction, of which q is the sum.
void LinearVorticity::solve(double tolerance, LinearVorticityScratch& s) const {
  constexpr double least = 0.5, most = 2, middle = 0.5 * (most + least), radius = 0.5 * (most - least);
  const Index faces = mesh_.face_count(), vertices = mesh_.vertex_count;
  const int iterations = static_cast<int>(std::ceil(std::acosh(1 / tolerance) / std::log(3.0)));
  // ∫ φ_a φ_b η = D_T/12 of both triangles, ∫ φ_a² η = Σ D_T/6
  const auto multiply_into_sum = [&](double scale) {  // face_sum = scale D_T/12 Σ direction
    const double* __restrict x = s.direction.data(), * __restrict volume = s.volume.data();
    double* __restrict sum = s.face_sum.data();
    const Index* __restrict corner = mesh_.faces.data();
    parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
      for (Index k = begin; k < end; ++k)
        sum[k] = scale / 12 * volume[k] * (x[corner[3 * k]] + x[corner[3 * k + 1]] + x[corner[3 * k + 2]]);
    });
  };
  s.face_sum.head(faces) = s.volume / 6;
  s.diagonal.setZero();
  ring_sum_.add(s.face_sum.data(), 1, s.diagonal.data());
  s.inverse = (s.diagonal.array() > 0).select(s.diagonal.cwiseInverse(), 0.0);
  s.residual = s.circulation;
  s.q.setZero();
  s.direction = (1 / most) * s.inverse.cwiseProduct(s.circulation);
  double rho = radius / middle;
  for (int i = 0; i <= iterations; ++i) {
    if (renewal_) (*renewal_)(s.direction.data());
    multiply_into_sum(-1);
    ring_sum_.add(s.face_sum.data(), 1, s.residual.data());
    // The first direction is that of the lumped matrix, the next one starts the iteration.
    const double next = i == 0 ? rho : 1 / (2 * middle / radius - rho);
    const double keep = i == 0 ? 0 : next * rho, add = i == 0 ? 1 / middle : 2 * next / radius;
    if (i > 0) rho = next;
    double *__restrict q = s.q.data(), *__restrict direction = s.direction.data(),
                       *__restrict residual = s.residual.data();
    const double* __restrict inverse = s.inverse.data(), * __restrict diagonal = s.diagonal.data();
    parallel_for(vertices, [=](Index begin, Index end) {
#pragma omp simd
      for (Index a = begin; a < end; ++a) {
        q[a] += direction[a];
        residual[a] -= 0.5 * diagonal[a] * direction[a];
        direction[a] = keep * direction[a] + add * inverse[a] * residual[a];
      }
    });
  }
}

/// The flux through an edge inside a merged cell is the one with which the divergence is the same in all its
/// triangles. The edges are those of a tree; others inside the cell have none.
void LinearVorticity::extend_flux(LinearVorticityScratch& s) const {
  if (dual_.unfolding().empty()) return;
  const auto out_of = [&](Index face) {
    double out = 0;
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh_.face_edges(c, face);
      out += mesh_.edge_faces(0, e) == face ? s.edge_flux[e] : -s.edge_flux[e];
    }
    return out;
  };
  for (const auto& [e, side] : dual_.unfolding()) s.edge_flux[e] = 0;
  s.of_cell.setZero(cells_.count());
  for (Index k = 0; k < mesh_.face_count(); ++k) s.of_cell[cells_.of_element[k]] += out_of(k);
  for (Index i = dual_.unfolding().size() - 1; i >= 0; --i) {
    const auto& [e, side] = dual_.unfolding()[i];
    const Index face = mesh_.edge_faces(1 - side, e), cell = cells_.of_element[face];
    const double share = dual_.triangulation().face_area[face] / cells_.area[cell];
    s.edge_flux[e] = (side == 0 ? 1 : -1) * (out_of(face) - share * s.of_cell[cell]);
  }
}

/// The transpose of extend_flux().
void LinearVorticity::distribute_torque(LinearVorticityScratch& s) const {
  if (dual_.unfolding().empty()) return;
  const Index faces = mesh_.face_count();
  s.of_cell.setZero();
  for (const auto& [e, side] : dual_.unfolding()) {
    const Index face = mesh_.edge_faces(1 - side, e), cell = cells_.of_element[face];
    const double inside = s.torque[slot(e, 1 - side)] - s.torque[slot(e, side)];
    for (int c = 0; c < 3; ++c) s.torque[c * faces + face] -= inside;
    s.of_cell[cell] += inside * dual_.triangulation().face_area[face] / cells_.area[cell];
  }
  for (int c = 0; c < 3; ++c)
    for (Index k = 0; k < faces; ++k) s.torque[c * faces + k] += s.of_cell[cells_.of_element[k]];
}

/// In a triangle with the outward fluxes F_c through the edge opposite to corner c,
///
///     (S(q) F)_c = ∫ q τ_c·(n×F) = s_{c+1} F_{c+2} − s_{c+2} F_{c+1},    s_c = (Σ q + q_c)/24.
void LinearVorticity::rotate(LinearVorticityScratch& s) const {
  extend_flux(s);
  const Index faces = mesh_.face_count();
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      double weight[3], flux[3];
      const double sum = s.q[mesh_.faces(0, k)] + s.q[mesh_.faces(1, k)] + s.q[mesh_.faces(2, k)];
      for (int c = 0; c < 3; ++c) {
        const Index e = mesh_.face_edges(c, k);
        flux[c] = mesh_.edge_faces(0, e) == k ? s.edge_flux[e] : -s.edge_flux[e];
        weight[c] = (sum + s.q[mesh_.faces(c, k)]) * (1.0 / 24);
      }
      for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, last = (c + 2) % 3;
        s.torque[c * faces + k] = weight[d] * flux[last] - weight[last] * flux[d];
      }
    }
  });
  distribute_torque(s);
}

}  // namespace shoal
