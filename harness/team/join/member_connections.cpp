// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/member_connections.hpp"

#include "harness/team/wire/frame.hpp"
#include "harness/team/wire/keyed_hash.hpp"

namespace assay::team {

TeamKey key_among_members(const Trust& trust, const std::string& purpose, const std::string& salt) {
  return {.source = KeySource::team, .secret = hmac_sha256(trust.secret, pack({"members", purpose, salt}))};
}

std::string interface_among_members(const Team& team) {
  for (int rank = 0; rank < team.size(); ++rank)
    if (team.host_of(rank) != team.host_of(team.rank())) return "";
  return "127.0.0.1";
}

}  // namespace assay::team
