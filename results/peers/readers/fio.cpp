// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The JSON of fio 3.0 and later: bw_bytes are B/s, bw is KiB/s. With --status-interval the last object
// counts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "results/peers/text/calendar_text.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {
namespace {

bool fio_opens(Lines lines, std::size_t at, std::size_t) {
  constexpr std::array<std::string_view, 1> keys{"fio version"};
  return opens_json(lines, at, keys);
}

/// Objects one after the other are one block.
std::size_t fio_end(Lines lines, std::size_t at) {
  std::size_t end = json_end(lines, at);
  for (std::size_t next = end; next < lines.size(); ++next) {
    if (trimmed(lines[next].text).empty()) continue;
    if (!fio_opens(lines, next, 0)) break;
    end = json_end(lines, next);
    next = end - 1;
  }
  return end;
}

/// 1048576 of "1m", "1024k"; without a suffix bytes.
std::optional<std::int64_t> fio_bytes(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = whole_number(text.substr(0, digits));
  std::string_view unit = text.substr(digits);
  if (unit.ends_with('b') || unit.ends_with('B')) unit.remove_suffix(1);
  if (unit.ends_with('i')) unit.remove_suffix(1);
  constexpr std::string_view suffixes = "kKmMgG";
  const std::size_t place = unit.empty() ? 0 : suffixes.find(unit);
  if (!number || *number < 0 || *number > (std::int64_t{1} << 30) || place == std::string_view::npos ||
      unit.size() > 1)
    return std::nullopt;
  return unit.empty() ? *number : *number << (10 * (place / 2 + 1));
}

/// Options of a job over those of all.
using FioOptions = std::map<std::string, std::string>;

void put_options(const JsonNode* options, FioOptions& into) {
  if (!options) return;
  for (const auto& [name, value] : options->members) into[name] = value.text;
}

std::string option(const FioOptions& options, const std::string& name, const std::string& alias = "") {
  if (const auto found = options.find(name); found != options.end()) return found->second;
  const auto found = options.find(alias);
  return found == options.end() ? "" : found->second;
}

class Fio {
 public:
  Fio(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "fio";
    for (std::size_t at = 0; at < block_.lines.size();) {
      if (trimmed(block_.lines[at].text).empty()) {
        ++at;
        continue;
      }
      JsonReading reading = read_json(block_.lines, at);
      if (!reading.refused.empty()) return findings_.refusals.push_back(reading.refusal());
      for (const Doubt& doubt : reading.doubts) add_doubt(findings_.doubts, doubt);
      at = reading.torn ? block_.lines.size() : reading.end;
      keep(std::move(reading));
    }
    for (const JsonReading& object : objects_) read_object(object.root);
  }

 private:
  /// "job and job_start" of each: an object of the same jobs is a later state of them.
  static std::string jobs_of(const JsonNode& root) {
    std::string jobs;
    if (const JsonNode* list = root.find("jobs"))
      for (const JsonNode& job : list->items)
        jobs += text_member(job, "jobname") + " " + text_member(job, "job_start") + "\n";
    return jobs;
  }

  void keep(JsonReading reading) {
    if (!objects_.empty() && jobs_of(objects_.back().root) == jobs_of(reading.root)) {
      if (!reading.torn) objects_.back() = std::move(reading);
      return;
    }
    objects_.push_back(std::move(reading));
  }

  void read_object(const JsonNode& root) {
    findings_.version = text_member(root, "fio version");
    if (findings_.version.starts_with("fio-")) findings_.version.erase(0, 4);
    started_ = started_of_epoch(whole_member(root, "timestamp").value_or(0));
    const JsonNode* jobs = root.find("jobs");
    if (!jobs || jobs->items.empty())
      return findings_.refusals.push_back({root.line, "no job is in the object"});
    FioOptions common;
    put_options(root.find("global options"), common);
    for (std::size_t i = 0; i < jobs->items.size();) {
      const JsonNode& job = jobs->items[i];
      FioOptions options = common;
      put_options(job.find("job options"), options);
      std::size_t end = i + 1;
      const bool grouped =
          option(options, "group_reporting") != "" && option(options, "group_reporting") != "0";
      while (!grouped && end < jobs->items.size() && is_same_job(jobs->items[end], job)) ++end;
      if (!job.torn) read_job(std::span(jobs->items).subspan(i, end - i), options);
      i = end;
    }
  }

  /// Without group_reporting each of `numjobs` has an entry.
  static bool is_same_job(const JsonNode& other, const JsonNode& job) {
    return text_member(other, "jobname") == text_member(job, "jobname") &&
           text_member(other, "groupid") == text_member(job, "groupid");
  }

  PeerPoint outline(const JsonNode& job, const std::string& direction, const FioOptions& options) const {
    PeerPoint point;
    point.case_name = "peers.fio." + direction;
    point.axes = {{"job", text_member(job, "jobname")}, {"rw", option(options, "rw", "readwrite")}};
    if (const auto bytes = fio_bytes(option(options, "bs", "blocksize")))
      point.axes.emplace_back("bs", *bytes);
    for (const char* name : {"iodepth", "numjobs"})
      point.axes.emplace_back(name, whole_number(option(options, name)).value_or(1));
    if (const std::string engine = option(options, "ioengine"); !engine.empty())
      point.axes.emplace_back("ioengine", engine);
    if (const std::string file = option(options, "filename"); !file.empty())
      point.axes.emplace_back("file", file);
    point.metric = "bandwidth_gb_per_s";
    point.unit = "GB/s";
    point.statistic = "bytes over run time";
    point.line = job.line;
    point.started = started_;
    for (const char* name : {"direct", "runtime", "size"})
      if (const std::string value = option(options, name); !value.empty())
        point.conditions.emplace_back(name, value);
    return point;
  }

  void read_job(std::span<const JsonNode> entries, const FioOptions& options) {
    bool ran = false;
    for (const std::string direction : {"read", "write", "trim"}) {
      std::vector<const JsonNode*> rates;
      for (const JsonNode& entry : entries)
        if (const JsonNode* one = entry.find(direction);
            one && number_member(*one, "runtime").value_or(0) > 0)
          rates.push_back(one);
      if (rates.empty()) continue;
      ran = true;
      add(outline(entries.front(), direction, options), entries, rates);
    }
    if (ran) return;
    PeerPoint point = outline(entries.front(), "job", options);
    point.status = Status::failed;
    point.reason = "no direction ran, error " + text_member(entries.front(), "error");
    findings_.points.push_back(std::move(point));
  }

  void add(PeerPoint point, std::span<const JsonNode> entries, const std::vector<const JsonNode*>& rates) {
    double bytes_per_s = 0, iops = 0;
    std::int64_t operations = 0;
    for (const JsonNode* rate : rates) {
      const auto bw = number_member(*rate, "bw_bytes"), kib = number_member(*rate, "bw");
      constexpr double kib_rounding = 2 * 1024;
      if (!bw || (kib && std::abs(*bw - *kib * 1024) > kib_rounding + 1e-3 * *bw))
        return findings_.refusals.push_back(
            {rate->line, bw ? "bw_bytes is not 1024 times bw: the job was left out"
                            : "no bw_bytes: expected fio 3.0 or later"});
      bytes_per_s += *bw;
      iops += number_member(*rate, "iops").value_or(0);
      operations += whole_member(*rate, "total_ios").value_or(0);
    }
    point.value = bytes_per_s * 1e-9;
    point.executions = operations;
    point.metrics.push_back({"iops", "1/s", iops});
    if (rates.size() == 1) put_latencies(point, *rates.front());
    put_status(point, entries);
    findings_.points.push_back(std::move(point));
  }

  /// Completion, or with lat_percentiles the whole latency.
  static void put_latencies(PeerPoint& point, const JsonNode& rate) {
    for (const std::string kind : {"clat", "lat"}) {
      const JsonNode* latency = rate.find(kind + "_ns");
      const JsonNode* percentiles = latency ? latency->find("percentile") : nullptr;
      const auto put = [&](const std::string& name, std::optional<double> ns) {
        if (ns) point.metrics.push_back({kind + "_" + name + "_us", "us", *ns * 1e-3});
      };
      if (!latency || (kind == "lat" && !percentiles)) continue;
      put("mean", number_member(*latency, "mean"));
      if (!percentiles) continue;
      put("p50", number_member(*percentiles, "50.000000"));
      put("p99", number_member(*percentiles, "99.000000"));
      put("p999", number_member(*percentiles, "99.900000"));
    }
  }

  void put_status(PeerPoint& point, std::span<const JsonNode> entries) {
    constexpr std::int64_t verification_failed = 84;  // EILSEQ
    for (const JsonNode& entry : entries) {
      const std::int64_t error = whole_member(entry, "error").value_or(0);
      if (error == 0) continue;
      point.status = error == verification_failed ? Status::wrong : Status::failed;
      point.reason =
          fmt::format("error {}{}", error, error == verification_failed ? ": verification failed" : "");
      if (error == verification_failed) {
        point.verification = Verification::Result::wrong;
        add_doubt(findings_.doubts, {DoubtKind::wrong_results});
      }
    }
  }

  const Block& block_;
  Findings& findings_;
  std::vector<JsonReading> objects_;
  std::string started_;
};

void read_fio(const Block& block, Findings& findings) { Fio(block, findings).read(); }

}  // namespace

Reader fio_reader() {
  return {.kind = "fio", .title = "fio JSON", .opens = fio_opens, .end = fio_end, .read = read_fio};
}

}  // namespace assay::results::peers
