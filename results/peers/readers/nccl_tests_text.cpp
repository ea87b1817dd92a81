// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The table of nccl-tests (2.9 and later) and of rccl-tests, which rank 0 prints.
#include <algorithm>
#include <array>
#include <set>

#include "results/peers/condition_names.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/tools/nccl_operations.hpp"
#include "results/peers/tools/nccl_run.hpp"
#include "results/peers/tools/nccl_table.hpp"
#include "results/peers/tools/opening_marks.hpp"

namespace assay::results::peers {
namespace {

enum NcclMark : int { other_line, version_line, operation_line, parameter_line };

/// The marks come once a run, in this order; a run that failed early lacks the later ones.
int nccl_mark(std::string_view line) {
  const std::string_view text = trimmed(line);
  if (text.starts_with("# nccl-tests version") || text.starts_with("rccl-tests: Version"))
    return version_line;
  if (text.starts_with("# Collective test starting:")) return operation_line;
  return text.starts_with("# nThread ") ? parameter_line : other_line;
}

/// "#  size  count  type  redop  root  time  algbw  busbw  #wrong ..."
bool is_nccl_heading(std::string_view line) {
  const auto words = columns_of(line, 5);
  return words.size() >= 4 && words[0] == "#" && words[1] == "size" && words[2] == "count" &&
         words[3] == "type";
}

/// A table of which a person kept no head opens a block too.
bool nccl_opens(Lines lines, std::size_t at, std::size_t begin) {
  if (opens_by_marks(lines, at, begin, nccl_mark)) return true;
  if (!is_nccl_heading(lines[at].text)) return false;
  for (std::size_t i = begin; i < at; ++i)
    if (nccl_mark(lines[i].text) != other_line) return false;
  return true;
}

/// "all_reduce" of the command that stands nearest before a run, and after the run before it: "+ srun
/// /opt/nccl-tests/build/all_reduce_perf -b 8".
std::string operation_of_command(Lines before) {
  constexpr std::size_t farthest = 200;
  for (std::size_t back = 1; back <= std::min(farthest, before.size()); ++back) {
    const std::string_view text = trimmed(before[before.size() - back].text);
    if (nccl_mark(text) != other_line || text.starts_with("# Out of bounds values")) return "";
    if (text.find("_perf") != std::string_view::npos) return nccl_command_in(text);
  }
  return "";
}

/// "all_reduce" of "# Collective test starting: all_reduce_perf".
std::string operation_of(std::string_view text) {
  std::string_view name = after(text, "starting:");
  if (name.ends_with("_perf")) name.remove_suffix(std::string_view("_perf").size());
  return std::string(name);
}

std::int64_t parameter(std::string_view text, std::string_view name, std::int64_t otherwise) {
  const auto columns = columns_of(after(text, name), 1);
  return columns.empty() ? otherwise : whole_number(columns.front()).value_or(otherwise);
}

/// "# nThread 1 nGpus 8 minBytes 8 maxBytes 128 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1
/// validation: 1 graph: 0"
void read_parameters(std::string_view text, NcclRun& run) {
  run.threads = std::max<std::int64_t>(1, parameter(text, "nThread ", 1));
  run.gpus = std::max<std::int64_t>(1, parameter(text, "nGpus ", 1));
  run.warmups = parameter(text, "warmup iters: ", 0);
  const std::string_view later = after(text, "warmup iters: ");
  run.iterations = parameter(later, " iters: ", 0);
  run.aggregated = parameter(later, "agg iters: ", 1);
  run.validated = parameter(text, "validation: ", 1) != 0;
  run.graph = parameter(text, "graph: ", 0);
  run.conditions.emplace_back("step", std::string(after(text, "step: ", " ")));
  if (const auto unaligned = parameter(text, "unalign: ", 0); unaligned != 0)
    run.conditions.emplace_back(condition::unaligned_bytes, unaligned);
}

/// "#  Rank  0 Group  0 Pid  41200 on       gx01 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3"
void read_device(std::string_view text, NcclRun& run) {
  const auto columns = columns_of(text);
  NcclDevice device;
  for (std::size_t i = 1; i + 1 < columns.size(); ++i) {
    if (columns[i] == "Rank") device.rank = whole_number(columns[i + 1]).value_or(-1);
    if (columns[i] == "Pid") device.process = std::string(columns[i + 1]);
    if (columns[i] == "on" && device.host.empty()) device.host = std::string(columns[i + 1]);
  }
  device.name = std::string(after(text, "] "));
  if (device.host.empty() || device.process.empty() || device.rank < 0 ||
      text.find("] ") == std::string_view::npos)
    run.devices_left_out = true;
  else
    run.devices.push_back(std::move(device));
}

/// Whether ranks are missing between those that are listed, as where a person shortened the list.
bool has_gaps(const std::vector<NcclDevice>& devices) {
  std::set<std::int64_t> ranks;
  for (const NcclDevice& device : devices) ranks.insert(device.rank);
  return !ranks.empty() && *ranks.rbegin() >= static_cast<std::int64_t>(ranks.size());
}

void read_comment(std::string_view text, NcclRun& run, NcclTable& table) {
  const std::string_view said = trimmed(text.substr(1));
  switch (nccl_mark(text)) {
    case version_line:
      run.version = std::string(after(text, "version ", " "));
      run.nccl_version = std::string(after(text, "nccl-library=", " "));
      return;
    case operation_line:
      run.operation = operation_of(text);
      return;
    case parameter_line:
      return read_parameters(text, run);
    default:
      break;
  }
  if (said.starts_with("Rank ")) return read_device(text, run);
  if (said == "..." || said.starts_with("...")) run.devices_left_out = true;
  if (said.starts_with("Blocking Enabled")) run.blocking = true;
  if (said.starts_with("Parallel Init"))
    run.conditions.emplace_back(condition::parallel_init, std::string("yes"));
  if (said.starts_with("Reducing maxBytes")) run.conditions.emplace_back("sizes", std::string(said));
  table.read_heading(said);
}

/// A message by which a run ends; empty: none. "gx71: Test NCCL failure all_reduce.cu:52 '...'"
std::string_view failure_in(std::string_view text) {
  for (const std::string_view words : {"Test CUDA failure", "Test NCCL failure", "Test timeout"})
    if (const std::size_t at = text.find(words); at != std::string_view::npos)
      return trimmed(text.substr(at));
  const std::size_t at = text.find(": Test failure");
  return text.starts_with(" .. ") && at != std::string_view::npos ? trimmed(text.substr(at + 2))
                                                                  : std::string_view();
}

class NcclText {
 public:
  NcclText(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    for (const Line& line : block_.lines) read_line(line);
    run_.devices_left_out = run_.devices_left_out || has_gaps(run_.devices);
    run_.command_operation = operation_of_command(block_.before);
    findings_.tool = run_.tool;
    findings_.version = run_.version;
    if (!table_.fault().empty()) return refuse(table_.fault());
    if (!find_nccl_operation(run_, block_.path, findings_))
      return refuse(run_.operation.empty() ? "the operation is in the file only since nccl-tests 2.16.7: "
                                             "expected its name in the path, such as all_reduce, or its "
                                             "command before the table"
                                           : "operation '" + run_.operation + "' is none that assay knows");
    finish();
  }

 private:
  void read_line(const Line& line) {
    const std::string_view text = line.text;
    if (text.starts_with("rccl-tests: Version")) {
      run_.tool = "rccl-tests";
      run_.version = std::string(after(text, "Version", " "));
    } else if (trimmed(text).starts_with('#')) {
      const std::string_view comment = trimmed(text);
      if (comment.starts_with("# Out of bounds values"))
        read_total(comment);
      else
        read_comment(comment, run_, table_);
    } else if (const std::string_view failure = failure_in(text); !failure.empty()) {
      if (failure_.empty()) failure_ = std::string(failure), failure_line_ = line.number;
    } else if (!block_.is_torn(line) && !table_.read_row(line, run_) && !says_nothing(text)) {
      leave_out(line);
    }
  }

  void leave_out(const Line& line) {
    const auto words = columns_of(line.text);
    if (words.size() > 8 && is_digit(words.front()[0]) &&
        std::ranges::any_of(words, has_comma_between_digits))
      findings_.refusals.push_back(
          {line.number, "a row with commas in its numbers: expected decimal points, and no groups"});
    else
      ++findings_.unparsed_lines;
  }

  void read_total(std::string_view text) {
    complete_ = true;
    all_right_ = text.find("FAILED") == std::string_view::npos;
  }

  static bool says_nothing(std::string_view text) {
    return trimmed(text).find_first_not_of("-=*") == std::string_view::npos ||
           text.find(" NCCL INFO ") != std::string_view::npos;
  }

  void finish() {
    table_.judge_deviations(run_, complete_ && all_right_);
    if (table_.has_times_of_day()) add_doubt(findings_.doubts, {DoubtKind::time_zone_unknown});
    add_nccl_points(run_, findings_);
    const bool is_empty = findings_.points.empty() && findings_.refusals.empty();
    if (!complete_)
      add_doubt(findings_.doubts, {DoubtKind::cut, "the line 'Out of bounds values' is not there"});
    if (failure_.empty() && is_empty)
      failure_ = "no row follows the heading", failure_line_ = block_.lines.front().number;
    if (!failure_.empty()) add_nccl_failure(run_, failure_line_, failure_, findings_);
  }

  void refuse(const std::string& why) { findings_.refusals.push_back({block_.lines.front().number, why}); }

  const Block& block_;
  Findings& findings_;
  NcclRun run_;
  NcclTable table_;
  bool complete_ = false, all_right_ = false;
  std::string failure_;
  long failure_line_ = 0;
};

void read_nccl_text(const Block& block, Findings& findings) { NcclText(block, findings).read(); }

}  // namespace

Reader nccl_tests_text_reader() {
  return {.kind = "nccl-tests", .title = "nccl-tests text", .opens = nccl_opens, .read = read_nccl_text};
}

}  // namespace assay::results::peers
