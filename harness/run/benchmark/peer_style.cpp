// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/benchmark/peer_style.hpp"

#include <algorithm>

#include "results/show/peer_styles.hpp"

namespace assay::run {
namespace {

const results::PeerStyle* style_of(const std::string& module) {
  const auto* const style = std::ranges::find(results::peer_styles, module, &results::PeerStyle::module);
  return style == results::peer_styles.end() ? nullptr : style;
}

}  // namespace

std::optional<std::string> peer_style_of(const std::string& module) {
  const results::PeerStyle* const style = style_of(module);
  return style == nullptr ? std::nullopt : std::optional<std::string>(style->program);
}

std::string text_in_peer_style(const std::string& module, const results::Store& store) {
  return style_of(module)->text(results::RunPoints(store), "");
}

}  // namespace assay::run
