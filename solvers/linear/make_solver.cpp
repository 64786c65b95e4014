// Solvers for one process, used by several: rank 0 solves for all.
#include "solvers/linear/gathered_matrix.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/unknowns.hpp"

namespace shoal {
namespace {

class SolverOfRank0 final : public LinearSolver {
 public:
  SolverOfRank0(std::unique_ptr<LinearSolver> solver, const Mesh& mesh, const Cells& cells)
      : solver_(std::move(solver)), mesh_(mesh), gathered_(mesh, cells) {}

  void analyze(const SymmetricMatrix& pattern) override {
    const SymmetricMatrix& whole = gathered_.analyze(pattern);
    together(ranks_of(mesh_), [&] {
      if (gathered_.is_here()) solver_->analyze(whole);
    });
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    const SymmetricMatrix& whole = gathered_.gather(matrix);
    SolverReport report;
    if (gathered_.is_here()) report = solver_->factorize(whole, clock);
    return shared(report);
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    whole_ = gathered_.gather(right_side, work_);
    Vector solved;
    if (solution.size() == right_side.size()) solved = gathered_.gather(solution, work_);
    SolverReport report;
    if (gathered_.is_here()) report = solver_->solve(whole_, solved, clock);
    report = shared(report);
    if (report.ok) solution = gathered_.spread(solved);
    return report;
  }

  void save(Archive& archive) const override { solver_->save(archive); }
  void restore(const Archive& archive, const SymmetricMatrix& pattern) override {
    const SymmetricMatrix& whole = gathered_.analyze(pattern);
    if (gathered_.is_here()) solver_->restore(archive, whole);
  }

 private:
  /// The report of rank 0.
  SolverReport shared(SolverReport report) const {
    const Ranks& ranks = ranks_of(mesh_);
    report.reason = ranks.share(report.reason);
    Vector numbers(4);
    numbers << report.ok, report.iterations, report.residual, report.factorizations;
    numbers = shoal::shared(ranks, numbers);
    report.ok = numbers[0] != 0;
    report.iterations = static_cast<int>(numbers[1]);
    report.residual = numbers[2];
    report.factorizations = static_cast<int>(numbers[3]);
    return report;
  }

  std::unique_ptr<LinearSolver> solver_;
  const Mesh& mesh_;
  GatheredMatrix gathered_;
  Vector whole_, work_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_solver(const LinearSolverEntry& entry, const Parameters& parameters,
                                          const Mesh& mesh, const Cells& cells) {
  if (!mesh.part) return entry.make(parameters);
  if (entry.make_shared)
    if (auto solver = entry.make_shared(parameters, mesh, cells)) return solver;
  return std::make_unique<SolverOfRank0>(entry.make(parameters), mesh, cells);
}

}  // namespace shoal
