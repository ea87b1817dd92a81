// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A bundle of evidence: a tar archive.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "results/bundle/tar.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse(
      [&] { assay::results::from_tar(assay::core::source_of(text), "bundle.assay"); });
  return 0;
}
