// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Teams inside one process, for tests of what is built on a team: each member belongs to a thread.
#pragma once

#include <memory>
#include <vector>

#include "harness/team/team.hpp"
#include "harness/team/tree_shape.hpp"

namespace assay::team {

/// n members by rank, joined by socket pairs; hosts are called "thread0", "thread1", ... A member that is
/// destroyed is lost to the others. n >= 1; throws core::Error (system) where the process may open no more
/// files.
std::vector<std::unique_ptr<Team>> make_thread_teams(int n, const TreeShape& shape = {});

}  // namespace assay::team
