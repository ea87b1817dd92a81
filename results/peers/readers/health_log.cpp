// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The health log of azurehpc-health-checks: a verdict by host.
#include <algorithm>

#include "results/peers/reader.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/prefix.hpp"

namespace assay::results::peers {
namespace {

/// The text after "host | ", where it is a verdict; empty elsewhere.
std::string_view verdict_in(std::string_view text) {
  const auto prefix = prefix_of(PrefixKind::piped, text);
  if (!prefix) return {};
  const std::string_view verdict = trimmed(text.substr(prefix->length));
  return verdict == "Healthy" || verdict.starts_with("ERROR: ") ? verdict : std::string_view();
}

bool health_opens(Lines lines, std::size_t at, std::size_t) { return !verdict_in(lines[at].text).empty(); }

std::size_t health_end(Lines lines, std::size_t at) {
  while (at < lines.size() && (!verdict_in(lines[at].text).empty() || trimmed(lines[at].text).empty())) ++at;
  return at;
}

/// "2026-02-04T01:00:00Z" of a file "distributed_nhc-pssh-2026-02-04_01-00-00.health.log"; "" of others.
std::string started_in(std::string_view path) {
  constexpr std::string_view form = "0000-00-00_00-00-00";
  for (std::size_t at = 0; at + form.size() <= path.size(); ++at) {
    std::string text(path.substr(at, form.size()));
    const bool fits = std::ranges::equal(text, form, [](char got, char expected) {
      return expected == '0' ? is_digit(got) : got == expected;
    });
    if (!fits) continue;
    text[10] = 'T', text[13] = ':', text[16] = ':';
    return text + "Z";
  }
  return "";
}

void read_health(const Block& block, Findings& findings) {
  findings.tool = "azurehpc-health-checks";
  const std::string started = started_in(block.path.path);
  for (const Line& line : block.lines) {
    std::string_view verdict = verdict_in(line.text);
    if (verdict.empty()) continue;
    PeerPoint point;
    point.host = std::string(prefix_of(PrefixKind::piped, line.text)->label);
    point.case_name = "peers.nhc.node";
    point.metric = "passed";
    point.line = line.number;
    point.started = started;
    point.value = verdict == "Healthy" ? 1 : 0;
    if (verdict != "Healthy") {
      point.status = Status::failed;
      verdict = after(verdict, "ERROR: ");
      if (verdict == "No results reported") point.value.reset();
      constexpr std::string_view failed = "nhc: Health check failed:";
      point.reason = std::string(verdict.starts_with(failed) ? after(verdict, failed) : verdict);
    }
    findings.points.push_back(std::move(point));
  }
}

}  // namespace

Reader health_log_reader() {
  return {.kind = "azurehpc-health-checks",
          .title = "azurehpc health log",
          .opens = health_opens,
          .end = health_end,
          .read = read_health};
}

}  // namespace assay::results::peers
