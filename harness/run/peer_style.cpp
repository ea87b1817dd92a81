// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/peer_style.hpp"

#include <algorithm>
#include <array>

#include "results/show/peer_styles.hpp"

namespace assay::run {
namespace {

struct PeerStyle {
  const char *module, *program;
  std::string (*text)(const results::RunPoints& run, const std::string& filter);
};
constexpr std::array<PeerStyle, 2> peer_styles{
    {{"collectives", "nccl-tests", results::nccl_tests_text}, {"rdma", "perftest", results::perftest_text}}};

}  // namespace

std::optional<std::string> peer_style_of(const std::string& module) {
  const auto* const style = std::ranges::find(peer_styles, module, &PeerStyle::module);
  return style == peer_styles.end() ? std::nullopt : std::optional<std::string>(style->program);
}

std::string text_in_peer_style(const std::string& module, const results::Store& store) {
  const auto* const style = std::ranges::find(peer_styles, module, &PeerStyle::module);
  return style->text(results::RunPoints(store), "");
}

}  // namespace assay::run
