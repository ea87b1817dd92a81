// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/peer_file.hpp"

#include <algorithm>

#include "harness/core/files/input_file.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/units.hpp"
#include "results/peers/path_pattern.hpp"
#include "results/peers/peer_blocks.hpp"
#include "results/peers/text/streams.hpp"

namespace assay::results::peers {
namespace {

constexpr std::size_t most_file_bytes = std::size_t{256} << 20U;

std::string digest_of(const Reader& reader, const Block& block, const std::string& host) {
  core::Sha256 digest;
  for (const std::string_view word : {reader.title, std::string_view(host)}) {
    digest.add(word);
    digest.add("\n");
  }
  for (const Line& line : block.lines) {
    digest.add(line.text);
    digest.add("\n");
  }
  return digest.digits();
}

/// A host from the path counts where the file names none, and is compared with the file's where it does.
void settle_host(PeerPoint& point, const Block& block, const std::string& default_host) {
  const std::string stated = point.host.empty() ? block.host : point.host;
  const PathFacts& path = block.path;
  if (stated.empty()) {
    if (path.host.empty() && default_host.empty()) add_doubt(point.doubts, {DoubtKind::host_unknown});
    if (!path.host.empty()) add_doubt(point.doubts, {DoubtKind::host_from_path});
    point.host = path.host.empty() ? default_host : path.host;
    return;
  }
  point.host = stated;
  const auto is_path_host = [&](const std::string& host) {
    return short_host(host) == short_host(path.host) || short_host(host) == short_host(path.other_host);
  };
  if (!path.host.empty() && !is_path_host(stated) && std::ranges::none_of(point.hosts, is_path_host))
    add_doubt(point.doubts, {DoubtKind::host_differs, path.host});
}

/// Both ends by the path, where a link's file names none. Follows settle_host(), which compares what the file
/// states.
void settle_link(PeerPoint& point, const PathFacts& path) {
  if (point.hosts.empty() && !path.other_host.empty() && point.case_name.starts_with("rdma."))
    point.hosts = {path.host, path.other_host};
}

void settle(Findings& findings, const Block& block, const Stream& stream, const std::string& host) {
  for (PeerPoint& point : findings.points) {
    settle_host(point, block, host);
    settle_link(point, block.path);
    if (point.started.empty()) point.started = stream.started;
    for (const Doubt& doubt : findings.doubts) add_doubt(point.doubts, doubt);
  }
}

class FileReader {
 public:
  FileReader(PeerFile& file, const PeerChoice& choice, bool torn, long last_line)
      : file_(file), choice_(choice), torn_(torn), last_line_(last_line) {}

  void read(const Stream& stream) {
    const BlockExtents found = blocks_among(stream.lines, choice_.kind);
    const long outside = found.lines_outside + stream.foreign_lines;
    for (const BlockExtent& extent : found.blocks) {
      const Lines lines = Lines(stream.lines).subspan(extent.begin, extent.end - extent.begin);
      const Block block{.lines = lines,
                        .path = file_.path,
                        .before = Lines(stream.lines).subspan(0, extent.begin),
                        .host = stream.host,
                        .torn = torn_ && lines.back().number == last_line_};
      Findings findings;
      extent.reader->read(block, findings);
      if (stream.prefixed) add_doubt(findings.doubts, {DoubtKind::prefixed});
      if (found.blocks.size() > 1) add_doubt(findings.doubts, {DoubtKind::two_runs});
      if (const long lost = findings.unparsed_lines + outside; lost > 0)
        add_doubt(findings.doubts, {DoubtKind::unparsed_lines, core::counted(lost, "line")});
      settle(findings, block, stream, choice_.host);
      take(*extent.reader, block, std::move(findings));
    }
  }

 private:
  void take(const Reader& reader, const Block& block, Findings findings) {
    const long line = block.lines.front().number;
    if (findings.points.empty() && findings.refusals.empty())
      findings.refusals.push_back({line, std::string(reader.title) + ": a run without a result"});
    file_.refusals.insert(file_.refusals.end(), findings.refusals.begin(), findings.refusals.end());
    const std::string host = findings.points.empty() ? block.host : findings.points.front().host;
    file_.blocks.push_back({reader.title, std::move(findings), digest_of(reader, block, host), line});
  }

  PeerFile& file_;
  const PeerChoice& choice_;
  bool torn_;
  long last_line_;
};

/// The queue pair of one end, as both ends of a connection print it; empty: not printed.
std::string address_in(const PeerBlock& block, const char* name) {
  if (block.findings.points.empty()) return "";
  const Scalar* address = find(block.findings.points.front().conditions, name);
  return address ? word_or_empty(*address) : "";
}

/// Client and server of one run print the same measurement: the first counts.
void drop_other_ends(std::vector<PeerBlock>& blocks) {
  for (std::size_t later = 1; later < blocks.size(); ++later) {
    const std::string local = address_in(blocks[later], "local_address"),
                      remote = address_in(blocks[later], "remote_address");
    if (local.empty() || remote.empty()) continue;
    for (std::size_t first = 0; first < later; ++first) {
      if (address_in(blocks[first], "local_address") != remote ||
          address_in(blocks[first], "remote_address") != local)
        continue;
      for (PeerPoint& point : blocks[first].findings.points)
        add_doubt(point.doubts, {DoubtKind::same_result_twice, "line " + std::to_string(blocks[later].line)});
      blocks[later].findings.points.clear();
      break;
    }
  }
  std::erase_if(blocks, [](const PeerBlock& block) { return block.findings.points.empty(); });
}

}  // namespace

std::vector<std::string> peer_kinds() {
  std::vector<std::string> kinds;
  for (const Reader& reader : readers())
    if (std::ranges::find(kinds, reader.kind) == kinds.end()) kinds.emplace_back(reader.kind);
  return kinds;
}

PeerFile read_peer_text(std::string_view text, const PathFacts& path, const PeerChoice& choice) {
  PeerFile file{.path = path, .blocks = {}, .refusals = {}};
  TextLines lines = lines_of(text);
  file.refusals = lines.refusals;
  const long last_line = lines.lines.empty() ? 0 : lines.lines.back().number;
  FileReader reader(file, choice, lines.torn, last_line);
  const auto streams =
      streams_of(std::move(lines.lines), [&](Lines some) { return has_block(some, choice.kind); });
  for (const Stream& stream : streams) reader.read(stream);
  const bool is_known = !file.blocks.empty();
  drop_other_ends(file.blocks);
  if (!is_known)
    file.refusals.push_back({1, choice.kind == "auto" ? "no result of a tool that assay import knows"
                                                      : "no result of " + choice.kind});
  return file;
}

PeerFile read_peer_file(const PathFacts& path, const PeerChoice& choice) {
  return read_peer_text(core::read_input(path.path, "a result file of another tool", most_file_bytes), path,
                        choice);
}

}  // namespace assay::results::peers
