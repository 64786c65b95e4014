// Runs ffmpeg as a child process.
#include "reference/program/video.hpp"

#include "discretizations/common/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

extern char** environ;

namespace shoal {

void require_ffmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((folder + "/ffmpeg").c_str(), X_OK) == 0) return;
  throw MachineError(
      "--video: ffmpeg is not installed (Debian's package: ffmpeg); --png DIR writes pictures without it");
}

Video::Video(const std::filesystem::path& path, int width, int height, double rate)
    // absolute, because ffmpeg would take a name that begins with - for an option
    : path_(path), part_(std::filesystem::absolute(path).string() + ".part"), removal_(part_) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw MachineError(fmt::format("cannot open a pipe to ffmpeg: {}", std::strerror(errno)));
  pipe_ = ends[1];
  const std::string size = fmt::format("{}x{}", width, height), frames = fmt::format("{}", rate),
                    part = part_.string();
  // Bit-exact: omits version and date.
  const char* arguments[] = {"ffmpeg",
                             "-hide_banner",
                             "-loglevel",
                             "error",
                             "-y",
                             "-f",
                             "rawvideo",
                             "-pixel_format",
                             "rgb24",
                             "-video_size",
                             size.c_str(),
                             "-framerate",
                             frames.c_str(),
                             "-i",
                             "-",
                             "-an",
                             "-c:v",
                             "libx264",
                             "-crf",
                             "20",
                             "-pix_fmt",
                             "yuv420p",
                             "-fflags",
                             "+bitexact",
                             "-flags:v",
                             "+bitexact",
                             "-map_metadata",
                             "-1",
                             "-movflags",
                             "+faststart",
                             "-f",
                             "mp4",
                             part.c_str(),
                             nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  const int failure =
      posix_spawnp(&process_, "ffmpeg", &actions, nullptr, const_cast<char**>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failure == 0) return;
  close(pipe_);
  throw MachineError(fmt::format("cannot start ffmpeg: {}", std::strerror(failure)));
}

Video::~Video() {
  if (pipe_ < 0) return;
  close(pipe_);
  waitpid(process_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void Video::add(const Image& image) {
  const std::uint8_t* at = image.bytes.data();
  for (std::size_t left = image.bytes.size(); left > 0;) {
    const ssize_t written = write(pipe_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw MachineError(fmt::format("cannot write '{}': ffmpeg has ended", path_.string()));
    at += written;
    left -= static_cast<std::size_t>(written);
  }
}

namespace {

/// Whether a file consists of complete MP4 boxes (ISO/IEC 14496-12, 4.2) and includes the index of frames. The exit code of ffmpeg
/// is not enough: it is 0 even when the disk is full.
bool is_whole(const std::filesystem::path& path) {
  std::error_code failure;
  const std::uintmax_t end = std::filesystem::file_size(path, failure);
  if (failure) return false;
  std::ifstream file(path, std::ios::binary);
  bool has_index = false;
  for (std::uintmax_t at = 0; at < end;) {
    unsigned char head[16] = {};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(reinterpret_cast<char*>(head), 8)) return false;
    std::uintmax_t size = 0;
    for (int i = 0; i < 4; ++i) size = size << 8 | head[i];
    const std::string type(head + 4, head + 8);
    if (size == 1) {  // 64 bits
      if (!file.read(reinterpret_cast<char*>(head + 8), 8)) return false;
      size = 0;
      for (int i = 8; i < 16; ++i) size = size << 8 | head[i];
    }
    if (size < 8 || size > end - at) return false;
    has_index = has_index || type == "moov";
    at += size;
  }
  return has_index;
}

}  // namespace

void Video::finish() {
  close(std::exchange(pipe_, -1));
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  std::error_code failure;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_whole(part_)) {
    std::filesystem::rename(part_, path_, failure);
    if (!failure) return;
  }
  std::filesystem::remove(part_, failure);
  throw MachineError(fmt::format("cannot write '{}': ffmpeg failed; is the disk full?", path_.string()));
}

}  // namespace shoal
