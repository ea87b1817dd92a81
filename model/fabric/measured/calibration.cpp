// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/measured/calibration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "harness/core/error.hpp"

namespace assay::model::fabric::measured {

namespace {

std::string interval_text(const results::Number& number) {
  if (!number.lower || !number.upper) return fmt::format("{:.4g}", number.value);
  return fmt::format("{:.4g} ({:.4g} to {:.4g})", number.value, *number.lower, *number.upper);
}

class KeyWriter {
 public:
  KeyWriter(const FabricFile& fabric, const Topology& topology, OtherLineRate other)
      : fabric_(&fabric), kinds_(topology.kinds_of_switches()), other_(other), hop_us_(kinds_.size()) {}

  void add(const TierCoefficients& one) {
    toml::table entry;
    if (!one.tier.empty()) entry.insert("tier", one.tier);
    std::vector<std::string> used;
    if (one.ports.goodput_gb_per_s) add_goodput(*one.ports.goodput_gb_per_s, entry, used);
    std::vector<std::string> unused = one.ports.unused;
    add_hops(one, entry, used, unused);
    add_host("overhead_us", one.ports.overhead_us, "overhead", used);
    add_host("message_gap_us", one.ports.gap_us, "gap", used);
    if (one.ports.node_gb_per_s) add_nvlink(*one.ports.node_gb_per_s, used, unused);
    if (!used.empty())
      append(std::move(entry),
             fmt::format("Coefficients: {}; from {}", fmt::join(used, ", "), one.ports.source));
    for (const std::string& why : unused) append(toml::table(), "Not used: " + why);
  }

  std::vector<KeyValue> keys() const {
    std::vector<KeyValue> all = host_keys_;
    if (entries_.empty()) return all;
    std::ostringstream text;
    text << entries_;
    all.push_back({"measured", text.str()});
    return all;
  }

 private:
  void add_goodput(const results::Number& goodput, toml::table& entry, std::vector<std::string>& used) {
    entry.insert("goodput_gb_per_s", goodput.value);
    if (goodput.lower) entry.insert("lower_gb_per_s", std::min(*goodput.lower, goodput.value));
    if (goodput.upper) entry.insert("upper_gb_per_s", std::max(*goodput.upper, goodput.value));
    if (other_ == OtherLineRate::taken) entry.insert("any_line_rate", true);
    used.push_back(fmt::format("goodput {} GB/s", interval_text(goodput)));
  }

  /// The number of links that messages of these coefficients cross one way.
  std::size_t links_of(const TierCoefficients& one, const OneWay& way) const {
    if (!one.tier.empty()) return 2 * (tier_of(one.tier) + 1);
    return kinds_.size() == 1 ? 2 : way.links;
  }

  std::size_t tier_of(const std::string& kind) const {
    return static_cast<std::size_t>(std::ranges::find(kinds_, kind) - kinds_.begin());
  }

  void add_hops(const TierCoefficients& one, toml::table& entry, std::vector<std::string>& used,
                std::vector<std::string>& unused) {
    const double overhead_us = one.ports.overhead_us.value_or(0);
    double sum = 0, squares = 0;
    for (const OneWay& way : one.ports.one_way) {
      auto links = static_cast<double>(links_of(one, way));
      if (links == 0) {
        unused.push_back(
            fmt::format("L + 2 o = {:.4g} us: how many links its messages crossed is not known; "
                        "expected TIER=FILE, with TIER one of {}",
                        way.us, fmt::join(kinds_, ", ")));
        continue;
      }
      double left_us = way.us - 2 * overhead_us;
      if (!one.tier.empty())
        for (std::size_t tier = 0; tier < tier_of(one.tier); ++tier)
          if (hop_us_[tier]) left_us -= 2 * *hop_us_[tier], links -= 2;
      sum += links * left_us;
      squares += links * links;
    }
    if (squares == 0) return;
    if (sum <= 0) {
      unused.emplace_back("L: overheads and lower tiers leave nothing of the latency");
      return;
    }
    put_hop(one, sum / squares, entry);
    used.push_back(fmt::format("{:.4g} us a hop{}", sum / squares,
                               one.ports.overhead_us ? "" : " (o is not known, and counted in)"));
  }

  /// Lower tiers that no coefficients are of have the same hop.
  void put_hop(const TierCoefficients& one, double us, toml::table& entry) {
    entry.insert("hop_latency_us", us);
    if (one.tier.empty()) return;
    for (std::size_t tier = 0; tier <= tier_of(one.tier); ++tier) {
      if (hop_us_[tier]) continue;
      hop_us_[tier] = us;
      if (tier < tier_of(one.tier))
        entries_.push_back(toml::table{{"tier", kinds_[tier]}, {"hop_latency_us", us}});
    }
  }

  void add_host(const char* key, const std::optional<double>& us, const char* what,
                std::vector<std::string>& used) {
    const std::string whole = std::string("host.") + key;
    if (!us || std::ranges::find(host_keys_, whole, &KeyValue::key) != host_keys_.end()) return;
    host_keys_.push_back({whole, fmt::format("{:.9f}", *us)});
    used.push_back(fmt::format("{} {:.4g} us", what, *us));
  }

  void add_nvlink(const results::Number& bus, std::vector<std::string>& used,
                  std::vector<std::string>& unused) {
    if (!fabric_->server.nvlink_bytes_per_us) {
      unused.push_back(
          fmt::format("{} GB/s of an all-reduce within a node: the fabric states no "
                      "host.nvlink_gb_per_s",
                      interval_text(bus)));
      return;
    }
    host_keys_.push_back({"host.nvlink_gb_per_s", fmt::format("{:.9f}", bus.value)});
    used.push_back(fmt::format("NVLink {} GB/s", interval_text(bus)));
  }

  void append(toml::table entry, const std::string& source) {
    entry.insert("source", source);
    entry.is_inline(true);
    entries_.push_back(std::move(entry));
  }

  const FabricFile* fabric_;
  std::vector<std::string> kinds_;
  OtherLineRate other_;
  std::vector<std::optional<double>> hop_us_;  // of each tier of cables
  std::vector<KeyValue> host_keys_;
  toml::array entries_;
};

}  // namespace

TierCoefficients tier_coefficients(const std::string& text, const Topology& topology) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {"", file_coefficients(text)};
  const std::string tier = text.substr(0, equals), file = text.substr(equals + 1);
  const std::vector<std::string> kinds = topology.kinds_of_switches();
  if (std::ranges::find(kinds, tier) == kinds.end() || file.empty())
    core::usage_error(fmt::format("--coefficients {}: expected [TIER=]FILE, with TIER one of {}", text,
                                  fmt::join(kinds, ", ")));
  return {tier, file_coefficients(file)};
}

std::vector<KeyValue> calibration_keys(std::span<const TierCoefficients> coefficients,
                                       const FabricFile& fabric, const Topology& topology,
                                       OtherLineRate other) {
  KeyWriter writer(fabric, topology, other);
  const std::vector<std::string> kinds = topology.kinds_of_switches();
  const auto place = [&](const TierCoefficients* one) {
    return std::ranges::find(kinds, one->tier) - kinds.begin();
  };
  std::vector<const TierCoefficients*> from_below;
  for (const TierCoefficients& one : coefficients) from_below.push_back(&one);
  std::ranges::stable_sort(from_below, {}, place);
  for (const TierCoefficients* const one : from_below) writer.add(*one);
  return writer.keys();
}

}  // namespace assay::model::fabric::measured
