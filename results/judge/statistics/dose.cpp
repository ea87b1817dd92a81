// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/dose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/statistics/poisson_limit.hpp"
#include "harness/core/text/toml_section.hpp"
#include "harness/core/units.hpp"

namespace assay::results {
namespace {

struct KindText {
  DoseKind kind;
  std::string_view name, of, event;
};

constexpr std::array kind_texts{
    KindText{DoseKind::bit_error_rate, "bit_error_rate", "bits", "error"},
    KindText{DoseKind::corruption_per_byte, "corruption_per_byte", "bytes verified", "corruption"},
    KindText{DoseKind::joules, "joules", "J", ""},
    KindText{DoseKind::thermal_cycles, "thermal_cycles", "cycles", ""},
    KindText{DoseKind::mtbf_h, "mtbf_h", "node-hours", "failure"},
};

const KindText& text_of(DoseKind kind) { return *std::ranges::find(kind_texts, kind, &KindText::kind); }

std::string events_text(const UnitDose& dose) {
  const std::string_view event = text_of(dose.kind).event;
  if (event.empty()) return "";
  if (dose.events == 0) return fmt::format(", no {}", event);
  return ", " + core::counted(dose.events, event);
}

std::string proof_text(const UnitDose& dose) {
  const std::optional<double> proven = dose.proven();
  if (!proven || !dose.why_unknown.empty()) return "";
  if (is_rate(dose.kind)) return fmt::format("below {:.2g} at 95 %", *proven);
  if (dose.kind == DoseKind::mtbf_h) return fmt::format("above {:.3g} h at 95 %", *proven);
  return "";
}

DoseTargets targets_from(const core::TomlSection& root) {
  std::vector<std::string_view> names;
  for (const KindText& one : kind_texts) names.push_back(one.name);
  root.allow(names);
  DoseTargets targets;
  for (const KindText& one : kind_texts)
    if (const auto target = is_rate(one.kind) ? root.share_below_one(one.name) : root.above_zero(one.name))
      targets[one.kind] = *target;
  if (targets.empty()) core::usage_error(fmt::format("{}: asks for no dose", root.source().file));
  return targets;
}

}  // namespace

bool is_rate(DoseKind kind) {
  return kind == DoseKind::bit_error_rate || kind == DoseKind::corruption_per_byte;
}

std::string_view to_string(DoseKind kind) { return text_of(kind).name; }

double rate_below(double exposure, std::int64_t events) {
  if (!(exposure > 0) || !std::isfinite(exposure))
    core::usage_error(fmt::format("what was moved or verified must be above 0, got {}", exposure));
  return std::min(1.0, core::poisson_upper_limit(events) / exposure);
}

double mtbf_above_h(double hours, std::int64_t failures) {
  if (!(hours >= 0) || !std::isfinite(hours))
    core::usage_error(fmt::format("hours must not be negative, got {}", hours));
  return hours / core::poisson_upper_limit(failures);
}

std::optional<double> UnitDose::proven() const {
  if (!amount || !why_unknown.empty()) return std::nullopt;
  if (is_rate(kind)) return *amount > 0 ? std::optional(rate_below(*amount, events)) : std::nullopt;
  return kind == DoseKind::mtbf_h ? mtbf_above_h(*amount, events) : *amount;
}

bool reaches(const UnitDose& dose, double target) {
  const std::optional<double> proven = dose.proven();
  if (!proven) return false;
  return is_rate(dose.kind) ? *proven <= target : *proven >= target;
}

bool is_refuted(const UnitDose& dose, double target) {
  constexpr std::int64_t enough_events = 20;  // P(20 or more | mean 10) = 0.35 %
  if (dose.events < enough_events || !dose.proven()) return false;
  const double at_least = static_cast<double>(dose.events) / 2;
  return is_rate(dose.kind) ? at_least / *dose.amount > target : *dose.amount / at_least < target;
}

std::string describe(const UnitDose& dose) {
  if (!dose.amount) return fmt::format("unknown: {}", dose.why_unknown);
  std::string text = fmt::format("{:.4g} {}{}", *dose.amount, text_of(dose.kind).of, events_text(dose));
  if (!dose.why_unknown.empty())
    return fmt::format("{}; what it proves is unknown: {}", text, dose.why_unknown);
  if (const std::string proof = proof_text(dose); !proof.empty())
    text += fmt::format(": {} {}", dose.kind == DoseKind::mtbf_h ? "MTBF" : "rate", proof);
  return text;
}

std::vector<MissingDose> missing(std::span<const UnitDose> doses, const DoseTargets& targets) {
  std::vector<MissingDose> all;
  for (const auto& [kind, target] : targets) {
    const auto is_gpu = [&](const UnitDose& dose) {
      return dose.kind == kind && dose.unit.starts_with("GPU");
    };
    const bool gpus_only = kind == DoseKind::joules && std::ranges::any_of(doses, is_gpu);
    bool any = false;
    for (const UnitDose& dose : doses) {
      if (dose.kind != kind || (gpus_only && !is_gpu(dose))) continue;
      any = true;
      if (!reaches(dose, target)) all.push_back({kind, dose.unit, describe(dose)});
    }
    if (!any) all.push_back({kind, "", "no unit reported it"});
  }
  return all;
}

Table to_table(std::span<const UnitDose> doses, const DoseTargets& targets) {
  using Kind = Column::Kind;
  Table table{.title = "Dose reached"};
  table.columns = {{.name = "unit", .kind = Kind::word},
                   {.name = "dose", .kind = Kind::word},
                   {.name = "reached"},
                   {.name = "target", .kind = Kind::word},
                   {.name = "met", .kind = Kind::word}};
  for (const UnitDose& dose : doses) {
    const auto target = targets.find(dose.kind);
    const bool asked = target != targets.end();
    table.rows.push_back({dose.unit, std::string(to_string(dose.kind)), describe(dose),
                          asked ? Cell(fmt::format("{:.4g}", target->second)) : Cell(),
                          asked ? Cell(std::string(reaches(dose, target->second) ? "yes" : "no")) : Cell()});
  }
  return table;
}

DoseTargets read_dose_targets(const std::string& text_or_file) {
  const bool words = text_or_file.find('=') != std::string::npos;
  const std::string where = words ? fmt::format("--dose '{}'", text_or_file) : text_or_file;
  if (!words && !std::ifstream(text_or_file))
    core::usage_error(fmt::format(
        "--dose {}: no such file, and no dose (expected such as bit_error_rate=1e-15)", text_or_file));
  if (!words) return targets_from(core::read_toml(text_or_file, "doses").root());
  std::string lines = text_or_file;
  std::ranges::replace(lines, ',', '\n');
  core::TomlFile file(lines, where);
  for (const std::string& key : file.root().keys()) file.source.replaced.push_back({key, "--dose"});
  return targets_from(file.root());
}

std::string to_text(const DoseTargets& targets) {
  std::vector<std::string> words;
  for (const auto& [kind, target] : targets) words.push_back(fmt::format("{}={}", to_string(kind), target));
  return fmt::format("{}", fmt::join(words, ","));
}

}  // namespace assay::results
