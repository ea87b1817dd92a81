// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/session.hpp"

#include <fmt/format.h>

#include <iostream>
#include <system_error>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/exit_code.hpp"

namespace assay::run {

Session::Session(std::string room, RunJournal& journal, Progress progress, Tally so_far,
                 const std::atomic<bool>& interrupted)
    : journal_(journal),
      progress_(progress),
      interrupted_(interrupted),
      loop_(std::move(room), clock_, core::iso_time_now, interrupted),
      tally_(so_far) {}

std::optional<results::PointRecord> Session::measure(const plan::PlannedPoint& planned, int repetition) {
  if (interrupted_ || stopped_) return std::nullopt;
  progress_.begins(planned);
  auto [record, poisoned] = loop_.run(planned);
  record.repetition += repetition;
  try {
    journal_.write(record);
  } catch (const std::system_error& error) {
    std::cerr << error.what() << "\n";
    unwritable_ = true;
  }
  progress_.ended(planned, record);
  tally_.add(record.status);
  stopped_ = poisoned || unwritable_;
  return record;
}

int Session::end() {
  if (!unwritable_) journal_.end(interrupted_);
  if (interrupted_) return core::exit_code::interrupted;
  if (unwritable_) return core::exit_code::inconclusive;
  return tally_.exit_code();
}

}  // namespace assay::run
