// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The object of `nvbandwidth -j`. After an error it is written twice, and the failed test is listed twice:
// the last entry of a name counts.
#include <algorithm>
#include <array>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"
#include "results/peers/tools/nvbandwidth_test.hpp"

namespace assay::results::peers {
namespace {

bool nvbandwidth_json_opens(Lines lines, std::size_t at, std::size_t) {
  constexpr std::array<std::string_view, 1> keys{"nvbandwidth"};
  return opens_json(lines, at, keys);
}

bool holds_error(Lines lines) {
  return std::ranges::any_of(lines, [](const Line& line) {
    return line.text.find("\"Error\"") != std::string_view::npos ||
           line.text.find("\"Running\"") != std::string_view::npos ||
           (line.text.find("\"testcases\"") != std::string_view::npos &&
            line.text.find("null") != std::string_view::npos);
  });
}

/// The end of an object with an error is that of its second print.
std::size_t nvbandwidth_json_end(Lines lines, std::size_t at) {
  const std::size_t end = json_end(lines, at);
  if (!holds_error(lines.subspan(at, end - at))) return end;
  for (std::size_t next = end; next < lines.size(); ++next) {
    if (nvbandwidth_json_opens(lines, next, 0)) return json_end(lines, next);
    if (trimmed(lines[next].text).starts_with("nvbandwidth Version")) return end;
  }
  return end;
}

class NvbandwidthJson {
 public:
  NvbandwidthJson(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "nvbandwidth";
    for (std::size_t at = 0; at < block_.lines.size(); ++at) {
      if (!nvbandwidth_json_opens(block_.lines, at, 0)) {
        if (!trimmed(block_.lines[at].text).empty()) ++findings_.unparsed_lines;
        continue;
      }
      const JsonReading reading = read_json(block_.lines, at);
      if (!reading.refused.empty()) return findings_.refusals.push_back(reading.refusal());
      for (const Doubt& doubt : reading.doubts) add_doubt(findings_.doubts, doubt);
      read_object(reading.root);
      if (reading.torn) break;
      at = reading.end - 1;
    }
    for (const NvbandwidthTest& test : tests_) add_nvbandwidth_test(test, outline_, findings_);
  }

 private:
  void read_object(const JsonNode& root) {
    const JsonNode* object = root.find("nvbandwidth");
    if (!object) return;
    findings_.version = without_v(text_member(*object, "version"));
    if (findings_.version.empty()) findings_.version = without_v(text_member(*object, "git_version"));
    if (const std::string driver = text_member(*object, "Driver Version");
        !driver.empty() && outline_.conditions.empty())
      outline_.conditions.emplace_back("driver", driver);
    read_devices(object->find("GPU Device list"));
    const std::string error = text_member(*object, "error");
    if (!error.empty()) add_doubt(findings_.doubts, {DoubtKind::errors_reported, error});
    for (const JsonNode* list : {object->find("testcases"), root.find("testcases")})
      if (list)
        for (const JsonNode& test : list->items)
          if (!test.torn) read_test(test, error);
  }

  /// "0: NVIDIA H100 80GB HBM3 (00000000:1b:00): (gx22)"
  void read_devices(const JsonNode* list) {
    if (!list) return;
    findings_.gpu_names.clear();
    for (const JsonNode& device : list->items) {
      findings_.gpu_names.emplace_back(after(device.text, ": ", " ("));
      const std::size_t open = device.text.rfind('('), close = device.text.rfind(')');
      if (device.text.find("): (") == std::string::npos || close == std::string::npos || close < open)
        continue;
      const std::string host = device.text.substr(open + 1, close - open - 1);
      if (outline_.host.empty()) outline_.host = host;
      if (std::ranges::find(hosts_, host) == hosts_.end()) hosts_.push_back(host);
    }
    if (hosts_.size() > 1) outline_.hosts = hosts_;
  }

  void read_test(const JsonNode& from, const std::string& error) {
    NvbandwidthTest test{.name = text_member(from, "name")};
    test.line = from.line;
    test.sum = text_member(from, "sum");
    const std::string status = text_member(from, "status");
    test.waived = status == "Waived";
    if (status != "Passed" && !test.waived) test.failure = error.empty() ? "status '" + status + "'" : error;
    if (const JsonNode* matrix = from.find("bandwidth_matrix"))
      for (const JsonNode& row : matrix->items) {
        std::vector<std::string> cells;
        for (const JsonNode& cell : row.items) cells.push_back(cell.text);
        test.rows.push_back(std::move(cells));
        test.row_lines.push_back(row.line);
      }
    keep_total(test);
    if (test.name.empty()) return;
    const auto known = std::ranges::find(tests_, test.name, &NvbandwidthTest::name);
    if (known == tests_.end())
      tests_.push_back(std::move(test));
    else
      *known = std::move(test);
  }

  /// A bidirectional test among GPUs has both directions and the total one below the other.
  static void keep_total(NvbandwidthTest& test) {
    const std::size_t columns = test.rows.empty() ? 0 : test.rows.front().size();
    if (columns == 0 || test.rows.size() != 3 * columns ||
        test.name.find("bidirectional") == std::string::npos)
      return;
    const auto parts = static_cast<std::ptrdiff_t>(2 * columns);
    test.rows.erase(test.rows.begin(), test.rows.begin() + parts);
    test.row_lines.erase(test.row_lines.begin(), test.row_lines.begin() + parts);
  }

  const Block& block_;
  Findings& findings_;
  PeerPoint outline_;
  std::vector<std::string> hosts_;
  std::vector<NvbandwidthTest> tests_;
};

void read_nvbandwidth_json(const Block& block, Findings& findings) {
  NvbandwidthJson(block, findings).read();
}

}  // namespace

Reader nvbandwidth_json_reader() {
  return {.kind = "nvbandwidth",
          .title = "nvbandwidth JSON",
          .opens = nvbandwidth_json_opens,
          .end = nvbandwidth_json_end,
          .read = read_nvbandwidth_json};
}

}  // namespace assay::results::peers
