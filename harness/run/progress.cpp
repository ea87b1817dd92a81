// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "harness/core/error.hpp"
#include "harness/core/process/terminal.hpp"
#include "harness/core/text/printable_stream.hpp"
#include "harness/core/units.hpp"
#include "harness/run/journal/absences.hpp"
#include "harness/run/live_line.hpp"
#include "harness/run/measure_options.hpp"

namespace assay::run {
namespace {

std::string status_text(results::Status status, bool colour) {
  const std::string word = results::to_string(status);
  if (!colour || status == results::Status::ok) return word;
  return fmt::format("\033[{}m{}\033[0m", status == results::Status::unsupported ? 33 : 31, word);
}

/// Whether this machine cannot run the point; for hardware that is assumed, whether no machine can.
bool cannot_run(const plan::PlannedPoint& planned) {
  const core::Case& benchmark = *planned.benchmark;
  if (!is_assumed(benchmark.name)) return benchmark.unsupported(planned.point).has_value();
  return benchmark.impossible && benchmark.impossible(planned.point).has_value();
}

}  // namespace

double budget_of(const plan::PlannedPoint& planned) {
  try {
    if (cannot_run(planned)) return 0;
  } catch (const core::Error&) {
    return 0;  // the point's record says why
  }
  constexpr double preparing_s = 0.1;
  const core::MeasureOptions options = measure_options(planned);
  return options.max_seconds + options.max_warmup_seconds + preparing_s;
}

void TimeLeft::done(double budget_s, double took_s) {
  ahead_s_ -= budget_s;
  budget_done_s_ += budget_s;
  took_s_ += took_s;
}

double TimeLeft::seconds() const {
  // Until something ran, the budgets are all there is to go by.
  const double pace = budget_done_s_ > 0 ? took_s_ / budget_done_s_ : 1;
  return std::max(0.0, ahead_s_) * pace;
}

Progress::Progress(std::ostream& lines, std::ostream& status, const ProgressOptions& options,
                   double budget_ahead_s, PointText point_text, std::function<double()> now_s)
    : lines_(lines),
      status_(status),
      options_(options),
      left_(budget_ahead_s + options.budget_after_s),
      point_text_(std::move(point_text)),
      now_s_(std::move(now_s)) {}

void Progress::begins(const plan::PlannedPoint& planned) {
  beat_ = fmt::format("{:.3f} {} {} {}\n", budget_of(planned), planned.repetition, planned.benchmark->name,
                      planned.point.key());
  beat();
  rewrite(planned, "");
}

void Progress::rewrite(const plan::PlannedPoint& planned, const std::string& more) {
  if (!options_.terminal) return;
  const std::string of_module =
      options_.module.empty() || options_.of_module == options_.total
          ? ""
          : fmt::format("{} {}/{}: ", options_.module, done_ + 1, options_.of_module);
  const LiveLine line{.counts = fmt::format("[{}/{}] ", options_.before + done_ + 1, options_.total),
                      .of_module = of_module,
                      .point = point_text_.of(planned),
                      .interval = more,
                      .left = time_left_text()};
  // A line that wraps could not be rewritten. The last column is left free: some terminals wrap at it.
  status_ << core::TerminalControl{"\r\033[K"}
          << fitted(line, options_.columns > 1 ? options_.columns - 1 : 0) << std::flush;
}

void Progress::looked(const plan::PlannedPoint& planned, const core::QuantileInterval& interval) {
  if (!options_.terminal) return;
  if (!interval.bounded || interval.estimate <= 0)
    return rewrite(planned, fmt::format(", n = {}", interval.n));
  rewrite(planned,
          fmt::format(", interval {:.2g} % ({:.2g} % wanted), n = {}", 100 * interval.relative_width(),
                      100 * measure_options(planned).relative_width, interval.n));
}

void Progress::still_runs() {
  if (now_s_() - last_beat_s_ >= 1) beat();
}

void Progress::beat() {
  last_beat_s_ = now_s_();
  if (options_.heartbeat_descriptor < 0) return;
  // A supervisor that ended is not a reason to stop measuring.
  [[maybe_unused]] const auto written = write(options_.heartbeat_descriptor, beat_.data(), beat_.size());
}

void Progress::ended(const plan::PlannedPoint& planned, const results::PointRecord& record) {
  // Google Benchmark's repetitions of a point are one point of the plan.
  if (record.repetition == planned.repetition) {
    ++done_;
    left_.done(budget_of(planned), record.elapsed_s);
  }
  if (options_.terminal) status_ << core::TerminalControl{"\r\033[K"} << std::flush;
  lines_ << fmt::format("[{}/{}] {}: {}{}", options_.before + done_, options_.total, point_text_.of(planned),
                        outcome_text(record, options_.colour), options_.terminal ? "" : time_left_text())
         << fields_of(record) << "\n"
         << std::flush;
}

core::LogFields Progress::fields_of(const results::PointRecord& record) const {
  core::LogFields all{{"run", record.run_id},
                      {"case", record.case_name},
                      {"point", record.key},
                      {"status", results::to_string(record.status)},
                      {"done", std::int64_t{options_.before + done_}},
                      {"total", std::int64_t{options_.total}},
                      {"left_s", left_.seconds()}};
  if (record.metrics.empty()) return all;
  const results::Metric& headline = record.metrics.front();
  all.fields.insert(all.fields.end(),
                    {{"metric", headline.name}, {"value", headline.value}, {"unit", headline.unit}});
  return all;
}

std::string Progress::time_left_text() const {
  const double seconds = std::round(left_.seconds());
  return seconds < 1 ? "" : fmt::format(", about {} left", core::format_seconds(seconds));
}

PointText::PointText(const std::vector<plan::PlannedPoint>& points) {
  std::map<std::pair<std::string, std::string>, core::Value> seen;
  for (const plan::PlannedPoint& planned : points)
    for (const auto& [name, value] : planned.point.coordinates()) {
      const std::pair place(planned.benchmark->name, name);
      if (seen.try_emplace(place, value).first->second != value) varied_.insert(place);
    }
}

std::string PointText::of(const plan::PlannedPoint& planned) const {
  std::string text = planned.benchmark->name;
  for (const auto& [name, value] : planned.point.coordinates()) {
    const auto& axes = planned.benchmark->axes;
    const auto axis = std::ranges::find(axes, name, &core::Axis::name);
    const bool usual = axis != axes.end() && axis->values == std::vector{value};
    if (usual && !varied_.contains({planned.benchmark->name, name})) continue;
    const bool size = axis != axes.end() && axis->domain == core::Domain::sizes;
    const auto* bytes = std::get_if<std::int64_t>(&value);
    text += fmt::format(" {}={}", name, size && bytes ? core::format_bytes(*bytes) : core::to_text(value));
  }
  return text;
}

std::string outcome_text(const results::PointRecord& record, bool colour) {
  if (!record.time || record.metrics.empty())
    return fmt::format("{}: {}", status_text(record.status, colour), record.reason);
  const results::Metric& headline = record.metrics.front();
  std::string text = fmt::format("{:.4g} {}", headline.value, headline.unit);
  if (headline.lower && headline.upper)
    text += fmt::format(" [{:.4g}, {:.4g}]", *headline.lower, *headline.upper);
  text += fmt::format(" (n = {}, stopped by {})", record.time->n, record.stop);
  if (record.status != results::Status::ok)
    text += fmt::format(" {}: {}", status_text(record.status, colour), record.reason);
  return text;
}

ProgressOptions options_of_terminal(const ProgressOptions& options) {
  ProgressOptions here = options;
  here.terminal = isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1 && !core::logs_json() &&
                  !core::terminal_is_dumb();
  here.colour = here.terminal && !core::colours_are_refused();
  if (here.terminal) here.columns = core::terminal_columns(STDERR_FILENO);
  return here;
}

}  // namespace assay::run
