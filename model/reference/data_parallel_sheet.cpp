// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Gradients between data-parallel peers: alone after the step, or behind the backward passes of later chunks.
#include <algorithm>
#include <cmath>

#include "model/reference/sheet.hpp"

namespace assay::model::reference {
namespace {

/// The last block of a chunk, or one of the others: what its backward pass leaves to hide behind.
Real free_of(const Letters& x, const Sheet& s, bool edge) {
  const std::string place = edge ? "edgeblock_" : "baseblock_";
  Real left = s[edge ? ".bw_edge" : ".bw_base"] -
              (s["block_agrad_mem_time"] + s["block_wgrad_mem_time"] + s["block_re_mem_time"]);
  if (!x.sharding) left += s["block_optim_time"] - s["block_optim_mem_time"];
  if (x.data_net == x.tensor_net) left -= s[place + "recomm_time"] + s[place + "agrad_tp_time"];
  return left;
}

/// Bytes on the wire over the time there is; 0 where there is none.
void require_of_gradients(const std::string& name, const Letters& x, Real window, Real scale, Sheet& s) {
  const auto& scalar = x.data_tier().scalar;
  const Real factor = x.sharding ? scalar[1] + scalar[2] : scalar[3];
  s.set(name, window > 0 ? factor * (s[".nb"] + 1) * s["block_dp_size"] / window : 0);
  if (window != 0) s.set_doubt(name, 1e-13L * scale / std::fabs(window));
}

Real exposed(Real over, Real exchange, Real usage) { return over > 0 ? over : exchange * usage; }

class Overlap {
 public:
  Overlap(const Letters& x, Sheet& s)
      : x_(x),
        s_(s),
        U_(x.data_tier().usage),
        chunk_(s[".nb"] + 1),
        window_(s[".nb"] * free_of(x, s, false)) {
    window_ += free_of(x, s, true);
    K1_ = s["block_agrad_flops_time"] + s["block_wgrad_flops_time"] + s["block_re_flops_time"];
    if (!x.sharding) K1_ += s["block_optim_flops_time"];
  }

  Real exposed_s(Real block) const { return block + earlier(block) + tail(block); }

  void require_bandwidths(Real block) const {
    const Real message = x_.data_net == x_.pipeline_net ? s_[".pp_bw"] : 0;
    const Real all = (x_.v - 1) * (x_.p * window_ + x_.p * chunk_ * K1_ * U_ - message);
    const Real scale = x_.v * x_.p * (s_[".bw_chunk"] + chunk_ * (s_["block_re_mem_time"] + K1_));
    require_of_gradients("dp_bw_overlap_req_chunk", x_, all, scale, s_);
    require_of_gradients("dp_bw_overlap_req_tail", x_, s_[".nb"] == 0 ? 0 : last() + s_[".nb"] * block * U_,
                         scale + s_[".nb"] * block, s_);
  }

 private:
  Real earlier(Real block) const {
    Real meetings = 0;
    if (x_.data_net == x_.pipeline_net) {
      const Real last_round = std::fmod(x_.m, x_.p);
      meetings = std::min(std::floor(chunk_ * block / s_[".bw_chunk"]), last_round > 0 ? last_round : x_.p);
    }
    const Real over = chunk_ * block - (x_.p * window_ - meetings * s_[".pp_bw"]) + x_.p * chunk_ * K1_ * U_;
    return (x_.v - 1) * exposed(over, chunk_ * block, U_);
  }

  Real last() const {
    if (s_[".nb"] == 0) return 0;
    const Real late = x_.sharding ? 0 : s_["block_optim_time"] - s_["block_optim_mem_time"];
    return window_ - s_[".pp_bw"] - (s_[".bw_base"] + s_[".bw_edge"]) / 2 + late;
  }

  Real tail(Real block) const {
    return exposed(s_[".nb"] * block + K1_ * U_ - last(), s_[".nb"] * block, U_);
  }

  const Letters& x_;
  Sheet& s_;
  Real U_, chunk_, window_, K1_;
};

}  // namespace

void fill_data_parallel(const Letters& x, Sheet& s) {
  const bool exchanged = x.training && x.d > 1;
  const Real bytes = exchanged ? s["block_weight_space"] : 0;
  const Tier& net = x.data_tier();
  const Real block =
      !exchanged   ? 0
      : x.sharding ? net.seconds(Op::reduce_scatter, bytes, x.d) + net.seconds(Op::all_gather, bytes, x.d)
                   : net.seconds(Op::all_reduce, bytes, x.d);
  s.set("block_dp_size", bytes);
  s.set("dp_comm_link_time", s[".blocks"] * block);
  if (!exchanged || !x.hidden_gradients) {
    s.set("dp_comm_exposed_time", s[".blocks"] * block);
    s.set("dp_bw_overlap_req_chunk", 0);
    s.set("dp_bw_overlap_req_tail", 0);
    return;
  }
  const Overlap overlap(x, s);
  s.set("dp_comm_exposed_time", overlap.exposed_s(block));
  overlap.require_bandwidths(block);
}

}  // namespace assay::model::reference
