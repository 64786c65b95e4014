// Cuts graphs by Scotch (Chevalier & Pellegrini 2008, doi:10.1016/j.parco.2007.12.001), which comes with PETSc.
#include "discretizations/common/error.hpp"
#include "solvers/petsc/module.hpp"

#include <cstdint>
#include <cstdio>  // scotch.h uses FILE

#include <scotch.h>

namespace shoal {
namespace {

static_assert(SCOTCH_VERSION >= 7 && sizeof(SCOTCH_Num) == sizeof(Index));

/// An object of Scotch, initialised and freed.
template <class Object>
class Owned {
 public:
  Owned(int (*initialise)(Object*), void (*free)(Object*)) : free_(free) {
    if (initialise(&object_) != 0) throw MachineError("Scotch ran out of memory");
  }
  ~Owned() { free_(&object_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Object* get() { return &object_; }

 private:
  Object object_;
  void (*free_)(Object*);
};

}  // namespace

extern "C" void shoal_cut_graph(const Array<Index>& start, const Array<Index>& neighbour, Index parts,
                                Array<Index>& part) {
  constexpr double imbalance = 0.01;  // the largest part exceeds the average by at most this fraction
  part.resize(start.size() - 1);
  // One thread and a fixed seed: the same parts each time.
  Owned<SCOTCH_Context> context(SCOTCH_contextInit, SCOTCH_contextExit);
  Owned<SCOTCH_Graph> graph(SCOTCH_graphInit, SCOTCH_graphExit), bound(SCOTCH_graphInit, SCOTCH_graphExit);
  Owned<SCOTCH_Strat> strategy(SCOTCH_stratInit, SCOTCH_stratExit);
  // By bisections: if the number of parts is a power of two, pairs of consecutive parts suit half as many processes.
  const bool failed = SCOTCH_contextOptionSetNum(context.get(), SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
                      SCOTCH_contextOptionSetNum(context.get(), SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1) != 0 ||
                      SCOTCH_contextThreadSpawn(context.get(), 1, nullptr) != 0 ||
                      SCOTCH_graphBuild(graph.get(), 0, part.size(), start.data(), nullptr, nullptr, nullptr,
                                        neighbour.size(), neighbour.data(), nullptr) != 0 ||
                      SCOTCH_contextBindGraph(context.get(), graph.get(), bound.get()) != 0 ||
                      SCOTCH_stratGraphMapBuild(strategy.get(), SCOTCH_STRATQUALITY | SCOTCH_STRATRECURSIVE,
                                                parts, imbalance) != 0;
  SCOTCH_contextRandomSeed(context.get(), 1);
  if (failed || SCOTCH_graphPart(bound.get(), parts, strategy.get(), part.data()) != 0)
    throw MachineError("Scotch cannot cut the mesh into parts");
}

}  // namespace shoal
