// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/predict/step/stats.hpp"

namespace assay::answers {
namespace {

std::vector<model::Stat> stats_of(const model::Configuration& configuration,
                                  const model::Prediction& prediction) {
  std::vector<model::Stat> all = model::stats(configuration.execution, prediction.block, prediction.step);
  if (configuration.model == model::Model::assay) model::add_assay_stats(all, prediction.step);
  return all;
}

/// "model.seq_size" as "seq_size" where the part is "model."; else the key itself.
bool take_opening(std::string& key, std::string_view opening) {
  if (!key.starts_with(opening)) return false;
  key.erase(0, opening.size());
  return true;
}

}  // namespace

Sweep::Sweep(const PredictQuestion& question, std::vector<SweptColumn> columns,
             const std::vector<std::string>& stats)
    : options_(question.options()),
      application_(model::read_json(question.application)),
      execution_(model::read_json(question.execution)),
      system_(model::SystemFile::read(question.system, options_)),
      application_where_(question.application.name + ": "),
      execution_where_(question.execution.name + ": "),
      documents_{model::JsonDocument(application_where_, application_),
                 model::JsonDocument(execution_where_, execution_),
                 model::JsonDocument(question.system.name + ": ", system_.json())} {
  if (columns.empty()) core::usage_error("sweep: expected at least one key with its values");
  rows_ = columns.front().values.size();
  const std::string first = columns.front().key;
  for (SweptColumn& column : columns) {
    if (column.values.size() != rows_)
      core::usage_error(fmt::format("sweep: {}: expected {} values as of {}, got {}", column.key, rows_,
                                    first, column.values.size()));
    places_.push_back(place_of(std::move(column)));
  }
  current_.model = system_.model();
  find_names(stats);
}

Sweep::Place Sweep::place_of(SweptColumn column) const {
  std::string key = column.key;
  if (take_opening(key, "system.")) {
    if (!system_.has(key))
      core::usage_error(fmt::format("sweep: {}: the system has no such key", column.key));
    return {.part = Part::system, .key = key, .values = std::move(column.values)};
  }
  const Part part = take_opening(key, "model.") ? Part::application : Part::execution;
  static_cast<void>(take_opening(key, "execution."));
  const nlohmann::json& tree = part == Part::application ? application_ : execution_;
  if (!tree.is_object() || !tree.contains(key))
    core::usage_error(fmt::format("sweep: {}: the {} has no such key", column.key,
                                  part == Part::application ? "model" : "execution"));
  return {.part = part, .key = key, .values = std::move(column.values)};
}

void Sweep::find_names(const std::vector<std::string>& wanted) {
  const std::vector<model::Stat> all = stats_of(current_, {});
  const auto find = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(all, name, &model::Stat::name) - all.begin());
  };
  for (const std::string& name : wanted) {
    if (find(name) == all.size())
      core::usage_error(
          fmt::format("stats: expected names of a prediction's stats, got '{}'", core::printable(name, 60)));
    names_.push_back(name);
  }
  if (wanted.empty())
    for (const model::Stat& stat : all) names_.emplace_back(stat.name);
  for (const std::string& name : names_) columns_.push_back(find(name));
}

std::array<bool, 3> Sweep::put(std::size_t row) {
  std::array<bool, 3> changed = {!known_[0], !known_[1], !known_[2]};
  for (const Place& place : places_) {
    const auto part = static_cast<std::size_t>(place.part);
    const nlohmann::json& value = place.values[row];
    if (known_[part] && value == place.values[*known_[part]]) continue;
    changed[part] = true;
    if (place.part == Part::system) {
      known_[part].reset();  // should the value be refused
      system_.set(fmt::format("{}={}", place.key,
                              value.is_string() ? value.get<std::string>() : core::json_text(value)));
    } else {
      (place.part == Part::application ? application_ : execution_)[place.key] = value;
    }
  }
  return changed;
}

void Sweep::read(std::size_t row, const std::array<bool, 3>& changed) {
  auto& [application, execution, system] = documents_;
  if (changed[0]) {
    application.read(std::string_view(application_where_), core::json_text(application_));
    current_.application = model::read_application(application.root(), current_.model, options_.sequence);
    known_[0] = row;
  }
  if (changed[1]) {
    execution.read(std::string_view(execution_where_), core::json_text(execution_));
    current_.execution = model::read_execution(execution.root(), current_.model);
    known_[1] = row;
  }
  const bool priced =
      current_.model == model::Model::calculon || priced_for_ == current_.execution.priced_types();
  if (changed[2] || !priced) {  // measured times are those of a datatype
    model::PricedSystem read = system_.priced(current_.execution.priced_types());
    current_.system = std::move(read.system);
    current_.coefficients = std::move(read.coefficients);
    priced_for_ = current_.execution.priced_types();
    known_[2] = row;
  }
  model::place_context(execution.root(), current_.system, current_.execution);
  model::require_fit(current_.application, current_.execution, current_.system,
                     {application.root(), execution.root(), system.root()});
}

RowStatus Sweep::answer(std::size_t row, double* out, std::string& reason) {
  std::fill_n(out, names_.size(), std::numeric_limits<double>::quiet_NaN());
  try {
    const std::array<bool, 3> changed = put(row);
    for (std::size_t part = 0; part < changed.size(); ++part)
      if (changed[part]) known_[part].reset();
    read(row, changed);
  } catch (const core::Error& error) {
    if (error.kind() != core::ErrorKind::usage) throw;
    reason = core::printable_message(error.what());
    return RowStatus::rejected;
  }
  const model::Prediction prediction = model::predict(current_);
  if (!prediction.verdict.feasible()) {
    reason = model::to_string(prediction.verdict);
    return RowStatus::infeasible;
  }
  const std::vector<model::Stat> all = stats_of(current_, prediction);
  for (std::size_t at = 0; at < columns_.size(); ++at)
    out[at] = all[columns_[at]].value.value_or(std::numeric_limits<double>::quiet_NaN());
  return RowStatus::ok;
}

}  // namespace assay::answers
