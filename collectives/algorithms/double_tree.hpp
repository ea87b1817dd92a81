// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Double binary tree: half of the data goes over each of two binary trees, made so that no rank is an inner
// node of both; all ranks then send and receive about as much as they can. Sanders, Speck and Traeff 2009,
// "Two-tree algorithms for full bandwidth broadcast, reduction and scan". Halves are cut into chunks that
// follow each other down the tree.
#pragma once

#include "collectives/algorithms/schedule.hpp"
#include "harness/schedule/binary_tree.hpp"

namespace assay::collectives {

Schedule double_tree_broadcast(const Problem& problem, int rank);
Schedule double_tree_all_reduce(const Problem& problem, int rank);

Sent double_tree_broadcast_sent(const Problem& problem, int rank);
Sent double_tree_all_reduce_sent(const Problem& problem, int rank);

using schedule::BinaryTree;
using schedule::chunks_of;

}  // namespace assay::collectives
