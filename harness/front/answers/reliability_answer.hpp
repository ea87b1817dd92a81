// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of failures to a job, as `assay reliability` answers it.
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "model/reliability/rates_file.hpp"

namespace assay::answers {

/// Times as "5m", "2d"; bytes as "80GB"; empty or 0: not stated.
struct ReliabilityQuestion {
  std::string rates;                      // a file, or the name of rates_toml
  std::optional<std::string> rates_toml;  // what it says, of a caller that has no file
  std::string mean_time;                  // of the whole job, in place of rates and gpus
  std::string interval, stall = "5s", write, detect, diagnose, recovery = "5m", repair = "2d",
                        service = "1000d";
  std::string checkpoint, spread_store, run, state;  // stores, their run, and what a GPU saves
  std::string ingest = "0", logs = "0";
  double front_end_gbit_per_s = 0;
  double gpus = 0, probability = 0.99, spread = 0, slower = 0, run_days = 0, probe_hours = 0;
};

/// Failure rates from `rates` or `mean_time`. Throws a usage Error where neither is usable.
model::reliability::Rates rates_of(const ReliabilityQuestion& question);

struct JobAnswer {
  std::string text;
  nlohmann::ordered_json json;
};

/// A job whose checkpoints go over the front end, which also says how long they take unless that is known.
/// Throws a usage Error for what cannot be used.
JobAnswer job_answer(const ReliabilityQuestion& question, const model::reliability::Rates& rates);

/// Throws a usage Error for what is stated without what it belongs to.
void refuse_lonely(const ReliabilityQuestion& question);

}  // namespace assay::answers
