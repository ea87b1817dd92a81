// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A site's own list of what an Xid means to it, instead of NVIDIA's answer.
#pragma once

#include <map>
#include <string>

#include "harness/front/health/kernel_log/kernel_log.hpp"

namespace assay::health {

struct XidActions {
  std::string file;
  std::map<int, Status> by_code;  // passed: ignored
};

/// TOML: `ignore`, `warn` and `fail`, each a list of codes. Throws a usage Error with file and line for
/// another key, for what is not a code (1 to 65535), and for a code that is there twice.
XidActions read_xid_actions(const std::string& file);

/// The events of these codes become what the site says.
void apply(const XidActions& actions, KernelLog& log);

/// "Xids by site.toml: 69 ignored, 79 failed", for the verdict.
std::string text_of(const XidActions& actions);

}  // namespace assay::health
