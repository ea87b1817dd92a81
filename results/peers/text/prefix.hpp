// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Prefixes that launchers and loggers write before each line of a program: a rank, a host, a pod, a time.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace assay::results::peers {

enum class PrefixKind {
  open_mpi,  // "[1,0]<stdout>:" of --tag-output
  rank,      // " 0: " of srun -l
  pod,       // "[pod/name/container] " of kubectl logs --prefix
  piped,     // "host | "
  host,      // "host: " of pdsh, clush
  time,      // "2026-02-04T01:00:00Z ", "Feb  4 01:00:00 host program[1]: "
};
inline constexpr std::array prefix_kinds{PrefixKind::open_mpi, PrefixKind::rank, PrefixKind::pod,
                                         PrefixKind::piped,    PrefixKind::host, PrefixKind::time};

struct Prefix {
  std::size_t length = 0;
  std::string_view label;  // the rank, host, pod or time
};

/// The prefix of that kind that `line` begins with.
std::optional<Prefix> prefix_of(PrefixKind kind, std::string_view line);

/// Whether lines of two labels are of two hosts, and not of two ranks or times of one program.
constexpr bool names_host(PrefixKind kind) {
  return kind == PrefixKind::pod || kind == PrefixKind::piped || kind == PrefixKind::host;
}
constexpr bool names_rank(PrefixKind kind) {
  return kind == PrefixKind::open_mpi || kind == PrefixKind::rank;
}

}  // namespace assay::results::peers
