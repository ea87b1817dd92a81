// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/descriptor_limit.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include "harness/core/error.hpp"

namespace assay::team {

void allow_descriptors(std::size_t needed, const std::string& what) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
  if (limit.rlim_max < needed)
    core::usage_error(fmt::format(
        "{} needs {} open files, and this host allows {} (ulimit -Hn): raise that limit, or start with MPI",
        what, needed, limit.rlim_max));
  limit.rlim_cur = needed;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace assay::team
