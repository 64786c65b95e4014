// Writes beside a file and renames over it, without copying everything each time.
#include "experiments/harness/storage/atomic_file.hpp"

#include "discretizations/common/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace shoal {
namespace {

namespace fs = std::filesystem;

bool write_all(int file, std::uint64_t offset, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t count = pwrite(file, data, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    data += count;
    offset += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

/// Reads as much as available; −1 on failure.
ssize_t read_some(int file, std::uint64_t offset, char* data, std::size_t size) {
  ssize_t total = 0;
  while (static_cast<std::size_t>(total) < size) {
    const ssize_t count =
        pread(file, data + total, size - static_cast<std::size_t>(total), static_cast<off_t>(offset) + total);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    if (count == 0) break;
    total += count;
  }
  return total;
}

bool copy_range(int from, int to, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    auto in = static_cast<off_t>(begin), out = static_cast<off_t>(begin);
    const ssize_t count = copy_file_range(from, &in, to, &out, end - begin, 0);
    if (count <= 0) break;  // unsupported by this file system, or at the end
    begin += static_cast<std::uint64_t>(count);
  }
  std::vector<char> buffer(std::min<std::uint64_t>(end - begin, 1 << 20));
  while (begin < end) {
    const ssize_t count = read_some(from, begin, buffer.data(), std::min(buffer.size(), end - begin));
    if (count < 0 || !write_all(to, begin, buffer.data(), static_cast<std::size_t>(count))) return false;
    if (count == 0) break;
    begin += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace

AtomicFile::AtomicFile(fs::path path, const fs::path& beginning, const fs::path& model)
    : path_(std::move(path)),
      folder_(path_),
      next_(folder_ / "next"),
      last_(folder_ / "last"),
      next_removal_(next_),
      last_removal_(last_) {
  require_writable(path_);
  if (stat(path_.c_str(), &state_) != 0) state_ = {};
  int content = -1;
  if (!beginning.empty()) {
    content = open(beginning.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (content < 0 || fstat(content, &status) != 0) fail();
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  if (failure_ == 0) make_twin(content, state_.st_ino != 0 ? path_ : model);
  if (content >= 0) close(content);
  if (failure_ == 0) return;
  if (twin_ >= 0) close(twin_);
  unlink(next_.c_str());
  throw_failure();
}

AtomicFile::~AtomicFile() {
  if (twin_ >= 0) {
    close(twin_);
    unlink(next_.c_str());
  }
  if (published_ >= 0) close(published_);
}

bool AtomicFile::fail() {
  if (failure_ == 0) failure_ = errno;
  return false;
}

void AtomicFile::throw_failure() const {
  std::error_code unknown;
  if (failure_ == ENOENT && !fs::exists(folder_.path(), unknown) && fs::exists(path_, unknown))
    throw MachineError(fmt::format("'{}', the folder of '{}', was removed meanwhile", folder_.path().string(),
                                   path_.filename().string()));
  throw MachineError(
      fmt::format("'{}': the file cannot be written ({})", path_.string(), std::strerror(failure_)));
}

bool AtomicFile::read(std::uint64_t offset, void* data, std::size_t size) {
  auto* bytes = static_cast<char*>(data);
  const ssize_t count = read_some(twin_ >= 0 ? twin_ : published_, offset, bytes, size);
  if (count < 0) return fail();
  std::memset(bytes + count, 0, size - static_cast<std::size_t>(count));
  for (const Unsaved& one : unsaved_) {
    const std::uint64_t begin = std::max(offset, one.begin),
                        end = std::min(offset + size, one.begin + one.bytes.size());
    if (begin < end)
      std::memcpy(bytes + (begin - offset), one.bytes.data() + (begin - one.begin), end - begin);
  }
  return true;
}

void AtomicFile::write(std::uint64_t offset, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  const std::uint64_t end = offset + size;
  if (!written_.empty() && written_.back().end == offset)
    written_.back().end = end;
  else
    written_.push_back({offset, end});
  size_ = std::max(size_, end);
  if (failure_ == 0 && (write_all(twin_, offset, bytes, size) || fail())) return;
  unsaved_.push_back({offset, {bytes, bytes + size}});
}

void AtomicFile::resize(std::uint64_t size) {
  size_ = size;
  if (failure_ == 0 && ftruncate(twin_, static_cast<off_t>(size)) != 0) fail();
}

bool AtomicFile::is_there() const {
  struct stat ours {
  }, there{};
  return published_ >= 0 && fstat(published_, &ours) == 0 && stat(path_.c_str(), &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

/// A new twin, from the file `content` unless that is −1.
void AtomicFile::make_twin(int content, const fs::path& model) {
  twin_ = create_like(next_, model);
  if (twin_ < 0 || (content >= 0 && !copy_range(content, twin_, 0, size_))) fail();
}

/// Renames the twin to the file. The former file, if unchanged, is kept under the name `last`.
void AtomicFile::put_in_place(bool on_disk) {
  if (failure_ != 0) throw_failure();
  unlink(last_.c_str());
  struct stat there {};
  const bool is_ours = published_ >= 0 ? is_there() : state_.st_ino != 0;  // otherwise it may be replaced
  if (lstat(path_.c_str(), &there) == 0 && (!is_ours || there.st_ino != state_.st_ino))
    throw MachineError(fmt::format("'{}': another file took its place meanwhile", path_.string()));
  if (is_there())
    static_cast<void>(link(path_.c_str(), last_.c_str()));  // without links, everything is copied
  take_permissions(twin_, path_);
  flock(twin_, LOCK_UN);  // allows readers as soon as it has the file's name
  if ((on_disk && fdatasync(twin_) != 0) || rename(next_.c_str(), path_.c_str()) != 0) {
    fail();
    unlink(last_.c_str());
    throw_failure();
  }
  // The former file is written to below: the disk must have recorded by then that it is no longer the file.
  if (const int folder =
          on_disk ? open(folder_.path().parent_path().empty() ? "." : folder_.path().parent_path().c_str(),
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                  : -1;
      folder >= 0) {
    fsync(folder);
    close(folder);
  }
}

/// The former file becomes the twin unless a reader has it open.
bool AtomicFile::resume_former(int former, const struct stat& before) {
  if (former < 0 || flock(former, LOCK_EX | LOCK_NB) != 0) return false;
  struct stat now {};  // another program may have written to it under the file's name
  if (fstat(former, &now) != 0 || now.st_size != before.st_size ||
      now.st_mtim.tv_sec != before.st_mtim.tv_sec || now.st_mtim.tv_nsec != before.st_mtim.tv_nsec)
    return false;
  if (rename(last_.c_str(), next_.c_str()) != 0) return false;
  std::ranges::sort(written_, [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::uint64_t done = 0;
  for (const Range& range : written_) {
    const std::uint64_t begin = std::max(range.begin, done), end = std::min(range.end, size_);
    if (begin < end && !copy_range(published_, former, begin, end)) fail();
    done = std::max(done, end);
  }
  if (ftruncate(former, static_cast<off_t>(size_)) != 0) fail();
  twin_ = former;
  return true;
}

void AtomicFile::publish(bool on_disk) {
  put_in_place(on_disk);
  const int former = std::exchange(published_, std::exchange(twin_, -1));
  const struct stat former_state = state_;
  fstat(published_, &state_);
  if (!resume_former(former, former_state)) {
    if (former >= 0) close(former);
    unlink(last_.c_str());
    make_twin(published_, path_);
  }
  written_.clear();
  if (failure_ == 0 || twin_ < 0) return;
  close(std::exchange(twin_, -1));  // it is incomplete; the published file is complete
  unlink(next_.c_str());
}

void AtomicFile::finish() {
  put_in_place(false);
  unlink(last_.c_str());
  if (published_ >= 0) close(published_);
  published_ = std::exchange(twin_, -1);
}

void replace_file(const fs::path& path, const std::string& text, const fs::path& model) {
  AtomicFile file(followed(path), "", model);
  file.write(0, text.data(), text.size());
  file.finish();
}

}  // namespace shoal
