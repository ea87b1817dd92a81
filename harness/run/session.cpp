// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/session.hpp"

#include <fmt/format.h>

#include <iostream>
#include <system_error>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/run/journal/record_of.hpp"

namespace assay::run {

Session::Session(std::string module, RunJournal& journal, Progress progress, Tally so_far,
                 const std::atomic<bool>& interrupted, const Absences& absent)
    : module_(std::move(module)),
      journal_(journal),
      progress_(std::move(progress)),
      interrupted_(interrupted),
      loop_(
          module_, clock_, core::iso_time_now, interrupted, [this] { progress_.still_runs(); }, absent,
          [this](const plan::PlannedPoint& planned, const core::QuantileInterval& interval) {
            progress_.looked(planned, interval);
          }),
      absent_(absent),
      tally_(std::move(so_far)) {}

std::optional<Measured> Session::measure(const plan::PlannedPoint& planned, int repetition) {
  if (interrupted_ || stopped_) return std::nullopt;
  progress_.begins(planned);
  {
    const std::lock_guard lock(writing_);
    flying_.emplace(Flying{planned_record(module_, planned), clock_.seconds()});
    flying_->record.repetition += repetition;
    flying_->record.started = core::iso_time_now();
  }
  Measured measured = loop_.run(planned);
  results::PointRecord& record = measured.record;
  record.repetition += repetition;
  const std::lock_guard lock(writing_);
  flying_.reset();
  write(record);
  if (!measured.left_out) progress_.ended(planned, record);
  tally_.add(record.status, absent_.used_by(planned));
  stopped_ = measured.process_poisoned || unwritable_;
  return measured;
}

void Session::write(results::PointRecord& record) {
  try {
    journal_.write(record);
  } catch (const std::system_error& error) {
    std::cerr << error.what() << "\n";
    unwritable_ = true;
  }
}

bool Session::give_up(const std::string& why) {
  std::unique_lock lock(writing_);
  if (!flying_) return false;
  results::PointRecord& record = flying_->record;
  record.status = results::Status::timeout;
  record.reason = why;
  record.elapsed_s = clock_.seconds() - flying_->began_s;
  write(record);
  std::cerr << fmt::format("{} {}: timeout: {}\n", record.case_name, record.key, why);
  lock.release();  // kept: whatever comes back now finds the point written already
  return true;
}

int Session::end() {
  if (!unwritable_) journal_.end(interrupted_);
  if (interrupted_) return core::exit_code::interrupted;
  if (unwritable_) return core::exit_code::inconclusive;
  return tally_.exit_code();
}

}  // namespace assay::run
