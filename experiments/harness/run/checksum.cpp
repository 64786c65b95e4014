#include "experiments/harness/run/checksum.hpp"

#include "experiments/harness/run/run.hpp"

#include <fmt/format.h>

namespace shoal {

void Checksum::add(const void* bytes, std::size_t size) {
  const auto* first = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ first[i]) * 0x100000001b3;
}

std::string Checksum::text() const {
  return fmt::format("{:016x}", value_);
}

std::string checksum(std::string_view bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.text();
}

std::string checksum(const Run& run) {
  Checksum sum;
  Archive archive;
  run.world().save(archive);
  const Archive whole = run.of_whole(archive);
  for (const auto& [name, values] : whole.values()) {
    sum.add(name);
    sum.add(values.data(), static_cast<std::size_t>(values.size()) * sizeof(double));
  }
  return sum.text();
}

}  // namespace shoal
