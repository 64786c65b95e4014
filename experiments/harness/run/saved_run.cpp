// A checksum, followed by texts and numbers, each preceded by its length.
#include "experiments/harness/run/saved_run.hpp"

#include "experiments/harness/run/checksum.hpp"
#include "experiments/harness/storage/atomic_file.hpp"
#include "experiments/harness/system/processes.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace shoal {
namespace {

namespace fs = std::filesystem;

/// Nothing if the file cannot be read.
std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return file.good() ? content.str() : "";
}

std::string bytes_of(const Vector& values) {
  std::string bytes(sizeof(double) * static_cast<std::size_t>(values.size()), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Vector values_of(const std::string& bytes) {
  Vector values(static_cast<Eigen::Index>(bytes.size() / sizeof(double)));
  if (values.size())
    std::memcpy(values.data(), bytes.data(), sizeof(double) * static_cast<std::size_t>(values.size()));
  return values;
}

}  // namespace

std::string identity_of_run(const Catalog& catalog, const std::string& work) {
  static const std::string program = checksum(content_of("/proc/self/exe"));
  std::vector<std::string> parts = {program};
  for (const std::string& plugin : catalog.plugins) parts.push_back(checksum(content_of(plugin)));
  parts.push_back(work);
  return packed(parts);
}

void write_saved_run(const fs::path& path, const std::string& identity, const Archive& archive) {
  std::vector<std::string> parts = {identity};
  for (const auto& [name, values] : archive.values()) {
    parts.push_back(name);
    parts.push_back(bytes_of(values));
  }
  const std::string content = packed(parts);
  replace_file(path, checksum(content) + content);
}

std::optional<Archive> read_saved_run(const fs::path& path, const std::string& identity) {
  const std::string all = content_of(path), sum = checksum("");
  if (all.size() < sum.size()) return {};
  const std::string content = all.substr(sum.size());
  if (all.substr(0, sum.size()) != checksum(content)) return {};
  std::vector<std::string> parts;
  try {
    parts = unpacked(content);
  } catch (const MachineError&) {
    return {};
  }
  if (parts.size() % 2 == 0 || parts.front() != identity) return {};
  Archive archive;
  for (std::size_t i = 1; i < parts.size(); i += 2) archive.put(parts[i], values_of(parts[i + 1]));
  return archive;
}

}  // namespace shoal
