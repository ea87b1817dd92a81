// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/team_key.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/team/handshake/munge.hpp"

namespace assay::team {
namespace {

constexpr const char* how_to_make_one = "make one with: (umask 077; openssl rand -hex 32 >FILE)";

std::string value_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

core::Descriptor open_key_file(const std::string& path) {
  // Who may replace a link decides which file it is.
  core::Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (!file && errno == ELOOP)
    core::usage_error(fmt::format("--key-file {}: a symbolic link (expected the file itself)", path));
  if (!file)
    core::usage_error(fmt::format("--key-file {}: {} ({})", path, std::strerror(errno), how_to_make_one));
  return file;
}

void refuse_shared_file(const std::string& path, const core::Descriptor& file) {
  struct stat status{};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    core::usage_error(fmt::format("--key-file {}: not a regular file", path));
  if (status.st_uid != geteuid())
    core::usage_error(fmt::format("--key-file {}: belongs to user {}, and this process runs as user {}", path,
                                  status.st_uid, geteuid()));
  if ((status.st_mode & 077) != 0)
    core::usage_error(
        fmt::format("--key-file {}: mode {:04o} lets others at it (expected 0600: chmod 600 {})", path,
                    status.st_mode & 07777, path));
}

std::string key_of_full_length(std::string key, const std::string& from) {
  while (!key.empty() && (key.back() == '\n' || key.back() == '\r')) key.pop_back();
  if (key.size() < least_key_bytes || key.size() > most_key_bytes)
    core::usage_error(fmt::format("{}: a key of {} bytes (expected {} to {}; {})", from,
                                  key.size() > most_key_bytes ? "too many" : std::to_string(key.size()),
                                  least_key_bytes, most_key_bytes, how_to_make_one));
  return key;
}

/// True in a job of Slurm, whose nodes share MUNGE's key as a rule.
bool is_munge_near(const Environment& environment) {
  return !value_of(environment, "SLURM_JOB_ID").empty() && munge_answers();
}

}  // namespace

KeyFlags key_flags_among(const std::vector<std::string>& arguments) {
  constexpr std::string_view option = "--key-file";
  KeyFlags flags;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--open") flags.open = true;
    if (arguments[i] == option && i + 1 < arguments.size()) flags.file = arguments[i + 1];
    if (arguments[i].starts_with("--key-file=")) flags.file = arguments[i].substr(option.size() + 1);
  }
  return flags;
}

std::string key_in_file(const std::string& path) {
  const core::Descriptor file = open_key_file(path);
  refuse_shared_file(path, file);
  std::string key(most_key_bytes + 3, '\0');
  std::size_t size = 0;
  while (size < key.size()) {
    const ssize_t count = ::read(file.get(), key.data() + size, key.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) core::usage_error(fmt::format("--key-file {}: {}", path, std::strerror(errno)));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  key.resize(size);
  return key_of_full_length(std::move(key), fmt::format("--key-file {}", path));
}

TeamKey team_key(const KeyFlags& flags, const Environment& environment, MayMunge may_munge) {
  const std::string file = flags.file.empty() ? value_of(environment, key_file_variable) : flags.file;
  if (!file.empty()) return {.source = KeySource::file, .secret = key_in_file(file)};
  TeamKey key;
  if (std::string handed_on = value_of(environment, key_variable); !handed_on.empty()) {
    key.source = KeySource::environment;
    key.secret =
        key_of_full_length(std::move(handed_on), fmt::format("environment variable {}", key_variable));
  }
  if (may_munge == MayMunge::yes && is_munge_near(environment)) {
    key.source = KeySource::munge;
    key.read_credential = secret_of_credential;
  }
  const bool open = flags.open || value_of(environment, open_variable) == "1";
  if (key.source == KeySource::none && open) key.source = KeySource::open;
  return key;
}

std::string to_text(KeySource source) {
  switch (source) {
    case KeySource::none:
      return "none (loopback)";
    case KeySource::open:
      return "none (open)";
    case KeySource::file:
      return "key file";
    case KeySource::environment:
      return "environment";
    case KeySource::munge:
      return "MUNGE";
    case KeySource::team:
      return "team";
  }
  return "";
}

void refuse_strange_addresses(const TeamKey& key, const std::vector<SocketAddress>& addresses,
                              const std::string& what) {
  if (key.source != KeySource::none || std::ranges::all_of(addresses, is_loopback)) return;
  core::usage_error(fmt::format(
      "{} is not a loopback address, and there is no key: give all members the same --key-file FILE ({}), or "
      "let in anyone with --open",
      what, how_to_make_one));
}

void warn_where_open(const TeamKey& key, const std::string& where) {
  if (key.source != KeySource::open) return;
  std::cerr << fmt::format(
      "warning: --open: {} without a key: anyone who reaches it can join and read along\n", where);
}

}  // namespace assay::team
