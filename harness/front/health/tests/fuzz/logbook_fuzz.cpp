// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The logbook that one check leaves to the next.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/front/health/logbook.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const assay::fuzz::InputFile file(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { assay::health::read_logbook(file.path()); });
  return 0;
}
