// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "harness/core/gpu_name.hpp"
#include "harness/core/names.hpp"
#include "results/record/journal.hpp"

namespace assay::suite {
namespace {

using results::PointRecord;

constexpr std::string_view self_test_ending = ".corruption_self_test";

/// A metric or a condition.
std::optional<double> verified_bytes_of(const PointRecord& record) {
  for (const results::Metric& metric : record.metrics)
    if (metric.name == core::names::verified_bytes) return metric.value;
  const results::Scalar* fact = results::find(record.conditions, core::names::verified_bytes);
  return fact == nullptr ? std::nullopt : results::number_of(*fact);
}

/// The unit as health checks name it: "GPU 3 0000:4b:00.0"; "host" if the record has no address of a GPU.
std::string unit_of(const PointRecord& record) {
  const results::Scalar* address = results::find(record.conditions, core::names::gpu_pci_address);
  const auto* text = address == nullptr ? nullptr : std::get_if<std::string>(address);
  if (text == nullptr) return "host";
  const auto gpu = std::ranges::find(record.units, "gpu", &results::UnitReport::kind);
  return core::GpuName{gpu == record.units.end() ? "" : gpu->id, *text}.text();
}

std::string text_of(const PointRecord& record) {
  return fmt::format("{}/{} {}: {}", record.case_name, record.key, results::to_string(record.status),
                     record.reason);
}

void add_self_test(ModuleTally& tally, const PointRecord& record) {
  const bool caught = record.verification.result == core::Verification::Result::right;
  results::Answer now{results::to_string(record.status), record.reason};
  if (record.status == results::Status::ok)
    now = {caught ? results::entry_word::caught : results::entry_word::not_checked};
  const auto [known, first] = tally.self_tests.try_emplace(record.case_name, now);
  if (!first) known->second = worse_of(known->second, now);
}

void add(ModuleTally& tally, const PointRecord& record) {
  const bool self_test = record.case_name.ends_with(self_test_ending);
  const bool good = record.status == results::Status::ok;
  tally.ok += good ? 1 : 0;
  tally.unsupported += record.status == results::Status::unsupported ? 1 : 0;
  if (!good && record.status != results::Status::unsupported) {
    ++tally.bad;
    if (tally.first_bad.empty()) tally.first_bad = text_of(record);
  }
  if (self_test) add_self_test(tally, record);
  std::ranges::move(gpu_rates_of(record), std::back_inserter(tally.rates));
  const std::optional<double> bytes = self_test ? std::nullopt : verified_bytes_of(record);
  if (!bytes) return;
  Verified& verified = tally.verified[unit_of(record)];
  verified.bytes += *bytes;
  verified.corruptions += record.status == results::Status::wrong ? 1 : 0;
}

}  // namespace

bool is_caught(const results::Answer& self_test) { return self_test.word == results::entry_word::caught; }

bool is_unsupported(const results::Answer& self_test) {
  return self_test.word == results::to_string(results::Status::unsupported);
}

const results::Answer& worse_of(const results::Answer& kept, const results::Answer& now) {
  const auto gravity = [](const results::Answer& one) {
    return is_unsupported(one) ? 0 : is_caught(one) ? 1 : 2;
  };
  return gravity(now) > gravity(kept) ? now : kept;
}

ModuleTally tally_of(const std::filesystem::path& journal, const std::string& module) {
  ModuleTally tally;
  if (!std::filesystem::exists(journal)) return tally;
  LimitsOfGpus limits;
  results::for_each_record(journal, [&](const results::Record& record) {
    if (const auto* context = std::get_if<results::ContextRecord>(&record))
      limits.merge(limits_of_gpus(context->machine));
    const auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr || point->module != module || point->case_name == core::names::burn_in_health)
      return;
    const bool cut = point->stop == "interrupted" && point->status != results::Status::wrong;
    if (cut) return;
    add(tally, *point);
    std::ranges::move(reached_in(*point, limits), std::back_inserter(tally.reached));
  });
  return tally;
}

namespace {

/// Removes the entries that were reported before.
template <class One>
void drop_first(std::vector<One>& all, std::size_t reported) {
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(reported, all.size())));
}

}  // namespace

ModuleTally since(const ModuleTally& before, ModuleTally now) {
  now.ok -= before.ok;
  now.unsupported -= before.unsupported;
  now.bad -= before.bad;
  if (now.bad == 0) now.first_bad.clear();
  drop_first(now.rates, before.rates.size());
  drop_first(now.reached, before.reached.size());
  for (auto& [unit, verified] : now.verified) {
    const auto reported = before.verified.find(unit);
    if (reported == before.verified.end()) continue;
    verified.bytes -= reported->second.bytes;
    verified.corruptions -= reported->second.corruptions;
  }
  return now;
}

}  // namespace assay::suite
