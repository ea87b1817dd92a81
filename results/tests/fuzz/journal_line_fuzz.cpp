// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A line of a journal, as it is and with the right checksum, so that damage is found by more than that. What
// is read and written again reads the same.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "results/record/journal.hpp"
#include "results/record/line_crc.hpp"

namespace {

void read_and_write(const std::string& line) {
  const std::string written = assay::results::to_line(assay::results::from_line(line));
  assay::fuzz::require(assay::results::to_line(assay::results::from_line(written)) == written,
                       "a record that was written reads as another");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { read_and_write(text); });
  if (text.ends_with('}'))
    assay::fuzz::read_or_refuse(
        [&] { read_and_write(assay::results::closed_with_crc(text.substr(0, text.size() - 1))); });
  return 0;
}
