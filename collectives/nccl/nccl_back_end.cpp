// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_back_end.hpp"

#include "collectives/nccl/device/accelerator.hpp"
#include "collectives/nccl/nccl_world.hpp"
#include "collectives/nccl/profiler/profiler_reader.hpp"
#include "harness/core/error.hpp"
#include "harness/cuda/device.hpp"

namespace assay::collectives {

namespace {

/// NCCL's reports to this process of what it ran; opened once, before the first communicator.
struct NcclReports {
  NcclReports() { ran = open_profiler(&why_not); }
  std::shared_ptr<RanSource> ran;
  std::string why_not;
};

const NcclReports& nccl_reports() {
  static const NcclReports once;
  return once;
}

}  // namespace

std::optional<std::string> nccl_not_built() { return std::nullopt; }

std::optional<std::string> why_no_nccl() {
  if (auto why = nccl::Library::unavailable()) return why;
  return why_no_gpu();
}

std::string nccl_version_here() {
  return nccl::Library::unavailable() ? "" : nccl::version_text(nccl::Library::library().calls());
}

std::unique_ptr<NcclWorld> open_nccl(team::Team& team, const NcclWorldOptions& options) {
  if (const auto why = why_no_nccl()) throw core::Unsupported(core::ErrorKind::nccl, *why);
  const nccl::Library& library = nccl::Library::library();
  NcclParts parts{.calls = &library.calls(), .library = library.name()};
  parts.visible_devices = cuda::device_count();
  parts.describe = [](int index) {
    const cuda::Device device = cuda::describe_device(index);
    return RankGpu{.host = {}, .pci_address = device.pci_address, .device = index, .name = device.name};
  };
  parts.open = [](int device) { return std::shared_ptr(make_cuda_accelerator(device)); };
  parts.set = [](const std::vector<Variable>& variables) {
    return std::make_shared<ScopedEnvironment>(variables);
  };
  parts.set_for_good = [](const std::vector<Variable>& variables) {
    static_cast<void>(set_where_unset(variables));
  };
  parts.ran = nccl_reports().ran;
  parts.why_unreported = nccl_reports().why_not;
  return make_nccl_world(team, options, std::move(parts));
}

}  // namespace assay::collectives
