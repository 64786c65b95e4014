// Permissions and links of files, and the folder beside a file in which it is written.
#pragma once

#include "experiments/harness/system/stop_signals.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace shoal {

/// FILE.work, beside a file that is being written: nothing of ours bears another name than the file itself
/// until it is whole. Made when it is needed and removed when it is empty. Others see in it what they may see
/// of the file.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& file);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  /// Makes it unless it is there. Throws MachineError, and Error if something else bears its name: what is
  /// no folder, or belongs to another user.
  void make();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path file_, path_;
  std::unique_ptr<RemoveOnSignal> goes_;
};

/// Of a folder beside a file: who may read the file may look into it.
unsigned folder_mode(const std::filesystem::path& file);

std::filesystem::path work_folder(const std::filesystem::path& file);

/// Removes what a killed program has left of writing a file. What cannot be removed does no harm.
void remove_twin(const std::filesystem::path& file);
/// The same, and the file.
void remove_with_twin(const std::filesystem::path& file);

/// Where a symbolic link leads in the end, also if there is nothing yet; any other path as it is. Throws
/// Error on links in a circle.
std::filesystem::path followed(const std::filesystem::path& path);

/// Throws MachineError if there is a file that we may not write: replacing it would ask for no permission.
void require_writable(const std::filesystem::path& file);

/// A new, empty file at `path`, in place of what is there (a link is not followed), with the permissions of
/// `model` if that exists. Returns its descriptor, or −1 with errno.
int create_like(const std::filesystem::path& path, const std::filesystem::path& model);

/// Gives a file the permissions and, as far as the system allows, the group of the one at `path`.
void take_permissions(int file, const std::filesystem::path& path);

}  // namespace shoal
