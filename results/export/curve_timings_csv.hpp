// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a run measured over sizes, of memories, host links and verbs, and of interference, as the CSV that
// `assay fit` reads (docs/reference/files.md). All throw std::runtime_error with one line where the run has
// none.
#pragma once

#include <optional>
#include <string>

#include "results/export/timings_csv.hpp"

namespace assay::results {

/// `region` is the smallest cache of the threads together that holds a host's footprint, or memory; elsewhere
/// the cache state of the record. `size_bytes` are the bytes moved, reads and writes each counted.
TimingsCsv memory_timings_csv(const Store& store, const std::optional<std::string>& run_id);

/// Copies between host and GPU. `size_bytes` are bytes each way, also where both ways run at once.
TimingsCsv link_timings_csv(const Store& store, const std::optional<std::string>& run_id);

/// Times of one message: half a ping-pong (`latency`), or from one to the next in the steady state
/// (`stream`). Reads, whose latency is a round trip, and points over a lossy or faulty link are left out.
TimingsCsv verbs_timings_csv(const Store& store, const std::optional<std::string>& run_id);

/// A victim's time beside an aggressor over its time alone.
TimingsCsv slowdowns_csv(const Store& store, const std::optional<std::string>& run_id);

}  // namespace assay::results
