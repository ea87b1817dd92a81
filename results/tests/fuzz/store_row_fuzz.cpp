// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point's line, read by position: into a row of a store, into a record, and from what the store keeps. What
// is read so, the reader of all JSON reads alike.
#include <memory_resource>

#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "results/record/journal.hpp"
#include "results/record/json/point_line.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/line_crc.hpp"

namespace {

using namespace assay::results;
using assay::fuzz::require;

void read_both_ways(const std::string& line) {
  const auto intact = intact_line(line);
  if (!intact) return;
  const auto point = point_of_line(intact->body);
  std::string changed = line;
  std::pmr::monotonic_buffer_resource memory;
  const auto row = point_row(changed.data(), changed.size(), &memory);
  require(point || !row, "a row is stored that is no record");
  if (!point) return;
  const std::string written = to_line(*point);
  try {
    require(to_line(from_line_of_any_form(line)) == written, "by position another record is read");
  } catch (const std::runtime_error& refusal) {
    assay::fuzz::report(std::string("a record is read that is none: ") + refusal.what());
  }
  if (!row) return;
  auto kept = point_of_row(row->record);
  require(kept.has_value(), "what a store keeps is no record");
  kept->samples_s = point->samples_s, kept->sm_cycles = point->sm_cycles;
  require(to_line(*kept) == written, "a store keeps another record");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string line(assay::fuzz::text_of(data, size));
  if (line.ends_with('}') && !has_crc(line)) line = closed_with_crc(line.substr(0, line.size() - 1));
  read_both_ways(line);
  return 0;
}
