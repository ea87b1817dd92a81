// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/list_kind.hpp"

#include <algorithm>

namespace assay::model::fabric::site {
namespace {

constexpr std::size_t read_to_decide = 4096;  // bytes

/// Whether a line opens with `word`.
bool has_line(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (at == 0 || text[at - 1] == '\n') return true;
  return false;
}

}  // namespace

ListKind list_kind_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const std::string_view head = text.substr(0, read_to_decide);
  for (const std::string_view word : {"# Topology file: generated on", "vendid=0x", "switchguid=0x"})
    if (has_line(head, word)) return {"ibnetdiscover", "the output of ibnetdiscover"};
  const bool is_json = head.starts_with('{') || head.starts_with("[{") || head.starts_with("[\n");
  if (is_json && head.find("\"lldp\"") != std::string_view::npos) return {"lldp", "the output of lldpcli"};
  if (has_line(head, "SwitchName=")) return {"slurm", "Slurm's topology.conf"};
  return {};
}

}  // namespace assay::model::fabric::site
