// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/normal_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/version.hpp"
#include "harness/front/answers/fabric/fabric_answers.hpp"
#include "harness/front/answers/open_store.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "results/expected/stored_questions.hpp"
#include "results/peers/path_pattern.hpp"
#include "results/peers/peer_file.hpp"
#include "results/peers/peer_records.hpp"
#include "results/peers/tools/nccl_ranks.hpp"

namespace assay::answers {
namespace {

namespace expected = results::expected;
namespace peers = results::peers;

/// A store of this process with what the log says.
results::Store store_of_log(const std::string& log, NormalAnswer& answer) {
  results::Store store("");
  const peers::PeerFile file =
      peers::read_peer_file(peers::plain_facts(log), {.kind = "auto", .host = "this host"});
  std::vector<peers::Refusal> refusals = file.refusals;
  const peers::RecordSettings settings{
      .zone = {}, .now = core::iso_time_now(), .assay_version = core::version()};
  for (peers::PeerRun& run : peers::records_of(file, settings, refusals)) store.add(run.records);
  for (const peers::Refusal& refusal : refusals)
    answer.notes.push_back(fmt::format("{}:{}: {}", log, refusal.line, refusal.what));
  if (results::all_runs(store).empty())
    core::usage_error(fmt::format("{}: expected results of a tool that assay import --from reads", log));
  return store;
}

/// Keeps, for each operation and setting, the sizes that someone published, and the largest.
std::vector<expected::Question> comparable(std::vector<expected::Question> all,
                                           const expected::Published& published) {
  const auto same_sweep = [](const expected::Question& one) {
    return std::tuple(one.operation, one.gpus, one.nodes, one.settings, one.host);
  };
  std::map<decltype(same_sweep(all[0])), std::int64_t> largest;
  for (const expected::Question& one : all)
    largest[same_sweep(one)] = std::max(largest[same_sweep(one)], one.bytes.value_or(0));
  std::erase_if(all, [&](const expected::Question& one) {
    if (one.bytes.value_or(0) == largest[same_sweep(one)]) return false;
    return std::ranges::none_of(published.values, [&](const expected::PublishedValue& value) {
      return value.system == one.system && value.operation == one.operation && value.bytes == one.bytes &&
             value.gpus == one.gpus;
    });
  });
  return all;
}

/// The busbw over a fabric of which each GPU has an adapter: the ranks of one place in their nodes exchange
/// their part of the bytes over rings, all places at once. What happens within nodes is taken as hidden.
std::optional<double> simulated_busbw(const expected::Question& question, const std::string& fabric,
                                      const expected::System* system) {
  const std::string& operation = question.operation;
  const bool known = operation == "all_reduce" || operation == "all_gather" || operation == "reduce_scatter";
  if (!known || !question.bytes || question.nodes < 2 || !system) return std::nullopt;
  const std::int64_t places = question.gpus / question.nodes;
  if (places * question.nodes != question.gpus || *question.bytes % places != 0) return std::nullopt;
  FabricQuestion asked;
  asked.fabric.file = fabric;
  asked.workload.file = "workload of assay normal";
  asked.workload.toml = fmt::format(
      "name = '{0}'\nranks = {1}\n[[stream]]\n[[stream.op]]\ncollective = '{0}'\nalgorithm = 'ring'\n"
      "groups = '0:{1}:{2}'\nbytes = '{3}B'\n",
      operation, question.gpus, places, *question.bytes / places);
  asked.command_line = {"assay", "normal"};
  const auto json = core::json_from<nlohmann::json>(simulate(asked, false).json);
  const auto time = json.find("time_us");
  if (time == json.end()) return std::nullopt;
  const double time_us = time->at("median").get<double>();
  return static_cast<double>(*question.bytes) * 1e-3 / time_us *
         peers::bus_factor(operation, question.gpus).value_or(1);
}

class NormalAnswers {
 public:
  explicit NormalAnswers(const NormalQuestion& question)
      : question_(question), published_(expected::published_values(question.published)) {
    const std::string& system = question.asked.system;
    if (!system.empty() && !published_.system(system))
      core::usage_error(fmt::format("--system {}: expected one of {}", system, fmt::join(names(), ", ")));
    if (question.store.empty()) return;
    store_.emplace(open_existing_store(question.store));
    history_.emplace(*store_, published_);
  }

  NormalAnswer answer() {
    if (question_.log_or_run.empty()) {
      ask(with_nodes(question_.asked), "");
    } else if (core::is_there(question_.log_or_run)) {
      const results::Store store = store_of_log(question_.log_or_run, answer_);
      for (const results::StoredRun& run : results::all_runs(store)) ask_run(store, run.run_id);
    } else if (store_) {
      ask_run(*store_, or_bad_input([&] { return results::find_run(*store_, question_.log_or_run).run_id; }));
    } else {
      core::usage_error(
          fmt::format("{}: no such file; expected an operation ({}), a log, or a run with --store",
                      question_.log_or_run, expected::operations_text()));
    }
    if (answer_.standings.empty())
      core::usage_error(fmt::format("{}: no result of an operation that assay normal knows ({})",
                                    question_.log_or_run, expected::operations_text()));
    return std::move(answer_);
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const expected::System& one : published_.systems) all.push_back(one.name);
    return all;
  }

  expected::Question with_nodes(expected::Question asked) const {
    const expected::System& system = *published_.system(asked.system);
    if (asked.gpus == 0) asked.gpus = 1;
    if (asked.nodes == 0) asked.nodes = (asked.gpus + system.gpus_per_node - 1) / system.gpus_per_node;
    return asked;
  }

  void ask_run(const results::Store& store, const std::string& run) {
    const results::RunPoints points(store, run);
    expected::StoredQuestions found =
        expected::questions_of(points, published_, question_.asked.system, question_.asked.network);
    if (found.left_out > 0)
      answer_.notes.push_back(fmt::format("{}: {} points of other kinds were left out", run, found.left_out));
    for (const expected::Question& one : comparable(std::move(found.questions), published_)) ask(one, run);
  }

  void ask(const expected::Question& asked, const std::string& run) {
    expected::Evidence evidence;
    if (history_) evidence.history = history_->of(asked, run);
    if (!question_.fabric.empty()) {
      evidence.simulated = simulated_busbw(asked, question_.fabric, published_.system(asked.system));
      evidence.simulated_by = "rings of equal places of the nodes, over " + question_.fabric;
    }
    answer_.standings.push_back(expected::standing_of(asked, published_, evidence, question_.loss));
  }

  const NormalQuestion& question_;
  expected::Published published_;
  std::optional<results::Store> store_;
  std::optional<expected::SiteHistory> history_;
  NormalAnswer answer_;
};

}  // namespace

NormalAnswer normal(const NormalQuestion& question) { return NormalAnswers(question).answer(); }

}  // namespace assay::answers
