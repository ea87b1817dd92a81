// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reference/layer_rows.hpp"

#include <cmath>

namespace assay::model::reference {
namespace {

/// Elements of input, output, weights, activations and their gradients.
struct Elements {
  Real I, O, W, Ac, Ag;
};
struct Flop {
  Real F, Ga, Gw;
};

/// The rule for bytes; rows that break it say so where they are made.
Row row(std::string_view name, const Elements& n, const Flop& flop, Real w) {
  return {.name = name,
          .F = flop.F,
          .Ga = flop.Ga,
          .Gw = flop.Gw,
          .O = n.O,
          .W = n.W,
          .forward = (n.I + n.O + n.W) * w,
          .act_grad = (n.W + n.Ac + n.Ag) * w,
          .weight_grad = n.W > 0 ? (n.W + n.Ac + n.Ag) * w : 0,
          .kept = n.Ac * w,
          .gradient = n.Ag * w};
}

class Block {
 public:
  explicit Block(const Letters& x)
      : x_(x),
        full_(x.full()),
        attention_(x.full() || x.recompute == "attn_only"),
        tiled_(x.overlap != "none") {}

  std::vector<Row> rows() {
    const bool gather_attention = attention_ || x_.redo, gather_mlp = full_ || x_.redo;
    norm();
    tiled_ ? tiled_projections(gather_attention) : projections(gather_attention);
    scores();
    close(x_.a * x_.e, "attention's closing product");
    end();
    norm();
    expand(gather_mlp);
    gelu();
    close(x_.f, "the MLP's closing product");
    end();
    return std::move(rows_);
  }

 private:
  void put(Row made, const Fate& fate) {
    made.fate = fate;
    rows_.push_back(made);
  }

  void fork(Real q, Real users, const Fate& fate) {
    Row made = row("fork", {q, 0, 0, q, 0}, {0, users * q, 0}, x_.w);
    made.forward = 0;
    made.act_grad = q * x_.w * (users + 1);
    put(made, fate);
  }

  void norm() {
    const Real q = x_.Q;
    fork(q, 2, {.rec = full_});
    put(row("norm", {q, q, 2 * x_.h, q, q}, {9 * q, 14 * q, 7 * q}, x_.w),
        {.rec = full_, .shared = true, .noact = true});
  }

  void linear(Real n, Real k, const Fate& fate) {
    Row made = row("linear", {x_.T * n, x_.T * k, n * k, x_.T * n, x_.T * k},
                   {2 * x_.T * n * k, 2 * x_.T * n * k, 2 * x_.T * n * k}, x_.w);
    made.matrix = true;
    put(made, fate);
  }

  void exchange(bool closing, const Fate& fate) {
    if (x_.t == 1) return put({.name = "no peers"}, fate);
    const Real share = x_.X * (x_.t - 1) / x_.t;
    Row made =
        row("exchange", {x_.X, x_.X, 0, x_.X, x_.X}, {closing ? share : 0, closing ? 0 : share, 0}, x_.w);
    if (!x_.split() && !closing) made.forward = made.kept = 0;
    if (!x_.split() && closing) made.act_grad = made.gradient = 0;
    if (x_.split()) made.kept = made.gradient = x_.X * x_.w / x_.t;
    made.talk = Talk::alone;
    made.closing = closing;
    made.S = x_.X * x_.w;
    put(made, fate);
  }

  void projections(bool again) {
    const Fate of_projection{.rec = full_, .shared = true, .noact = true};
    const Real query = x_.a * x_.e / x_.t;
    const Real key = x_.attention == "multiquery" ? x_.e : query;
    exchange(false, {.recomm = again});
    fork(x_.X, 3, {.rec = again, .noact = again});
    for (const Real columns : {query, key, key}) linear(x_.h, columns, of_projection);
  }

  void tiled_projections(bool again) {
    const bool multiquery = x_.attention == "multiquery";
    tiled_column(x_.a * x_.e * (multiquery ? 1 : 3), again);
    if (!multiquery) return;
    fork(x_.X, 2, {.rec = again, .noact = again});
    for (int i = 0; i < 2; ++i) linear(x_.h, x_.e, {.rec = full_, .shared = true, .noact = true});
  }

  /// h -> k, of which each processor has k/t columns.
  void tiled_column(Real k, bool again) {
    const Real n = x_.h, columns = k / x_.t, flop = 2 * x_.T * n * columns;
    const Real kept = x_.split() ? std::floor(x_.T * n / x_.t) : x_.T * n;
    const Real gradient = x_.split() ? x_.T * columns : 0;
    tile(row("tiled columns", {x_.T * n, x_.T * columns, n * columns, kept, gradient}, {flop, flop, flop},
             x_.w),
         false, x_.T * n, again);
  }

  /// n -> h, of which each processor has n/t rows.
  void tiled_rows(Real n) {
    const Real k = x_.h, rows = n / x_.t, flop = 2 * x_.T * rows * k;
    const Real kept = x_.split() ? x_.T * rows : 0;
    const Real gradient = 2 * (x_.split() ? std::floor(x_.T * k / x_.t) : x_.T * k);
    tile(row("tiled rows", {x_.T * rows, x_.T * k, rows * k, kept, gradient}, {flop, flop, flop}, x_.w), true,
         x_.T * k, full_);
  }

  void tile(Row made, bool closing, Real talked_about, bool again) {
    made.matrix = true;
    made.talk = Talk::tiled;
    made.closing = closing;
    made.S = talked_about * x_.w;
    put(made, {.rec = full_, .recomm = again});
  }

  void product(Real c, Real rows, Real inner, Real columns, const Fate& fate) {
    const Real in = c * (rows * inner + inner * columns), out = c * rows * columns;
    Row made = row("batched product", {in, out, 0, in, out}, {2 * out * inner, 4 * out * inner, 0}, x_.w);
    made.matrix = true;
    put(made, fate);
  }

  void dropout(Real q, const Fate& fate) {
    Row made = row("dropout", {q, q, 0, q, q}, {q, q, 0}, x_.w);
    made.forward = made.act_grad = 2 * q * x_.w + q;  // a mask of one byte an element
    made.kept = made.gradient = q;
    put(made, fate);
  }

  void scores() {
    const Real c = x_.b * x_.a / x_.t;
    const Real N = std::floor(x_.a / x_.t) * x_.s * x_.s * x_.b;
    product(c, x_.s, x_.e, x_.s, {.rec = attention_, .noout = attention_});
    Row softmax = row("softmax", {N, N, 0, N, N}, {5 * N, 8 * N, 0}, x_.w);
    softmax.act_grad = softmax.forward;
    put(softmax, {.rec = attention_, .noout = attention_});
    dropout(N, {.rec = attention_, .noact = attention_});
    product(c, x_.s, x_.s, x_.e, {.rec = full_});
  }

  void close(Real n, std::string_view name) {
    if (tiled_) {
      tiled_rows(n);
    } else {
      linear(n / x_.t, x_.h, {.rec = full_});
      exchange(true, {.recomm = full_, .noact = true});
    }
    rows_.back().name = name;
  }

  void end() {
    const Real q = x_.Q;
    dropout(q, {.rec = full_});
    put(row("residual", {2 * q, q, 0, 2 * q, q}, {q, 2 * q, 0}, x_.w),
        {.rec = full_, .shared = true, .noact = true});
  }

  void expand(bool again) {
    if (tiled_) return tiled_column(x_.f, again);
    exchange(false, {.recomm = again});
    linear(x_.h, x_.f / x_.t, {.rec = full_, .noact = again});
  }

  void gelu() {
    const Real g = std::floor(x_.f * x_.T / x_.t);
    Row made = row("gelu", {g, g, 0, g, g}, {8 * g, 13 * g, 0}, x_.w);
    made.act_grad = made.forward;
    if (x_.fused) made.kept = made.gradient = 0;
    put(made, {.rec = full_});
  }

  const Letters& x_;
  bool full_, attention_, tiled_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> block_rows(const Letters& x) { return Block(x).rows(); }

}  // namespace assay::model::reference
