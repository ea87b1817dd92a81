// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The file of perftest's --out_json, which until 2023 was not quite JSON. It holds the last size of a run,
// and no unit: the message rate decides it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "results/peers/condition_names.hpp"
#include "results/peers/text/lenient_json.hpp"
#include "results/peers/tools/perftest_run.hpp"

namespace assay::results::peers {
namespace {

bool perftest_json_opens(Lines lines, std::size_t at, std::size_t) {
  constexpr std::array<std::string_view, 1> keys{"test_info"};
  return opens_json(lines, at, keys);
}

class PerftestJson {
 public:
  explicit PerftestJson(const Block& block, Findings& findings)
      : findings_(findings), reading_(read_json(block.lines)) {}

  void read() {
    findings_.tool = "perftest";
    if (!reading_.refused.empty()) return findings_.refusals.push_back(reading_.refusal());
    findings_.doubts = reading_.doubts;
    const JsonNode* info = reading_.root.find("test_info");
    if (!info || !read_info(*info))
      return refuse("key 'test': expected a test of perftest such as RDMA_Write_BW_Test");
    const JsonNode* results = reading_.root.find("results");
    if (!results || !results->is_object() || results->members.empty() || results->torn) return fail();
    run_.latency ? read_latency(*results) : read_rate(*results);
  }

 private:
  void refuse(const std::string& why) { findings_.refusals.push_back({reading_.root.line, why}); }

  void fail() {
    PeerPoint point = perftest_outline(run_, std::nullopt, reading_.root.line);
    point.status = Status::failed;
    point.reason = "no complete results are in the file";
    findings_.points.push_back(std::move(point));
  }

  bool read_info(const JsonNode& info) {
    std::string title = text_member(info, "test");
    // A verb may hold an underscore itself: only those after it stand for blanks.
    for (const std::string_view word : {"_Bidirectional", "_Post", "_List", "_BW", "_Latency", "_Test"})
      if (const std::size_t at = title.find(word); at != std::string::npos) title[at] = ' ';
    if (!read_perftest_title(title, run_)) return false;
    run_.device = text_member(info, "Device");
    run_.transport = text_member(info, "Connection_type");
    run_.rdma_cm = text_member(info, "rdma_cm_QPs");
    run_.qps = whole_member(info, "Number_of_qps");
    run_.tx_depth = whole_member(info, "TX_depth");
    run_.posted_together = whole_member(info, "Post_List");
    run_.inline_bytes = whole_member(info, "Max_inline_data");
    constexpr std::array<std::array<const char*, 2>, 8> kept{
        {{"Mtu", condition::mtu},
         {"Link_type", "link_type"},
         {"GID_index", "gid_index"},
         {"RX_depth", "rx_depth"},
         {"CQ_Moderation", condition::cq_moderation},
         {"Outstand_reads", "outstanding_reads"},
         {"PCIe_relax_order", condition::pcie_relaxed_order},
         {"cuda_device", "cuda_device"}}};
    for (const auto& [key, name] : kept) {
      if (const auto number = whole_member(info, key))
        run_.conditions.emplace_back(name, *number);
      else if (const std::string text = text_member(info, key); !text.empty())
        run_.conditions.emplace_back(name, text);
    }
    return true;
  }

  static std::optional<PrintedNumber> printed(const JsonNode& object, std::string_view key) {
    const JsonNode* node = object.find(key);
    return node ? printed_number(node->text) : std::nullopt;
  }

  void read_rate(const JsonNode& results) {
    const auto bytes = whole_member(results, "MsgSize"), iterations = whole_member(results, "n_iterations");
    const auto average = printed(results, "BW_average"), messages = printed(results, "MsgRate");
    if (!bytes || !iterations || !average || !messages)
      return refuse(
          "results: expected MsgSize, n_iterations, BW_average and MsgRate: a rate without them has no unit");
    PerftestRate row{*bytes, *iterations, printed(results, "BW_peak").value_or(PrintedNumber{}), *average,
                     *messages};
    row.line = results.line;
    const double by_messages = messages->value * 1e6 * static_cast<double>(*bytes);
    const double rounding = messages->half_digit / messages->value;
    constexpr double tolerance = 0.005;
    const auto fits = [&](double unit) {
      return std::abs(average->value * unit / by_messages - 1) <= tolerance + rounding;
    };
    const bool mib = fits(perftest_mib), gbit = fits(perftest_gbit);
    if (!(by_messages > 0) || mib == gbit)
      return refuse(fmt::format(
          "BW_average {} is neither MiB/s nor Gb/s by MsgRate times MsgSize: its unit is not written",
          average->value));
    row.bytes_per_unit = mib ? perftest_mib : perftest_gbit;
    add_doubt(findings_.doubts, {DoubtKind::unit_derived, mib ? "MiB/s" : "Gb/s"});
    add_perftest_rate(run_, row, findings_);
  }

  void read_latency(const JsonNode& results) {
    const auto bytes = whole_member(results, "MsgSize"), iterations = whole_member(results, "n_iterations");
    PerftestLatency row{bytes.value_or(0),
                        iterations.value_or(0),
                        number_member(results, "t_typical"),
                        number_member(results, "t_avg"),
                        number_member(results, "t_min"),
                        number_member(results, "t_max"),
                        number_member(results, "percentile_99"),
                        number_member(results, "percentile_99.9")};
    row.line = results.line;
    if (!bytes || !iterations || !(row.typical_us || row.mean_us))
      return refuse("results: expected MsgSize, n_iterations, and t_typical or t_avg");
    constexpr double surely_microseconds = 1000;
    if ((row.typical_us ? *row.typical_us : *row.mean_us) >= surely_microseconds)
      add_doubt(findings_.doubts, {DoubtKind::unit_derived, "microseconds, or cycles if -C was given"});
    add_perftest_latency(run_, row, findings_);
  }

  Findings& findings_;
  JsonReading reading_;
  PerftestRun run_;
};

void read_perftest_json(const Block& block, Findings& findings) { PerftestJson(block, findings).read(); }

}  // namespace

Reader perftest_json_reader() {
  return {.kind = "perftest",
          .title = "perftest JSON",
          .opens = perftest_json_opens,
          .end = json_end,
          .read = read_perftest_json};
}

}  // namespace assay::results::peers
