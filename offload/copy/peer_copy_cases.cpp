// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies between two GPUs: behind a gate and by events of the GPU they run on.
#include <string_view>

#include "harness/core/names.hpp"
#include "harness/cuda/device_site.hpp"
#include "harness/cuda/launch_chunks.hpp"
#include "offload/cases.hpp"
#include "offload/copy/copy_point.hpp"
#include "offload/copy/peer_exchange.hpp"
#include "offload/copy/two_streams.hpp"
#include "offload/free_device_bytes.hpp"

namespace assay::offload {
namespace {

core::Axis gpus_axis(const char* name, const char* meaning) {
  core::Axis axis = cuda::gpu_axis();
  axis.name = name;
  axis.meaning = meaning;
  return axis;
}

class PeerCopyCase {
 public:
  /// Which of the two devices is missing, not_two_gpus says better.
  struct Site : cuda::GatedSite {
    using GatedSite::GatedSite;
    static std::optional<std::string> unavailable(const Place&) { return cuda::device_unavailable(); }
  };
  struct Settings {
    PeerWay way;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.peer_copy";
  static constexpr std::string_view measures =
      "copies from one GPU of a node to another, by engine and by kernel";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  static std::vector<core::Axis> axes() {
    return {
        gpus_axis("from", "CUDA device index of the source"),
        gpus_axis("to", "CUDA device index of the target"),
        bytes_axis("copied each way"),
        by_axis("copy engine, or a kernel that addresses the other GPU's memory"),
        {"on", "whose engine or multiprocessors copy", core::Domain::words, {"source"}, {"source", "target"}},
        ways_axis(),
        blocks_axis()};
  }
  static Settings settings(const core::Point& point) {
    const PeerWay way = peer_way(point);
    return {way, {way.runs_on()}};
  }
  static core::Work work(const Settings& settings) {
    return copy_work(settings.way.bytes, settings.way.both);
  }
  static std::optional<std::string> impossible(const Settings& settings) { return not_a_peer(settings.way); }
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
