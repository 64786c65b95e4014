// Permissions, links and renaming.
#include "experiments/harness/system/files.hpp"

#include "discretizations/common/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace shoal {
namespace {

namespace fs = std::filesystem;

constexpr mode_t permissions = 07777, readable = 0444;

[[noreturn]] void throw_failure(const fs::path& path, int reason) {
  throw MachineError(
      fmt::format("'{}': the file cannot be written ({})", path.string(), std::strerror(reason)));
}

}  // namespace

unsigned folder_mode(const fs::path& file) {
  struct stat model {};
  if (stat(file.c_str(), &model) != 0) return 0777;
  return S_IRWXU | (model.st_mode & readable) | ((model.st_mode & readable) >> 2);
}

fs::path work_folder(const fs::path& file) {
  return file.string() + ".work";
}

void remove_twin(const fs::path& file) {
  for (const char* name : {"next", "last"}) unlink((work_folder(file) / name).c_str());
  rmdir(work_folder(file).c_str());  // unless something else is in it
}

void remove_with_twin(const fs::path& file) {
  unlink(file.c_str());
  remove_twin(file);
}

WorkFolder::WorkFolder(const fs::path& file) : file_(file), path_(work_folder(file)) {
  make();
}

WorkFolder::~WorkFolder() {
  rmdir(path_.c_str());
}

void WorkFolder::make() {
  if (!removal_) removal_ = std::make_unique<RemoveOnSignal>(path_);
  struct stat there {};
  const mode_t mode = folder_mode(file_);
  const mode_t others = umask(0);
  umask(others);
  const bool made = mkdir(path_.c_str(), mode & ~others) == 0;
  if (!made && errno != EEXIST) throw_failure(file_, errno);
  if (lstat(path_.c_str(), &there) != 0) throw_failure(file_, errno);
  if (!S_ISDIR(there.st_mode) || there.st_uid != geteuid())
    throw Error(
        fmt::format("'{}' is required as a folder to write '{}', but {}; remove it or choose another output",
                    path_.string(), file_.filename().string(),
                    S_ISDIR(there.st_mode) ? "belongs to another user" : "is not a folder"));
}

fs::path followed(const fs::path& path) {
  fs::path result = path;
  std::error_code failure;
  if (fs::exists(path, failure) && !fs::is_regular_file(path, failure))
    return path;  // not the name of a file
  for (int links = 0; fs::is_symlink(result, failure); ++links) {
    if (links == 40) throw Error(fmt::format("'{}': dangling link", path.string()));
    const fs::path target = fs::read_symlink(result, failure);
    if (failure) break;
    result = target.is_absolute() ? target : result.parent_path() / target;
  }
  return result;
}

void require_writable(const fs::path& file) {
  if (faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT) throw_failure(file, errno);
}

int create_like(const fs::path& path, const fs::path& model) {
  struct stat there {};
  const bool is_new = stat(model.c_str(), &there) != 0;
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return -1;
  const int file =
      open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, is_new ? 0666 : 0600);
  if (file >= 0 && !is_new) take_permissions(file, model);
  return file;
}

void take_permissions(int file, const fs::path& path) {
  struct stat there {
  }, ours{};
  if (stat(path.c_str(), &there) != 0 || fstat(file, &ours) != 0) return;
  const uid_t owner = ours.st_uid == there.st_uid ? static_cast<uid_t>(-1) : there.st_uid;
  const gid_t group = ours.st_gid == there.st_gid ? static_cast<gid_t>(-1) : there.st_gid;
  if (owner != static_cast<uid_t>(-1)) static_cast<void>(!fchown(file, owner, static_cast<gid_t>(-1)));
  // If the group cannot be kept, its permissions must not apply to another group.
  const bool other_group =
      group != static_cast<gid_t>(-1) && fchown(file, static_cast<uid_t>(-1), group) != 0;
  fchmod(file, there.st_mode & permissions & ~(other_group ? S_IRWXG : 0u));
}

}  // namespace shoal
