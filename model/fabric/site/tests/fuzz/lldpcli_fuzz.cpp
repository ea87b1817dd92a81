// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Neighbours by LLDP, a CSV file or what lldpcli prints.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fabric/site/lldp/lldp_site.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace site = assay::model::fabric::site;
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { site::parse_lldp(text, "leaf1.json"); });
  return 0;
}
