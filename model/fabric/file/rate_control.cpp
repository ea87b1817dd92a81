// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The keys `congestion` and `dcqcn` of a fabric.
#include <fmt/format.h>

#include "model/fabric/file/fabric_sections.hpp"

namespace assay::model::fabric {

namespace {

/// Defaults are those of Zhu et al. 2015 for 40 Gbit/s, scaled to the rate of the links.
DcqcnSettings defaults_for(double gbit_per_s) {
  DcqcnSettings settings;
  const double faster = gbit_per_s / settings.link_gbit_per_s;
  settings.link_gbit_per_s = gbit_per_s;
  settings.packet_bytes = packet_payload_bytes;
  settings.additive_gbit_per_s *= faster;
  settings.byte_counter_bytes *= faster;
  settings.mark_from_bytes *= faster;
  settings.mark_all_from_bytes *= faster;
  return settings;
}

void read_thresholds(const core::TomlSection& section, DcqcnSettings& settings) {
  if (const auto from = section.bytes("kmin")) settings.mark_from_bytes = static_cast<double>(*from);
  if (const auto all = section.bytes("kmax")) settings.mark_all_from_bytes = static_cast<double>(*all);
  settings.most_marked = section.share("pmax").value_or(settings.most_marked);
  if (settings.mark_all_from_bytes <= settings.mark_from_bytes)
    section.refuse(section.has("kmax") ? "kmax" : "kmin",
                   fmt::format("packets are marked from {} bytes and all from {}: expected kmin below kmax",
                               settings.mark_from_bytes, settings.mark_all_from_bytes));
}

}  // namespace

void read_rate_control(const core::TomlSection& root, FabricFile& fabric) {
  enum class Congestion { none, dcqcn };
  const auto word = root.choice("congestion", core::words_of<Congestion>("none", "dcqcn"));
  const auto section = root.table("dcqcn");
  if (word != Congestion::dcqcn) {
    if (section) root.refuse("dcqcn", "its settings are of no use: expected congestion = 'dcqcn' as well");
    return;
  }
  DcqcnSettings settings = defaults_for(fabric.link.gbit_per_s);
  if (section) {
    section->allow({"kmin", "kmax", "pmax", "increase_gbit_per_s", "byte_counter", "timer_us",
                    "notification_us", "gain"});
    read_thresholds(*section, settings);
    settings.additive_gbit_per_s =
        section->above_zero("increase_gbit_per_s").value_or(settings.additive_gbit_per_s);
    if (const auto bytes = section->bytes("byte_counter"))
      settings.byte_counter_bytes = static_cast<double>(*bytes);
    if (const auto us = section->above_zero("timer_us")) settings.timer_s = 1e-6 * *us;
    if (const auto us = section->above_zero("notification_us")) settings.notification_interval_s = 1e-6 * *us;
    settings.gain = section->share("gain").value_or(settings.gain);
  } else {
    fabric.assumed.emplace_back("DCQCN as published for 40 Gbit/s, scaled to the links' rate");
  }
  fabric.rate_control = settings;
}

}  // namespace assay::model::fabric
