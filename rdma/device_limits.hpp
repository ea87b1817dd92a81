// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What this host's device cannot do, said before anything starts.
#pragma once

#include "rdma/traffic/settings.hpp"

namespace assay::rdma {

/// A usage Error where the point asks for a message, queue pairs, a depth or a GID that the device has not.
/// Throws Error(verbs) where there is no such device or its port is down.
void refuse_beyond_limits(const Settings& settings);

}  // namespace assay::rdma
