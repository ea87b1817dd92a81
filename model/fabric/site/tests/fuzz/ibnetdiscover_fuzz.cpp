// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Output of ibnetdiscover.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fabric/site/infiniband/ibnetdiscover.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace site = assay::model::fabric::site;
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { site::parse_ibnetdiscover(text, "net.topo"); });
  return 0;
}
