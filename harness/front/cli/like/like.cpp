// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/like/like.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/shell_words.hpp"
#include "harness/front/cli/like/foreign_flags.hpp"
#include "harness/front/cli/like/known_tools.hpp"

namespace assay::cli {
namespace {

constexpr std::array known_tools{
    KnownTool{"all_reduce_perf", "all_reduce", like_nccl_tests},
    KnownTool{"all_gather_perf", "all_gather", like_nccl_tests},
    KnownTool{"reduce_scatter_perf", "reduce_scatter", like_nccl_tests},
    KnownTool{"broadcast_perf", "broadcast", like_nccl_tests},
    KnownTool{"reduce_perf", "reduce", like_nccl_tests},
    KnownTool{"gather_perf", "gather", like_nccl_tests},
    KnownTool{"scatter_perf", "scatter", like_nccl_tests},
    KnownTool{"alltoall_perf", "all_to_all", like_nccl_tests},
    KnownTool{"sendrecv_perf", "send_receive", like_nccl_tests},
    KnownTool{"ib_write_bw", "write", like_perftest},
    KnownTool{"ib_send_bw", "send", like_perftest},
    KnownTool{"ib_read_bw", "read", like_perftest},
    KnownTool{"ib_atomic_bw", "fetch_add", like_perftest},
    KnownTool{"ib_write_lat", "write", like_perftest},
    KnownTool{"ib_send_lat", "send", like_perftest},
    KnownTool{"ib_read_lat", "read", like_perftest},
    KnownTool{"ib_atomic_lat", "fetch_add", like_perftest},
    KnownTool{"nvbandwidth", "", like_nvbandwidth},
    KnownTool{"dcgmi", "", like_dcgm},
    KnownTool{"gpu_burn", "", like_gpu_burn},
    KnownTool{"stream", "", like_stream},
    KnownTool{"stream_c.exe", "", like_stream},
    KnownTool{"IMB-MPI1", "", like_mpi_benchmark},
    KnownTool{"osu_allreduce", "all_reduce", like_mpi_benchmark},
    KnownTool{"osu_allgather", "all_gather", like_mpi_benchmark},
    KnownTool{"osu_reduce_scatter", "reduce_scatter", like_mpi_benchmark},
    KnownTool{"osu_bcast", "broadcast", like_mpi_benchmark},
    KnownTool{"osu_alltoall", "all_to_all", like_mpi_benchmark},
    KnownTool{"osu_latency", "send_receive", like_mpi_benchmark},
    KnownTool{"osu_bw", "send_receive", like_mpi_benchmark},
};

std::string program_of(const std::string& word) { return word.substr(word.rfind('/') + 1); }

const KnownTool* tool_named(const std::string& program) {
  const auto found = std::ranges::find(known_tools, program, &KnownTool::program);
  return found == known_tools.end() ? nullptr : &*found;
}

/// Launcher and number of ranks before the tool: "mpirun -np 16", "srun --ntasks=16". Notes the other words.
void read_launcher(std::span<const std::string> words, ForeignCall& call, std::vector<std::string>& notes) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string name = program_of(words[at]);
    const bool counts = words[at] == "-np" || words[at] == "-n" || words[at] == "--np";
    constexpr std::string_view tasks = "--ntasks=";
    if (name == "mpirun" || name == "mpiexec" || name == "srun")
      call.launcher = name == "srun" ? "srun" : "mpirun";
    else if (counts && at + 1 < words.size())
      call.ranks = positive_number(words[at], words[at + 1]), ++at;
    else if (words[at].starts_with(tasks))
      call.ranks = positive_number("--ntasks", words[at].substr(tasks.size()));
    else
      notes.push_back(words[at] + ": not translated");
  }
}

[[noreturn]] void refuse(const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const KnownTool& tool : known_tools) names.push_back(tool.program);
  const std::string given = words.empty() ? "" : program_of(words.front());
  core::usage_error(fmt::format("like: '{}' is not a tool that is translated (expected one of: {}){}", given,
                                fmt::join(names, " "), core::meant_instead_of(given, names)));
}

}  // namespace

LikeAnswer like(const std::string& command) {
  const std::vector<std::string> words = core::split_words(command, "like");
  for (std::size_t at = 0; at < words.size(); ++at) {
    const KnownTool* tool = tool_named(program_of(words[at]));
    if (tool == nullptr) continue;
    const std::span<const std::string> all = words;
    ForeignCall call{.program = std::string(tool->program), .words = all.subspan(at + 1)};
    std::vector<std::string> notes;
    read_launcher(all.first(at), call, notes);
    LikeAnswer answer = tool->translate(call, tool->means);
    answer.notes.insert(answer.notes.begin(), notes.begin(), notes.end());
    return answer;
  }
  refuse(words);
}

}  // namespace assay::cli
