// A file that is complete at every moment: data are written to a twin, and publish() atomically replaces the file by the twin.
// If the program is killed or the disk is full, the file remains as last published.
#pragma once

#include "experiments/harness/system/files.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <vector>

namespace shoal {

/// During its lifetime the file's WorkFolder contains `next`, and briefly `last`. Publishing renames the twin to the file's name,
/// with the permissions of the existing file, and updates the former file, which becomes the twin. Every byte is thus written
/// twice, and the disk holds the file twice. A file that a reader has open (flock) is not changed, so that the reader keeps its
/// content, and a new twin is made.
class AtomicFile {
 public:
  /// Begins with the content of the file `beginning`, or empty if that is "". A new file has the permissions of `model`, if that
  /// exists. Throws MachineError, also if the file to be replaced is write-protected.
  AtomicFile(std::filesystem::path path, const std::filesystem::path& beginning,
             const std::filesystem::path& model = {});
  ~AtomicFile();  ///< discards unpublished data
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::uint64_t size() const { return size_; }
  /// Bytes beyond the end are read as 0. Returns false if the system failed.
  bool read(std::uint64_t offset, void* data, std::size_t size);
  /// Data that the system does not accept are kept in memory and read back from there, because the caller may be in the middle of
  /// an operation (HDF5 crashes if a write fails while it copies). The next publish() throws.
  void write(std::uint64_t offset, const void* data, std::size_t size);
  void resize(std::uint64_t size);
  int failure() const { return failure_; }  ///< errno of the first failure; 0 if none
  /// Whether the last published file still exists under its name.
  bool is_there() const;

  /// Replaces the file by the data written so far. If it throws MachineError, the file is unchanged. The file then survives the end
  /// of the program and, with `on_disk` (some ms), a crash of the machine.
  void publish(bool on_disk);
  /// Publishes for the last time; nothing can be written afterwards.
  void finish();

 private:
  struct Range {
    std::uint64_t begin, end;
  };
  /// Data that could not be written.
  struct Unsaved {
    std::uint64_t begin;
    std::vector<char> bytes;
  };
  bool fail();
  void put_in_place(bool on_disk);
  bool resume_former(int former, const struct stat& before);
  void make_twin(int content, const std::filesystem::path& model);
  [[noreturn]] void throw_failure() const;

  std::filesystem::path path_;
  WorkFolder folder_;
  std::filesystem::path next_, last_;
  RemoveOnSignal next_removal_, last_removal_;
  int twin_ = -1;         ///< for writing; −1 if publish() could not make one
  int published_ = -1;    ///< the file under its name; −1 before the first publication
  struct stat state_ {};  ///< of the file at its publication
  std::uint64_t size_ = 0;
  std::vector<Range> written_;    ///< since the last publish
  std::vector<Unsaved> unsaved_;  ///< in the order written
  int failure_ = 0;
};

/// Replaces a file atomically: it is the old or the new one, whatever happens. Follows links and keeps the permissions; a new
/// file has those of `model`, if that exists. Throws MachineError.
void replace_file(const std::filesystem::path& path, const std::string& text,
                  const std::filesystem::path& model = {});

}  // namespace shoal
