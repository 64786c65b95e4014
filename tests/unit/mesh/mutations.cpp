// Valid files with damage of every kind: each is a surface or is refused in one line, quickly and without much
// memory. The seeds are the named ones of the fuzzer (tests/fuzz/corpus); `scripts/fuzz.sh --mutations N` runs more.
#include "discretizations/mesh/characters/character.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/formats/words.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"
#include "tests/support/temporary.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

namespace shoal::test {
namespace {

namespace fs = std::filesystem;

constexpr double longest_time = 5;  // s, on a machine that does much else; most take 0.1 ms
constexpr std::uint64_t largest_memory =
    512ull << 20;  // in addition to the memory of the tests, for files of a few kB

/// Damages a text or bytes at random, the same for the same seed.
class Damage {
 public:
  explicit Damage(std::uint64_t seed) : random_(seed) {}

  std::string damaged(std::string bytes, const std::string& other) {
    for (std::size_t left = 1 + below(4); left > 0 && !bytes.empty(); --left) change(bytes, other);
    return bytes;
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  void change(std::string& bytes, const std::string& other) {
    const std::size_t at = below(bytes.size()),
                      length = std::min(bytes.size() - at, std::size_t{1} << below(8));
    const auto put = [&](const std::string& what) {
      bytes.replace(at, std::min(what.size(), bytes.size() - at), what);
    };
    switch (below(12)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
        return;
      case 1:
        bytes[at] = static_cast<char>(random_());
        return;
      case 2:
        bytes.erase(at, length);
        return;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size()), length));
        return;
      case 4:
        bytes.resize(at);
        return;
      case 5:
        bytes.insert(at, random_bytes(length));
        return;
      case 6:
        put(std::string(length, "\0\xff\x7f \n"[below(5)]));
        return;
      case 7:
        put(extreme_number());
        return;
      case 8:
        bytes = bytes.substr(0, at) + other.substr(below(other.size()));
        return;
      case 9:
        for (std::size_t times = below(200); times > 0; --times) bytes.insert(at, bytes.substr(at, 4));
        return;
      default:
        replace_number(bytes, at);
    }
  }

  std::string random_bytes(std::size_t count) {
    std::string bytes;
    while (bytes.size() < count) bytes += static_cast<char>(random_());
    return bytes;
  }

  /// In binary, in either order.
  std::string extreme_number() {
    static const std::vector<std::uint64_t> numbers = {0,
                                                       1,
                                                       0x7f,
                                                       0xff,
                                                       0x7fff,
                                                       0xffff,
                                                       0x7fffffff,
                                                       0x80000000,
                                                       0xffffffff,
                                                       0x7fffffffffffffff,
                                                       0x8000000000000000,
                                                       0xffffffffffffffff,
                                                       0x7f800000,
                                                       0x7fc00000,
                                                       0x7ff0000000000000,
                                                       0x7ff8000000000000,
                                                       0x10000000,
                                                       1000000};
    const std::uint64_t number = numbers[below(numbers.size())];
    std::string bytes(std::size_t{1} << below(4), '\0');
    std::memcpy(bytes.data(), &number, bytes.size());
    if (below(2) == 0) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }

  /// Changes the next number of a text.
  void replace_number(std::string& bytes, std::size_t at) {
    static const std::vector<std::string> numbers = {"0",
                                                     "-1",
                                                     "1",
                                                     "2",
                                                     "3",
                                                     "7",
                                                     "255",
                                                     "65536",
                                                     "2147483647",
                                                     "2147483648",
                                                     "-2147483648",
                                                     "4294967295",
                                                     "4294967296",
                                                     "9223372036854775807",
                                                     "18446744073709551615",
                                                     "99999999999999999999999",
                                                     "1e308",
                                                     "-1e308",
                                                     "1e999",
                                                     "1e-320",
                                                     "nan",
                                                     "inf",
                                                     "0.5",
                                                     "",
                                                     "-",
                                                     "0x10",
                                                     "1,5",
                                                     "700000000",
                                                     "[]",
                                                     "null"};
    constexpr const char* digits = "0123456789+-.e";
    const std::size_t begin = bytes.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of(digits, begin), bytes.size());
    bytes.replace(begin, end - begin, numbers[below(numbers.size())]);
  }

  std::mt19937_64 random_;
};

/// No more memory than that, as long as this object lives.
class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes) {
    ::getrlimit(RLIMIT_AS, &before_);
#ifndef __SANITIZE_ADDRESS__  // which reserves more than any limit
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit limit = before_;
    limit.rlim_cur = std::min<rlim_t>(before_.rlim_cur, pages * 4096 + bytes);
    ::setrlimit(RLIMIT_AS, &limit);
#else
    static_cast<void>(bytes);
#endif
  }
  ~MemoryLimit() {
    ::setrlimit(RLIMIT_AS, &before_);
  }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit before_{};
};

std::map<std::string, std::string> seeds_of(const std::string& format) {
  std::map<std::string, std::string> seeds;
  for (const auto& entry : fs::directory_iterator(fs::path(SHOAL_FUZZ_CORPUS) / format)) {
    const std::string name = entry.path().filename().string();
    if (name.size() == 40) continue;  // by the fuzzer, named by its hash
    std::ifstream file(entry.path(), std::ios::binary);
    seeds[name] = std::string(std::istreambuf_iterator<char>(file), {});
  }
  return seeds;
}

class Mutations : public ::testing::TestWithParam<std::string> {
 protected:
  /// What is said of a file that is refused; "" of one that is read.
  std::string message_of_file(const std::string& name, const std::string& content) const {
    const std::string path = (folder_ / name).string();
    try {
      if (!is_gltf(name)) {
        read(parse_surface(path, content));
        return "";
      }
      std::ofstream(path, std::ios::binary) << content;
      const Surface surface = load_surface(path);
      read(surface);
      if (has_skin(surface)) load_character(surface);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
  static void read(const Surface& surface) {
    EXPECT_FALSE(quality_report(surface, assess(surface, make_geometry(surface.mesh, surface.x))).empty());
  }

  TemporaryFolder folder_;
};

TEST_P(Mutations, are_surfaces_or_refused_in_one_line_soon_and_without_much_memory) {
  const std::string& format = GetParam();
  const std::map<std::string, std::string> seeds = seeds_of(format);
  ASSERT_FALSE(seeds.empty());
  const char* asked = std::getenv("SHOAL_MUTATIONS");
  const std::size_t count = asked ? std::strtoull(asked, nullptr, 10) : 2000;
  std::vector<std::string> contents;
  for (const auto& [name, content] : seeds) contents.push_back(content);
  std::size_t surfaces = 0;
  const MemoryLimit limit(largest_memory);
  for (std::size_t k = 0; k < count; ++k) {
    Damage damage(k);
    const std::string content =
        damage.damaged(contents[k % contents.size()], contents[k / contents.size() % contents.size()]);
    const auto begin = std::chrono::steady_clock::now();
    std::string message;
    try {
      message = message_of_file("damaged." + format, content);
    } catch (const std::exception& other) {  // none of ours: memory, a library
      ADD_FAILURE() << format << " " << k << ": " << other.what();
      continue;
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    surfaces += message.empty();
    ASSERT_LT(time.count(), longest_time) << format << " " << k;
    if (message.empty()) continue;
    EXPECT_NE(message.find("damaged." + format), std::string::npos) << format << " " << k << ": " << message;
    EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char c) { return c >= 0 && c < ' '; }))
        << format << " " << k << ": " << message;
    EXPECT_LT(message.size(), 1000u) << format << " " << k << ": " << message;
  }
  RecordProperty("surfaces", static_cast<int>(surfaces));
  if (asked)
    std::printf("%s: %zu files, %zu read, %zu refused\n", format.c_str(), count, surfaces, count - surfaces);
  EXPECT_GT(surfaces, 0u);
  EXPECT_LT(surfaces, count);
}

INSTANTIATE_TEST_SUITE_P(Mesh, Mutations,
                         ::testing::Values("obj", "off", "ply", "stl", "gltf", "glb", "msh", "vtk"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace shoal::test
