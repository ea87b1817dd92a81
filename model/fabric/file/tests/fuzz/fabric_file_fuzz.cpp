// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fabric in TOML; small ones are built.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fabric/file/build_fabric.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace fabric = assay::model::fabric;
  constexpr double small_bytes = 1 << 20;
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] {
    const fabric::FabricFile file = fabric::parse_fabric(text, "fabric.toml");
    if (fabric::memory_needed_bytes(file.shape) < small_bytes) fabric::topology_of(file);
  });
  return 0;
}
