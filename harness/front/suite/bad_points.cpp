// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/bad_points.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <variant>

#include "results/record/journal.hpp"

namespace assay::suite {
namespace {

bool is_bad(const results::PointRecord& point) {
  return point.status != results::Status::ok && point.status != results::Status::unsupported;
}

}  // namespace

std::string bad_points_in(const std::filesystem::path& journal) {
  if (!std::filesystem::exists(journal)) return "";
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::string> points;  // what is bad about each
  std::string first;
  results::for_each_record(journal, [&](const results::Record& record) {
    const auto* point = std::get_if<results::PointRecord>(&record);
    if (point == nullptr) return;
    points[{point->case_name, point->key, point->repetition}] =
        is_bad(*point)
            ? fmt::format("{} {}: {}", point->case_name, results::to_string(point->status), point->reason)
            : "";
  });
  std::int64_t bad = 0;
  for (const auto& [point, why] : points) {
    if (why.empty()) continue;
    if (bad++ == 0) first = why;
  }
  return bad == 0 ? "" : fmt::format("{} of {} points: {}", bad, points.size(), first);
}

}  // namespace assay::suite
