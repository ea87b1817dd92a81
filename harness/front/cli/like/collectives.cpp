// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// nccl-tests, IMB-MPI1 and the OSU micro-benchmarks: collectives and pairs of ranks.
#include <fmt/format.h>
#include <fmt/ranges.h>

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
  std::vector<std::string> words{"assay", "run", "--plan", "full", "--filter", case_name};
  if (!axes.empty()) words.insert(words.end(), {"--axis", axes});
  return words;
}

void add_launch(const ForeignCall& call, long ranks, LikeAnswer& answer) {
  if (!call.launcher.empty()) answer.words.insert(answer.words.end(), {"--launcher", call.launcher});
  if (ranks > 0) answer.words.insert(answer.words.end(), {"--ranks", std::to_string(ranks)});
}

/// ",operator=sum" of what reduces.
std::string operator_axis(std::string_view operation, const std::string& reduction,
                          std::vector<std::string>& notes) {
  constexpr std::array<std::string_view, 5> operators{"sum", "prod", "min", "max", "avg"};
  if (operation.find("reduce") == std::string_view::npos) {
    notes.push_back("-o: this operation does not reduce");
    return "";
  }
  if (std::ranges::find(operators, reduction) != operators.end()) return ",operator=" + reduction;
  notes.push_back(
      fmt::format("-o {}: expected {}; assay's default is sum", reduction, fmt::join(operators, ", ")));
  return "";
}

std::string nccl_axes(std::string_view operation, const ForeignCommand& command,
                      std::vector<std::string>& notes) {
  std::string axes = "bytes=" + sizes_of(command, notes);
  if (const auto type = command.value("-d")) {
    const auto known = nccl_types.find(*type);
    if (known == nccl_types.end())
      notes.push_back(fmt::format("-d {}: no such data type in assay; its default is fp32", *type));
    else
      axes += ",dtype=" + known->second;
  }
  if (const auto reduction = command.value("-o")) axes += operator_axis(operation, *reduction, notes);
  if (command.value("-G").value_or("0") != "0") axes += ",launch=graph";
  if (command.value("-R").value_or("0") != "0") axes += ",registered=1";
  return axes;
}

/// "-msglog 3:20" of IMB is 8 bytes to 1 MiB.
std::string imb_sizes(const std::string& range) {
  const std::size_t colon = range.find(':');
  const auto bytes = [&](const std::string& text) {
    return fmt::format("{}B", 1L << whole_number("-msglog", text, 0, 40));
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
  const ForeignCommand command = read_foreign(call.words, nccl_flags, Positional::none, Joined::may_be);
  LikeAnswer answer{.words = {}, .notes = command.notes};
  answer.words =
      run_of(fmt::format("collectives.nccl.{}", operation), nccl_axes(operation, command, answer.notes));
  const long gpus = positive_number("-g", command.value("-g").value_or("1")) *
                    positive_number("-t", command.value("-t").value_or("1"));
  const bool is_unknown = !call.launcher.empty() && call.ranks == 0;
  add_launch(call, is_unknown ? 0 : std::max(1L, call.ranks) * gpus, answer);
  if (is_unknown)
    answer.notes.push_back(
        fmt::format("the number of processes is not in the command: add --ranks N, {} each", gpus));
  answer.notes.push_back("one rank a GPU; the table as nccl-tests prints it: assay show --style nccl-tests");
  return answer;
}

LikeAnswer like_mpi_benchmark(const ForeignCall& call, std::string_view operation) {
  constexpr std::array flags{ForeignFlag{"-msglog", ""},
                             ForeignFlag{"-m", "--message-size"},
                             ForeignFlag{"-i", "--iterations", true, until_narrow},
                             ForeignFlag{"-x", "--warmup", true, warms_up},
                             ForeignFlag{"-iter", "", true, until_narrow},
                             ForeignFlag{"-npmin", "", true, "assay's axis groups selects ranks"},
                             ForeignFlag{"-time", "", true, until_narrow},
                             ForeignFlag{"-mem", "", true, "assay allocates what a point needs"},
                             ForeignFlag{"-map", "", true, "ranks follow the launcher"},
                             ForeignFlag{"-multi", "", true, "assay's axis groups says who runs at once"}};
  const ForeignCommand command = read_foreign(call.words, flags, Positional::some, Joined::never);
  LikeAnswer answer{.words = {}, .notes = command.notes};
  std::string sizes, name(operation);
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
  if (sizes.empty() && name != "barrier") {
    sizes = "8B:4MiB:x2";
    answer.notes.push_back("sizes are not in the command: 8 B to 4 MiB");
  }
  answer.words = run_of("collectives.mpi." + name, name == "barrier" ? "" : "bytes=" + sizes);
  add_launch(call, call.ranks, answer);
  return answer;
}

}  // namespace assay::cli
