// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The topology as a picture, read from left to right: a panel for each NUMA node, its root ports, switches
// and devices. A link that trained below what both its ends can do is red and dashed.
#include <fmt/format.h>

#include <algorithm>

#include "harness/machine/cpu_list.hpp"
#include "harness/machine/describe/describe.hpp"
#include "harness/machine/readable.hpp"
#include "harness/machine/topology/svg_writer.hpp"
#include "harness/machine/topology/topology.hpp"

namespace assay::machine {

namespace {

constexpr int margin = 24, panel_width = 316, column_gap = 36, port_width = 112, switch_width = 196;
constexpr int device_width = 392, details_x = 112, device_height = 40, row = 48, core_side = 9,
              core_step = 11;
constexpr int bare_width = 4 * margin + panel_width + 200, socket_gap = 28;
constexpr int cores_in_row = (panel_width - 24) / core_step;

const char* const style_sheet =
    ".topology{--paper:#fff;--ink:#1c2530;--faint:#5b6875;--frame:#c3ccd6;--panel:#f4f6f8;--memory:#dbe9f7;"
    "--cache:#e9e4f5;--core:#8aa4bf;--gpu:#3f8f3a;--hca:#2a6fb0;--box:#fff;--bad:#c22f2f;--link:#7c8b9a;"
    "font-family:system-ui,'DejaVu Sans',sans-serif}\n"
    "@media(prefers-color-scheme:dark){.topology{--paper:#12171c;--ink:#e3e9ef;--faint:#9aa8b5;--frame:#"
    "3b4753;"
    "--panel:#1a2128;--memory:#1f3650;--cache:#33294d;--core:#5f7f9f;--gpu:#63b85d;--hca:#5a9fe0;--box:#"
    "1f272f;"
    "--bad:#ff7b72;--link:#71808e}}\n"
    ".topology text{fill:var(--ink);font-size:12px}\n"
    ".topology .title{font-size:16px;font-weight:600}.topology .strong{font-weight:600}\n"
    ".topology .small{font-size:10.5px;fill:var(--faint)}\n"
    ".topology .bad{font-size:10.5px;font-weight:600;fill:var(--bad)}\n"
    ".topology .right{font-size:10.5px;fill:var(--faint);text-anchor:end}\n"
    ".topology .paper{fill:var(--paper)}.topology .frame{fill:none;stroke:var(--frame);stroke-width:1.5}\n"
    ".topology .panel{fill:var(--panel);stroke:var(--frame)}.topology .memory{fill:var(--memory)}\n"
    ".topology .cache{fill:var(--cache)}.topology .core{fill:var(--core)}\n"
    ".topology .box{fill:var(--box);stroke:var(--frame)}.topology .gpu{fill:var(--gpu)}\n"
    ".topology .hca{fill:var(--hca)}.topology .idle{fill:var(--frame)}\n"
    ".topology path{fill:none;stroke:var(--link);stroke-width:2}\n"
    ".topology .worn{stroke:var(--bad);stroke-dasharray:5 3}\n";

int depth_of(const TopologyBranch& branch) {
  int depth = 0;
  for (const TopologyBranch& below : branch.branches) depth = std::max(depth, 1 + depth_of(below));
  return depth;
}

int rows_of(const TopologyBranch& branch) {
  int rows = static_cast<int>(branch.devices.size());
  for (const TopologyBranch& below : branch.branches) rows += std::max(1, rows_of(below));
  return rows;
}

/// Thicker for faster: 1 px, and 3 px more at 32 GT/s x16.
int stroke_tenths(const PcieLink* link) {
  if (link == nullptr) return 20;
  return 10 + std::min(50, static_cast<int>(30 * link->speed_gt_per_s * link->width / (32.0 * 16.0)));
}

const char* link_style(const PcieLink* link) {
  return link != nullptr && link->down_trained() ? "worn" : "link";
}

/// Draws the tree of one NUMA node. Rows are assigned from top to bottom; a port is at the middle of its
/// own rows.
class TreeDrawing {
 public:
  TreeDrawing(SvgWriter& svg, int depth) : svg_(svg), device_x_(column(depth + 1)) {}

  static int column(int depth) {
    const int first = 2 * margin + panel_width + column_gap;
    if (depth <= 1) return first;
    return first + port_width + column_gap + (depth - 2) * (switch_width + column_gap);
  }

  void draw(const TopologyBranch& top, int from_x, int top_y, int height) {
    const int used = rows_of(top) * row;
    next_y_ = top_y + std::max(0, (height - used) / 2);
    below(top, 1, from_x, top_y + height / 2);
  }

 private:
  void below(const TopologyBranch& branch, int depth, int from_x, int from_y) {
    for (const TopologyBranch& one : branch.branches) {
      const int y = next_y_ + std::max(1, rows_of(one)) * row / 2;
      const int width = depth == 1 ? port_width : switch_width;
      connect({from_x, from_y, column(depth), y}, one.uplink, alone(branch));
      box(one, depth, y, width);
      const int before = next_y_;
      below(one, depth + 1, column(depth) + width, y);
      next_y_ = std::max(next_y_, before + row);
    }
    for (const TopologyDevice& one : branch.devices) {
      const int y = next_y_ + row / 2;
      connect({from_x, from_y, device_x_, y}, one.link, alone(branch));
      device(one, y);
      next_y_ += row;
    }
  }

  struct Ends {
    int from_x, from_y, to_x, to_y;
  };

  static bool alone(const TopologyBranch& branch) {
    return branch.branches.size() + branch.devices.size() == 1;
  }

  /// The upright part is shared by all that hang below one port; the level part is the link's own.
  void connect(const Ends& at, const PcieLink* link, bool only_one) {
    const int bend_x = at.from_x + column_gap / 2;
    const bool level = only_one && at.from_y == at.to_y;
    if (!level) svg_.bend(at.from_x, at.from_y, bend_x, at.to_y, "link");
    svg_.stroke(level ? at.from_x : bend_x, at.to_x, at.to_y, stroke_tenths(link), link_style(link));
  }

  void box(const TopologyBranch& branch, int depth, int y, int width) {
    const int x = column(depth);
    svg_.rectangle({x, y - device_height / 2, width, device_height}, "box");
    const bool is_switch = branch.uplink != nullptr;
    svg_.text(x + 10, y - 3, (is_switch ? "switch " : "root port ") + (is_switch ? branch.address : ""),
              "strong");
    if (is_switch)
      svg_.text(x + 10, y + 12, readable_trained(*branch.uplink),
                branch.uplink->down_trained() ? "bad" : "small");
    else
      svg_.text(x + 10, y + 12, branch.address, "small");
  }

  void device(const TopologyDevice& one, int y) {
    const int x = device_x_, top = y - device_height / 2;
    svg_.rectangle({x, top, device_width, device_height}, "box");
    svg_.rectangle({x, top, 6, device_height}, one.down ? "idle" : one.kind, 2);
    svg_.text(x + 16, y - 3, shortened(one.name, 15), "strong");
    svg_.text(x + details_x, y - 3, shortened(one.describe, 42), one.down ? "bad" : "ink");
    svg_.text(x + 16, y + 12, one.link->address, "small");
    const std::string trained = readable_trained(*one.link);
    svg_.text(x + details_x, y + 12, one.link->down_trained() ? "down-trained: " + trained : trained,
              one.link->down_trained() ? "bad" : "small");
  }

  SvgWriter& svg_;
  int device_x_;
  int next_y_ = 0;
};

int core_rows(const TopologyNode& node) {
  return node.numa == nullptr ? 0 : (node.numa->cores + cores_in_row - 1) / cores_in_row;
}

int panel_height(const TopologyNode& node) {
  return node.numa == nullptr ? row : 100 + core_rows(node) * core_step + (node.numa->cores > 0 ? 22 : 0);
}

int node_height(const TopologyNode& node) { return std::max(panel_height(node), rows_of(node.below) * row); }

std::string cache_words(const Machine& machine) {
  std::string words;
  for (auto one = machine.cpu.caches.rbegin(); one != machine.cpu.caches.rend(); ++one) {
    if (one->type == "instruction") continue;
    const bool each = machine.cpu.cores > 0 && one->instances == machine.cpu.cores;
    words += fmt::format("{}{} {}{}", words.empty() ? "" : " · ", readable_cache_name(*one),
                         readable_bytes(one->bytes), each ? "" : fmt::format(" x {}", one->instances));
  }
  return words;
}

void draw_panel(SvgWriter& svg, const Machine& machine, const TopologyNode& node, int y) {
  const int x = 2 * margin, inner = x + 12;
  svg.rectangle({x, y, panel_width, panel_height(node)}, "panel");
  if (node.numa == nullptr) {
    svg.text(inner, y + 28, "NUMA node unknown", "strong");
    return;
  }
  const NumaNode& numa = *node.numa;
  svg.text(inner, y + 20, fmt::format("NUMA node {}", numa.id), "strong");
  svg.text(x + panel_width - 12, y + 20,
           fmt::format("{} cores, CPUs {}", numa.cores,
                       shortened(numa.cpus.empty() ? "none" : format_cpu_list(numa.cpus), 26)),
           "right");
  svg.rectangle({inner, y + 30, panel_width - 24, 24}, "memory");
  svg.text(inner + 8, y + 46, "memory " + readable_bytes(numa.bytes), "ink");
  svg.rectangle({inner, y + 60, panel_width - 24, 24}, "cache");
  svg.text(inner + 8, y + 76, shortened(cache_words(machine), 48), "ink");
  for (int core = 0; core < numa.cores; ++core)
    svg.rectangle({inner + core % cores_in_row * core_step, y + 94 + core / cores_in_row * core_step,
                   core_side, core_side},
                  "core", 1);
  std::string distances;
  for (int distance : numa.distances) distances += (distances.empty() ? "" : " ") + std::to_string(distance);
  if (numa.cores > 0 && !distances.empty())
    svg.text(inner, y + panel_height(node) - 10, "distance to node 0, 1, ...: " + distances, "small");
}

int draw_socket(SvgWriter& svg, const Machine& machine, const TopologySocket& socket, int depth, int width,
                int top) {
  int height = 36;
  for (const TopologyNode& node : socket.nodes) height += node_height(node) + 16;
  svg.rectangle({margin, top, width - 2 * margin, height}, "frame", 8);
  svg.text(2 * margin, top + 23, socket.id >= 0 ? fmt::format("socket {}", socket.id) : "socket unknown",
           "strong");
  svg.text(2 * margin + 70, top + 23, socket.id >= 0 ? machine.cpu.model : "", "small");
  int y = top + 36;
  for (const TopologyNode& node : socket.nodes) {
    TreeDrawing(svg, depth).draw(node.below, 2 * margin + panel_width, y, panel_height(node));
    draw_panel(svg, machine, node, y);
    y += node_height(node) + 16;
  }
  return top + height;
}

void draw_legend(SvgWriter& svg, int y) {
  svg.rectangle({margin, y - 10, 12, 12}, "gpu", 2);
  svg.text(margin + 20, y, "GPU", "small");
  svg.rectangle({margin + 64, y - 10, 12, 12}, "hca", 2);
  svg.text(margin + 84, y, "RDMA port", "small");
  svg.rectangle({margin + 164, y - 10, 12, 12}, "idle", 2);
  svg.text(margin + 184, y, "port not active", "small");
  svg.stroke(margin + 284, margin + 314, y - 4, 40, "worn");
  svg.text(margin + 322, y, "PCIe link trained below what both ends can do", "small");
}

}  // namespace

std::string topology_svg(const Machine& machine) {
  const std::vector<TopologySocket> sockets = topology(machine);
  int depth = 0, devices = 0;
  for (const TopologySocket& socket : sockets)
    for (const TopologyNode& node : socket.nodes) {
      depth = std::max(depth, depth_of(node.below));
      devices += rows_of(node.below);
    }
  const int width = devices > 0 ? TreeDrawing::column(depth + 1) + device_width + 2 * margin : bare_width;
  SvgWriter svg;
  svg.text(margin, 34, machine.product.empty() ? machine.host : machine.product, "title");
  svg.text(margin, 52, machine.product.empty() ? machine.os : machine.host, "small");
  int y = 68;
  for (const TopologySocket& socket : sockets) {
    if (y > 68) {
      const int x = 2 * margin + panel_width / 2;
      svg.line(x, y, x, y + socket_gap, "link");
      svg.text(x + 10, y + socket_gap / 2 + 4, "SYS", "small");
      y += socket_gap;
    }
    y = draw_socket(svg, machine, socket, depth, width, y);
  }
  if (machine.gpus.empty())
    svg.text(margin, y += 26, shortened("no GPU: " + machine.gpu_unavailable, 110), "small");
  if (machine.hcas.empty()) svg.text(margin, y += 20, "no RDMA device", "small");
  if (devices > 0) draw_legend(svg, y += 30);
  return svg.finish(width, y + margin, style_sheet, "topology of " + machine.host);
}

}  // namespace assay::machine
