// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/stored_questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/text/glob.hpp"
#include "results/expected/operation.hpp"
#include "results/peers/condition_names.hpp"
#include "results/record/json/record_rules.hpp"

namespace assay::results::expected {
namespace {

constexpr std::array asked_cases{"collectives.nccl.all_reduce",
                                 "collectives.nccl.all_gather",
                                 "collectives.nccl.reduce_scatter",
                                 "collectives.nccl.all_to_all",
                                 "collectives.nccl.broadcast",
                                 "collectives.nccl.reduce",
                                 "collectives.nccl.send_receive",
                                 "offload.cuda.copy",
                                 "offload.cuda.peer_copy",
                                 "rdma.verbs.bandwidth",
                                 "memory.cuda.copy",
                                 "gemm.cuda.matmul"};

/// Settings that make it another run than the usual one.
std::string settings_in(const Fields& axes) {
  std::string settings;
  for (const char* name : {"algorithm", "protocol", "groups", "launch"}) {
    const std::string value = field_text(axes, {name});
    const bool usual = value.empty() || value == "default" || value == "all" || value == "library" ||
                       value == "stream" || value.starts_with(core::names::first_ranks);
    if (!usual) settings += (settings.empty() ? "" : ", ") + fmt::format("{} {}", name, value);
  }
  return settings;
}

std::string gpu_in(const ContextRecord& context) {
  const auto gpus = context.machine.find("gpus");
  if (gpus == context.machine.end() || !gpus->is_array() || gpus->empty()) return "";
  return gpus->front().value("name", "");
}

std::int64_t nodes_of(const Question& question, const Fields& conditions, const System* system) {
  if (const auto nodes = field_integer(conditions, {core::names::nodes})) return *nodes;
  const std::string hosts = field_text(conditions, {peers::condition::hosts});
  if (!hosts.empty()) return std::ranges::count(hosts, ',') + 1;
  if (!field_text(conditions, {peers::condition::tool}).empty() || !system) return 1;
  return (question.gpus + system->gpus_per_node - 1) / system->gpus_per_node;
}

class QuestionReader {
 public:
  QuestionReader(const RunPoints& run, const Published& published, std::string default_system,
                 std::string network)
      : run_(run),
        published_(published),
        default_system_(std::move(default_system)),
        network_(std::move(network)) {}

  StoredQuestions take() {
    for (const char* const name : asked_cases)
      for (const MeasuredPoint& point : run_.measured(name)) add(name, point);
    found_.left_out = std::max<std::int64_t>(0, run_.stored().ok - asked_);
    return std::move(found_);
  }

 private:
  void add(const char* case_name, const MeasuredPoint& point) {
    Question question{.operation = operation_of(case_name, point.point.axes)};
    const auto value = point.metric(std::string(metric_of(question.operation)));
    if (!is_operation(question.operation) || !value || !(*value > 0) || !point.stamp.empty()) return;
    asked_ += static_cast<std::int64_t>(point.point.repetitions);
    const ContextRecord* const context = run_.contexts().empty() ? nullptr : &run_.contexts().front();
    if (context) question.host = context->host, question.gpu = gpu_in(*context);
    const System* system = context ? published_.system_of_gpu(question.gpu) : nullptr;
    if (!system) system = published_.system(default_system_);
    question.value = *value;
    question.system = system ? system->name : "";
    question.network = network_;
    question.bytes = field_integer(point.point.axes, {"bytes"});
    question.settings = settings_in(point.point.axes);
    question.gpus = field_integer(point.conditions, {core::names::ranks}).value_or(1);
    question.nodes = is_collective(question.operation) ? nodes_of(question, point.conditions, system) : 1;
    const std::string file = field_text(point.conditions, {peers::condition::source_file});
    question.place = question.host;
    if (!file.empty())
      question.place +=
          fmt::format(" ({}:{})", file, field_text(point.conditions, {peers::condition::source_line}));
    if (field_integer(point.point.axes, {"in_place"}).value_or(0) == 1) question.place += ", in place";
    found_.questions.push_back(std::move(question));
  }

  const RunPoints& run_;
  const Published& published_;
  std::string default_system_, network_;
  StoredQuestions found_;
  std::int64_t asked_ = 0;  // points of the store, repetitions counted
};

bool is_same_setting(const Question& one, const Question& other) {
  return one.operation == other.operation && one.bytes == other.bytes && one.gpus == other.gpus &&
         one.nodes == other.nodes && one.settings == other.settings;
}

}  // namespace

StoredQuestions questions_of(const RunPoints& run, const Published& published,
                             const std::string& default_system, const std::string& network) {
  return QuestionReader(run, published, default_system, network).take();
}

const std::vector<SiteHistory::RunQuestions>& SiteHistory::questions_for(const std::string& system) {
  const auto [known, fresh] = by_system_.try_emplace(system);
  if (fresh)
    for (const StoredRun& stored : all_runs(store_)) {
      const RunPoints run(store_, stored.run_id);
      known->second.push_back({stored.run_id, questions_of(run, published_, system, "").questions});
    }
  return known->second;
}

bool SiteHistory::is_same_machine(const Question& own, const Question& question) const {
  const bool is_unknown = question.system.empty() && question.gpu.empty();
  if (own.gpu.empty() || is_unknown || own.gpu == question.gpu) return true;
  const System* const system = published_.system(question.system);
  return system && core::glob_matches(system->gpu, own.gpu);
}

std::optional<OwnHistory> SiteHistory::of(const Question& question, const std::string& without) {
  std::vector<double> values;
  std::set<std::string> hosts;
  for (const RunQuestions& run : questions_for(question.system)) {
    if (run.run_id == without) continue;
    for (const Question& own : run.questions) {
      if (!is_same_setting(own, question) || !is_same_machine(own, question)) continue;
      values.push_back(own.value);
      hosts.insert(own.host);
    }
  }
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  return OwnHistory{.store = store_.path().string(),
                    .values = static_cast<std::int64_t>(values.size()),
                    .hosts = static_cast<std::int64_t>(hosts.size()),
                    .lowest = values.front(),
                    .median = core::quantile_of(values, 0.5),
                    .highest = values.back()};
}

}  // namespace assay::results::expected
