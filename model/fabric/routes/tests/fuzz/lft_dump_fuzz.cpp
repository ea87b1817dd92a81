// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Dumps of forwarding tables.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fabric/routes/lft_dump.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace routes = assay::model::fabric::routes;
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { routes::parse_lft_dump(text, "opensm-lfts.dump"); });
  return 0;
}
