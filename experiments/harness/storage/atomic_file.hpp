// A file that is whole at every moment: what is written goes to a twin, and publish() puts the twin in its
// place in one step. A program killed at any moment, or a full disk, leaves the file as it was last
// published.
#pragma once

#include "experiments/harness/system/files.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <vector>

namespace shoal {

/// In the file's WorkFolder lies `next` while this lives, and for a moment `last`. Publishing gives the twin
/// the file's name (rename), with the permissions that the file there has, and brings the former file, from
/// now on the twin, up to date with what was written since; so a byte is written twice, and the disk holds
/// the file twice. A reader that has the file open keeps the content of that time: such a file is not changed
/// (flock), and a new twin is made.
class AtomicFile {
 public:
  /// Begins with the content of the file `beginning`, or empty if that is "". A new file has the permissions of `model`, if
  /// that exists. Throws MachineError, also where the file that is to be replaced may not be written.
  AtomicFile(std::filesystem::path path, const std::filesystem::path& beginning,
             const std::filesystem::path& model = {});
  ~AtomicFile();  ///< drops what was not published
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::uint64_t size() const { return size_; }
  /// Bytes behind the end are read as 0. Returns false where the system failed.
  bool read(std::uint64_t offset, void* data, std::size_t size);
  /// What the system does not take is remembered, so that it is read as it was written: who writes may be in the midst of
  /// something (HDF5 crashes where a write fails while it copies). The next publish() throws.
  void write(std::uint64_t offset, const void* data, std::size_t size);
  void resize(std::uint64_t size);
  int failure() const { return failure_; }  ///< errno of the first failure, 0 while there was none
  /// Whether what was published last is still there under its name.
  bool is_there() const;

  /// Makes what was written so far the file. Throws MachineError, and then the file is as it was. Without
  /// `on_disk` it survives this program, with it (some ms) the machine as well.
  void publish(bool on_disk);
  /// The same for the last time: nothing can be written afterwards.
  void finish();

 private:
  struct Range {
    std::uint64_t begin, end;
  };
  /// What could not be written.
  struct Unsaved {
    std::uint64_t begin;
    std::vector<char> bytes;
  };
  bool fail();
  void put_in_place(bool on_disk);
  bool take_over_former(int former, const struct stat& before);
  void make_twin(int content, const std::filesystem::path& model);
  [[noreturn]] void complain() const;

  std::filesystem::path path_;
  WorkFolder folder_;
  std::filesystem::path next_, last_;
  RemoveOnSignal next_goes_, last_goes_;
  int twin_ = -1;         ///< written to; −1 where publish() could make none
  int published_ = -1;    ///< the file under its name; −1 as long as there is none of ours
  struct stat state_ {};  ///< of the file when it was published
  std::uint64_t size_ = 0;
  std::vector<Range> written_;    ///< since the last publish
  std::vector<Unsaved> unsaved_;  ///< in the order written
  int failure_ = 0;
};

/// Replaces a file in one step: it is the old or the new one, whatever happens. Follows links and keeps the
/// permissions; a new file has those of `model`, if that exists. Throws MachineError.
void replace_file(const std::filesystem::path& path, const std::string& text,
                  const std::filesystem::path& model = {});

}  // namespace shoal
