// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// opensm-subnet.lst.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/site/subnet_lids.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace site = assay::model::fabric::site;
  const std::string text(assay::fuzz::text_of(data, size));
  site::SiteFabric one{
      .topology = assay::model::fabric::star(1), .names = {"n0", "leaf"}, .ports = {{"n0", "1"}}};
  assay::fuzz::read_or_refuse([&] { site::parse_subnet_lids(text, "opensm-subnet.lst", one); });
  return 0;
}
