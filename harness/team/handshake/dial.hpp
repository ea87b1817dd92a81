// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The leader's way to a team: it calls hosts that run serve().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/team/handshake/hello.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/team.hpp"
#include "harness/team/wire/address.hpp"

namespace assay::team {

struct DialOptions {
  double connect_limit_s = 5;  // for each host, all at once; a busy host is asked again until then
  std::string interface{};     // or local address to call from; empty: the system's choice
  std::uint16_t port = default_port;
  TeamKey key{};                            // none: only loopback addresses are called
  std::string server = "assay-rdma serve";  // what should run there, for messages
};

/// hosts[i] ("h1", "h1:18541", "[fe80::1%eth0]:18541") becomes rank i + 1, the caller rank 0. Throws
/// core::Error (usage) with one line when a host cannot be reached, is busy, or disagrees with `mine`; those
/// that were reached are informed.
std::unique_ptr<Team> dial_team(const std::vector<std::string>& hosts, const Hello& mine,
                                const DialOptions& options = {});

}  // namespace assay::team
