// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/records/fabric_journal.hpp"

#include <exception>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/version.hpp"
#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/file/workload_file.hpp"
#include "model/fabric/simulate/answer/describe.hpp"
#include "model/json/read_text.hpp"

namespace assay::model::fabric {

namespace {

results::ContextRecord context_of(const JournalSubject& subject) {
  const FabricFile fabric = read_fabric(subject.fabric_file, subject.replaced);
  results::ContextRecord context;
  context.run_id = core::new_run_id("fabric");
  context.module = "fabric";
  context.started = core::iso_time_now();
  context.host = fabric.name;
  context.origin = results::Origin::simulated;
  context.assay_version = core::version();
  context.source_revision = core::source_revision();
  context.command_line = subject.command_line;
  context.plan_name = read_workload(subject.workload_file).name;
  context.plan = {{"fabric", read_text(subject.fabric_file, "a fabric in TOML")},
                  {"workload", read_text(subject.workload_file, "a workload in TOML")}};
  context.machine = {{"host", fabric.name}, {"fabric", describe(fabric).sentence}};
  return context;
}

/// A flag that names no folder is a mistake of the caller, as for every other output, and said before
/// anything is simulated.
const std::filesystem::path& in_a_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder))
    core::usage_error(path.string() + ": cannot be written: expected a folder " + folder.string());
  return path;
}

}  // namespace

FabricJournal::FabricJournal(const std::filesystem::path& path, const JournalSubject& subject)
    : context_(context_of(subject)), writer_(in_a_folder(path)) {}

FabricJournal::~FabricJournal() {
  try {
    if (!ended_ && points_ > 0) write_end(true);
  } catch (const std::exception&) {  // the run is cut off, and readers say so
  }
}

void FabricJournal::write(std::vector<results::PointRecord> points) {
  std::vector<results::Record> lines;
  if (points_ == 0) lines.emplace_back(context_);
  for (results::PointRecord& point : points) {
    point.run_id = context_.run_id;
    point.sequence = points_++;
    lines.emplace_back(std::move(point));
  }
  writer_.write_all(lines);
}

void FabricJournal::end() {
  ended_ = true;
  if (points_ > 0) write_end(false);
}

void FabricJournal::write_end(bool interrupted) {
  results::EndRecord end{.run_id = context_.run_id, .module = context_.module, .ended = core::iso_time_now()};
  end.points = points_;
  end.interrupted = interrupted;
  writer_.write(end);
}

}  // namespace assay::model::fabric
