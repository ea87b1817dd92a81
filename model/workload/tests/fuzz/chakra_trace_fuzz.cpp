// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A Chakra execution trace, and the step of eight ranks that it is.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/workload/chakra/traced_step.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const assay::fuzz::InputFile file(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] {
    const assay::model::workload::Trace trace = assay::model::workload::read_trace(file.path());
    assay::model::workload::traced_step(std::span(&trace, 1), 8);
  });
  return 0;
}
