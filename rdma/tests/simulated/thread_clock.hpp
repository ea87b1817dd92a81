// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The virtual clock of a rank, which is a thread: it stands still while the processor works, and moves to
// when what the rank waits for has happened.
#pragma once

namespace assay::rdma::simulated {

/// Seconds since the fabric began.
double now_s();
/// Later than it is; an earlier time changes nothing.
void advance_to(double time_s);
void advance_by(double seconds);

}  // namespace assay::rdma::simulated
