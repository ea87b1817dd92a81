// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/kept_tests.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/suite/text_in.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

std::string to_line(const TestedGroup& test) {
  return core::json_text(json{{"nodes", test.nodes}, {"passed", test.passed}, {"why", test.why}}) + "\n";
}

std::optional<TestedGroup> test_from(const std::string& line) try {
  const auto from = core::json_from<json>(line);
  return TestedGroup{from.at("nodes").get<Group>(), from.at("passed"), from.at("why")};
} catch (const json::exception&) {
  return std::nullopt;
}

}  // namespace

KeptTests::KeptTests(std::filesystem::path file) : file_(std::move(file)) {
  std::istringstream lines(suite::text_in(file_));
  for (std::string line; std::getline(lines, line);) {
    auto test = test_from(line);
    if (!test) return;
    lines_ += line + "\n";
    take(std::move(*test));
  }
}

void KeptTests::take(TestedGroup test) {
  if (!test.passed) last_failure_ = test.why;
  const Group nodes = test.nodes;
  tests_[nodes].push_back(std::move(test));
}

const TestedGroup* KeptTests::find(const Group& nodes, int number) const {
  const auto found = tests_.find(nodes);
  if (found == tests_.end() || std::ssize(found->second) < number) return nullptr;
  return &found->second[static_cast<std::size_t>(number - 1)];
}

void KeptTests::add(TestedGroup test) {
  lines_ += to_line(test);
  core::write_whole_file(file_.string(), lines_);
  take(std::move(test));
}

std::string KeptTests::why_failed(const Group& nodes) const {
  const auto found = tests_.find(nodes);
  if (found == tests_.end()) return "";
  for (auto test = found->second.rbegin(); test != found->second.rend(); ++test)
    if (!test->passed) return test->why;
  return "";
}

}  // namespace assay::campaign
