// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One training step as what every rank computes and exchanges: what the model predicts, presets state, traces
// say, fabrics simulate and the collectives module runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/words.hpp"
#include "harness/training/bytes_matrix.hpp"

namespace assay::training {

/// `pipeline`: each rank but the last of a group sends to the next; `shift`: the last to the first as well.
enum class Traffic {
  none,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  all_to_all_v,
  broadcast,
  reduce,
  pipeline,
  shift
};
inline constexpr auto traffic_words =
    core::words_of<Traffic>("compute", "all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                            "all_to_all_v", "broadcast", "reduce", "pipeline", "shift");
constexpr bool is_pattern(Traffic traffic) {
  return traffic == Traffic::pipeline || traffic == Traffic::shift;
}

/// Bytes are those of the collective's whole vector, or of all blocks of a rank together; of a matrix, what
/// the rank sends that sends most; of a pattern, of a message. Groups as rank_groups.hpp has them.
struct StepOperation {
  std::string name = {};
  double compute_s = 0;  // of an operation without traffic
  Traffic traffic = Traffic::none;
  std::string among = {};  // the parallel dimension: "tensor"
  /// "0:64:1:8", or several with blanks between; of compute, its ranks, "0+8", or empty for all.
  std::string groups = {};
  double bytes = 0;
  double times = 1;
  std::shared_ptr<const BytesMatrix> matrix = nullptr;  // for every group
};

/// One operation after the other.
struct StepStream {
  std::string name;
  std::vector<std::string> after = {};  // streams that end before it begins
  std::vector<StepOperation> operations = {};
};

struct TrainingStep {
  std::string name = {};
  std::uint32_t ranks = 1;
  std::vector<StepStream> streams = {};
  double processor_usage = 0;            // of compute that a running exchange of another stream takes
  std::vector<std::string> unused = {};  // complaints about keys of its file that only a fabric uses
};

/// Without what has no traffic and no compute, of groups of one rank or no bytes.
void append(StepStream& stream, StepOperation operation);

/// Adds a stream that has operations, after those that were added: its name, or nothing.
std::string add(TrainingStep& step, StepStream stream);

/// Operations stay, without their compute.
void leave_out_compute(TrainingStep& step);

/// Seconds of the longest chain of streams by compute alone, as if exchanges took no time.
double compute_path_s(const TrainingStep& step);

/// One entry a stream: whether another stream that computes may run at the same time.
std::vector<bool> runs_next_to_compute(const TrainingStep& step);
inline constexpr std::size_t most_streams = 20'000;

/// An operation, once, by its places in the step.
struct Issued {
  std::size_t stream = 0, operation = 0;
};
/// Every operation as often as it is done, compute too, in an order that is the same at all ranks: of the
/// streams that can proceed, that whose compute has taken the least time so far, the first of equals. An
/// exchange counts as one that takes no time. Throws a usage Error beyond `most`.
std::vector<Issued> issue_order(const TrainingStep& step, std::size_t most = 1'000'000);

}  // namespace assay::training
