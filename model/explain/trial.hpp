// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One search for each of several questions that differ in something: what every explanation is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/search/search.hpp"
#include "model/search/system_file.hpp"
#include "results/table/table.hpp"

namespace assay::model {

/// The inputs that the questions of one explanation share.
struct Subject {
  Application application;
  SystemFile system;
  std::int64_t max_batch = 3072;  // sequences
  Datatype datatype = Datatype::float16;
  bool fused = true, unfused = false;
  unsigned threads = 1;
  bool fused_attention = true, unfused_attention = true;

  /// The question about this application on this system.
  Question question(std::int64_t processors) const;
  /// A number that the question below replaces in the system file.
  struct Setting {
    const char* key;
    double value;
  };
  Question question(std::int64_t processors, std::initializer_list<Setting> settings) const;
};

struct Trial {
  std::vector<results::Cell> labels;  // in what it differs
  Question question;
};

struct BestMapping {
  Execution execution;
  Step step;
};

struct Finding {
  Trial trial;
  std::int64_t mappings = 0, feasible = 0;  // all that a search goes through; those that fit
  std::optional<BestMapping> best;

  double sample_rate() const { return best ? best->step.sample_rate : 0; }  // sequences a second
  double mfu() const { return best ? best->step.total_efficiency : 0; }     // of the declared peak
};

std::vector<Finding> find_best(const std::vector<Trial>& trials, unsigned threads);

/// Warnings about the measured times that the best mappings of all findings rest on, in one list.
std::vector<std::string> warnings_of(const std::vector<Finding>& findings);

/// A row for each finding: its labels, then counts, rate, memory and mapping of the best.
results::Table table_of(const std::string& title, const std::vector<results::Column>& labels,
                        const std::vector<Finding>& findings);

}  // namespace assay::model
