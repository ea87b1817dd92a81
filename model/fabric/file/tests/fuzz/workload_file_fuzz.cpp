// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A workload in TOML.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fabric/file/workload_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { assay::model::fabric::parse_workload(text, "workload.toml"); });
  return 0;
}
