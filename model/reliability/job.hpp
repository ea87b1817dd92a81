// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The cost of failures to a job of so many GPUs, and what would reduce it: the answer of `assay reliability`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/reliability/checkpointing.hpp"
#include "model/reliability/rates_file.hpp"

namespace assay::model::reliability {

struct JobRequest {
  double gpus = 0;
  std::optional<double> interval_s = {};  // none: the best
  double stall_s = 0, durable_after_s = 0;
  std::string checkpoint_source = {};   // where stall and write come from: "assumed", or a run
  double detect_s = 0, diagnose_s = 0;  // from a failure on
  double recovery_s = 0;                // after these
  double repair_days = 0;
  double spare_probability = 0.99;
  double rank_spread = 0, slower = 0;  // relative, see slow_ranks.hpp
  std::string spread_source = "assumed";
  double run_days = 0;
  double probe_hours = 0;
  double service_days = 1000;            // of the cluster after its burn-in
  std::vector<std::string> doubts = {};  // about these figures, one line each
};

/// A value of the rate's mean, and the values of its bounds: `worse` first.
struct Bounded {
  double value = 0;
  std::optional<double> worse = {}, better = {};
};

struct SharePoint {
  double interval_s = 0, useful_share = 0;
};

/// How checkpoints may be written: the job waits for the whole write, or only for the stall.
struct Scheme {
  std::string name;
  double stall_s = 0, durable_after_s = 0;
  double best_interval_s = 0, best_share = 0;
};

/// Whole racks, or other domains, that the job loses at once.
struct DomainSpares {
  std::string name;
  std::int64_t nodes = 1;
  double units = 0;  // that the job is spread over
  double repair_days = 0;
  std::int64_t spares = 0;  // whole domains, with the probability that was asked for
};

struct SparePoint {
  std::int64_t spares = 0;
  double probability = 0;
};

/// See silent_corruption.hpp.
struct CorruptedRun {
  double clean = 1;  // probability of no silent corruption
  bool is_probed = false;
  double days_undetected = 0, share = 0;
};

struct JobReliability {
  double nodes = 0;
  Bounded hours_to_failure, failures_a_day, useful_share;
  double day_without_failure = 0;  // probability
  Checkpointing checkpointing;     // as asked, or best
  double best_interval_s = 0, best_share = 0, young_interval_s = 0;
  TimeShares time;                 // with `checkpointing`
  std::vector<Scheme> schemes;     // both, where writing takes longer than the stall
  std::vector<SharePoint> shares;  // at intervals around the best
  std::int64_t spares = 0;         // nodes, for all losses together
  /// Causes that break no node, but count as one in repair: the table states no time for them.
  std::vector<std::string> causes_without_damage;
  std::vector<DomainSpares> domain_spares;
  std::vector<SparePoint> spare_points;  // for 50, 90, 99 and 99.9 %
  std::vector<SparePoint> spare_curve;   // from 1 to 99.99 %, at most 60
  double step_slowdown = 1;
  std::optional<CorruptedRun> corruption = {};  // of run_days
  std::optional<BurnInChoice> burn_in = {};     // where the rates say how early life fails
  std::vector<std::string> cautions;            // one line each
};

/// Throws a usage Error for GPUs that do not make whole nodes, nodes that do not make whole domains, an
/// interval shorter than a checkpoint's stall or write, and figures that are not above 0 where they must be.
JobReliability reliability_of(const Rates& rates, const JobRequest& request);

/// The useful share at 25 intervals from an eighth of `best_s` to eight times that, the best among them;
/// those shorter than a write are left out.
std::vector<SharePoint> share_curve(Checkpointing job, double best_s);

std::string to_text(const Rates& rates, const JobRequest& request, const JobReliability& answer);
nlohmann::ordered_json to_json(const Rates& rates, const JobRequest& request, const JobReliability& answer);

}  // namespace assay::model::reliability
