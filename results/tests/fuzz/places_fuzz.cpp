// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Places of hosts and rails, as CSV.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "results/judge/series/fleet_store.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const assay::fuzz::InputFile file(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { assay::results::read_places(file.path()); });
  return 0;
}
