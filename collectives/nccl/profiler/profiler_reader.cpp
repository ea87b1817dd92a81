// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/profiler/profiler_reader.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "collectives/nccl/profiler/profiler_interface.hpp"
#include "harness/core/files/handle.hpp"
#include "harness/team/mpi/mpi_team.hpp"

namespace assay::collectives {
namespace {

constexpr const char* variable = "NCCL_PROFILER_PLUGIN";
constexpr std::size_t longest_path =
    253;  // NCCL 2.26 to 2.30 cut the name of a plug-in to 254 bytes, its end included

using Library = core::Handle<void*, dlclose>;

class ProfilerReader : public RanSource {
 public:
  ProfilerReader(Library library, const ProfilerCalls& calls)
      : library_(std::move(library)), calls_(calls), forgotten_(calls.reported()) {}

  std::optional<RanCollective> latest() override {
    const std::uint64_t reported = calls_.reported();
    ReportedCall call{};
    if (reported == forgotten_ || !calls_.read(reported - 1, &call)) return std::nullopt;
    return RanCollective{call.function.data(), call.algorithm.data(), call.protocol.data(), call.channels};
  }
  void forget() override { forgotten_ = calls_.reported(); }

 private:
  Library library_;
  const ProfilerCalls& calls_;
  std::uint64_t forgotten_;  // calls that were reported before
};

/// Empty: NCCL will load this file.
std::string why_nccl_takes_another(const std::string& plugin) {
  if (plugin.size() > longest_path)
    return fmt::format("{}: NCCL reads {} bytes of a plug-in's path, this has {}: install assay elsewhere",
                       plugin, longest_path, plugin.size());
  const char* set = std::getenv(variable);
  if (set != nullptr && *set != '\0' && plugin != set)
    return fmt::format("{}={} is set: NCCL reports to that plug-in (unset it, and it is recorded here)",
                       variable, set);
  return "";
}

}  // namespace

std::filesystem::path profiler_path() { return team::mpi_plugin_path().parent_path() / profiler_file; }

std::unique_ptr<RanSource> open_profiler(std::string* why) { return open_profiler(profiler_path(), why); }

std::unique_ptr<RanSource> open_profiler(const std::filesystem::path& plugin, std::string* why) {
  const auto none = [&](const std::string& reason) {
    if (why != nullptr) *why = reason;
    return nullptr;
  };
  if (const std::string reason = why_nccl_takes_another(plugin.string()); !reason.empty())
    return none(reason);
  Library library(dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library)
    return none(fmt::format("{} does not load ({}): install one whole build", plugin.string(), dlerror()));
  const auto calls = reinterpret_cast<ProfilerCallsFunction>(dlsym(library.get(), profiler_calls_symbol));
  if (calls == nullptr || calls()->revision != profiler_calls_revision)
    return none(fmt::format("{} is of another build of assay: install one build", plugin.string()));
  setenv(variable, plugin.c_str(), 1);
  return std::make_unique<ProfilerReader>(std::move(library), *calls());
}

}  // namespace assay::collectives
