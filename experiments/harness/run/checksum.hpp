// Hashes of data as 16 hexadecimal digits (FNV-1a, 64 bits).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shoal {

class Run;

class Checksum {
 public:
  void add(const void* bytes, std::size_t size);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  std::string text() const;

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

std::string checksum(std::string_view bytes);

/// Hash of the complete state from which the next step starts: models and bodies.
std::string checksum(const Run& run);

}  // namespace shoal
