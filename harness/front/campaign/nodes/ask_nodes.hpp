// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One order to many nodes at once: starts the launcher, listens until every node has ended or is lost.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/front/campaign/nodes/node_answers.hpp"
#include "harness/front/campaign/order.hpp"
#include "harness/front/suite/processes/launcher.hpp"

namespace assay::campaign {

struct Asking {
  suite::Launcher launcher = {};
  std::string program = {};            // assay, as nodes see it
  std::filesystem::path nodes_folder;  // where the nodes' files are kept here
  double silence_s = 120;              // after which a node is lost
  std::size_t nodes_a_launcher = 0;    // 0: one launcher starts all of them
  /// Called now and then with what the nodes said. May be empty.
  std::function<void(const NodeAnswers&)> progress = {};
};

/// Nodes without an end are lost. `signals`: the first is passed on, the second ends the launcher.
NodeAnswers ask_nodes(const Asking& asking, const std::vector<std::string>& nodes, const Order& order,
                      const std::atomic<int>& signals);

}  // namespace assay::campaign
