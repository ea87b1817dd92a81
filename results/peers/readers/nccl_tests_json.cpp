// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The file of `nccl-tests -J`, versions 1 to 3. Valid JSON may be of a run that broke off; before 2.18.5 such
// a file is torn.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"
#include "results/peers/tools/nccl_operations.hpp"
#include "results/peers/tools/nccl_run.hpp"

namespace assay::results::peers {
namespace {

bool nccl_json_opens(Lines lines, std::size_t at, std::size_t) {
  constexpr std::array<std::string_view, 1> keys{"nccl_version"};
  return opens_json(lines, at, keys);
}

/// "2.30.7" of 23007, "2.7.8" of 2708.
std::string nccl_version_text(std::int64_t code) {
  if (code >= 10000) return fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100);
  return fmt::format("{}.{}.{}", code / 1000, code / 100 % 10, code % 100);
}

std::vector<std::string> texts_of(const JsonNode* list) {
  std::vector<std::string> texts;
  if (list)
    for (const JsonNode& item : list->items) texts.push_back(item.text);
  return texts;
}

/// The value of an option: "3" after "-a".
std::string option_in(const std::vector<std::string>& words, std::string_view brief, std::string_view full) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] == brief || words[i] == full) && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(std::string(full) + "=")) return words[i].substr(full.size() + 1);
    if (words[i].starts_with(brief) && words[i].size() == 3 && brief.size() == 2) return words[i].substr(2);
  }
  return "";
}

class NcclJson {
 public:
  NcclJson(const Block& block, Findings& findings)
      : block_(block), findings_(findings), reading_(read_json(block.lines)), root_(reading_.root) {}

  void read() {
    findings_.tool = run_.tool;
    if (!reading_.refused.empty()) return findings_.refusals.push_back(reading_.refusal());
    findings_.doubts = reading_.doubts;
    read_head();
    read_config();
    read_devices();
    if (!find_nccl_operation(run_, block_.path, findings_))
      return findings_.refusals.push_back({root_.line, "the operation is in neither 'args' nor the path"});
    if (const JsonNode* results = root_.find("results"))
      for (const JsonNode& result : results->items) read_result(result);
    add_nccl_points(run_, findings_);
    read_end();
  }

 private:
  void read_head() {
    findings_.version = "JSON " + text_member(root_, "version");
    findings_.command_line = texts_of(root_.find("args"));
    if (!findings_.command_line.empty()) {
      std::string program = findings_.command_line.front();
      program.erase(0, program.find_last_of('/') + 1);
      run_.operation = nccl_operation_in(program);
    }
    if (const auto version = whole_member(root_, "nccl_version"))
      run_.nccl_version = nccl_version_text(*version);
    if (const std::string time = text_member(root_, "start_time"); !time.empty()) {
      run_.started = time + " local time";
      add_doubt(findings_.doubts, {DoubtKind::time_zone_unknown});
    }
    read_environment();
    read_options();
  }

  /// Anything else in the environment may be a secret.
  void read_environment() {
    for (const std::string& entry : texts_of(root_.find("env"))) {
      const std::size_t equals = entry.find('=');
      const std::string name = entry.substr(0, equals);
      constexpr std::array<std::string_view, 4> kept{"NCCL_", "SLURM_", "CUDA_", "UCX_"};
      if (equals == std::string::npos ||
          std::ranges::none_of(kept, [&](auto begin) { return name.starts_with(begin); }))
        continue;
      const std::string value = entry.substr(equals + 1);
      findings_.environment.emplace_back(name, value);
      if (name == "NCCL_ALGO") run_.axes.emplace_back("algorithm", lower_case(value));
      if (name == "NCCL_PROTO") run_.axes.emplace_back("protocol", lower_case(value));
    }
  }

  void read_options() {
    const std::vector<std::string>& words = findings_.command_line;
    const std::string combined = option_in(words, "-a", "--average");
    if (combined == "0") run_.mean_among_processes = "of rank 0";
    if (combined == "2") run_.mean_among_processes = "of the fastest process";
    if (combined == "3") run_.mean_among_processes = "of the slowest process";
    const std::string registered = option_in(words, "-R", "--local_register");
    if (registered == "1") run_.axes.emplace_back("registered", std::int64_t{1});
    if (registered == "2") run_.axes.emplace_back("window", std::string("symmetric"));
    if (const std::string policy = option_in(words, "-x", "--cta_policy"); !policy.empty())
      run_.axes.emplace_back("cta_policy", policy);
  }

  void read_config() {
    const JsonNode* config = root_.find("config");
    if (!config) return;
    run_.threads = std::max<std::int64_t>(1, whole_member(*config, "nthreads").value_or(1));
    run_.gpus = std::max<std::int64_t>(1, whole_member(*config, "ngpus").value_or(1));
    run_.warmups = whole_member(*config, "warmup_iters").value_or(0);
    run_.iterations = whole_member(*config, "iterations").value_or(0);
    run_.aggregated = whole_member(*config, "aggregated_iterations").value_or(1);
    run_.graph = whole_member(*config, "graph").value_or(0);
    run_.validated = whole_member(*config, "validation").value_or(1) != 0;
    run_.blocking = truth_member(*config, "blocking_collectives") ||
                    whole_member(*config, "blocking_collectives").value_or(0) > 0;
    samples_follow_ = truth_member(*config, "per_iter_timing");
    skipped_ = whole_member(*config, "per_iter_skip").value_or(0);
  }

  void read_devices() {
    run_.devices_are_processes = true;
    const JsonNode* devices = root_.find("config", "devices");
    if (!devices) return;
    run_.devices_left_out = devices->torn;
    for (const JsonNode& device : devices->items)
      run_.devices.push_back({.rank = whole_member(device, "rank").value_or(0),
                              .host = text_member(device, "hostname"),
                              .process = text_member(device, "pid"),
                              .name = text_member(device, "device_info")});
  }

  void read_result(const JsonNode& result) {
    const auto bytes = whole_member(result, "size");
    if (!bytes || text_member(result, "type").empty()) return;
    NcclRow row{.bytes = *bytes,
                .type = text_member(result, "type"),
                .redop = text_member(result, "redop"),
                .root = text_member(result, "root"),
                .halves = {},
                .line = result.line,
                .iterations = whole_member(result, "actual_iterations")};
    for (const bool in_place : {false, true}) read_half(result, in_place, row);
    run_.rows.push_back(std::move(row));
  }

  static std::optional<PrintedNumber> printed(const JsonNode& object, std::string_view key) {
    const JsonNode* node = object.find(key);
    return node && node->kind == JsonNode::Kind::number ? printed_number(node->text) : std::nullopt;
  }

  void read_half(const JsonNode& result, bool in_place, NcclRow& row) {
    const std::string name = in_place ? "in_place" : "out_of_place";
    const JsonNode* numbers = result.find(name);
    if (!numbers || !numbers->is_object() || numbers->torn) return;
    NcclHalf half;
    half.in_place = in_place;
    half.is_launch_time = numbers->find("cpu_time") != nullptr;
    half.time = printed(*numbers, half.is_launch_time ? "cpu_time" : "time");
    half.algbw = printed(*numbers, "alg_bw");
    half.busbw = printed(*numbers, "bus_bw");
    if (const auto wrong = printed(*numbers, "nwrong")) half.wrong = wrong->value;
    const JsonNode* each = result.find(name + "_per_iter");
    // A run that is cut off between the two has no samples of this half, and must not pass for one without.
    if (each ? each->torn : samples_follow_ && (result.torn || !result.find("actual_iterations"))) return;
    if (each && each->is_object() && !read_samples(*each, half)) {
      findings_.refusals.push_back({each->line, "size " + std::to_string(row.bytes) + ", " + name +
                                                    "_per_iter: the times do not have the printed mean"});
      return;
    }
    row.halves.push_back(std::move(half));
  }

  /// False where the times are not those that the tool summed up.
  bool read_samples(const JsonNode& each, NcclHalf& half) const {
    const JsonNode* times = each.find("times_us");
    if (!times || !times->is_array()) return true;
    half.skipped = whole_member(each, "skipped_iterations").value_or(skipped_);
    for (std::size_t i = static_cast<std::size_t>(std::max<std::int64_t>(0, half.skipped));
         i < times->items.size(); ++i) {
      const auto time = times->items[i].number();
      if (!time || !(*time > 0)) return false;
      half.samples_us.push_back(*time);
    }
    const auto mean = number_member(each, "avg_us");
    if (!mean || half.samples_us.empty()) return true;
    const double own = std::accumulate(half.samples_us.begin(), half.samples_us.end(), 0.0) /
                       static_cast<double>(half.samples_us.size());
    constexpr double tolerance = 1e-3;
    return std::abs(own - *mean) <= tolerance * own;
  }

  void read_end() {
    std::string errors;
    for (const std::string& error : texts_of(root_.find("errors")))
      if (!error.empty()) errors += (errors.empty() ? "" : "; ") + error;
    if (!errors.empty()) add_doubt(findings_.doubts, {DoubtKind::errors_reported, errors});
    const bool complete = root_.find("end_time") && root_.find("out_of_bounds");
    if (!complete && !reading_.torn)
      add_doubt(findings_.doubts,
                {DoubtKind::cut, "'end_time' or 'out_of_bounds' is not there: the run broke off"});
    const bool is_empty = findings_.points.empty() && findings_.refusals.empty();
    if (errors.empty() && is_empty) errors = "no result is in the file";
    if (!errors.empty() && (!complete || is_empty)) add_nccl_failure(run_, root_.line, errors, findings_);
  }

  const Block& block_;
  Findings& findings_;
  JsonReading reading_;
  const JsonNode& root_;
  NcclRun run_;
  std::int64_t skipped_ = 0;
  bool samples_follow_ = false;
};

void read_nccl_json(const Block& block, Findings& findings) { NcclJson(block, findings).read(); }

}  // namespace

Reader nccl_tests_json_reader() {
  return {.kind = "nccl-tests",
          .title = "nccl-tests JSON",
          .opens = nccl_json_opens,
          .end = json_end,
          .read = read_nccl_json};
}

}  // namespace assay::results::peers
