// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The fastest ways to spread a training, as `assay search` answers it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/front/answers/model_choice.hpp"
#include "model/json/read_json.hpp"
#include "model/search/search.hpp"
#include "model/search/sensitivity.hpp"
#include "model/search/system_file.hpp"

namespace assay::answers {

/// Inputs of every search of the training model, whoever asks.
struct SearchSubject : ModelChoice {
  model::JsonSource application, system;
  std::string datatype = "float16", fused = "true", fused_attention = "both";
  std::vector<std::string> settings;  // "networks[0].size=16": values of the system that are replaced
  std::int64_t processors = 4096, max_batch = 3072;
  std::int64_t most_context = 1;   // context_par to try
  bool shards_parameters = false;  // also weights in shards
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());

  bool tries_fused() const { return fused != "false"; }
  bool tries_unfused() const { return fused != "true"; }
  bool tries_fused_attention() const { return fused_attention != "false"; }
  bool tries_unfused_attention() const { return fused_attention != "true"; }
};

/// All throw a usage Error naming file and key.
model::Application read_application(const model::JsonSource& source, const ModelChoice& choice);
model::SystemFile read_system_file(const SearchSubject& subject);
model::Datatype datatype_of(const SearchSubject& subject);

struct SearchQuestion : SearchSubject {
  std::vector<std::string> at_most, at_least;  // "memory=80GB"
  std::int64_t top = 10;
  double plus_minus = 10;  // percent: of coefficients for which nothing states an interval
  bool pareto = false, sensitivity = false;
};

struct SearchAnswer {
  model::Question asked;
  model::Constraints constraints;
  model::SearchResult result;
  std::optional<model::SensitivityResult> sensitivity;
  std::vector<std::string> warnings;  // of the files and of the best
};

SearchAnswer search(const SearchQuestion& question);
/// The number of configurations, without constraints.
std::int64_t count_space(const SearchQuestion& question);

/// JSON as Calculon's search writes it; under "best" where more was asked for. With "counts" but where it is
/// all Calculon's.
nlohmann::json to_json(const SearchQuestion& question, const SearchAnswer& answer);

}  // namespace assay::answers
