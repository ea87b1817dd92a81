// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Tables of timings as CSV.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fit/rows/timing_rows.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace fit = assay::model::fit;
  const fit::CsvSource source("timings.csv", std::string(assay::fuzz::text_of(data, size)));
  assay::fuzz::read_or_refuse([&] { fit::read_gemm_timings(source); });
  assay::fuzz::read_or_refuse([&] { fit::read_collective_timings(source); });
  assay::fuzz::read_or_refuse([&] { fit::read_size_timings(source); });
  assay::fuzz::read_or_refuse([&] { fit::read_verbs_timings(source); });
  assay::fuzz::read_or_refuse([&] { fit::read_slowdowns(source); });
  return 0;
}
