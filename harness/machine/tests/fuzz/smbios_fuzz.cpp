// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of SMBIOS, and the same bytes as dmidecode's text.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/machine/inventory/smbios.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  assay::machine::Inventory of_table, of_text;
  assay::machine::take_smbios(text, of_table);
  assay::machine::take_dmidecode(text, of_text);
  return 0;
}
