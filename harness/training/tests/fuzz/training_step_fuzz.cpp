// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A training step in TOML, and the order in which its operations are issued.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/training/step_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const assay::fuzz::InputFile file(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] {
    const assay::training::TrainingStep step = assay::training::read_step(file.path());
    assay::training::issue_order(step, 10'000);
  });
  return 0;
}
