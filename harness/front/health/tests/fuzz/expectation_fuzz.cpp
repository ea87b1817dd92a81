// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A site's expectation of a node, in TOML.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/front/health/expectation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const assay::fuzz::InputFile file(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { assay::health::read_expectation(file.path()); });
  return 0;
}
