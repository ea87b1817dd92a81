// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The campaign's part on a node: carries out one order, and answers on standard output.
#pragma once

#include <atomic>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/front/campaign/answer.hpp"
#include "harness/front/campaign/order.hpp"

namespace assay::campaign {

/// The file that keeps the outcome of an order, below the node's folder.
std::string outcome_file(const std::string& stage_run);

/// Describes this node.
Hello hello_of_this_node();

/// Runs the order's commands of `program` one after another. An order that was carried out here before is
/// reported again and not repeated; one that was begun is continued. Returns the exit code.
int carry_out(const Order& order, const std::string& program, const std::atomic<int>& signals,
              std::ostream& out);

}  // namespace assay::campaign
