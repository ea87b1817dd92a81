// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checks of what a job needs before its first step: names, registries of containers, and limits.
#include <fmt/format.h>

#include <algorithm>

#include "harness/core/units.hpp"
#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

void judge_answers(const std::vector<std::string>& wanted, const std::vector<ServiceAnswer>& answers,
                   const Scene& scene, const std::string& meaning, Findings& findings) {
  for (const std::string& one : wanted) {
    const auto answer = std::ranges::find(answers, one, &ServiceAnswer::of);
    if (answer == answers.end())
      findings.unknown(one, "it was not asked: a folder was given for this machine");
    else if (answer->good)
      findings.passed(one, answer->evidence);
    else
      findings.add(Status::failed, one,
                   fmt::format("{} (asked for by {})", answer->evidence, scene.expected.source),
                   {meaning, Action::configure});
  }
}

void judge_names(const Scene& scene, Findings& findings) {
  const auto& wanted = scene.expected.job.names;
  if (wanted.empty()) return findings.absent("the expectation names no hosts");
  judge_answers(wanted, scene.now.job.names, scene, "jobs that need this host do not start", findings);
}

void judge_registries(const Scene& scene, Findings& findings) {
  const auto& wanted = scene.expected.job.registries;
  if (wanted.empty()) return findings.absent("the expectation names no registry");
  judge_answers(wanted, scene.now.job.registries, scene, "containers cannot be fetched", findings);
}

void judge_containers(const Scene& scene, Findings& findings) {
  const auto& command = scene.expected.job.container;
  if (command.empty()) return findings.absent("the expectation names no container");
  judge_answers({command.front()}, scene.now.job.containers, scene, "jobs in containers do not start",
                findings);
}

std::string limit_text(std::uint64_t value, bool bytes) {
  if (value > std::uint64_t{1} << 62) return "unlimited";
  return bytes ? core::format_bytes(static_cast<std::int64_t>(value)) : std::to_string(value);
}

struct LimitOfJob {
  const char* name;
  std::optional<std::uint64_t> wanted, found;
  bool bytes;
  const char* meaning;
};

void judge_limit(const LimitOfJob& limit, const std::string& source, Findings& findings) {
  if (!limit.wanted) return;
  const std::string wanted = limit_text(*limit.wanted, limit.bytes);
  if (!limit.found)
    return findings.unknown(limit.name, fmt::format("it cannot be read; {} expected ({})", wanted, source));
  const std::string found = limit_text(*limit.found, limit.bytes);
  if (*limit.found >= *limit.wanted) return findings.passed(limit.name, found);
  findings.add(Status::failed, limit.name,
               fmt::format("{}, at least {} expected ({})", found, wanted, source),
               {limit.meaning, Action::configure});
}

void judge_limits(const Scene& scene, Findings& findings) {
  const JobNeeds& job = scene.expected.job;
  const Platform& now = scene.now.platform;
  if (!job.locked_bytes && !job.open_files && !job.shared_bytes)
    return findings.absent("the expectation names no limit");
  const auto shared = now.shared_memory ? std::optional(now.shared_memory->bytes) : std::nullopt;
  for (const LimitOfJob& limit :
       {LimitOfJob{"memlock", job.locked_bytes, now.locked_bytes, true,
                   "RDMA and NCCL cannot pin the memory that they use"},
        LimitOfJob{"open_files", job.open_files, now.open_files, false,
                   "jobs of many ranks run out of sockets"},
        LimitOfJob{"/dev/shm", job.shared_bytes, shared, true, "NCCL and data loaders share memory there"}})
    judge_limit(limit, scene.expected.source, findings);
}

constexpr Check listed_job_checks[] = {
    {"host.dns", "names that jobs need are resolved in time", judge_names},
    {"host.registry", "registries of containers answer HEAD /v2/ in time", judge_registries},
    {"host.container", "the container that the expectation names starts and ends in time", judge_containers},
    {"host.limits", "this process may lock memory and open files as jobs need; size of /dev/shm",
     judge_limits},
};

}  // namespace

std::span<const Check> job_checks() { return listed_job_checks; }

}  // namespace assay::health
