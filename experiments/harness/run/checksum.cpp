#include "experiments/harness/run/checksum.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace shoal {

std::string checksum(const Simulation& simulation) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
  Archive archive;
  simulation.world().save(archive);
  for (const auto& [name, values] : archive.values()) {
    for (const char c : name) add(static_cast<std::uint8_t>(c));
    for (const double value : values) {
      std::uint8_t bytes[sizeof value];
      std::memcpy(bytes, &value, sizeof value);
      for (const std::uint8_t byte : bytes) add(byte);
    }
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace shoal
