// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_log.hpp"

#include <algorithm>

#include "harness/core/calendar.hpp"

namespace assay::suite {
namespace {

namespace entry_word = results::entry_word;

double number_in(const results::TimelineEntry& entry, const std::string& name) {
  const results::Scalar* value = results::find(entry.more, name);
  return value == nullptr ? 0 : results::number_of(*value).value_or(0);
}

void add_reported(const results::TimelineEntry& entry, BurnInSoFar& so_far) {
  if (entry.kind == "verified_bytes") {
    Verified& verified = so_far.reported[entry.text("of")].verified[entry.unit];
    verified.bytes += entry.number().value_or(0);
    verified.corruptions += entry.count("corruptions");
  }
  if (entry.kind == rate_kind)
    so_far.reported[entry.text("of")].rates.push_back({.unit = entry.unit, .point = entry.text("point")});
  if (entry.kind == reached_kind)
    so_far.reported[entry.text("of")].reached.push_back({.unit = entry.unit, .point = entry.text("point")});
  if (entry.kind != "module" || entry.word() == entry_word::began) return;
  ModuleTally& tally = so_far.reported[entry.unit];
  tally.ok += entry.count("ok");
  tally.unsupported += entry.count("unsupported");
  tally.bad += entry.count("bad");
  if (entry.word() != entry_word::cut) so_far.modules_ended.push_back(entry.unit);
}

}  // namespace

BurnInLog::BurnInLog(const std::filesystem::path& timeline, std::function<double()> now_s, double began_at_s)
    : writer_(timeline), now_s_(std::move(now_s)), began_at_s_(began_at_s), started_s_(now_s_()) {}

void BurnInLog::note(const std::string& kind, const std::string& unit, results::Scalar value,
                     results::Fields more) const {
  writer_.write({core::iso_time_now(), at_s(), kind, unit, std::move(value), std::move(more)});
}

void BurnInLog::note(const std::string& kind, const std::string& unit, const results::Answer& answer,
                     results::Fields more) const {
  if (!answer.why.empty()) more.emplace_back("why", answer.why);
  note(kind, unit, results::Scalar(answer.word), std::move(more));
}

results::Fields BurnInLog::fields_of(const RoundPlace& place) {
  return {{"round", place.round}, {"round_kind", place.kind}, {"module", place.module}};
}

results::Fields fields_of(const BurnInEnd& end) {
  results::Fields fields;
  if (end.for_s > 0) fields.emplace_back("for_s", end.for_s);
  if (end.rounds > 0) fields.emplace_back("rounds", end.rounds);
  if (!end.dose.empty()) fields.emplace_back("dose", to_text(end.dose));
  return fields;
}

BurnInSoFar so_far(const std::vector<results::TimelineEntry>& timeline) {
  BurnInSoFar so_far;
  for (const results::TimelineEntry& entry : timeline) {
    so_far.at_s = std::max(so_far.at_s, entry.at_s);
    so_far.looks += entry.kind == "check" ? 1 : 0;
    if (entry.kind == "session") {
      so_far.end = {number_in(entry, "for_s"), entry.count("rounds"), {}};
      if (const std::string dose = entry.text("dose"); !dose.empty())
        so_far.end.dose = results::read_dose_targets(dose);
    }
    if (entry.kind == "round") {
      so_far.round = entry.count("round");
      so_far.round_ended = entry.word() == entry_word::ended;
      if (entry.word() == entry_word::began) so_far.modules_ended.clear(), so_far.reported.clear();
    }
    add_reported(entry, so_far);
  }
  return so_far;
}

}  // namespace assay::suite
