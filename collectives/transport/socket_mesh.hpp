// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes without MPI: one TCP connection between every two that exchange messages.
#pragma once

#include <memory>

#include "collectives/transport/transport.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// Every rank of the team calls it. Ranks on one host meet at 127.0.0.1, others at the name that the host
/// calls itself. `limit_s` bounds connecting, and each wait(); a wait() ends too once `given_up` is true,
/// which must outlive it. Throws core::Error with one line, team::PeerLost where the team breaks.
std::unique_ptr<Transport> make_socket_mesh(team::Team& team, double limit_s,
                                            const std::atomic<bool>& given_up = never_given_up,
                                            Waiting waiting = Waiting::sleeping);

}  // namespace assay::collectives
