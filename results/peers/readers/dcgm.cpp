// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The JSON of `dcgmi diag -j`, 3.x and 4.x: a status by test and GPU. Numbers in its texts change by version
// and stay texts.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"

namespace assay::results::peers {
namespace {

constexpr std::array<std::string_view, 2> dcgm_keys{"DCGM GPU Diagnostic", "DCGM Diagnostic"};

bool dcgm_opens(Lines lines, std::size_t at, std::size_t) {
  constexpr std::array<std::string_view, 3> keys{"DCGM GPU Diagnostic", "DCGM Diagnostic", "iterations"};
  if (!opens_json(lines, at, keys)) return false;
  if (opens_json(lines, at, dcgm_keys)) return true;
  // Objects of other programs have iterations, too.
  constexpr std::size_t lines_looked_at = 64;
  return std::ranges::any_of(lines.subspan(at, std::min(lines_looked_at, lines.size() - at)),
                             [](const Line& line) {
                               return line.text.find("\"DCGM Diagnostic\"") != std::string_view::npos ||
                                      line.text.find("\"DCGM GPU Diagnostic\"") != std::string_view::npos;
                             });
}

class Dcgm {
 public:
  Dcgm(const Block& block, Findings& findings) : findings_(findings), reading_(read_json(block.lines)) {}

  void read() {
    findings_.tool = "dcgm";
    if (!reading_.refused.empty()) return findings_.refusals.push_back(reading_.refusal());
    findings_.doubts = reading_.doubts;
    add_doubt(findings_.doubts, {DoubtKind::no_time});
    read_exchange(reading_.root);
    if (const JsonNode* iterations = reading_.root.find("iterations"))
      for (const JsonNode& one : iterations->items) read_exchange(one);
    if (findings_.points.empty()) add_failure(reading_.root.line, "no test is in the object");
  }

 private:
  void read_exchange(const JsonNode& root) {
    read_identity(root);
    for (const std::string_view key : dcgm_keys) {
      const JsonNode* diagnosis = root.find(key);
      if (!diagnosis) continue;
      for (const JsonNode* from : {diagnosis, &root})
        if (const std::string error = text_member(*from, "runtime_error"); !error.empty())
          add_failure(from->line, error);
      const JsonNode* categories = diagnosis->find("test_categories");
      if (!categories) continue;
      for (const JsonNode& category : categories->items)
        if (const JsonNode* tests = category.find("tests"))
          for (const JsonNode& test : tests->items) read_test(test, text_member(category, "category"));
    }
  }

  void read_identity(const JsonNode& root) {
    if (const std::string version = text_member(root, "version"); !version.empty())
      findings_.version = version;
    if (const JsonNode* metadata = root.find("metadata"); metadata && findings_.version.empty())
      findings_.version = text_member(*metadata, "version");
    if (const JsonNode* serials = root.find("GPU Device Serials"))
      for (const auto& [gpu, serial] : serials->members) serials_["GPU " + gpu] = serial.text;
    const JsonNode* groups = root.find("entity_groups");
    if (!groups) return;
    for (const JsonNode& group : groups->items)
      if (const JsonNode* entities = group.find("entities"))
        for (const JsonNode& entity : entities->items)
          serials_[text_member(group, "entity_group") + " " + text_member(entity, "entity_id")] =
              text_member(entity, "serial_num");
  }

  void read_test(const JsonNode& test, const std::string& category) {
    const JsonNode* results = test.find("results");
    if (!results || text_member(test, "name").empty()) return;
    for (const JsonNode& result : results->items)
      if (result.is_object() && !result.torn) add(snake_case(text_member(test, "name")), category, result);
  }

  void add(const std::string& test, const std::string& category, const JsonNode& result) {
    PeerPoint point = outline(test, result.line);
    std::string group = text_member(result, "entity_group");
    const bool older = result.find("gpu_id") != nullptr;
    const auto entity = whole_member(result, older ? "gpu_id" : "entity_id");
    if (group.empty()) group = "GPU";
    if (entity) {
      point.axes.emplace_back(group == "GPU" ? "gpu" : snake_case(group), *entity);
      const auto serial = serials_.find(group + " " + std::to_string(*entity));
      if (serial != serials_.end() && !serial->second.empty())
        point.conditions.emplace_back("serial", serial->second);
    }
    if (!category.empty()) point.conditions.emplace_back("category", category);
    put_status(point, text_member(result, "status"));
    put_warnings(point, result.find("warnings"));
    if (const std::string info = info_of(result.find("info")); !info.empty())
      point.conditions.emplace_back("info", info);
    findings_.points.push_back(std::move(point));
  }

  static void put_status(PeerPoint& point, const std::string& status) {
    if (status == "Pass" || status == "PASS") return;
    const bool failed = status.starts_with("Fail") || status == "FAIL" || status.starts_with("Warn");
    point.status = failed ? Status::failed : Status::unsupported;
    point.reason = status.empty() ? "no status" : status;
  }

  /// On errors of the deployment 3.x calls the text itself "warnings".
  static void put_warnings(PeerPoint& point, const JsonNode* warnings) {
    if (!warnings) return;
    std::string texts = warnings->text;
    for (const JsonNode& warning : warnings->items) {
      std::string text = warning.is_object() ? text_member(warning, "warning") : warning.text;
      if (text.empty()) text = text_member(warning, "warnings");
      if (!text.empty()) texts += (texts.empty() ? "" : "; ") + text;
      for (const char* name : {"error_id", "error_category", "error_severity"})
        if (const auto number = whole_member(warning, name); number && !find(point.conditions, name))
          point.conditions.emplace_back(name, *number);
    }
    if (texts.empty()) return;
    if (point.status == Status::ok)
      point.conditions.emplace_back("warning", texts);
    else
      point.reason = texts;
    constexpr std::int64_t configuration = 5;
    if (const Scalar* severity = find(point.conditions, "error_severity");
        severity && number_of(*severity) == configuration)
      point.conditions.emplace_back("fault_of", std::string("configuration"));
  }

  static std::string info_of(const JsonNode* info) {
    if (!info) return "";
    std::string texts = info->text;
    for (const JsonNode& item : info->items) texts += (texts.empty() ? "" : "; ") + item.text;
    return texts;
  }

  static PeerPoint outline(const std::string& test, long line) {
    PeerPoint point;
    point.case_name = "peers.dcgm." + test;
    point.metric = "passed";
    point.line = line;
    return point;
  }

  void add_failure(long line, const std::string& reason) {
    PeerPoint point = outline("diagnosis", line);
    point.status = Status::failed;
    point.reason = reason;
    findings_.points.push_back(std::move(point));
  }

  Findings& findings_;
  JsonReading reading_;
  std::map<std::string, std::string> serials_;  // of "GPU 0"
};

void read_dcgm(const Block& block, Findings& findings) { Dcgm(block, findings).read(); }

}  // namespace

Reader dcgm_reader() {
  return {.kind = "dcgm", .title = "DCGM diag JSON", .opens = dcgm_opens, .end = json_end, .read = read_dcgm};
}

}  // namespace assay::results::peers
