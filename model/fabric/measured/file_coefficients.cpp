// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/fabric/measured/port_coefficients.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::fabric::measured {

namespace {

results::Number number_of(const fit::Coefficient& one) { return {one.value, one.lower, one.upper}; }

std::string named(const std::string& file, const fit::Provenance& provenance) {
  return fit::machine_and_origin(fmt::format("{}, {}", file, provenance.machine), provenance.origin);
}

bool is_write(const std::string& link) { return fit::ConditionedName::from(link).operation == "write"; }

/// A write before any other operation, then the highest goodput.
void take_loggp(const std::string& section, PortCoefficients& ports) {
  const fit::LogGpCoefficients content = fit::read_loggp_coefficients(section);
  const auto is_better = [&](const auto& one, const auto& other) {
    const bool writes = is_write(one.first), others = is_write(other.first);
    return writes != others ? others : one.second.gb_per_s < other.second.gb_per_s;
  };
  const auto best = std::ranges::max_element(content.links, is_better);
  if (best == content.links.end()) return;
  ports.source = fmt::format("{} of {}", best->first, named(section, content.provenance));
  const fit::LogGpParts parts = fit::read_loggp_parts(section).at(best->first);
  const auto take = [&](const fit::Coefficient& one, const auto& use) {
    if (one.supported && !one.is_unbounded()) return use();
    ports.unused.push_back(fmt::format("{} of {}: the timings do not determine it", one.name, ports.source));
  };
  take(parts.goodput, [&] { ports.goodput_gb_per_s = number_of(parts.goodput); });
  take(parts.one_way, [&] { ports.one_way = {{.us = parts.one_way.value}}; });
  take(parts.gap, [&] { ports.gap_us = parts.gap.value; });
  if (parts.overhead) ports.overhead_us = parts.overhead->value;
}

/// The ranks of an all-reduce within a node; 0 for another family.
std::int64_t ranks_within_node(const fit::FamilyName& family) {
  return family.nodes == 1 && family.operation == "all_reduce" ? family.ranks : 0;
}

/// Bus bandwidth of an all-reduce is 2 (n - 1) / n times its bytes over its time.
void take_collectives(const std::string& section, PortCoefficients& ports) {
  const fit::CollectiveCoefficients content = fit::read_collective_coefficients(section);
  std::int64_t most = 1;
  for (const auto& [name, family] : content.models.families) {
    const std::int64_t ranks = ranks_within_node(family.name);
    if (ranks < 2 || ranks < most) continue;
    for (const auto& [dtype, curve] : family.curves) {
      const fit::Coefficient& bandwidth = curve.segments.back().bandwidth;
      if (!bandwidth.supported || bandwidth.is_unbounded()) continue;
      const double factor = 2 * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
      const results::Number bus =
          results::mapped(number_of(bandwidth), [&](double value) { return factor * value; });
      if (ranks > most || !ports.node_gb_per_s || bus.value > ports.node_gb_per_s->value)
        ports.node_gb_per_s = bus;
      most = ranks;
    }
  }
  if (ports.source.empty()) ports.source = named(section, content.provenance);
  ports.unused.push_back(fmt::format(
      "collectives over nodes in {}: they are simulated; assay fabric expect compares measured ones",
      section));
}

}  // namespace

PortCoefficients file_coefficients(const std::string& file) {
  PortCoefficients ports;
  std::vector<std::string> without_place;
  for (const std::string& section : fit::sections_of_coefficients(file)) {
    const fit::CoefficientsKind kind = fit::kind_of_coefficients(section);
    if (kind == fit::CoefficientsKind::loggp)
      take_loggp(section, ports);
    else if (kind == fit::CoefficientsKind::collectives)
      take_collectives(section, ports);
    else
      without_place.push_back(fit::to_string(kind));
  }
  if (ports.source.empty()) ports.source = file;
  if (!without_place.empty())
    ports.unused.push_back(
        fmt::format("{} of {}: a fabric has no place for them", fmt::join(without_place, ", "), file));
  return ports;
}

}  // namespace assay::model::fabric::measured
