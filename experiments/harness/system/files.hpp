// Permissions and links of files, and the work folder beside a file that is being written.
#pragma once

#include "experiments/harness/system/stop_signals.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace shoal {

/// FILE.work, beside a file that is being written, contains all incomplete files. It is made on demand and removed when empty. Its
/// permissions correspond to those of the file.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& file);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  /// Makes it unless it exists. Throws MachineError, and Error if its name is taken by something that is not a folder or belongs
  /// to another user.
  void make();
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path file_, path_;
  std::unique_ptr<RemoveOnSignal> removal_;
};

/// Permissions of a folder beside a file: readers of the file may list it.
unsigned folder_mode(const std::filesystem::path& file);

std::filesystem::path work_folder(const std::filesystem::path& file);

/// Removes temporary files that a killed program left when writing a file. Failures do no harm and are ignored.
void remove_twin(const std::filesystem::path& file);
/// Removes these and the file itself.
void remove_with_twin(const std::filesystem::path& file);

/// The final target of a symbolic link, even if it does not exist yet; any other path unchanged. Throws Error on circular links.
std::filesystem::path followed(const std::filesystem::path& path);

/// Throws MachineError if the file exists and is write-protected, because replacing it would not check that.
void require_writable(const std::filesystem::path& file);

/// Makes a new, empty file at `path`, replacing anything there (without following a link), with the permissions of `model` if
/// that exists. Returns its descriptor, or −1 with errno.
int create_like(const std::filesystem::path& path, const std::filesystem::path& model);

/// Gives a file the permissions and, as far as the system allows, the group of the file at `path`.
void take_permissions(int file, const std::filesystem::path& path);

}  // namespace shoal
