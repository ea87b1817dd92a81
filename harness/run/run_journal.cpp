// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/run_journal.hpp"

#include "harness/core/calendar.hpp"

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
  if (options.journal.empty()) return;
  writer_.emplace(options.journal);
  writer_->write(context);
}

void RunJournal::write(results::PointRecord& record) {
  record.run_id = end_.run_id;
  record.process = end_.process;
  record.sequence = next_sequence_++;
  ++end_.points;
  if (writer_) writer_->write(record);
}

void RunJournal::end(bool interrupted) {
  end_.ended = core::iso_time_now();
  end_.interrupted = interrupted;
  if (writer_) writer_->write(end_);
}

}  // namespace assay::run
