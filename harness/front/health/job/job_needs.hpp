// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The services and limits that a job needs before its first step, as an expectation names them ([job]).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/text/toml_section.hpp"

namespace assay::health {

inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

struct JobNeeds {
  std::vector<std::string> names;       // of hosts
  std::vector<std::string> registries;  // "https://registry.site:5000"
  std::vector<std::string> container;   // a command that starts one and ends: {"podman", "run", ...}
  std::optional<std::uint64_t> locked_bytes, open_files, shared_bytes;
  double deadline_s = 5, container_deadline_s = 60;  // for each answer
};

/// Reads [job] of an expectation over what is there. Throws a usage Error with file, line and key.
void take_job(const core::TomlSection& section, JobNeeds& into);

/// Parts of "https://host:port"; port 443 or 80 where it has none.
struct RegistryAddress {
  bool encrypted = false;
  std::string host, port;
};
/// Nothing where it is another kind of address, has a path, or holds a user's name.
std::optional<RegistryAddress> registry_address(const std::string& text);

}  // namespace assay::health
