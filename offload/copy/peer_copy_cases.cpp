// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between two GPUs: behind a gate and by events of the GPU they run on.
#include "harness/core/names.hpp"
#include "harness/cuda/launch_chunks.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "offload/copy/copy_declarations.hpp"
#include "offload/copy/copy_point.hpp"
#include "offload/copy/peer_exchange.hpp"
#include "offload/copy/two_streams.hpp"
#include "offload/free_device_bytes.hpp"

namespace assay::offload {
namespace {

class PeerCopyCase : public DeclaredPeerCopy {
 public:
  /// Asks for any device: not_two_gpus() says better which of the two is missing.
  struct Site : cuda::GatedSite {
    using GatedSite::GatedSite;
    static std::optional<std::string> unavailable(const Place&) { return cuda::device_unavailable(); }
  };
  static std::optional<std::string> unsupported(const Settings& settings) {
    const PeerWay& way = settings.way;
    if (auto why = not_two_gpus(way, cuda::device_count())) return why;
    return no_space(way, free_device_bytes(way.from), free_device_bytes(way.to));
  }
  PeerCopyCase(const Settings& settings, Site& site)
      : way_(settings.way), site_(site), copy_(way_, site_.stream.get()) {}

  core::Timing enqueue(std::int64_t iterations) {
    // A copy that the driver stages through the host waits for the device within its call: behind a closed
    // gate it would wait for itself. So many launches are never gated.
    const std::int64_t launches = copy_.is_direct() ? copy_.launches() : cuda::gated_launch_limit + 1;
    return site_.timer.run(iterations, launches, [this] { copy_.enqueue(); });
  }
  core::Verification check() { return copy_.verify(); }
  std::vector<core::Metric> metrics(const core::Measurement&) {
    std::vector<core::Metric> all;
    if (way_.both)
      add_rates_apart(all, {"there_gb_per_s", "back_gb_per_s"}, way_.bytes,
                      [this] { return copy_.time_each(); });
    return all;
  }
  std::vector<core::Fact> facts() const {
    return {{"peer_pci_address", cuda::describe_device(way_.other()).pci_address},
            {core::names::path, copy_.is_direct() ? "peer access" : "through the host's memory"}};
  }

 private:
  PeerWay way_;
  Site& site_;
  PeerExchange copy_;
};

}  // namespace

std::vector<core::Case> peer_copy_cases(const Surroundings& around) {
  return {core::case_of<PeerCopyCase>(around)};
}

}  // namespace assay::offload
