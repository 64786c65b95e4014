// Parts of a surface: what each has, what it owns, and sums over all of them.
#include "discretizations/mesh/part.hpp"
#include "discretizations/common/error.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/whole.hpp"
#include "tests/support/thread_ranks.hpp"

#include <gtest/gtest.h>

#include <mutex>

namespace shoal {
namespace {

class EverySurface : public testing::TestWithParam<const char*> {
 protected:
  /// Calls check(part, its mesh) for each of several parts, one after the other.
  void for_parts(int layers, const std::function<void(const Surface&)>& check) {
    std::mutex one_at_a_time;
    for (const int count : {1, 2, 3, 7})
      test::on_ranks(count, [&](std::shared_ptr<const Ranks> ranks) {
        const Surface part = part_of(whole_, std::move(ranks), layers);
        const std::lock_guard lock(one_at_a_time);
        check(part);
      });
  }
  const Surface whole_ = load_surface(GetParam());
};

TEST_P(EverySurface, is_owned_once) {
  for (const int count : {1, 2, 3, 7}) {
    std::mutex one_at_a_time;
    Array<int> vertices(whole_.mesh.vertex_count, 0), edges(whole_.mesh.edge_count(), 0),
        faces(whole_.mesh.face_count(), 0);
    test::on_ranks(count, [&](std::shared_ptr<const Ranks> ranks) {
      const Surface surface = part_of(whole_, std::move(ranks), 1);
      const Part& part = *surface.mesh.part;
      const std::lock_guard lock(one_at_a_time);
      const auto add = [](const Range& own, const Array<Index>& in_whole, Array<int>& owners) {
        for (Index i = own.begin; i < own.begin + own.count; ++i) ++owners[in_whole[i]];
      };
      add(part.own_vertices, part.vertex, vertices);
      add(part.own_edges, part.edge, edges);
      add(part.own_faces, part.face, faces);
    });
    for (const Array<int>* owners : {&vertices, &edges, &faces})
      for (const int owner : *owners) EXPECT_EQ(owner, 1);
  }
}

TEST_P(EverySurface, has_all_around_what_a_part_owns_in_the_order_of_the_whole) {
  for_parts(1, [&](const Surface& surface) {
    const Mesh &here = surface.mesh, &whole = whole_.mesh;
    const Part& part = *here.part;
    for (Index i = part.own_vertices.begin; i < part.own_vertices.begin + part.own_vertices.count; ++i) {
      const Index there = part.vertex[i];
      ASSERT_EQ(here.ring_start[i + 1] - here.ring_start[i],
                whole.ring_start[there + 1] - whole.ring_start[there]);
      for (Index r = here.ring_start[i], w = whole.ring_start[there]; r < here.ring_start[i + 1]; ++r, ++w) {
        EXPECT_EQ(part.face[here.ring_corner[r] / 3], whole.ring_corner[w] / 3);
        EXPECT_EQ(here.ring_corner[r] % 3, whole.ring_corner[w] % 3);
      }
    }
    for (Index e = part.own_edges.begin; e < part.own_edges.begin + part.own_edges.count; ++e) {
      EXPECT_FALSE(part.rim[e]);
      for (int side = 0; side < 2; ++side) {
        EXPECT_EQ(part.vertex[here.edges(side, e)], whole.edges(side, part.edge[e]));
        const Index face = here.edge_faces(side, e);
        EXPECT_EQ(face == Mesh::none ? Mesh::none : part.face[face], whole.edge_faces(side, part.edge[e]));
      }
    }
    for (Index k = 0; k + 1 < here.face_count(); ++k) EXPECT_LT(part.face[k], part.face[k + 1]);
  });
}

TEST_P(EverySurface, renews_ghosts_from_their_owners) {
  for_parts(2, [](const Surface&) {});
  for (const int count : {2, 3, 7}) {
    std::atomic<int> wrong = 0;
    test::on_ranks(count, [&](std::shared_ptr<const Ranks> ranks) {
      const Surface surface = part_of(whole_, ranks, 2);
      const Part& part = *surface.mesh.part;
      for (const auto& [at, in_whole] : {std::pair(Location::vertex, &part.vertex),
                                         {Location::edge, &part.edge},
                                         {Location::face, &part.face}}) {
        Vector values = Vector::Constant(in_whole->size(), -1);
        for (Index i = part.own(at).begin; i < part.own(at).begin + part.own(at).count; ++i)
          values[i] = (*in_whole)[i];
        const auto renewal = ranks->renewal({part.ghosts(at).begin(), part.ghosts(at).end()});
        (*renewal)(values.data());
        for (Index i = 0; i < values.size(); ++i) wrong += values[i] != (*in_whole)[i];
      }
    });
    EXPECT_EQ(wrong, 0);
  }
}

TEST_P(EverySurface, adds_up_to_the_bits_of_the_whole) {
  const auto value = [](Index i) { return std::sin(1e3 * i) * std::exp(20 * std::cos(7.0 * i)); };
  for (const Location at : {Location::vertex, Location::edge, Location::face}) {
    const double sum_of_whole = sum(whole_.mesh, at, value), largest = max(whole_.mesh, at, value);
    for (const int count : {2, 3, 7}) {
      std::atomic<int> wrong = 0;
      test::on_ranks(count, [&](std::shared_ptr<const Ranks> ranks) {
        const Surface surface = part_of(whole_, std::move(ranks), 1);
        const Part& part = *surface.mesh.part;
        const Array<Index>& in_whole = at == Location::vertex ? part.vertex
                                       : at == Location::edge ? part.edge
                                                              : part.face;
        const auto here = [&](Index i) { return value(in_whole[i]); };
        wrong += sum(surface.mesh, at, here) != sum_of_whole;
        wrong += max(surface.mesh, at, here) != largest;
        wrong += first_point(surface.mesh, surface.x) != whole_.x.col(0);
        wrong += !all(surface.mesh, true) || all(surface.mesh, surface.mesh.part->ranks->rank() > 0);
      });
      EXPECT_EQ(wrong, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, EverySurface,
                         testing::Values("icosphere:3", "torus:24x12", "rectangle:20x10",
                                         "rectangle:12x12:periodic"));

/// Of a list of triangles a part has all that it has of the whole surface.
class ListedSurface : public testing::TestWithParam<const char*> {};

TEST_P(ListedSurface, gives_the_parts_of_the_whole) {
  const Surface whole = load_surface(GetParam(), 2);
  const std::optional<Surface> list = load_triangles(GetParam(), 2);
  ASSERT_TRUE(list && !list->mesh.has_edges());
  EXPECT_EQ(list->mesh.faces, whole.mesh.faces);
  EXPECT_EQ(list->x, whole.x);
  EXPECT_EQ(list->input_vertex, whole.input_vertex);
  EXPECT_EQ(list->input_face, whole.input_face);
  EXPECT_TRUE(whole.mesh.closed() && list->mesh.closed());
  EXPECT_EQ(list->mesh.euler_characteristic(), whole.mesh.euler_characteristic());
  for (const int count : {2, 5})
    test::on_ranks(count, [&](const std::shared_ptr<const Ranks>& ranks) {
      const Surface one = part_of(*list, ranks, 3), other = part_of(whole, ranks, 3);
      EXPECT_EQ(one.mesh.faces, other.mesh.faces);
      const Part &listed = *one.mesh.part, &part = *other.mesh.part;
      for (const Location at : {Location::vertex, Location::edge, Location::face}) {
        EXPECT_TRUE(std::ranges::equal(listed.in_whole(at), part.in_whole(at)));
        EXPECT_TRUE(
            std::ranges::equal(listed.ghosts(at), part.ghosts(at), [](const Ghost& a, const Ghost& b) {
              return a.owner == b.owner && a.there == b.there && a.here == b.here;
            }));
      }
      for (Index e = 0; e < one.mesh.edge_count(); ++e) {  // as they are numbered in the whole
        const Index there = listed.edge[e];
        for (int end = 0; end < 2; ++end) {
          const Index vertex = listed.vertex[one.mesh.edges(end, e)];
          EXPECT_TRUE(vertex == whole.mesh.edges(0, there) || vertex == whole.mesh.edges(1, there));
        }
        EXPECT_EQ(listed.rim[e] != 0, one.mesh.is_wall(e));
      }
    });
}

INSTANTIATE_TEST_SUITE_P(, ListedSurface,
                         testing::Values("icosphere:0", "icosphere:4", "icosphere:6", "jittered-sphere:3",
                                         "uv-sphere:2", "random-sphere:3", "refined-sphere:2", "ellipsoid:3",
                                         "blob:3", "blob:3:slivers", "torus:24x12",
                                         "torus:24x12:structured"));

TEST(ListOfTriangles, is_none_where_edges_or_repairs_are_needed) {
  for (const char* name : {"rectangle:8x4", "figure", "letters", "no-mesh.obj"})
    EXPECT_FALSE(load_triangles(name, 1)) << name;
}

TEST(Part, is_refused_where_there_are_fewer_triangles_than_processes) {
  const Surface whole = load_surface("rectangle:1x1");
  EXPECT_THROW(test::on_ranks(7, [&](std::shared_ptr<const Ranks> ranks) { part_of(whole, ranks, 1); }),
               Refusal);
}

TEST(Order, of_a_large_surface_is_in_compact_pieces) {
  const Surface sphere = load_surface("icosphere:6");  // two of them
  const Index half = sphere.mesh.face_count() / 2;
  Index between = 0;
  for (Index e = 0; e < sphere.mesh.edge_count(); ++e)
    between += (sphere.mesh.edge_faces(0, e) < half) != (sphere.mesh.edge_faces(1, e) < half);
  EXPECT_LT(between, 1200);  // a great circle cuts about 500
}

}  // namespace
}  // namespace shoal
