// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Metrics of SuperBench by their keys: BENCHMARK[:ANNOTATION]/[RUN/]METRIC[:RANK].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "results/peers/peer_point.hpp"

namespace assay::results::peers {

struct SuperbenchKey {
  std::string benchmark, annotation;  // "nccl-bw", "default"
  std::string metric;                 // "allreduce_8388608_busbw"
  std::optional<std::int64_t> rank;
};

/// Nothing where the key has another form.
std::optional<SuperbenchKey> superbench_key(std::string_view key);

/// "collectives.nccl.all_reduce", its size and "busbw" of a metric of nccl-bw.
struct SuperbenchCollective {
  std::string case_name, quantity;
  std::int64_t bytes = 0;
  bool in_place = false;
  std::string pair;  // of serial and parallel modes: "0_1"
};
std::optional<SuperbenchCollective> superbench_collective(const SuperbenchKey& key);

/// A point of other benchmarks, without its status; nothing where the unit of the metric is not known.
std::optional<PeerPoint> superbench_point(const SuperbenchKey& key, double value);

/// "MICROBENCHMARK_RESULT_PARSING_FAILURE" of 33, "return code 7" of others.
std::string superbench_reason(std::int64_t code);

}  // namespace assay::results::peers
