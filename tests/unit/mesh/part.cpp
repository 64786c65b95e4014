// Parts of a surface: what each has, what it owns, and sums over all of them.
#include "discretizations/mesh/part.hpp"
#include "discretizations/common/error.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/share.hpp"
#include "discretizations/mesh/whole.hpp"
#include "experiments/harness/run/recorded_mesh.hpp"
#include "solvers/partition.hpp"
#include "tests/support/thread_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>

namespace shoal {
namespace {

/// Three parts of very different sizes, each in several places.
Array<Index> scattered(Index faces) {
  Array<Index> part(faces);
  for (Index k = 0; k < faces; ++k) part[k] = k / 9 % 5 == 0 ? 2 : k / 40 % 2;
  return part;
}

/// A surface by its name, and " in parts".
Surface surface_of(const std::string& text) {
  const std::string name = text.substr(0, text.find(' '));
  const Surface surface = load_surface(name);
  return name == text ? surface : in_parts(surface, scattered(surface.mesh.face_count()));
}

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
  const Surface whole_ = surface_of(GetParam());
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
                                         "rectangle:12x12:periodic", "icosphere:3 in parts",
                                         "rectangle:20x10 in parts", "rectangle:12x12:periodic in parts"));

TEST_P(EverySurface, is_that_of_rank_0_once_shared) {
  test::on_ranks(3, [&](const std::shared_ptr<const Ranks>& ranks) {
    for (const bool edges : {true, false}) {
      Surface surface;
      if (ranks->rank() == 0) {
        surface = whole_;
        if (!edges) surface.mesh = triangles_of(whole_.mesh);
        surface.repairs = {"one", "another"};
        surface.source = "file.obj";
        surface.source_vertex = {3, 5};
        surface.weld = {.length = 0.5, .relative = false};
      }
      share(*ranks, surface);
      const Mesh &here = surface.mesh, &there = whole_.mesh;
      EXPECT_EQ(surface.name, whole_.name);
      EXPECT_EQ(surface.source, "file.obj");
      EXPECT_EQ(surface.source_vertex, (std::vector<Index>{3, 5}));
      EXPECT_TRUE(surface.weld.length == 0.5 && !surface.weld.relative);
      ASSERT_EQ(surface.x.cols(), whole_.x.cols());
      ASSERT_EQ(here.faces.cols(), there.faces.cols());
      EXPECT_EQ(surface.x, whole_.x);
      EXPECT_EQ(surface.input_vertex, whole_.input_vertex);
      EXPECT_EQ(surface.input_face, whole_.input_face);
      EXPECT_EQ(surface.part_begin, whole_.part_begin);
      EXPECT_EQ(surface.repairs.at(1), "another");
      EXPECT_EQ(here.faces, there.faces);
      EXPECT_EQ(here.vertex_count, there.vertex_count);
      EXPECT_EQ(here.has_edges(), edges);
      if (!edges) continue;
      ASSERT_EQ(here.edge_count(), there.edge_count());
      EXPECT_EQ(here.edges, there.edges);
      EXPECT_EQ(here.ring_corner, there.ring_corner);
      EXPECT_EQ(here.corner_shift, there.corner_shift);
      EXPECT_EQ(here.edge_shift, there.edge_shift);
      ASSERT_EQ(here.boundary_sets.size(), there.boundary_sets.size());
      for (std::size_t i = 0; i < here.boundary_sets.size(); ++i) {
        EXPECT_EQ(here.boundary_sets[i].name, there.boundary_sets[i].name);
        EXPECT_EQ(here.boundary_sets[i].edges, there.boundary_sets[i].edges);
      }
    }
  });
}

/// A surface is renumbered only.
class SurfaceInParts : public testing::TestWithParam<const char*> {};

TEST_P(SurfaceInParts, has_the_triangles_and_boundary_of_the_source) {
  const Surface before = load_surface(GetParam());
  const Array<Index> part = scattered(before.mesh.face_count());
  const Surface after = in_parts(before, part);
  const Mesh &old_mesh = before.mesh, &mesh = after.mesh;
  ASSERT_EQ(mesh.face_count(), old_mesh.face_count());
  const auto place = [](const Surface& surface, Index k, int c) -> Vector3 {
    Vector3 x = surface.x.col(surface.mesh.faces(c, k));
    if (surface.mesh.periodic()) x += surface.mesh.corner_shift.col(3 * Eigen::Index{k} + c);
    return x;
  };
  Array<Index> old_face(mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k) old_face[before.input_face.begin()[k]] = k;
  ASSERT_EQ(after.part_begin.size(), 4);
  for (Index p = 0; p < 3; ++p)
    for (Index k = after.part_begin[p]; k < after.part_begin[p + 1]; ++k) {
      const Index there = old_face[after.input_face.begin()[k]];
      EXPECT_EQ(part[there], p);
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(after.input_vertex.begin()[mesh.faces(c, k)],
                  before.input_vertex.begin()[old_mesh.faces(c, there)]);
        EXPECT_EQ(place(after, k, c), place(before, there, c));
      }
    }
  const auto ends = [](const Surface& surface, const BoundarySet& set) {
    std::set<std::set<Index>> all;
    for (const Index e : set.edges)
      all.insert({surface.input_vertex.begin()[surface.mesh.edges(0, e)],
                  surface.input_vertex.begin()[surface.mesh.edges(1, e)]});
    return all;
  };
  ASSERT_EQ(mesh.boundary_sets.size(), old_mesh.boundary_sets.size());
  for (std::size_t i = 0; i < mesh.boundary_sets.size(); ++i) {
    EXPECT_EQ(mesh.boundary_sets[i].name, old_mesh.boundary_sets[i].name);
    EXPECT_EQ(ends(after, mesh.boundary_sets[i]), ends(before, old_mesh.boundary_sets[i]));
  }
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.periodic())
      EXPECT_NEAR(
          (after.x.col(mesh.edges(1, e)) + mesh.edge_shift.col(e) - after.x.col(mesh.edges(0, e))).norm(),
          1.0 / 12, 0.02);
}

INSTANTIATE_TEST_SUITE_P(, SurfaceInParts,
                         testing::Values("icosphere:3", "rectangle:20x10", "rectangle:12x12:periodic",
                                         "figure:400"));

TEST(Parts, of_a_figure_are_of_equal_size_and_have_short_borders) {
  const Surface along_curve = load_surface("figure:4000");
  const auto border = [](const Surface& surface, Index parts) {
    Index edges = 0;
    const auto part = [&](Index face) {
      if (surface.part_begin.empty()) return face * parts / surface.mesh.face_count();
      return static_cast<Index>(std::ranges::upper_bound(surface.part_begin, face) -
                                surface.part_begin.begin()) -
             1;
    };
    for (Index e = 0; e < surface.mesh.edge_count(); ++e)
      edges += part(surface.mesh.edge_faces(0, e)) != part(surface.mesh.edge_faces(1, e));
    return edges;
  };
  for (const Index parts : {2, 5, 16}) {
    const Surface compact = in_compact_parts(along_curve, parts);
    ASSERT_EQ(compact.part_begin.size(), parts + 1);
    for (Index p = 0; p < parts; ++p)
      EXPECT_LE(compact.part_begin[p + 1] - compact.part_begin[p],
                1.02 * compact.mesh.face_count() / parts + 1);
    EXPECT_LT(border(compact, parts), 0.7 * border(along_curve, parts)) << parts;
    EXPECT_EQ(compact.input_face, in_compact_parts(along_curve, parts).input_face);
  }
}

TEST(Parts, have_a_mesh_of_their_own_in_results) {  // where edges have other directions
  const Surface surface = load_surface("icosphere:3");
  const std::string hash = mesh_hash(in_compact_parts(surface, 3));
  EXPECT_NE(hash, mesh_hash(surface));
  EXPECT_NE(hash, mesh_hash(in_compact_parts(surface, 4)));
  EXPECT_EQ(hash, mesh_hash(in_compact_parts(surface, 3)));
}

TEST(Part, is_refused_where_the_parts_of_the_mesh_leave_a_process_nothing) {
  const Surface whole = load_surface("rectangle:20x10");
  Array<Index> part(whole.mesh.face_count(), 1);
  part[7] = 0;
  const Surface uneven = in_parts(whole, part);
  test::on_ranks(2, [&](const std::shared_ptr<const Ranks>& ranks) {
    EXPECT_EQ(part_of(uneven, ranks, 1).mesh.part->own_faces.count,
              ranks->rank() == 0 ? 1 : whole.mesh.face_count() - 1);
  });
  EXPECT_THROW(test::on_ranks(3, [&](std::shared_ptr<const Ranks> ranks) { part_of(uneven, ranks, 1); }),
               Refusal);
}

TEST(Together, all_ranks_throw_the_mistake_of_the_lowest_one_with_its_kind) {
  const auto thrown = [](const std::shared_ptr<const Ranks>& ranks, const auto& mistake) -> std::string {
    try {
      together(*ranks, [&] {
        if (ranks->rank() > 0) mistake();
      });
    } catch (const SettingError& error) {
      return "setting " + error.setting() + ": " + error.what();
    } catch (const Refusal& refusal) {
      return std::string("refusal: ") + refusal.what();
    } catch (const Error& error) {
      return std::string("error: ") + error.what();
    }
    return "nothing";
  };
  test::on_ranks(3, [&](const std::shared_ptr<const Ranks>& ranks) {
    const std::string number = std::to_string(ranks->rank());
    EXPECT_EQ(thrown(ranks, [&] { throw SettingError("dt", "a" + number); }), "setting dt: a1");
    EXPECT_EQ(thrown(ranks, [&] { throw Refusal("c" + number); }), "refusal: c1");
    EXPECT_EQ(thrown(ranks, [&] { throw Error("d" + number); }), "error: d1");
    EXPECT_EQ(thrown(ranks, [] {}), "nothing");
  });
}

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
