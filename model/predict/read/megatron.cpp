// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/megatron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/text/shell_words.hpp"
#include "model/predict/read/idle_flags.hpp"

namespace assay::model {
namespace {

enum class Kind { number, on, word, other };

/// A flag that decides a key of the execution.
struct Row {
  std::string_view flag, key;
  Kind kind = Kind::number;
  std::string_view value = {};  // of the key: where the flag is there, or where its word is `word`
  std::string_view word = {};
};

constexpr std::array rows = {
    Row{"tensor-model-parallel-size", "tensor_par"},
    Row{"pipeline-model-parallel-size", "pipeline_par"},
    Row{"context-parallel-size", "context_par"},
    Row{"expert-model-parallel-size", "expert_par"},
    Row{"expert-tensor-parallel-size", "expert_tensor_par"},
    Row{"num-virtual-stages-per-pipeline-rank", "pipeline_interleaving"},
    Row{"virtual-pipeline-model-parallel-size", "pipeline_interleaving"},
    Row{"micro-batch-size", "microbatch_size"},
    Row{"global-batch-size", "batch_size"},
    Row{"sequence-parallel", "tensor_par_comm_type", Kind::on, "rs_ag"},
    Row{"sequence-parallel", "seq_par_ag_redo", Kind::on, "true"},
    Row{"use-distributed-optimizer", "optimizer_sharding", Kind::on, "true"},
    Row{"overlap-grad-reduce", "data_par_overlap", Kind::on, "true"},
    Row{"overlap-param-gather", "data_par_overlap", Kind::on, "true"},
    Row{"tp-comm-overlap", "tensor_par_overlap", Kind::on, "ring"},
    Row{"ub-tp-comm-overlap", "tensor_par_overlap", Kind::on, "ring"},
    Row{"bf16", "datatype", Kind::on, "bfloat16"},
    Row{"fp16", "datatype", Kind::on, "float16"},
    Row{"use-flash-attn", "fused_attention", Kind::on, "true"},
    Row{"attention-backend", "fused_attention", Kind::word, "false", "unfused"},
    Row{"recompute-activations", "activation_recompute", Kind::on, "attn_only"},
    Row{"recompute-granularity", "activation_recompute", Kind::word, "attn_only", "selective"},
    Row{"recompute-granularity", "activation_recompute", Kind::word, "full", "full"},
    Row{"activations-checkpoint-granularity", "activation_recompute", Kind::word, "attn_only", "selective"},
    Row{"activations-checkpoint-granularity", "activation_recompute", Kind::word, "full", "full"},
    Row{"use-torch-fsdp2", "parameter_sharding", Kind::on, "true"},
    Row{"data-parallel-sharding-strategy", "parameter_sharding", Kind::word, "true", "optim_grads_params"},
    Row{"data-parallel-sharding-strategy", "parameter_sharding", Kind::word, "false", "no_shard"},
    Row{"nproc-per-node", "", Kind::other},
    Row{"nnodes", "", Kind::other},
    Row{"seq-length", "", Kind::other},
    Row{"encoder-seq-length", "", Kind::other}};

bool is_known(std::string_view flag) { return std::ranges::find(rows, flag, &Row::flag) != rows.end(); }

/// A line of a script may be continued by a backslash.
std::vector<std::string> words_of(std::string line) {
  std::ranges::replace(line, '\\', ' ');
  std::vector<std::string> words = core::split_words(line, "--megatron");
  std::erase(words, "");
  return words;
}

/// "--nproc_per_node" and "model.tensor_model_parallel_size" as "nproc-per-node" and
/// "tensor-model-parallel-size"; empty for all other words.
std::string flag_of(const std::string& word) {
  std::string flag;
  if (word.starts_with("--"))
    flag = word.substr(2);
  else if (word.find('=') != std::string::npos && word.find('.') < word.find('='))
    flag = word.substr(word.rfind('.', word.find('=')) + 1);
  std::ranges::replace(flag.begin(),
                       flag.begin() + static_cast<std::ptrdiff_t>(std::min(flag.find('='), flag.size())), '_',
                       '-');
  return flag;
}

/// Flags with their words, empty for flags without one. The last of equal flags counts.
std::map<std::string, std::string> flags_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> flags;
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::string flag = flag_of(words[at]);
    if (flag.empty()) continue;
    std::string value;
    if (const std::size_t equals = flag.find('='); equals != std::string::npos) {
      value = flag.substr(equals + 1);
      flag.resize(equals);
    } else if (at + 1 < words.size() && flag_of(words[at + 1]).empty()) {
      value = words[at + 1];
    }
    flags.insert_or_assign(std::move(flag), std::move(value));
  }
  return flags;
}

constexpr std::int64_t most = 1'000'000'000;

std::int64_t number_of(std::string_view flag, const std::string& value) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1 || number > most)
    core::usage_error(fmt::format("--megatron: --{}: expected a whole number from 1 to {}, got '{}'", flag,
                                  most, core::printable(value, 60)));
  return number;
}

nlohmann::json value_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  return std::string(text);
}

/// Keys where no flag says otherwise: fused attention and activation, no overlap.
nlohmann::json usual_execution() {
  return {{"tensor_par", 1},
          {"pipeline_par", 1},
          {"tensor_par_net", 0},
          {"pipeline_par_net", 1},
          {"data_par_net", 1},
          {"datatype", "float32"},
          {"fused_activation", true},
          {"attention_type", "multihead"},
          {"activation_recompute", "none"},
          {"pipeline_interleaving", 1},
          {"optimizer_sharding", false},
          {"tensor_par_comm_type", "ar"},
          {"tensor_par_overlap", "none"},
          {"seq_par_ag_redo", false},
          {"data_par_overlap", false},
          {"weight_offload", false},
          {"activations_offload", false},
          {"optimizer_offload", false},
          {"training", true},
          {"fused_attention", true}};
}

void apply(const Row& row, const std::string& value, nlohmann::json& execution) {
  switch (row.kind) {
    case Kind::number:
      execution[std::string(row.key)] = number_of(row.flag, value);
      return;
    case Kind::on:
      if (value != "False" && value != "false") execution[std::string(row.key)] = value_of(row.value);
      return;
    case Kind::word:
      if (value == row.word) execution[std::string(row.key)] = value_of(row.value);
      return;
    case Kind::other:
      return;
  }
}

/// Refuses products that no execution has, before they overflow.
std::int64_t product_of(const char* what, std::int64_t one, std::int64_t other) {
  if (one * other > most)
    core::usage_error(
        fmt::format("--megatron: {}: expected {} at most, got {} x {}", what, most, one, other));
  return one * other;
}

/// Fills the processors and what is left of them for data parallelism.
void add_processors(const std::map<std::string, std::string>& flags, nlohmann::json& execution) {
  const auto needed = [&](const char* flag) {
    const auto found = flags.find(flag);
    if (found == flags.end())
      core::usage_error(fmt::format("--megatron: --{} is missing; expected it in the line", flag));
    return number_of(flag, found->second);
  };
  const std::int64_t processors =
      product_of("processors", needed("nproc-per-node"), flags.contains("nnodes") ? needed("nnodes") : 1);
  std::int64_t split = 1;
  for (const char* key : {"tensor_par", "pipeline_par", "context_par"})
    if (execution.contains(key))
      split =
          product_of("tensor x pipeline x context parallelism", split, execution[key].get<std::int64_t>());
  if (processors % split != 0)
    core::usage_error(fmt::format(
        "--megatron: {} processors: expected a multiple of tensor x pipeline x context parallelism, {}",
        processors, split));
  execution["num_procs"] = processors;
  execution["data_par"] = processors / split;
  const std::int64_t microbatch = needed("micro-batch-size");
  if (!execution.contains("batch_size"))
    execution["batch_size"] = product_of("global batch size", microbatch, processors / split);
}

/// Flags that Megatron takes where they do nothing, and a key that is not allowed there.
void drop_idle(nlohmann::json& execution) {
  const bool one_tensor = execution["tensor_par"] == 1, one_data = execution["data_par"] == 1;
  if (one_tensor) execution["tensor_par_overlap"] = "none";
  if (execution["activation_recompute"] == "full") execution["seq_par_ag_redo"] = false;
  if (one_data) execution["optimizer_sharding"] = execution["data_par_overlap"] = false;
  for (const char* key : {"context_par", "expert_par", "expert_tensor_par"})
    if (execution.contains(key) && execution[key] == 1) execution.erase(key);
  if (execution.contains("parameter_sharding") && execution["parameter_sharding"] == true)
    execution["optimizer_sharding"] = !one_data;
}

}  // namespace

MegatronExecution read_megatron(const std::string& line) {
  const std::map<std::string, std::string> flags = flags_of(words_of(line));
  MegatronExecution read{.execution = usual_execution(), .sequence = 0, .unused = {}};
  for (const auto& [flag, value] : flags) {
    if (!is_known(flag) && !leaves_the_step(flag)) read.unused.push_back("--" + core::printable(flag, 60));
    for (const Row& row : rows)
      if (row.flag == flag) apply(row, value, read.execution);
  }
  for (const char* flag : {"seq-length", "encoder-seq-length"})
    if (const auto found = flags.find(flag); found != flags.end())
      read.sequence = number_of(flag, found->second);
  add_processors(flags, read.execution);
  drop_idle(read.execution);
  return read;
}

}  // namespace assay::model
