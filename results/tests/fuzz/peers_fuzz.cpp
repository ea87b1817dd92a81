// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A result file of another tool, with each reader, to records.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "results/peers/dry_run.hpp"
#include "results/peers/peer_records.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::results::peers;
  assay::fuzz::read_or_refuse([&] {
    const PeerFile file =
        read_peer_text(assay::fuzz::text_of(data, size), {.path = "all_reduce/16ranks"}, {.host = "h"});
    for (const PeerBlock& block : file.blocks)
      for (const PeerPoint& point : block.findings.points) dry_run_json(file, block, point);
    std::vector<Refusal> refusals;
    records_of(file, {.zone = {}, .now = "2026-02-04T01:00:00.000Z", .assay_version = "0"}, refusals);
  });
  return 0;
}
