// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One block and one microbatch: each cell is a sum over the rows of the layers.
#include <algorithm>

#include "model/reference/sheet.hpp"

namespace assay::model::reference {
namespace {

enum class Stage { forward, act_grad, weight_grad };

struct Times {
  Real compute_s = 0, memory_s = 0;
  Real layer_s = 0;    // without an exchange that stands alone
  Real exposed_s = 0;  // of a tiled exchange
};

class Timing {
 public:
  explicit Timing(const Letters& x) : x_(x), net_(x.tensor_tier()) {}

  /// The collective of a layer's exchange, if any. The last block of a chunk divides its tensors under
  /// `p2p_rs_ag`.
  Op op(const Row& row, Stage stage, bool edge) const {
    if (row.talk == Talk::never || (stage == Stage::weight_grad && !row.fate.recomm)) return Op::nothing;
    const bool split = x_.comm == "rs_ag" || (x_.comm == "p2p_rs_ag" && edge);
    if (reduces(row, stage)) return split ? Op::reduce_scatter : Op::all_reduce;
    return split ? Op::all_gather : Op::nothing;
  }

  Real size(const Row& row, Stage stage, bool edge) const {
    return op(row, stage, edge) == Op::nothing ? 0 : row.S;
  }

  /// The exchange's time on the link. Alone it has its own work before and behind it; in tiles a reduction is
  /// added up on the vector engine, but not where it is repeated.
  Real link_s(const Row& row, Stage stage, bool edge) const {
    Real seconds = net_.seconds(op(row, stage, edge), row.S, x_.t);
    if (row.talk == Talk::alone && stage != Stage::weight_grad) seconds += own(row, stage).layer_s;
    if (row.talk == Talk::tiled && stage != Stage::weight_grad && reduces(row, stage))
      seconds += x_.vector.seconds(row.S / x_.w * (x_.t - 1) / x_.t);
    return seconds;
  }

  /// An edge block has the exposure of the others; repeated, an exchange has that of its forward pass.
  Real exposed_s(const Row& row, Stage stage, bool edge) const {
    if (row.talk == Talk::never) return 0;
    if (row.talk == Talk::alone) return link_s(row, stage, edge);
    if (stage == Stage::weight_grad) return row.fate.recomm ? times(row, Stage::forward).exposed_s : 0;
    return times(row, stage).exposed_s;
  }

  Times times(const Row& row, Stage stage) const {
    Times all = own(row, stage);
    if (row.talk == Talk::alone) all.layer_s = 0;
    const Real g = row.talk == Talk::tiled ? link_s(row, stage, false) : 0;
    return g == 0 ? all : tiled(all, g);
  }

  /// The bandwidth that would hide the exchange behind its product.
  Real required(const Row& row, Stage stage, bool edge) const {
    if (row.talk != Talk::tiled) return 0;
    return size(row, stage, edge) / x_.t / (own(row, stage).compute_s / (1 - net_.usage) / x_.t);
  }

 private:
  static bool reduces(const Row& row, Stage stage) {
    return stage == Stage::act_grad ? !row.closing : row.closing;
  }

  Times own(const Row& row, Stage stage) const {
    const Real flop = stage == Stage::forward ? row.F : stage == Stage::act_grad ? row.Ga : row.Gw;
    const Real bytes = stage == Stage::forward    ? row.forward
                       : stage == Stage::act_grad ? row.act_grad
                                                  : row.weight_grad;
    Times all{.compute_s = (row.matrix ? x_.matrix : x_.vector).seconds(flop),
              .memory_s = x_.mem1.seconds(bytes)};
    all.layer_s = x_.together(all.compute_s, all.memory_s);
    return all;
  }

  Times tiled(Times all, Real g) const {
    const Real slow = all.compute_s / (1 - net_.usage), alone = all.layer_s, t = x_.t;
    const bool longer = g / t > slow / t;
    all.exposed_s = longer ? (t - 1) * (g - slow) / t : 0;
    all.layer_s = longer ? alone / t + (t - 1) * x_.together(slow, all.memory_s) / t
                         : alone / t + (t - 1) * alone / t + (t - 1) * (g / t) * net_.usage;
    if (x_.overlap == "pipe") all.exposed_s += g / t, all.layer_s += g / t;
    return all;
  }

  const Letters& x_;
  const Tier& net_;
};

template <typename Of>
Real sum(const std::vector<Row>& rows, Of of) {
  Real total = 0;
  for (const Row& row : rows) total += of(row);
  return total;
}

struct Names {
  Stage stage;
  std::string pass, exchange, sizes;
};
const std::array<Names, 3> passes = {{{Stage::forward, "fw", "fw_tp", "fw_tp_size"},
                                      {Stage::act_grad, "agrad", "agrad_tp", "bw_tp_size"},
                                      {Stage::weight_grad, "wgrad", "recomm", "recomm_size"}}};

/// Nothing but the forward pass where there is no training.
void fill_pass(const Letters& x, const Timing& timing, const std::vector<Row>& rows, const Names& of,
               Sheet& sheet) {
  const bool runs = x.training || of.stage == Stage::forward;
  const auto cell = [&](const std::string& name, auto value) {
    sheet.set(name, runs ? sum(rows, value) : 0);
  };
  const std::string block = "block_" + of.pass;
  cell(block + "_flops", [&](const Row& r) {
    return of.stage == Stage::forward ? r.F : of.stage == Stage::act_grad ? r.Ga : r.Gw;
  });
  cell(block + "_mem_accessed", [&](const Row& r) {
    if (of.stage == Stage::forward) return r.forward;
    return of.stage == Stage::act_grad ? r.act_grad : r.weight_grad;
  });
  cell(block + "_flops_time", [&](const Row& r) { return timing.times(r, of.stage).compute_s; });
  cell(block + "_mem_time", [&](const Row& r) { return timing.times(r, of.stage).memory_s; });
  cell(block + "_time", [&](const Row& r) { return timing.times(r, of.stage).layer_s; });
  for (const bool edge : {false, true}) {
    const std::string place = edge ? "edgeblock_" : "baseblock_";
    cell(place + of.exchange + "_time", [&](const Row& r) { return timing.link_s(r, of.stage, edge); });
    cell(place + of.exchange + "_time_exposed",
         [&](const Row& r) { return timing.exposed_s(r, of.stage, edge); });
    cell(place + of.sizes, [&](const Row& r) { return timing.size(r, of.stage, edge); });
  }
}

/// Work that is done again is counted as all of the block's so far, at each layer that does some; its time is
/// right.
void fill_recompute(const Letters& x, const Timing& timing, const std::vector<Row>& rows, Sheet& sheet) {
  const auto so_far = [&](auto value) {
    Real total = 0;
    for (auto row = rows.begin(); row != rows.end(); ++row)
      if (x.training && row->fate.rec)
        for (auto before = rows.begin(); before <= row; ++before) total += value(*before);
    return total;
  };
  const auto forward = [&](const Row& r) { return timing.times(r, Stage::forward); };
  sheet.set("block_re_flops", so_far([](const Row& r) { return r.F; }));
  sheet.set("block_re_mem_accessed", so_far([](const Row& r) { return r.forward; }));
  sheet.set("block_re_flops_time", so_far([&](const Row& r) { return forward(r).compute_s; }));
  sheet.set("block_re_mem_time", so_far([&](const Row& r) { return forward(r).memory_s; }));
  sheet.set("block_re_time",
            sum(rows, [&](const Row& r) { return x.training && r.fate.rec ? forward(r).layer_s : 0; }));
}

/// Adam: 11 FLOP a weight, two moments and, below fp32, a master copy, 4 bytes each.
void fill_optimizer(const Letters& x, const std::vector<Row>& rows, Sheet& sheet) {
  const Real bytes = x.w < 4 ? 12 : 8;
  const auto flop = [&](const Row& r) { return x.training ? 11 * r.W / x.R : 0; };
  const auto state = [&](const Row& r) { return x.training ? bytes * r.W / x.R : 0; };
  sheet.set("block_optim_flops", sum(rows, flop));
  sheet.set("block_optim_mem_accessed", sum(rows, state));
  sheet.set("block_optim_flops_time", sum(rows, [&](const Row& r) { return x.vector.seconds(flop(r)); }));
  sheet.set("block_optim_mem_time", sum(rows, [&](const Row& r) { return x.mem1.seconds(state(r)); }));
  sheet.set("block_optim_time", sum(rows, [&](const Row& r) {
              return x.together(x.vector.seconds(flop(r)), x.mem1.seconds(state(r)));
            }));
}

void fill_space(const Letters& x, const std::vector<Row>& rows, Sheet& sheet) {
  const Real weights = sum(rows, [](const Row& r) { return r.W; });
  const Real state = x.w < 4 ? 12 : 8;
  const Real all = sum(rows, [](const Row& r) { return r.kept; });
  const Real dropped =
      sum(rows, [&](const Row& r) { return (r.fate.noout ? r.O * x.w : 0) + (r.fate.noact ? r.kept : 0); });
  sheet.set("block_weight_space", weights * x.w);
  sheet.set("block_act_working_space", sum(rows, [](const Row& r) { return r.fate.shared ? 0 : r.kept; }));
  sheet.set("block_act_storage_space", x.full() ? 0 : x.training ? all - dropped : all);
  sheet.set("block_act_checkpoint_size", x.full() ? x.X * x.w : 0);
  sheet.set("block_weight_grad_space", x.training ? weights * x.w / x.R : 0);
  sheet.set("block_weight_grad_space_no_sharding", x.training ? 4 * weights : 0);
  sheet.set("block_act_grad_space", x.training ? sum(rows, [](const Row& r) { return r.gradient; }) : 0);
  sheet.set("block_optimizer_space", x.training ? state * weights / x.R : 0);
}

}  // namespace

void fill_block(const Letters& x, Sheet& sheet) {
  const std::vector<Row> rows = block_rows(x);
  const Timing timing(x);
  for (const Names& of : passes) fill_pass(x, timing, rows, of, sheet);
  fill_recompute(x, timing, rows, sheet);
  fill_optimizer(x, rows, sheet);
  fill_space(x, rows, sheet);
  Real required = 0;
  for (const Row& row : rows)
    for (const bool edge : {false, true})
      for (const Stage stage : {Stage::forward, Stage::act_grad})
        if (stage == Stage::forward || x.training)
          required = std::max(required, timing.required(row, stage, edge));
  sheet.set("tp_bw_overlap_req", required);
}

}  // namespace assay::model::reference
