// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/resume.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace assay::run {
namespace {

bool need_not_run_again(const results::PointRecord& record, bool retry_failed) {
  using results::Status;
  if (record.stop == "interrupted") return false;
  return !retry_failed || (record.status != Status::failed && record.status != Status::timeout);
}

}  // namespace

std::string identity(const std::string& case_name, const std::string& key, std::int64_t repetition) {
  return fmt::format("{}/{}#{}", case_name, key, repetition);
}

Finished read_finished(const std::filesystem::path& journal, bool retry_failed) {
  Finished finished;
  if (!std::filesystem::exists(journal)) return finished;
  finished.problems = results::for_each_record(journal, [&](const results::Record& record) {
    if (const auto* context = std::get_if<results::ContextRecord>(&record)) {
      if (finished.run_id.empty()) finished.run_id = context->run_id;
      finished.processes = std::max(finished.processes, context->process + 1);
    } else if (const auto* point = std::get_if<results::PointRecord>(&record)) {
      finished.last_sequence = std::max(finished.last_sequence, point->sequence);
      if (need_not_run_again(*point, retry_failed))
        finished.points.insert(identity(point->case_name, point->key, point->repetition));
    }
  });
  return finished;
}

}  // namespace assay::run
