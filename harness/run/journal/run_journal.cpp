// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/run_journal.hpp"

#include <fmt/format.h>

#include <variant>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"

namespace assay::run {

RunJournal::RunJournal(const ModuleOptions& options, const Finished& finished, results::ContextRecord context)
    : next_sequence_(finished.last_sequence + 1) {
  const bool goes_on = options.resume && !finished.run_id.empty();
  context.run_id = !options.run_id.empty() ? options.run_id
                   : goes_on               ? finished.run_id
                                           : core::new_run_id(context.host);
  const auto earlier = finished.processes.find(context.run_id);
  context.process = earlier == finished.processes.end() ? 0 : earlier->second;
  context.resumed = options.resume && context.process > 0;
  end_.run_id = context.run_id;
  end_.process = context.process;
  end_.module = context.module;
  if (!options.style.empty()) kept_.emplace("").add(context);
  if (options.journal.empty()) return;
  writer_.emplace(options.journal);
  writer_->write(context);
}

void RunJournal::write(results::PointRecord& record) {
  record.run_id = end_.run_id;
  record.process = end_.process;
  record.sequence = next_sequence_++;
  ++end_.points;
  write_line(record);
}

void RunJournal::end(bool interrupted) {
  end_.ended = core::iso_time_now();
  end_.interrupted = interrupted;
  write_line(end_);
}

/// Throws where the run has continued without this process: ranks of a launcher that was killed may live on
/// for a while.
void RunJournal::write_line(const results::Record& record) {
  if (kept_) kept_->add(record);
  if (!writer_) return;
  const auto of_this_run = [this](const results::Record& other) {
    return std::visit([](const auto& one) { return one.run_id; }, other) == end_.run_id;
  };
  if (!writer_->write_unless(record, of_this_run))
    throw core::Error(
        core::ErrorKind::system,
        fmt::format("run {} has gone on without this process, which was taken for lost", end_.run_id));
}

}  // namespace assay::run
