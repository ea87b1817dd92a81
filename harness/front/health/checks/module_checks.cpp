// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The physical layer of a port: its module, bits that arrive wrong, and how often and when its link went
// down.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/checks/movement.hpp"
#include "harness/link/ceiling.hpp"
#include "harness/link/counter_deltas.hpp"

namespace assay::health {
namespace {

std::string described(const link::Module& module) {
  return fmt::format("{} {} {}, serial {}", module.kind, module.vendor, module.part,
                     module.serial.empty() ? "not reported" : module.serial);
}

std::string outside(const link::Module& module, link::Margin margin) {
  std::vector<std::string> texts;
  for (const link::ModuleReading& reading : module.readings)
    if (reading.margin() == margin)
      texts.push_back(fmt::format("{} {:.4g} {} ({:.4g} to {:.4g} expected)", reading.name, reading.value,
                                  reading.unit, reading.limits->low_warning, reading.limits->high_warning));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string weakest_light(const link::Module& module) {
  const link::ModuleReading* weakest = nullptr;
  for (const link::ModuleReading& reading : module.readings)
    if (reading.name.starts_with("rx power") && (weakest == nullptr || reading.value < weakest->value))
      weakest = &reading;
  return weakest == nullptr ? "" : fmt::format(", at least {:.3g} mW received", weakest->value);
}

void judge_readings(const PortModule& port, const std::string& unit, Findings& findings) {
  const link::Module& module = port.module;
  if (const std::string alarms = outside(module, link::Margin::alarm); !alarms.empty())
    return findings.add(Status::failed, unit, fmt::format("{}: {}", described(module), alarms),
                        {"clean or replace the module and its fibre", Action::reseat});
  if (const std::string warnings = outside(module, link::Margin::warning); !warnings.empty())
    return findings.add(Status::noticed, unit, fmt::format("{}: {}", described(module), warnings),
                        {"near the limit of its maker", Action::monitor});
  if (!module.flags.empty())
    return findings.add(
        Status::noticed, unit,
        fmt::format("{}: {} since last read", described(module), fmt::join(module.flags, ", ")),
        {"not now: a link that came up, or went down meanwhile", Action::monitor});
  if (!module.has_limits) return findings.unknown(unit, described(module) + ": its limits cannot be read");
  findings.passed(unit, described(module) + weakest_light(module));
}

void judge_module(const Scene& scene, const PortModule& port, Findings& findings) {
  const link::Module& module = port.module;
  const std::string unit = fmt::format("{} {}", port.unit, port.netdev);
  if (!module.why_unknown.empty()) return findings.unknown(unit, module.why_unknown);
  if (const auto& wanted = scene.expected.cable; wanted && (*wanted == "copper") != module.copper)
    return findings.add(Status::failed, unit,
                        fmt::format("{} {}, {} expected ({})", module.copper ? "copper:" : "optical:",
                                    described(module), *wanted, scene.expected.source),
                        {"another kind of cable than the site's", Action::reseat});
  if (module.copper) return findings.passed(unit, "copper cable: " + described(module));
  if (!module.idle.empty())
    return findings.unknown(unit, fmt::format("{}: {}", described(module), module.idle));
  judge_readings(port, unit, findings);
}

/// Says why no Ethernet port of an adapter is here to be judged, and is then true.
bool no_ethernet(const Scene& scene, Findings& findings, const std::string& why_not_infiniband) {
  const auto hardware = [](const machine::Hca& hca) { return !hca.software; };
  if (std::ranges::none_of(scene.now.hcas, hardware)) {
    findings.absent("no RDMA adapter");
    return true;
  }
  if (std::ranges::any_of(scene.now.hcas, [&](const machine::Hca& hca) {
        return hardware(hca) && hca.link_layer != "InfiniBand";
      }))
    return false;
  findings.absent(why_not_infiniband);
  return true;
}

void judge_modules(const Scene& scene, Findings& findings) {
  if (no_ethernet(scene, findings, "InfiniBand: Linux does not offer its modules (mlxlink --module does)"))
    return;
  for (const machine::Hca& hca : scene.now.hcas) {
    if (hca.software || hca.link_layer == "InfiniBand") continue;
    findings.limit_to(worst_for(scene, hca));
    bool any = false;
    for (const PortModule& port : scene.now.platform.modules)
      if (port.unit == unit_of(hca)) {
        judge_module(scene, port, findings);
        any = true;
      }
    if (!any) findings.unknown(unit_of(hca), "no netdev through which its module can be read");
  }
}

// --- Bit errors

using Deltas = std::vector<link::CounterDelta>;

std::optional<std::uint64_t> moved(const Deltas& deltas, const machine::Hca& hca, const char* counter) {
  std::optional<std::uint64_t> sum;  // over the members of a bond
  for (const link::CounterDelta& delta : deltas)
    if (delta.device == hca.device && delta.port == hca.port && delta.counter.name == counter && delta.moved)
      sum = sum.value_or(0) + *delta.moved;
  return sum;
}

/// The rate below which RS(544,514) corrects nearly all (IEEE 802.3bs, clause 124), and a tenth of it.
constexpr double most_before_fec = 2.4e-4, near_before_fec = 2.4e-5;

/// FEC corrects idle blocks too: errors are of all bits that the line carried, not of those received.
void judge_bits(const machine::Hca& hca, const Deltas& deltas, double seconds, Findings& findings) {
  const auto corrected = moved(deltas, hca, "rx_corrected_bits_phy");
  const auto uncorrected = moved(deltas, hca, "rx_pcs_symbol_err_phy"),
             symbols = moved(deltas, hca, "rx_symbol_err_phy");
  const auto rate = link::parse_link_rate(hca.rate);
  if (!corrected || !(uncorrected || symbols))
    return findings.unknown(unit_of(hca), "its driver does not count corrected bits and errors after FEC");
  if (!rate || seconds <= 0)
    return findings.unknown(unit_of(hca), "its rate, or the window's length, is unknown");
  const double bits = rate->nominal_gbit_per_s * 1e9 * seconds;
  const double before = static_cast<double>(*corrected) / bits;
  const std::uint64_t after = std::max(uncorrected.value_or(0), symbols.value_or(0));
  const std::string evidence =
      fmt::format("before FEC {:.2g} of {:.2g} bits, after it {} errors", before, bits, after);
  if (before > most_before_fec)
    return findings.add(Status::failed, unit_of(hca),
                        fmt::format("{}; {:g} expected at most", evidence, most_before_fec),
                        {"FEC cannot correct so many: cable, module or peer", Action::reseat}, true);
  if (before > near_before_fec || after > 0)
    return findings.add(Status::noticed, unit_of(hca),
                        fmt::format("{}; below {:g} and none expected", evidence, near_before_fec),
                        {"near what FEC can correct", Action::monitor});
  findings.passed(unit_of(hca), evidence);
}

void judge_bit_errors(const Scene& scene, Findings& findings) {
  if (no_ethernet(scene, findings,
                  "InfiniBand: Linux does not offer errors before FEC; rdma.counters has those after it"))
    return;
  const Deltas deltas = link::counter_deltas(scene.before.ports, scene.now.ports);
  for (const machine::Hca& hca : scene.now.hcas) {
    if (hca.software || hca.link_layer == "InfiniBand") continue;
    findings.limit_to(worst_for(scene, hca));
    judge_bits(hca, deltas, window_s(scene), findings);
  }
}

// --- Flaps

bool is_of_port(const std::string& text, const machine::Hca& hca) {
  if (hca.pcie.address.empty() || text.find(hca.pcie.address) == std::string::npos) return false;
  return hca.netdev.empty() || text.find(' ' + hca.netdev + ':') != std::string::npos ||
         text.find(" eth") == std::string::npos;
}

/// "down 812.3 s, up 815.9 s": when the kernel saw it, since it started.
std::string sequence_of(const Scene& scene, const machine::Hca& hca) {
  std::vector<std::string> steps;
  for (const KernelRecord& record : scene.now.log.records) {
    if (record.sequence < scene.before.log.next_sequence || !is_of_port(record.text, hca)) continue;
    for (const auto& [words, step] : {std::pair{"Link down", "down"}, {"Link up", "up"}})
      if (record.text.find(words) != std::string::npos)
        steps.push_back(fmt::format("{} {:.1f} s", step, static_cast<double>(record.microseconds) * 1e-6));
  }
  constexpr std::size_t most = 8;
  const std::size_t left = steps.size() > most ? steps.size() - most : 0;
  steps.resize(steps.size() - left);
  if (steps.empty()) return "no times in the kernel's log";
  return fmt::format("{}{} after the start", fmt::join(steps, ", "),
                     left > 0 ? fmt::format(", {} more", left) : "");
}

/// The most that one of the counters of links that went down has moved; nothing where there is none.
std::optional<std::uint64_t> downs_of(const machine::Hca& hca, const Deltas& deltas) {
  std::optional<std::uint64_t> downs;
  for (const char* counter : {"link_downed", "link_down_events_phy", "carrier_down_count"})
    if (const auto count = moved(deltas, hca, counter)) downs = std::max(downs.value_or(0), *count);
  return downs;
}

void judge_flaps(const Scene& scene, Findings& findings) {
  if (no_hca(scene, findings)) return;
  const Deltas deltas = link::counter_deltas(scene.before.ports, scene.now.ports);
  bool any = false;
  for (const machine::Hca& hca : scene.now.hcas) {
    if (hca.software) continue;
    any = true;
    findings.limit_to(worst_for(scene, hca));
    const auto downs = downs_of(hca, deltas);
    if (!downs)
      findings.unknown(unit_of(hca), "no counter of links that went down can be read");
    else if (*downs == 0)
      findings.passed(unit_of(hca), "did not go down");
    else
      findings.add(Status::failed, unit_of(hca),
                   fmt::format("went down {} times within {:.0f} s, 0 expected: {}", *downs, window_s(scene),
                               sequence_of(scene, hca)),
                   {"a link that flaps stops every job on it: cable, module or peer", Action::reseat}, true);
  }
  if (!any) findings.absent("no RDMA adapter");
}

constexpr Check listed_module_checks[] = {
    {"rdma.module", "temperature, light and laser current of Ethernet ports, against the module's limits",
     judge_modules},
    {"rdma.bit_errors", "bit errors of Ethernet ports before FEC, against what it corrects, and after",
     judge_bit_errors},
    {"rdma.flaps", "links that went down, with the times of each", judge_flaps},
};

}  // namespace

std::span<const Check> module_checks() { return listed_module_checks; }

}  // namespace assay::health
