// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/measured_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/fabric/file/fabric_sections.hpp"

namespace assay::model::fabric {

namespace {

constexpr double bytes_per_us_of_gb_per_s = 1000;

/// The line rate of the cables that are measured.
LinkSpeed line_rate(const FabricFile& fabric, const std::string& tier) {
  LinkSpeed speed = fabric.link;
  for (const TierSettings& one : fabric.tiers)
    if (one.name == tier && one.gbit_per_s) speed.gbit_per_s = *one.gbit_per_s;
  return speed;
}

void refuse_other_line_rate(const core::TomlSection& section, double share, LinkSpeed line,
                            const std::string& source) {
  if (std::abs(share - 1) <= line_rate_tolerance || section.yes_or_no("any_line_rate").value_or(false))
    return;
  const double expected = line.goodput() / bytes_per_us_of_gb_per_s;
  section.refuse(
      "goodput_gb_per_s",
      fmt::format("{:.4g} GB/s is of another line rate{}: {:g} Gbit/s leaves {:.4g} GB/s; expected "
                  "within {:.0f} % of it, or any_line_rate = true (--force)",
                  share * expected, source.empty() ? "" : " (" + source + ")", line.gbit_per_s, expected,
                  100 * line_rate_tolerance));
}

void read_goodput(const core::TomlSection& section, LinkSpeed line, MeasuredPorts& ports) {
  const auto share = [&](const char* key) {
    const std::optional<double> value = section.above_zero(key);
    return value ? std::optional(bytes_per_us_of_gb_per_s * *value / line.goodput()) : std::nullopt;
  };
  const std::optional<double> goodput = share("goodput_gb_per_s");
  ports.has_goodput = goodput.has_value();
  ports.goodput_share = goodput.value_or(1);
  ports.lower_share = share("lower_gb_per_s").value_or(ports.goodput_share);
  ports.upper_share = share("upper_gb_per_s").value_or(ports.goodput_share);
  if (ports.lower_share > ports.goodput_share || ports.upper_share < ports.goodput_share)
    section.refuse("goodput_gb_per_s", "expected from lower_gb_per_s to upper_gb_per_s");
  refuse_other_line_rate(section, ports.goodput_share, line, ports.source);
}

/// Defaults that stand for measurements.
void name_assumptions(const core::TomlSection& root, FabricFile& fabric) {
  const auto assume = [&](const std::string& what, const auto& has) {
    const auto of_all = [&](const MeasuredPorts& one) { return one.tier.empty() && has(one); };
    if (std::ranges::any_of(fabric.measured, of_all)) return;
    fabric.assumed.push_back(what + (std::ranges::any_of(fabric.measured, has) ? " elsewhere" : ""));
  };
  const auto states = [&](const char* table, const char* key) {
    const auto section = root.table(table);
    return section && section->has(key);
  };
  assume(fmt::format("ports that reach the {:.1f} GB/s that headers leave",
                     fabric.link.goodput() / bytes_per_us_of_gb_per_s),
         [](const MeasuredPorts& one) { return one.has_goodput; });
  if (!states("link", "hop_latency_us"))
    assume("1 us a hop", [](const MeasuredPorts& one) { return one.hop_latency_us.has_value(); });
  if (!states("host", "overhead_us")) fabric.assumed.emplace_back("messages without overhead");
  if (!states("host", "message_gap_us")) fabric.assumed.emplace_back("no gap between messages");
}

}  // namespace

void read_measured(const core::TomlSection& root, FabricFile& fabric) {
  for (const core::TomlSection& section : root.tables("measured")) {
    section.allow({"tier", "source", "goodput_gb_per_s", "lower_gb_per_s", "upper_gb_per_s", "any_line_rate",
                   "hop_latency_us"});
    MeasuredPorts ports{.where = section.where("tier"),
                        .tier = section.word("tier").value_or(""),
                        .source = section.word("source").value_or(""),
                        .hop_latency_us = section.at_least_zero("hop_latency_us")};
    read_goodput(section, line_rate(fabric, ports.tier), ports);
    fabric.measured.push_back(std::move(ports));
  }
  name_assumptions(root, fabric);
}

std::optional<FabricFile> at_goodput(const FabricFile& fabric, GoodputEnd end) {
  FabricFile there = fabric;
  bool any = false;
  for (MeasuredPorts& ports : there.measured) {
    any = any || ports.lower_share < ports.upper_share;
    ports.goodput_share = end == GoodputEnd::lower ? ports.lower_share : ports.upper_share;
  }
  return any ? std::optional(std::move(there)) : std::nullopt;
}

}  // namespace assay::model::fabric
