// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A logbook as JSON.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/health/logbook.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::health {
namespace {

using nlohmann::json;

constexpr int schema = 1;
constexpr std::array sources{link::CounterSource::port, link::CounterSource::hw, link::CounterSource::netdev,
                             link::CounterSource::ethtool};

json to_json(const Finding& finding) {
  return {
      {"check", finding.check},       {"unit", finding.unit},       {"status", to_string(finding.status)},
      {"evidence", finding.evidence}, {"meaning", finding.meaning}, {"action", to_string(finding.action)}};
}

Finding finding_from(const json& from, const std::string& file) {
  return {from.at("check"),
          from.at("unit"),
          status_from(from.at("status"), file),
          from.at("evidence"),
          from.at("meaning"),
          action_from(from.at("action"), file),
          true};
}

json to_json(const link::PortCounters& port) {
  json values = json::array();
  for (const auto& [counter, value] : port.values)
    values.push_back({to_string(counter.source), counter.netdev, counter.name, value});
  return {{"device", port.device}, {"port", port.port}, {"values", values}};
}

/// nlohmann walks over null and over objects as if they were lists.
const json::array_t& list_at(const json& from, const char* key) {
  const json& value = from.at(key);
  if (!value.is_array()) throw std::runtime_error(fmt::format("'{}' is not a list", key));
  return value.get_ref<const json::array_t&>();
}

const json::object_t& object_at(const json& from, const char* key) {
  const json& value = from.at(key);
  if (!value.is_object()) throw std::runtime_error(fmt::format("'{}' is not an object", key));
  return value.get_ref<const json::object_t&>();
}

double seconds_at(const json& from, const char* key) {
  const json& value = from.at(key);
  if (!value.is_number() || value.get<double>() < 0)
    throw std::runtime_error(fmt::format("'{}' is not a number of at least 0", key));
  return value.get<double>();
}

link::PortCounters port_from(const json& from) {
  link::PortCounters port{from.at("device"), from.at("port"), {}};
  for (const json& row : list_at(from, "values")) {
    link::CounterName name{{}, row.at(1), row.at(2)};
    bool known = false;
    for (const link::CounterSource source : sources)
      if (to_string(source) == row.at(0).get<std::string>()) {
        name.source = source;
        known = true;
      }
    if (!known) throw std::runtime_error("no source of counters is named " + core::json_text(row.at(0)));
    port.values[name] = row.at(3).get_ref<const json::number_unsigned_t&>();
  }
  return port;
}

json to_json(const Snapshot& last) {
  json counters = json::array(), ports = json::array(), uuids = json::object();
  for (const Counter& counter : last.counters)
    counters.push_back({counter.unit, counter.name, counter.value ? json(*counter.value) : json()});
  for (const link::PortCounters& port : last.ports) ports.push_back(to_json(port));
  for (const GpuState& gpu : last.gpus)
    if (gpu.address && gpu.uuid) uuids[*gpu.address] = *gpu.uuid;
  return {{"boot_id", last.boot_id},
          {"monotonic_s", last.monotonic_s},
          {"next_sequence", last.log.next_sequence},
          {"sequence_by_time", last.log.by_time},
          {"manager_log_end", last.manager_log.next_sequence},
          {"gpu_uuids", uuids},
          {"counters", counters},
          {"ports", ports}};
}

Snapshot snapshot_from(const json& from) {
  Snapshot last;
  last.boot_id = from.at("boot_id");
  last.monotonic_s = seconds_at(from, "monotonic_s");
  last.log.next_sequence = from.at("next_sequence").get_ref<const json::number_unsigned_t&>();
  last.log.by_time = from.value("sequence_by_time", false);  // logbooks before 0.2.0 do not have these
  if (from.contains("manager_log_end"))
    last.manager_log.next_sequence = from["manager_log_end"].get_ref<const json::number_unsigned_t&>();
  for (const auto& [address, uuid] : object_at(from, "gpu_uuids")) {
    GpuState& gpu = last.gpus.emplace_back();
    gpu.address = address;
    gpu.uuid = uuid.get<std::string>();
  }
  for (const json& row : list_at(from, "counters")) {
    Counter& counter = last.counters.emplace_back(Counter{row.at(0), row.at(1), {}});
    if (!row.at(2).is_null()) counter.value = row.at(2).get_ref<const json::number_unsigned_t&>();
  }
  for (const json& port : list_at(from, "ports")) last.ports.push_back(port_from(port));
  return last;
}

Latched latched_from(const json& from, const std::string& file) {
  Latched latched{finding_from(from.at("finding"), file), from.at("since"), from.at("cleared"),
                  from.at("reason")};
  if (latched.finding.status < Status::unknown)
    throw std::runtime_error(fmt::format("a latched finding is '{}', expected 'failed' or 'unknown'",
                                         to_string(latched.finding.status)));
  if (!latched.cleared.empty() && latched.reason.empty())
    throw std::runtime_error("a finding was cleared without a reason");
  return latched;
}

json to_json(const History& history) {
  json stays = json::array(), incidents = json::array();
  for (const Stay& one : history.stays)
    stays.push_back({{"kind", one.kind},
                     {"serial", one.serial},
                     {"unit", one.unit},
                     {"since", one.since},
                     {"until", one.until},
                     {"watched_s", one.watched_s}});
  for (const Incident& one : history.incidents)
    incidents.push_back({{"check", one.check},
                         {"unit", one.unit},
                         {"kind", one.kind},
                         {"serial", one.serial},
                         {"since", one.since},
                         {"until", one.until},
                         {"at_first", one.at_first}});
  json read = json::object();
  for (const auto& [check, looks] : history.read) read[check] = looks;
  return {{"looks", history.looks}, {"read", read},           {"host", history.host},
          {"since", history.since}, {"until", history.until}, {"watched_s", history.watched_s},
          {"stays", stays},         {"incidents", incidents}};
}

History history_from(const json& from) {
  History history{.host = from.at("host"),
                  .since = from.at("since"),
                  .until = from.at("until"),
                  .watched_s = seconds_at(from, "watched_s"),
                  .looks = from.at("looks"),
                  .read = {},
                  .stays = {},
                  .incidents = {}};
  for (const auto& [check, looks] : object_at(from, "read")) history.read[check] = looks.get<std::int64_t>();
  for (const json& row : list_at(from, "stays"))
    history.stays.push_back({row.at("kind"), row.at("serial"), row.at("unit"), row.at("since"),
                             row.at("until"), seconds_at(row, "watched_s")});
  for (const json& row : list_at(from, "incidents"))
    history.incidents.push_back({row.at("check"), row.at("unit"), row.at("kind"), row.at("serial"),
                                 row.at("since"), row.at("until"), row.at("at_first")});
  return history;
}

Logbook logbook_from(const json& from, const std::string& file) {
  if (from.at("schema") != schema)
    throw std::runtime_error(
        fmt::format("schema {}, this version reads {}", core::json_text(from.at("schema")), schema));
  Logbook logbook{snapshot_from(from.at("last")), {}};
  if (from.contains("history")) logbook.history = history_from(from.at("history"));
  for (const json& row : list_at(from, "latched")) logbook.latched.push_back(latched_from(row, file));
  return logbook;
}

[[noreturn]] void refuse_logbook(const std::string& file, const std::string& why, LogbookUse use) {
  core::usage_error(fmt::format("{}: not a logbook of health checks that can be read: {}{}", file, why,
                                use == LogbookUse::write ? " (move it away to begin a new one)" : ""));
}

}  // namespace

std::optional<Logbook> read_logbook(const std::string& file, LogbookUse use) {
  std::error_code why;
  const auto status = std::filesystem::status(file, why);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (!std::filesystem::is_regular_file(status))
    core::usage_error(
        fmt::format("{}: cannot be a logbook: {}", file, why ? why.message() : "not a regular file"));
  try {
    std::ifstream stream(file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    results::require_unique_keys(text);
    return logbook_from(core::json_from<json>(text), file);
  } catch (const core::Error&) {
    throw;
  } catch (const json::parse_error& error) {
    refuse_logbook(file, fmt::format("byte {}: expected JSON", error.byte), use);
  } catch (const std::exception& error) {
    const std::string said = error.what();
    const std::size_t prefix = said.starts_with("[json.exception.") ? said.find("] ") : std::string::npos;
    refuse_logbook(file, prefix == std::string::npos ? said : said.substr(prefix + 2), use);
  }
}

void write_logbook(const std::string& file, const Logbook& logbook) {
  json latched = json::array();
  for (const Latched& one : logbook.latched)
    latched.push_back({{"finding", to_json(one.finding)},
                       {"since", one.since},
                       {"cleared", one.cleared},
                       {"reason", one.reason}});
  core::write_whole_file(file, core::json_text(json{{"schema", schema},
                                                    {"last", to_json(logbook.last)},
                                                    {"latched", latched},
                                                    {"history", to_json(logbook.history)}},
                                               1) +
                                   '\n');
}

}  // namespace assay::health
