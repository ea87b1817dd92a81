// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/front_end.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::model::reliability {

namespace {

double steady_gb_per_s(const FrontEnd& network) { return network.ingest_gb_per_s + network.logs_gb_per_s; }

}  // namespace

double write_s(const FrontEnd& network) {
  const double steady = steady_gb_per_s(network);
  if (steady >= network.gb_per_s)
    core::usage_error(
        fmt::format("--front-end: ingest and logs take {:.4g} GB/s of a node's {:.4g}: nothing is "
                    "left for checkpoints",
                    steady, network.gb_per_s));
  return network.checkpoint_gb / (network.gb_per_s - steady);
}

FrontEndUse use_of(const FrontEnd& network) {
  FrontEndUse use{.write_s = write_s(network)};
  use.mean_gb_per_s = steady_gb_per_s(network) + network.checkpoint_gb / network.interval_s;
  use.share = use.mean_gb_per_s / network.gb_per_s;
  use.carries = use.write_s <= network.interval_s;
  return use;
}

std::string to_text(const FrontEnd& network, const FrontEndUse& use) {
  return fmt::format(
      "\nfront end, {:.4g} GB/s a node: checkpoints {:.4g}, ingest {:.4g}, logs {:.4g}, together {:.4g} GB/s "
      "({:.3g} %)\n  a checkpoint of {:.4g} GB takes {} of what is left, every {}: {}\n",
      network.gb_per_s, network.checkpoint_gb / network.interval_s, network.ingest_gb_per_s,
      network.logs_gb_per_s, use.mean_gb_per_s, 100 * use.share, network.checkpoint_gb,
      core::format_seconds(use.write_s), core::format_seconds(network.interval_s),
      use.carries ? "it carries them" : "it starves, the next begins before the last is written");
}

nlohmann::ordered_json to_json(const FrontEnd& network, const FrontEndUse& use) {
  return {{"gb_per_s", network.gb_per_s},
          {"checkpoint_gb", network.checkpoint_gb},
          {"ingest_gb_per_s", network.ingest_gb_per_s},
          {"logs_gb_per_s", network.logs_gb_per_s},
          {"interval_s", network.interval_s},
          {"write_s", use.write_s},
          {"mean_gb_per_s", use.mean_gb_per_s},
          {"share", use.share},
          {"carries", use.carries}};
}

}  // namespace assay::model::reliability
