// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Teams of which all ranks share one host's processors.
#pragma once

#include "harness/team/join/rendezvous.hpp"

namespace assay::team {

/// The factor on a limit where this many ranks share this host's processors; 1 where few do.
double patience(int ranks_here);

/// Options with a longer limit where many ranks share a processor.
JoinOptions with_patience(JoinOptions options, const Rendezvous& rendezvous);

}  // namespace assay::team
