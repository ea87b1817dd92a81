// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::run {
namespace {

bool need_not_run_again(const results::PointRecord& record, bool retry_failed) {
  using results::Status;
  if (record.stop == "interrupted") return false;
  return !retry_failed || (record.status != Status::failed && record.status != Status::timeout);
}

}  // namespace

void Tally::add(results::Status status, std::optional<machine::Hardware> uses) {
  using results::Status;
  measured += results::is_measured(status) ? 1 : 0;
  if (uses) (status == Status::unsupported ? unused : used).insert(*uses);
  faulty = faulty || (status != Status::ok && status != Status::unsupported);
}

int Tally::exit_code() const {
  if (faulty) return core::exit_code::fail;
  const bool is_partial = !std::ranges::includes(used, unused);
  return measured == 0 || is_partial ? core::exit_code::inconclusive : core::exit_code::pass;
}

std::string identity(const std::string& case_name, const std::string& key, std::int64_t repetition) {
  return fmt::format("{}/{}#{}", case_name, key, repetition);
}

Finished read_finished(const std::filesystem::path& journal, bool retry_failed,
                       const std::set<std::int64_t>& named) {
  Finished finished;
  if (!std::filesystem::is_regular_file(journal)) return finished;  // none yet, or a device: nothing to read
  finished.problems = results::for_each_record(journal, [&](const results::Record& record) {
    if (const auto* context = std::get_if<results::ContextRecord>(&record)) {
      if (finished.run_id.empty()) finished.run_id = context->run_id;
      std::int64_t& processes = finished.processes[context->run_id];
      processes = std::max(processes, context->process + 1);
    } else if (const auto* point = std::get_if<results::PointRecord>(&record)) {
      finished.last_sequence = std::max(finished.last_sequence, point->sequence);
      // The latest record decides: a module may have failed after a point that it had measured.
      const std::string name = identity(point->case_name, point->key, point->repetition);
      finished.points.erase(name);
      if (named.contains(point->sequence)) {
        finished.again.insert(name);
      } else if (need_not_run_again(*point, retry_failed)) {
        finished.points.emplace(name, point->status);
        finished.again.erase(name);
      }
    }
  });
  return finished;
}

std::set<std::int64_t> records_in(const std::string& text) {
  constexpr std::int64_t most = 10'000'000;
  std::set<std::int64_t> records;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    std::int64_t first = -1, last = -1;
    const char* const end = part.data() + part.size();
    const char* at = std::from_chars(part.data(), end, first).ptr;
    if (at != end && *at == '-')
      at = std::from_chars(at + 1, end, last).ptr;
    else
      last = first;
    if (at != end || first < 0 || last < first || last - first > most)
      core::usage_error(fmt::format("--only: '{}' names no records (expected e.g. 3-5,9)", part));
    for (; first <= last; ++first) records.insert(first);
  }
  return records;
}

}  // namespace assay::run
