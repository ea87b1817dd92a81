// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Absolute limits of one type of machine: a TOML file in which every limit has a source
// (docs/reference/files.md). Every unit of a store is compared with them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/store.hpp"

namespace assay::results {

struct MachineType {
  std::string gpu = {}, cpu = {}, product = {};         // globs over names; empty: any
  std::string hca = {}, rate = {};                      // of one adapter: its type, "400 Gb/sec*"
  std::optional<std::int64_t> gpus = {}, nvlinks = {};  // of the machine, and of each GPU
};
/// Keys of [machine].
constexpr auto fields_of(core::Type<MachineType>) {
  using core::Field;
  constexpr core::Terms text = core::any_value.where_known();
  return std::tuple(Field<"gpu", &MachineType::gpu>{text}, Field<"gpus", &MachineType::gpus>{core::from_zero},
                    Field<"nvlinks", &MachineType::nvlinks>{core::from_zero},
                    Field<"cpu", &MachineType::cpu>{text}, Field<"hca", &MachineType::hca>{text},
                    Field<"rate", &MachineType::rate>{text}, Field<"product", &MachineType::product>{text});
}

struct AbsoluteLimit {
  std::string cases;  // glob
  /// Axis, or condition such as ranks, and a glob over its value; a size may be written as 256MiB. What is
  /// not named is free.
  std::vector<std::pair<std::string, std::string>> point = {};
  std::string metric, unit;
  VerdictLimit bounds = {};  // one of them at least
  std::string source;
  std::string where;  // "h100.toml:12"
  /// False: its GPU was still getting slower when it was measured, so that nothing can be shown by it.
  bool stationary = true;
};
/// Keys of [[limit]], besides point, lowest and highest.
constexpr auto fields_of(core::Type<AbsoluteLimit>) {
  using core::Field;
  return std::tuple(
      Field<"case", &AbsoluteLimit::cases>{core::identity.saying("the case, or a glob over cases")},
      Field<"metric", &AbsoluteLimit::metric>{core::identity.saying("the metric that is limited")},
      Field<"unit", &AbsoluteLimit::unit>{core::identity.saying("the unit of the metric")},
      Field<"source", &AbsoluteLimit::source>{core::identity.saying("who says so")},
      Field<"stationary", &AbsoluteLimit::stationary>{core::any_value.where_known()});
}

/// The signature of a file that `assay limits` made from a fleet.
struct LimitsSignature {
  std::string by, date, store;  // store: digest of the fleet's runs
  std::int64_t nodes = 0;
};
/// Keys of [signed], besides digest.
constexpr auto fields_of(core::Type<LimitsSignature>) {
  using core::Field;
  return std::tuple(Field<"by", &LimitsSignature::by>{core::identity.saying("a person's name")},
                    Field<"date", &LimitsSignature::date>{core::identity.saying("a date such as 2026-11-26")},
                    Field<"store", &LimitsSignature::store>{core::identity.saying("the digest of the store")},
                    Field<"nodes", &LimitsSignature::nodes>{core::from_zero.where_known()});
}

struct LimitsFile {
  std::string path;
  MachineType machine;
  std::vector<AbsoluteLimit> limits;
  std::optional<LimitsSignature> signature = {};
};

/// The metric of a row about a point: "memory.host.copy bytes=64 bandwidth_gb_per_s".
std::string limited_metric(const std::string& point, const std::string& metric);

/// Throws a usage Error with one line naming file, line and key: what cannot be parsed, an unknown key, a
/// value of another kind, a limit without case, metric, unit, bound or source, a file without machine or
/// limits, a signed one that was changed since.
LimitsFile read_limits(const std::string& path);
/// Reads a file's text as read_limits() does; `path` names it in messages.
LimitsFile limits_in(const std::string& text, const std::string& path);

/// The value of a signed file's key digest: SHA-256 of its text without the line of that key.
std::string digest_of_limits(const std::string& text);

/// The difference of this machine, as a context record describes it, from what was expected; nothing where it
/// is of this type. Every GPU must match, and one port of an HCA at least. What the record does not report
/// differs.
std::optional<std::string> mismatch(const MachineType& type, const nlohmann::ordered_json& machine);

/// Whether the filter is empty, or matches the case or "CASE/POINT".
bool point_matches(const std::string& filter, const std::string& case_name, const std::string& point);

/// A row for each limit, unit and point: PASS where the whole interval of every measurement is within the
/// limit, FAIL where that of none reaches it, else INCONCLUSIVE, as is all of a limit that is not stationary.
/// A unit that lacks a point that others have, a point that was not measured or lacks the metric, and a limit
/// that matched no point are rows that keep the whole from passing. Left out, and counted in a note: what a
/// burn-in measured in a round together. `filter` as in points_in_order. Throws std::runtime_error with one
/// line for a host that no file is for, a file that is for no host, and a metric whose unit is not the
/// limit's.
Verdicts judge_limits(const Store& store, const std::string& filter, std::span<const LimitsFile> files);

}  // namespace assay::results
