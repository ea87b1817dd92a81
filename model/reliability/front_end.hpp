// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether a node's front-end network carries what a job sends over it: checkpoints, training data, logs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace assay::model::reliability {

/// The front-end network of a node, and what a job sends over it.
struct FrontEnd {
  double gb_per_s = 0;  // that the network can
  double checkpoint_gb = 0;
  double ingest_gb_per_s = 0, logs_gb_per_s = 0;
  double interval_s = 0;  // between checkpoints
};

struct FrontEndUse {
  double write_s = 0;        // of a checkpoint
  double mean_gb_per_s = 0;  // of all together, over an interval
  double share = 0;          // of the network
  bool carries = false;      // a checkpoint ends before the next begins
};

/// Seconds to write a checkpoint with all that ingest and logs leave of the network. Throws a usage Error
/// where they leave nothing.
double write_s(const FrontEnd& network);

/// With B for the network, s for ingest and logs, c for a checkpoint every t: it takes c / (B - s), and the
/// mean is s + c / t, which the network carries where c / (B - s) <= t. Throws a usage Error where ingest and
/// logs alone take all of it.
FrontEndUse use_of(const FrontEnd& network);

std::string to_text(const FrontEnd& network, const FrontEndUse& use);
nlohmann::ordered_json to_json(const FrontEnd& network, const FrontEndUse& use);

}  // namespace assay::model::reliability
