// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes without MPI: one TCP connection between every two.
#pragma once

#include <memory>

#include "collectives/transport/transport.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// Every rank of the team calls it. Ranks on one host meet at 127.0.0.1, others at the name that the host
/// calls itself. `limit_s` bounds connecting, and each wait(). Throws core::Error with one line,
/// team::PeerLost where the team breaks.
std::unique_ptr<Transport> make_socket_mesh(team::Team& team, double limit_s);

}  // namespace assay::collectives
