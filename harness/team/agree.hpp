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

/// Adds what the next ranks' work returned to `all`. What it throws is an error of those ranks.
using Combine = std::function<void(std::string& all, const std::string& next)>;
enum class Knows { leader, everyone };

/// Runs `work` here, on every rank at once, and returns what all ranks' texts combine to, in order of rank:
/// at rank 0, or at every rank; nothing where a rank need not know. Errors as of agree(), of which the first
/// 16 are named.
std::string agree_on(Team& team, const std::function<std::string()>& work, const Combine& combine,
                     Knows knows, double limit_s = reply_limit_s);

/// Runs `work` here, on every rank at once, and returns every rank's text. Where any rank's work threw, every
/// rank throws: its own error alone as it was, or one that names rank and host of each that failed
/// (Unsupported if all of them are). Work may itself agree: what ranks failed in together is reported once.
/// Throws PeerLost when a rank does not answer within the limit.
std::vector<std::string> agree(Team& team, const std::function<std::string()>& work,
                               double limit_s = reply_limit_s);

}  // namespace assay::team
