// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point's line on its quick way into the store. What it takes, the reader of records takes too.
#include <memory_resource>

#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "results/record/journal.hpp"
#include "results/record/line_crc.hpp"
#include "results/record/point_line.hpp"
#include "results/record/record_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string line(assay::fuzz::text_of(data, size));
  if (line.ends_with('}') && !assay::results::has_crc(line))
    line = assay::results::closed_with_crc(line.substr(0, line.size() - 1));
  std::string changed = line;
  std::pmr::monotonic_buffer_resource memory;
  if (!assay::results::point_row(changed.data(), changed.size(), &memory)) return 0;
  try {
    assay::results::from_line_of_any_form(line);
  } catch (const std::runtime_error& refusal) {
    assay::fuzz::report(std::string("a row is stored that no record reads: ") + refusal.what());
  }
  return 0;
}
