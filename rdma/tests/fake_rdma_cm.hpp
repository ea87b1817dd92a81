// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Stands in for librdmacm at link time: ids of this process that call one another over the fake verbs.
#pragma once

#include <cstddef>

namespace assay::rdma::fake {

struct ConnectionManager {
  int refuses_to_open = 0;     // an errno
  bool rejects = false;        // every call is rejected
  bool loses_answers = false;  // callers hear nothing
  std::size_t through = 0;     // which device routes lead through
};

/// The manager of all threads; a test that changes it puts it back.
ConnectionManager& connection_manager();

}  // namespace assay::rdma::fake
