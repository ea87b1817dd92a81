// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One rank's exception is every rank's exception, at the same place: no rank waits for one that has
// given up.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/team/team.hpp"

namespace assay::team {

inline constexpr double reply_limit_s = 20;  // for a rank that has nothing left to do but answer

/// Runs `work` here, on every rank at once, and returns every rank's text. Where any rank's work threw, every
/// rank throws: its own error alone as it was, or one that names rank and host of each that failed
/// (Unsupported if all of them are). Work may itself agree: what ranks failed in together is reported once.
/// Throws PeerLost when a rank does not answer within the limit.
std::vector<std::string> agree(Team& team, const std::function<std::string()>& work,
                               double limit_s = reply_limit_s);

}  // namespace assay::team
