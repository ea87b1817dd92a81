// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A prediction as one line of JSON, the keys sorted.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/json/append_json.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/predict/step/stats.hpp"

namespace assay::model {
namespace {

/// The stats of one model have the same names each time: their order, and `"NAME":` with what goes before.
struct StatNames {
  struct Name {
    std::size_t place;
    std::string key;
  };
  std::vector<Name> sorted;

  explicit StatNames(const std::vector<Stat>& stats) {
    std::vector<std::size_t> places(stats.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, {}, [&](std::size_t place) { return stats[place].name; });
    for (const std::size_t place : places) {
      std::string key = sorted.empty() ? "{" : ",";
      append_json(key, stats[place].name);
      sorted.push_back({place, key + ":"});
    }
  }
};

void append_stats(std::string& text, const std::vector<Stat>& stats, const StatNames& names) {
  for (const auto& [place, key] : names.sorted) {
    text += key;
    if (const auto& value = stats[place].value)
      append_json(text, *value);
    else
      text += "null";
  }
  text += '}';
}

/// JSON has no infinity: a bandwidth that no memory could have is null, and named here.
void append_unbounded(std::string& text, const std::vector<Stat>& stats) {
  bool first = true;
  for (const auto& [name, value] : stats) {
    if (!value || !std::isinf(*value)) continue;
    text += first ? R"(,"unbounded":[)" : ",";
    append_json(text, name);
    first = false;
  }
  if (!first) text += ']';
}

void append_step(std::string& text, const Configuration& configuration, const Prediction& prediction) {
  std::vector<Stat> all = stats(configuration.execution, prediction.block, prediction.step);
  text += R"("stats":)";
  if (configuration.model == Model::calculon) {
    static const StatNames names(all);
    append_stats(text, all, names);
  } else {
    add_assay_stats(all, prediction.step);
    static const StatNames names(all);
    append_stats(text, all, names);
  }
  text += R"(,"status":"ok")";
  append_unbounded(text, all);
}

void append_lines(std::string& text, std::string_view key, const std::vector<std::string>& lines) {
  text += key;
  for (const std::string& line : lines) {
    if (&line != &lines.front()) text += ',';
    append_json(text, line);
  }
  text += ']';
}

}  // namespace

void append_json(std::string& text, const Configuration& configuration, const Prediction& prediction) {
  const bool assay = configuration.model == Model::assay;
  text += '{';
  if (assay) append_lines(text, R"("model":"assay","pricing":[)", pricing(configuration));
  if (assay) text += ',';
  if (prediction.verdict.feasible()) {
    append_step(text, configuration, prediction);
  } else {
    text += R"("reason":)";
    append_json(text, to_string(prediction.verdict));
    text += R"(,"status":"infeasible")";
  }
  if (assay) append_lines(text, R"(,"warnings":[)", warnings(configuration));
  text += '}';
}

}  // namespace assay::model
