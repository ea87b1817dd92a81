// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table of GPUs in place of the driver.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"

namespace assay::health {
namespace {

using nlohmann::json;

template <class Value>
void take(const json& from, std::optional<Value>& into) {
  // Numbers, words and flags do not stand for each other: json's own conversions would take true for 1.
  if constexpr (std::is_same_v<Value, bool>) {
    into = from.get_ref<const json::boolean_t&>();
  } else if constexpr (std::is_same_v<Value, std::string>) {
    into = from.get_ref<const json::string_t&>();
  } else if constexpr (std::is_floating_point_v<Value>) {
    into = from.is_number() ? from.get<Value>() : from.get_ref<const json::number_float_t&>();
  } else {
    const auto whole = from.get_ref<const json::number_unsigned_t&>();
    if (whole > static_cast<std::uint64_t>(std::numeric_limits<Value>::max()))
      throw json::out_of_range::create(406, "the number is too large", &from);
    into = static_cast<Value>(whole);
  }
}

void take(const json& from, machine::Nvlink& link) {
  std::optional<int> index;
  std::optional<bool> active;
  take(from.at("index"), index);
  take(from.at("active"), active);
  link.index = *index;
  link.active = *active;
  if (from.contains("replays")) take(from["replays"], link.replays);
  if (from.contains("recoveries")) take(from["recoveries"], link.recoveries);
  if (from.contains("crc_errors")) take(from["crc_errors"], link.crc_errors);
  if (from.contains("receive_errors")) take(from["receive_errors"], link.receive_errors);
  if (from.contains("integrity_errors")) take(from["integrity_errors"], link.integrity_errors);
}

void take(const json& from, machine::C2cLink& link) {
  std::optional<int> index;
  take(from.at("index"), index);
  link.index = *index;
  if (from.contains("active")) take(from["active"], link.active);
  if (from.contains("crc_errors")) take(from["crc_errors"], link.crc_errors);
  if (from.contains("replays")) take(from["replays"], link.replays);
  if (from.contains("repeated_replays")) take(from["repeated_replays"], link.repeated_replays);
}

void take(const json& from, std::optional<machine::FabricHealth>& into) {
  std::optional<unsigned> mask, summary;
  take(from.at("mask"), mask);
  if (from.contains("summary")) take(from["summary"], summary);
  into = machine::FabricHealth{*mask, summary};
}

void take(const json& from, std::optional<machine::RemappedRows>& into) {
  std::optional<unsigned> corrected, uncorrected;
  std::optional<bool> pending, failed;
  take(from.at("corrected"), corrected);
  take(from.at("uncorrected"), uncorrected);
  take(from.at("pending"), pending);
  take(from.at("failed"), failed);
  into = machine::RemappedRows{*corrected, *uncorrected, *pending, *failed};
}

template <class Link>
void take(const json& from, std::optional<std::vector<Link>>& into) {
  into.emplace();
  for (const json& one : from.get_ref<const json::array_t&>()) take(one, into->emplace_back());
}

using GpuSetter = std::function<void(const json&, GpuState&)>;

template <class Member>
GpuSetter sets(Member GpuState::* member) {
  return [member](const json& from, GpuState& gpu) { take(from, gpu.*member); };
}

const std::map<std::string, GpuSetter>& setters() {
  static const std::map<std::string, GpuSetter> all{
      {"lost", [](const json& from, GpuState& gpu) { gpu.lost = from.get_ref<const json::string_t&>(); }},
      {"address", sets(&GpuState::address)},
      {"name", sets(&GpuState::name)},
      {"uuid", sets(&GpuState::uuid)},
      {"serial", sets(&GpuState::serial)},
      {"vbios", sets(&GpuState::vbios)},
      {"ecc_enabled", sets(&GpuState::ecc_enabled)},
      {"mig_enabled", sets(&GpuState::mig_enabled)},
      {"persistence_enabled", sets(&GpuState::persistence_enabled)},
      {"power_limit_w", sets(&GpuState::power_limit_w)},
      {"default_power_limit_w", sets(&GpuState::default_power_limit_w)},
      {"sram_threshold_exceeded", sets(&GpuState::sram_threshold_exceeded)},
      {"remapped_rows", sets(&GpuState::remapped_rows)},
      {"recovery_action", sets(&GpuState::recovery_action)},
      {"fabric_state", sets(&GpuState::fabric_state)},
      {"fabric_status", sets(&GpuState::fabric_status)},
      {"fabric_health", sets(&GpuState::fabric_health)},
      {"clocks_event_reasons", sets(&GpuState::clocks_event_reasons)},
      {"processes",
       [](const json& from, GpuState& gpu) {
         gpu.processes.emplace();
         for (const json& one : from.get_ref<const json::array_t&>()) {
           std::optional<unsigned> process;
           take(one, process);
           gpu.processes->push_back(*process);
         }
       }},
      {"nvlinks", sets(&GpuState::nvlinks)},
      {"c2c_links", sets(&GpuState::c2c_links)},
  };
  return all;
}

std::vector<std::string_view> known_keys() {
  std::vector<std::string_view> known = core::keys_of(setters());
  known.insert(known.end(), gpu_counter_names.begin(), gpu_counter_names.end());
  return known;
}

void read_row(const json& row, int index, const std::string& where, GpuReading& reading) {
  GpuState& gpu = reading.gpus.emplace_back();
  gpu.index = index;
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [key, value] : row.items()) {
    const auto setter = setters().find(key);
    const bool counter =
        std::find(gpu_counter_names.begin(), gpu_counter_names.end(), key) != gpu_counter_names.end();
    if (setter == setters().end() && !counter)
      core::usage_error(
          fmt::format("{}: GPU {}: {}: {}", where, index, key, core::unknown_key(key, known_keys())));
    try {
      if (counter)
        counts[key] = value.get_ref<const json::number_unsigned_t&>();
      else
        setter->second(value, gpu);
    } catch (const json::exception&) {
      core::usage_error(fmt::format("{}: GPU {}: {} = {} is not of the kind expected", where, index, key,
                                    core::json_text(value)));
    }
  }
  if (!gpu.lost.empty()) return;
  for (const std::string& name : gpu_counter_names)
    reading.counters.push_back(
        {gpu.unit(), name, counts.contains(name) ? std::optional(counts[name]) : std::nullopt});
}

}  // namespace

GpuReading read_gpu_table(const std::string& file) {
  const std::string text = core::read_whole_file(file);
  GpuReading reading;
  try {
    const json table = core::json_from<json>(text);
    reading.unavailable = table.value("unavailable", "");
    int index = 0;
    for (const json& row : table.at("gpus").get_ref<const json::array_t&>())
      read_row(row, index++, file, reading);
  } catch (const json::exception& error) {
    core::usage_error(fmt::format("{}: expected {{\"gpus\": [...]}}: {}", file, error.what()));
  }
  return reading;
}

}  // namespace assay::health
