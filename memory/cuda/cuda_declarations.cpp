// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_declarations.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/units.hpp"
#include "memory/copy_probe.hpp"
#include "memory/cuda/cuda_formula.hpp"
#include "memory/cuda/cuda_geometry.hpp"
#include "memory/cuda_pattern/cuda_pattern_pieces.hpp"

namespace assay::memory {
namespace {

core::Work stream_work(const CudaStreamSettings& settings, int reads, int writes, const char* counted) {
  const int arrays = reads + writes;
  const std::int64_t bytes = array_bytes(settings.bytes, arrays);
  const std::int64_t moved = passes_over(arrays * bytes, settings.hot) * arrays * bytes;
  return {.bytes = static_cast<double>(moved), .bytes_counted = counted};
}

std::vector<core::Axis> on_gpu(std::vector<core::Axis> axes) {
  axes.insert(axes.begin(), cuda::gpu_axis());
  return axes;
}

core::Axis bytes_axis(std::string meaning, std::int64_t value) {
  return {.name = "bytes", .meaning = std::move(meaning), .domain = core::Domain::sizes, .values = {value}};
}

bool goes_by_host(const std::string& path) {
  if (path != "device" && path != "host")
    core::usage_error(fmt::format("path '{}': expected device or host", path));
  return path == "host";
}

}  // namespace

core::Work DeclaredCudaRead::work(const Settings& settings) {
  return stream_work(settings, 1, 0, "read; all passes over the footprint");
}

core::Work DeclaredCudaWrite::work(const Settings& settings) {
  return stream_work(settings, 0, 1, "written; all passes over the footprint");
}

std::vector<core::Axis> DeclaredCudaCopy::axes() {
  std::vector<core::Axis> axes = cuda_stream_axes();
  axes.push_back({.name = "mover",
                  .meaning = "sm: 16-byte loads and stores; tma: bulk copies through shared memory",
                  .domain = core::Domain::words,
                  .values = {"sm", "tma"},
                  .choices = {"sm", "tma"}});
  return axes;
}

core::Work DeclaredCudaCopy::work(const Settings& settings) {
  return stream_work(settings, 1, 1, "read + written; all passes over the footprint");
}

core::Work DeclaredCudaTriad::work(const Settings& settings) {
  return stream_work(settings, 2, 1, "two reads + one write; all passes over the footprint");
}

core::Work DeclaredCudaMemset::work(const Settings& settings) {
  return {.bytes = static_cast<double>(array_bytes(settings.bytes, 1)), .bytes_counted = "written"};
}

core::Work DeclaredCudaCopyEngine::work(const Settings& settings) {
  return {.bytes = static_cast<double>(2 * array_bytes(settings.bytes, 2)),
          .bytes_counted = "read + written"};
}

DeclaredCudaLatency::Settings DeclaredCudaLatency::settings(const core::Point& point) {
  return {.nodes = chase_nodes(point.integer("bytes")), .place = {cuda::gpu_of(point)}};
}

std::vector<core::Axis> DeclaredCudaLinkLatency::axes() {
  return {cuda::gpu_axis(),
          {.name = "memory",
           .meaning = "that the GPU loads from: pinned memory of the host, or that of another GPU",
           .domain = core::Domain::words,
           .values = {"host", "peer"},
           .choices = {"host", "peer"}},
          {.name = "peer",
           .meaning = "the other GPU of memory=peer; the other direction is gpu and peer exchanged",
           .domain = core::Domain::integers,
           .values = {std::int64_t{1}}},
          {.name = "bytes",
           .meaning = "footprint of the cycle: within the caches of GPUs, and far beyond",
           .domain = core::Domain::sizes,
           .values = {2 * core::mib, core::gib}}};
}

DeclaredCudaLinkLatency::Settings DeclaredCudaLinkLatency::settings(const core::Point& point) {
  return {.nodes = chase_nodes(point.integer("bytes")),
          .of_peer = point.text("memory") == "peer",
          .peer = static_cast<int>(point.integer("peer")),
          .place = {cuda::gpu_of(point)}};
}

std::optional<std::string> DeclaredCudaLinkLatency::impossible(const Settings& settings) {
  if (!settings.of_peer || settings.peer != settings.place.gpu) return std::nullopt;
  return fmt::format("gpu={}, peer={}: a GPU is not a peer of itself", settings.place.gpu, settings.peer);
}

std::vector<core::Axis> DeclaredCudaPattern::axes() {
  return on_gpu({{.name = "fraction_percent",
                  .meaning = "share of the free GPU memory that is tested, in per cent",
                  .domain = core::Domain::integers,
                  .values = {std::int64_t{90}}}});
}

DeclaredCudaPattern::Settings DeclaredCudaPattern::settings(const core::Point& point) {
  const std::int64_t percent = point.integer("fraction_percent");
  static_cast<void>(asked_bytes(0, percent));  // refuses what is not a percentage
  return {.fraction_percent = percent, .place = {cuda::gpu_of(point)}};
}

std::uint64_t quads_of(const core::Point& point) {
  const std::int64_t bytes = point.integer("bytes");
  if (bytes < 128) core::usage_error(fmt::format("bytes={}: expected at least 128", bytes));
  return static_cast<std::uint64_t>(bytes / 2 / 64 * 64) / sizeof(Quad);
}

std::vector<core::Axis> DeclaredCudaCorruption::axes() {
  const core::Axis path = {
      .name = "path",
      .meaning = "device: copied within device memory; host: to page-locked memory and back",
      .domain = core::Domain::words,
      .values = {"device", "host"},
      .choices = {"device", "host"}};
  return on_gpu({bytes_axis("footprint: source and copy", core::gib), path});
}

DeclaredCudaCorruption::Settings DeclaredCudaCorruption::settings(const core::Point& point) {
  return {
      .quads = quads_of(point), .by_host = goes_by_host(point.text("path")), .place = {cuda::gpu_of(point)}};
}

core::Work DeclaredCudaCorruption::work(const Settings& settings) {
  return {.bytes = static_cast<double>(2 * settings.quads * sizeof(Quad)),
          .bytes_counted = "compared: source and copy; the source is also written, and copied"};
}

std::vector<core::Axis> DeclaredCudaSelfTest::axes() { return on_gpu(self_test_axes(1 << 17)); }

DeclaredCudaSelfTest::Settings DeclaredCudaSelfTest::settings(const core::Point& point) {
  return {.words = words_of(point), .plan = integrity::study_plan(point), .place = {cuda::gpu_of(point)}};
}

std::vector<core::Axis> DeclaredCudaVector::axes() {
  return on_gpu(vector_axes({"fp32", "bf16", "fp16"}, std::int64_t{1} << 26));
}

DeclaredCudaVector::Settings DeclaredCudaVector::settings(const core::Point& point) {
  return {vector_problem(point), {cuda::gpu_of(point)}};
}

std::vector<core::Fact> DeclaredCudaVector::derived(const Settings& settings) {
  return {{core::tensor_bytes, settings.problem.tensor_bytes()}};
}

std::vector<core::Case> cuda_declarations_cases(const machine::Machine&) {
  using core::declared_case;
  return {declared_case<DeclaredCudaRead>(),     declared_case<DeclaredCudaWrite>(),
          declared_case<DeclaredCudaCopy>(),     declared_case<DeclaredCudaTriad>(),
          declared_case<DeclaredCudaMemset>(),   declared_case<DeclaredCudaCopyEngine>(),
          declared_case<DeclaredCudaLatency>(),  declared_case<DeclaredCudaLinkLatency>(),
          declared_case<DeclaredCudaPattern>(),  declared_case<DeclaredCudaCorruption>(),
          declared_case<DeclaredCudaSelfTest>(), declared_case<DeclaredCudaVector>()};
}

}  // namespace assay::memory
