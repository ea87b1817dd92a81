// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks 0 and 1 of one host through memory that both have mapped: a message is copied in by its sender and
// out by its receiver.
#pragma once

#include <memory>

#include "collectives/transport/transport.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// Every rank of the team calls it; nothing at ranks but 0 and 1. `limit_s` bounds each wait(), which ends
/// too once `given_up` is true, which must outlive it. Throws core::Error with one line where there is no
/// such memory.
std::unique_ptr<Transport> make_shared_memory_pair(team::Team& team, double limit_s, Waiting waiting,
                                                   const std::atomic<bool>& given_up = never_given_up);

}  // namespace assay::collectives
