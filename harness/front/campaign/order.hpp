// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The order for a node, as one word of its command line: a node needs no file of the coordinator's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/front/campaign/campaign_file.hpp"

namespace assay::campaign {

/// A command of assay. "{node}" and "{folder}" in its words are the node's name and folder.
struct Step {
  std::string name;                       // "check"
  std::vector<std::string> words = {};    // of assay
  std::vector<std::string> resumed = {};  // the same where `begun` exists
  std::string begun = {};                 // a file
};

struct Order {
  std::string stage;                              // with the number of the run: "alone-1"
  std::string nodes_folder = {};                  // each node's folder is in it
  std::string nonce = {};                         // what the file `nonce` next to nodes_folder holds
  std::map<std::string, std::string> files = {};  // to write into the node's folder, by name
  std::vector<Step> steps = {};
};

/// Throws a usage Error where it is longer than a command line takes.
std::string to_word(const Order& order);
/// Throws a usage Error for another word.
Order order_from(const std::string& word);

/// Inputs of the commands besides the stage's own work.
struct OrderExtras {
  std::string campaign_id = {};
  std::string expectation = {};  // text of the file for --expect
  std::string programs = {};     // folder of the modules' programs, if not assay's own
};

/// The order of run `run` (from 1) of a stage on nodes.
Order order_of(const Stage& stage, int run, const OrderExtras& extras);

/// The stage's name with the number of the run, "alone-1", "alone-retest-1": part of the names of runs, which
/// results::is_retest() knows, and of files in the node's folder.
std::string stage_run_name(const Stage& stage, int run);
/// `who`: a node, or a group.
std::string run_id_of(const std::string& campaign_id, const std::string& stage_run, const std::string& who);

}  // namespace assay::campaign
