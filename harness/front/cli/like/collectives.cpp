// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// nccl-tests, IMB-MPI1 and the OSU micro-benchmarks: collectives and pairs of ranks.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/core/error.hpp"
#include "harness/front/cli/like/foreign_flags.hpp"
#include "harness/front/cli/like/known_tools.hpp"

namespace assay::cli {
namespace {

constexpr std::string_view until_narrow = "assay repeats a point until its interval is narrow";
constexpr std::string_view warms_up = "assay warms up until times are steady";

/// As of nccl-tests 2.19.
constexpr std::array nccl_flags{
    ForeignFlag{"-t", "--nthreads"},
    ForeignFlag{"-g", "--ngpus"},
    ForeignFlag{"-b", "--minbytes"},
    ForeignFlag{"-e", "--maxbytes"},
    ForeignFlag{"-i", "--stepbytes"},
    ForeignFlag{"-f", "--stepfactor"},
    ForeignFlag{"-n", "--iters", true, until_narrow},
    ForeignFlag{"-w", "--warmup_iters", true, warms_up},
    ForeignFlag{"-m", "--agg_iters", true, "assay's launch=group runs a sample's iterations in one group"},
    ForeignFlag{"-N", "--run_cycles", true, until_narrow},
    ForeignFlag{"-c", "--check", true, "assay always checks results"},
    ForeignFlag{"-p", "--parallel_init", true, "assay's ranks are processes"},
    ForeignFlag{"-z", "--blocking", true, "assay's default waits for each iteration"},
    ForeignFlag{"-a", "--average", true, "assay reports the slowest rank, and each rank's own time"},
    ForeignFlag{"-o", "--op"},
    ForeignFlag{"-d", "--datatype"},
    ForeignFlag{"-r", "--root", true, "assay's root is rank 0"},
    ForeignFlag{"-G", "--cudagraph"},
    ForeignFlag{"-R", "--local_register"},
    ForeignFlag{"-T", "--timeout", true, "assay ends a point that is silent: --silence"},
};

const std::map<std::string, std::string, std::less<>> nccl_types{
    {"float", "fp32"},    {"double", "fp64"},       {"half", "fp16"},
    {"bfloat16", "bf16"}, {"fp8_e4m3", "fp8_e4m3"}, {"fp8_e5m2", "fp8_e5m2"},
    {"int8", "int8"},     {"int32", "int32"},       {"int64", "int64"}};

/// "8B:8GiB:x2", or one size. nccl-tests: 32M where none is given.
std::string sizes_of(const ForeignCommand& command, std::vector<std::string>& notes) {
  const std::string least = binary_size("-b", command.value("-b").value_or("32M"));
  const std::string most =
      binary_size("-e", command.value("-e").value_or(command.value("-b").value_or("32M")));
  if (least == most) return least;
  if (const auto factor = command.value("-f"))
    return fmt::format("{}:{}:x{}", least, most, positive_number("-f", *factor));
  notes.push_back("-i: sizes by a factor of 2, as with -f 2");
  return fmt::format("{}:{}:x2", least, most);
}

std::vector<std::string> run_of(const std::string& case_name, const std::string& axes) {
  return {"assay", "run", "--plan", "full", "--filter", case_name, "--axis", axes};
}

void add_launch(const ForeignCall& call, long ranks, LikeAnswer& answer) {
  if (!call.launcher.empty()) answer.words.insert(answer.words.end(), {"--launcher", call.launcher});
  if (ranks > 0) answer.words.insert(answer.words.end(), {"--ranks", std::to_string(ranks)});
}

std::string nccl_axes(const ForeignCommand& command, std::vector<std::string>& notes) {
  std::string axes = "bytes=" + sizes_of(command, notes);
  if (const auto type = command.value("-d")) {
    const auto known = nccl_types.find(*type);
    if (known == nccl_types.end())
      notes.push_back(fmt::format("-d {}: no such data type in assay; its default is fp32", *type));
    else
      axes += ",dtype=" + known->second;
  }
  if (const auto operation = command.value("-o")) axes += ",operator=" + *operation;
  if (command.value("-G").value_or("0") != "0") axes += ",launch=graph";
  if (command.value("-R").value_or("0") != "0") axes += ",registered=1";
  return axes;
}

/// "-msglog 3:20" of IMB is 8 bytes to 1 MiB.
std::string imb_sizes(const std::string& range) {
  const std::size_t colon = range.find(':');
  const auto bytes = [&](const std::string& text) {
    return fmt::format("{}B", 1L << positive_number("-msglog", text));
  };
  if (colon == std::string::npos) return "1B:" + bytes(range) + ":x2";
  return bytes(range.substr(0, colon)) + ":" + bytes(range.substr(colon + 1)) + ":x2";
}

/// Benchmarks of IMB-MPI1 that have a case.
const std::map<std::string, std::string, std::less<>> imb_benchmarks{
    {"Allreduce", "all_reduce"},  {"Allgather", "all_gather"}, {"Reduce_scatter", "reduce_scatter"},
    {"Bcast", "broadcast"},       {"Reduce", "reduce"},        {"Gather", "gather"},
    {"Scatter", "scatter"},       {"Alltoall", "all_to_all"},  {"PingPong", "send_receive"},
    {"Sendrecv", "send_receive"}, {"Barrier", "barrier"}};

}  // namespace

LikeAnswer like_nccl_tests(const ForeignCall& call, std::string_view operation) {
  const ForeignCommand command = read_foreign(call.words, nccl_flags);
  LikeAnswer answer{.words = {}, .notes = command.notes};
  answer.words = run_of(fmt::format("collectives.nccl.{}", operation), nccl_axes(command, answer.notes));
  const long gpus = positive_number("-g", command.value("-g").value_or("1")) *
                    positive_number("-t", command.value("-t").value_or("1"));
  add_launch(call, std::max(1L, call.ranks) * gpus, answer);
  answer.notes.push_back("one rank a GPU; the table as nccl-tests prints it: assay show --style nccl-tests");
  return answer;
}

LikeAnswer like_mpi_benchmark(const ForeignCall& call, std::string_view operation) {
  constexpr std::array flags{ForeignFlag{"-msglog", ""},
                             ForeignFlag{"-m", "--message-size"},
                             ForeignFlag{"-i", "--iterations", true, until_narrow},
                             ForeignFlag{"-x", "--warmup", true, warms_up},
                             ForeignFlag{"-iter", "", true, until_narrow},
                             ForeignFlag{"-npmin", ""}};
  const ForeignCommand command = read_foreign(call.words, flags);
  LikeAnswer answer{.words = {}, .notes = command.notes};
  std::string sizes = "8B:4MiB:x2", name(operation);
  if (const auto range = command.value("-msglog")) sizes = imb_sizes(*range);
  if (const auto range = command.value("-m")) {
    const std::size_t colon = range->find(':');
    sizes = binary_size("-m", range->substr(0, colon)) +
            (colon == std::string::npos ? "" : ":" + binary_size("-m", range->substr(colon + 1)) + ":x2");
  }
  if (name.empty()) {
    if (command.rest.empty())
      core::usage_error("like: IMB-MPI1: expected a benchmark such as Allreduce after it");
    const auto known = imb_benchmarks.find(command.rest.front());
    if (known == imb_benchmarks.end())
      core::usage_error(fmt::format("like: IMB-MPI1 {}: assay has no such case", command.rest.front()));
    name = known->second;
  }
  answer.words = run_of("collectives.mpi." + name, "bytes=" + sizes);
  add_launch(call, call.ranks, answer);
  return answer;
}

}  // namespace assay::cli
