#include "experiments/harness/run/checksum.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace shoal {
namespace {

class Hash {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3;
  }
  std::string text() const { return fmt::format("{:016x}", value_); }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace

std::string checksum(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.text();
}

std::string checksum(const Simulation& simulation) {
  Hash hash;
  Archive archive;
  simulation.world().save(archive);
  for (const auto& [name, values] : archive.values()) {
    hash.add(name);
    for (const double value : values) {
      char bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      hash.add({bytes, sizeof value});
    }
  }
  return hash.text();
}

}  // namespace shoal
