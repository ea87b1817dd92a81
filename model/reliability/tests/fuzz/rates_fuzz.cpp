// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of failure rates, and the answer that it gives.
#include <nlohmann/json.hpp>

#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/reliability/job.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay::model::reliability;
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] {
    const Rates rates = parse_rates(text, "rates.toml");
    const JobRequest request{
        .gpus = 16.0 * rates.gpus_per_node, .stall_s = 5, .recovery_s = 300, .repair_days = 2};
    const JobReliability answer = reliability_of(rates, request);
    static_cast<void>(to_text(rates, request, answer));
    static_cast<void>(to_json(rates, request, answer).dump());
  });
  return 0;
}
