// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/storage/manifest.hpp"

#include <fmt/format.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::offload {
namespace {

constexpr int format_version = 1;

[[noreturn]] void fail_manifest(const std::string& doing, const std::filesystem::path& path, int code) {
  throw core::Error(core::ErrorKind::system,
                    fmt::format("{} {}: {}", doing, path.string(), std::strerror(code)), code);
}

[[noreturn]] void damaged(const std::string& why) {
  throw core::Error(core::ErrorKind::system, "is not a whole manifest: " + why);
}

std::string digest_of(const std::string& text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

void write_all(const std::filesystem::path& path, const std::string& text) {
  StorageFile file(path, Access::write, false);
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count = write(file.descriptor(), text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail_manifest("write", path, count < 0 ? errno : ENOSPC);
    written += static_cast<std::size_t>(count);
  }
  file.sync();
}

/// Names made in it are then on the device.
void sync_folder(const std::filesystem::path& folder) { StorageFile(folder, Access::read, false).sync(); }

}  // namespace

std::string to_text(const Manifest& manifest) {
  nlohmann::json shards = nlohmann::json::array();
  for (const Shard& shard : manifest.shards)
    shards.push_back({{"file", shard.path.filename().string()},
                      {"offset", shard.offset},
                      {"bytes", shard.bytes},
                      {"xxh3", shard.checksum}});
  const std::string text = core::json_text(nlohmann::json{{"format", format_version},
                                                          {"generation", manifest.generation},
                                                          {"bytes", manifest.bytes},
                                                          {"block_bytes", manifest.block_bytes},
                                                          {"checksums", manifest.checksums},
                                                          {"shards", shards}});
  return text + "\n" + digest_of(text) + "\n";
}

Manifest manifest_from(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  if (text != line + "\n" + digest_of(line) + "\n") damaged("its digest does not fit its text");
  try {
    const nlohmann::json json = core::json_from<nlohmann::json>(line);
    if (json.at("format") != format_version)
      damaged(
          fmt::format("it has format {}, expected {}", core::json_text(json.at("format")), format_version));
    Manifest manifest{.generation = json.at("generation"),
                      .bytes = json.at("bytes"),
                      .block_bytes = json.at("block_bytes"),
                      .checksums = json.at("checksums")};
    for (const nlohmann::json& shard : json.at("shards"))
      manifest.shards.push_back({.path = shard.at("file").get<std::string>(),
                                 .offset = shard.at("offset"),
                                 .bytes = shard.at("bytes"),
                                 .checksum = shard.at("xxh3")});
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    damaged(error.what());
  }
}

void commit(const Manifest& manifest, const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  std::filesystem::path unnamed = path;
  unnamed += ".new";
  write_all(unnamed, to_text(manifest));
  sync_folder(folder);  // the shards' names are on the device before the manifest's is
  if (std::rename(unnamed.c_str(), path.c_str()) != 0) fail_manifest("name", path, errno);
  sync_folder(folder);
}

Manifest read_manifest(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_manifest("read", path, errno);
  try {
    return manifest_from({std::istreambuf_iterator<char>(file), {}});
  } catch (const core::Error& error) {
    throw core::Error(core::ErrorKind::system, path.string() + " " + error.what());
  }
}

}  // namespace assay::offload
