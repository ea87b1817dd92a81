// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Linked where this build has no liburing: every checkpoint is listed, and unsupported with the reason.
#include <memory>

#include "harness/core/error.hpp"
#include "offload/checkpoint/checkpoint_cases.hpp"
#include "offload/checkpoint/checkpoint_declarations.hpp"

namespace assay::offload {

std::vector<core::Case> checkpoint_cases(const ModuleSettings&) {
  constexpr const char* why = "liburing with xxHash was not found when this program was built";
  std::vector<core::Case> cases{declared_save(), declared_restore(), declared_two_stages()};
  for (core::Case& absent : cases) {
    absent.unsupported = [](const core::Point&) -> std::optional<std::string> { return why; };
    absent.prepare = [](const core::Point&) -> std::unique_ptr<core::Trial> {
      throw core::Error(core::ErrorKind::system, why);
    };
  }
  return cases;
}

}  // namespace assay::offload
