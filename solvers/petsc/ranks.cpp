// Processes connected by MPI. Ghosts are renewed by PETSc's star forests (Zhang et al. 2022, doi:10.1109/TPDS.2021.3084070).
#include "discretizations/common/array.hpp"
#include "discretizations/common/error.hpp"
#include "solvers/petsc/library.hpp"
#include "solvers/petsc/module.hpp"

#include <petscsf.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace shoal {
namespace {

/// Of PETSc and MPI, after which the processes cannot go on together.
template <class Body>
auto with_messages(const Body& body) {
  try {
    return body();
  } catch (const PetscFailure& failure) {
    throw MachineError("MPI: " + failure.text);
  }
}

void check_mpi(int code) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw MachineError(std::string("MPI: ") + text.data());
}

class StarForest final : public Renewal {
 public:
  StarForest(MPI_Comm processes, std::span<const Ghost> ghosts, PetscInt roots) {
    std::vector<PetscInt> here;
    std::vector<PetscSFNode> there;
    for (const Ghost& ghost : ghosts) {
      here.push_back(ghost.here);
      there.push_back({ghost.owner, ghost.there});
    }
    check(PetscSFCreate(processes, &forest_));
    check(PetscSFSetGraph(forest_, roots, static_cast<PetscInt>(ghosts.size()), here.data(),
                          PETSC_COPY_VALUES, there.data(), PETSC_COPY_VALUES));
    check(PetscSFSetUp(forest_));
  }
  ~StarForest() override { PetscSFDestroy(&forest_); }
  StarForest(const StarForest&) = delete;
  StarForest& operator=(const StarForest&) = delete;

  void operator()(double* values) const override {
    with_messages([&] {
      check(PetscSFBcastBegin(forest_, MPI_DOUBLE, values, values, MPI_REPLACE));
      check(PetscSFBcastEnd(forest_, MPI_DOUBLE, values, values, MPI_REPLACE));
    });
  }

 private:
  PetscSF forest_ = nullptr;
};

class PetscRanks final : public Ranks {
 public:
  PetscRanks() {
    require_library();
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &all_));
    check_mpi(MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN));
    check_mpi(MPI_Comm_rank(all_, &rank_));
    check_mpi(MPI_Comm_size(all_, &count_));
  }
  ~PetscRanks() override {
    MPI_Comm_free(&all_);
    finalize_library();
  }
  PetscRanks(const PetscRanks&) = delete;
  PetscRanks& operator=(const PetscRanks&) = delete;

  int rank() const override { return rank_; }
  int count() const override { return count_; }

  void add(std::span<std::int64_t> values) const override {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T,
                            MPI_SUM, all_));
  }

  /// MPI leaves the largest of NaN and numbers open.
  double max(double value) const override {
    std::array<double, 2> largest = {std::isnan(value) ? 0 : value, std::isnan(value) ? 1.0 : 0};
    if (std::isnan(value)) largest[0] = -std::numeric_limits<double>::infinity();
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, largest.data(), 2, MPI_DOUBLE, MPI_MAX, all_));
    return largest[1] > 0 ? std::numeric_limits<double>::quiet_NaN() : largest[0];
  }

  std::unique_ptr<Renewal> renewal(std::span<const Ghost> ghosts) const override {
    double last = -1;  // of the entries that are copied, on any rank
    for (const Ghost& ghost : ghosts) last = std::fmax(last, ghost.there);
    const auto roots = static_cast<PetscInt>(max(last)) + 1;
    return with_messages([&] { return std::make_unique<StarForest>(all_, ghosts, roots); });
  }

  std::vector<double> gather(std::span<const double> values) const override {
    const int size = static_cast<int>(values.size());
    Array<int> sizes(count_), begins(count_);
    check_mpi(MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, all_));
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
    std::vector<double> received(rank_ == 0 ? static_cast<std::uint64_t>(begins.back() + sizes.back()) : 0);
    check_mpi(MPI_Gatherv(values.data(), size, MPI_DOUBLE, received.data(), sizes.data(), begins.data(),
                          MPI_DOUBLE, 0, all_));
    return received;
  }

  void copy(std::span<std::byte> bytes, int from) const override {
    constexpr std::size_t slice = 1 << 30;  // MPI counts in int
    for (std::size_t begin = 0; begin < bytes.size(); begin += slice)
      check_mpi(MPI_Bcast(bytes.data() + begin, static_cast<int>(std::min(slice, bytes.size() - begin)),
                          MPI_BYTE, from, all_));
  }

  void abort(int code) const override { MPI_Abort(all_, code); }
  MPI_Comm all() const { return all_; }

 private:
  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0, count_ = 1;
};

}  // namespace

MPI_Comm processes_of(const Ranks& ranks) {
  const auto* of_mpi = dynamic_cast<const PetscRanks*>(&ranks);
  return of_mpi ? of_mpi->all() : MPI_COMM_NULL;
}

}  // namespace shoal

extern "C" std::unique_ptr<const shoal::Ranks> shoal_make_petsc_ranks() {
  return std::make_unique<const shoal::PetscRanks>();
}
