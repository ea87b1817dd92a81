// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The key of a team and its source: a file, the environment that an engine hands on, or MUNGE. A process
// without one stays on loopback, unless the user gives --open.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/team/join/environment.hpp"
#include "harness/team/wire/address.hpp"

namespace assay::team {

inline constexpr std::size_t least_key_bytes = 16;
inline constexpr std::size_t most_key_bytes = 4096;

enum class KeySource { none, open, file, environment, munge, team };

struct TeamKey {
  KeySource source = KeySource::none;
  std::string secret{};
  /// MUNGE: what a listener hands to callers, and who can read it has the same user.
  std::string credential{};
  /// MUNGE: takes the secret out of a listener's credential, or throws core::Error (team). Empty: this
  /// process has no MUNGE.
  std::function<std::string(const std::string& credential)> read_credential{};

  bool holds_secret() const { return !secret.empty(); }
};

/// Flags of the command line: --key-file FILE, --open.
struct KeyFlags {
  std::string file{};  // else environment variable ASSAY_TEAM_KEY_FILE
  bool open = false;   // else ASSAY_TEAM_OPEN=1
};
inline constexpr const char* key_file_help =
    "the key that all ranks hold: a file of this user alone (mode 0600) of at least 16 bytes (default: MUNGE "
    "in a job of "
    "Slurm, else ASSAY_TEAM_KEY_FILE or ASSAY_TEAM_KEY of the environment; without any only loopback "
    "addresses)";
inline constexpr const char* open_help =
    "take part without a key: anyone who reaches the port can join and read along";
/// For ranks that follow and do not read the rest.
KeyFlags key_flags_among(const std::vector<std::string>& arguments);

enum class MayMunge { no, yes };

/// The file if one is named; else MUNGE in a job of Slurm (where it answers); else ASSAY_TEAM_KEY; else none,
/// or `open`. A process keeps the environment's secret as well as MUNGE: rank 0 decides which it is. Throws
/// core::Error (usage) for a file that others can read or write, and for a key of under 16 bytes.
TeamKey team_key(const KeyFlags& flags, const Environment& environment, MayMunge may_munge);

/// The key in a file of this user alone (no permissions for group and others); a newline at its end does not
/// count.
std::string key_in_file(const std::string& path);

/// For records: "key file", "environment", "MUNGE", "team" (made from a team's), "none (open)", "none
/// (loopback)".
std::string to_text(KeySource source);

/// The environment variable that engines hand on, for processes that start ranks.
inline constexpr const char* key_variable = "ASSAY_TEAM_KEY";
inline constexpr const char* key_file_variable = "ASSAY_TEAM_KEY_FILE";
inline constexpr const char* open_variable = "ASSAY_TEAM_OPEN";  // "1"

/// Without a key, and not open: throws core::Error (usage) unless all of the addresses are loopback's.
void refuse_strange_addresses(const TeamKey& key, const std::vector<SocketAddress>& addresses,
                              const std::string& what);

/// One line on standard error where no key is needed.
void warn_where_open(const TeamKey& key, const std::string& where);

}  // namespace assay::team
