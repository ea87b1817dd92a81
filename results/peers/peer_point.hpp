// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point as a file of another tool states it, before it becomes a record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/peers/doubt.hpp"
#include "results/record/record.hpp"

namespace assay::results::peers {

struct PeerPoint {
  std::string host = {};                // as the file says; empty: it does not
  std::vector<std::string> hosts = {};  // all that took part, where there are several
  std::string case_name;                // "collectives.nccl.all_reduce", "peers.hpl.solve"
  Fields axes = {};                     // those that the file decides
  std::string metric, unit;             // headline: "time_us", "us"
  std::optional<double> value = {};     // empty: no number may be taken
  Status status = Status::ok;
  std::string reason = {};  // why not ok, in the tool's words
  std::optional<std::int64_t> ranks = {};
  std::vector<Metric> metrics = {};             // besides the headline
  std::vector<double> samples = {};             // of the headline, in its unit and order
  std::int64_t n = 0;                           // samples that the value is the median of; 0: one aggregate
  std::string statistic = {};                   // "mean over iterations and processes"
  std::optional<std::int64_t> executions = {};  // iterations of the aggregate
  Verification::Result verification = Verification::Result::not_checked;
  Fields conditions = {};  // options that decide comparability; "serial", "error_id"
  Doubts doubts = {};
  long line = 0;             // of its row in the file
  std::string started = {};  // as the file says: "2026-02-04T01:00:00Z", "2026-02-04 01:00:00 local time"
};

}  // namespace assay::results::peers
