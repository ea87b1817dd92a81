// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Descriptions of a fabric and times of workloads on it, as `assay fabric` gives them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/answers/fabric/fabric_measured.hpp"
#include "harness/front/answers/fabric/fabric_text.hpp"
#include "model/fabric/rank_files.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/simulation.hpp"

namespace assay::answers {

/// One collective, in place of a workload file.
struct AskedCollective {
  std::string name = {};                   // "all_reduce"; empty: the workload is a file
  std::string algorithm = {}, bytes = {};  // "ring", or empty for the first there is; "1GiB"
  std::uint32_t ranks = 0;                 // 0: every GPU of the fabric
};

/// A workload of one collective. Throws a usage Error naming the flag.
TomlSource workload_of(const AskedCollective& asked, std::uint32_t gpus);

struct FabricQuestion {
  TomlSource fabric, workload;
  AskedCollective collective = {};
  std::vector<std::string> set;  // "routing.queue_pairs=16"
  MeasuredSource measured;
  std::string sharing = "auto";
  std::optional<std::uint32_t> seeds;  // none: as many as simulate needs (usual_seeds.hpp), else 1
  unsigned threads = 2;
  std::string journal;                    // a file to append records of every simulation to, or nothing
  std::vector<std::string> command_line;  // that the journal's context has
  std::function<void(std::size_t done, std::size_t of)> progress = {};

  /// Keys to replace: the measured ones, which this reads, and then those of `set`, which override them.
  std::vector<model::fabric::KeyValue> replaced() const;
  /// Loads of links: as `loads` says, or for the journal. `usual`: the number of seeds where none is asked
  /// for.
  model::fabric::SimulationOptions simulation(bool loads, std::uint32_t usual = 1) const;
};

/// All throw a usage Error for what cannot be used; one that opens with "fabric: " means the fabric's file
/// (naming_file.hpp).
model::fabric::Answer describe(const FabricQuestion& question);
/// `scale_to_measured`: times of collectives as much longer as the run's were than simulated.
model::fabric::Answer simulate(const FabricQuestion& question, bool scale_to_measured);
/// The operations of a measured run.
model::fabric::Answer expect(const FabricQuestion& question);
/// `vary`: "routing=ecmp,e-ecmp"; `margin`: "1%".
model::fabric::Answer compare(const FabricQuestion& question, const std::vector<std::string>& vary,
                              const std::string& margin);
/// `at_most`: "12ms", or "step=12ms".
model::fabric::Answer size(const FabricQuestion& question, const std::string& at_most);

struct Placement {
  model::fabric::Answer answer;
  std::vector<model::fabric::RankPlace> places = {};  // none where the answer is a finding
  /// Likewise, with the fabric's own names of servers where it has any and no others are given.
  std::vector<model::fabric::RankPlace> named_places = {};
};
/// `names` of servers, from the file `names_file`; none: their numbers.
Placement place(const FabricQuestion& question, const std::vector<std::string>& names,
                const std::string& names_file);

}  // namespace assay::answers
