// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/error.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/suite/processes/relay.hpp"

namespace assay::cli {

/// Not for people: `assay run` and launchers start it (harness/front/suite/processes/relay.hpp).
Command relay_command(CLI::App& parent) {
  CLI::App* app = parent.add_subcommand("relay", "One end of a relay between a launcher and its ranks");
  app->group("")->prefix_command();
  return {app, [app] {
            std::vector<std::string> words = app->remaining();
            const bool here = !words.empty() && words[0] == "here";
            if (words.size() < (here ? 2U : 3U) || (!here && words[0] != "rank"))
              core::usage_error("relay: expected here COMMAND, or rank PLAN COMMAND");
            words.erase(words.begin());
            return here ? suite::relay_here(words) : suite::relay_rank(words);
          }};
}

}  // namespace assay::cli
