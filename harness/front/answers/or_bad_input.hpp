// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records, bundles and limits that cannot be used are bad input: one line and exit code 2.
#pragma once

#include <stdexcept>

#include "harness/core/error.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::answers {

/// Returns what `work` returns. A std::runtime_error of it becomes a usage Error; a core::Error stays what it
/// is, and so does a damaged store, which is not a fault of the user.
template <class Work>
auto or_bad_input(const Work& work) {
  try {
    return work();
  } catch (const core::Error&) {
    throw;
  } catch (const results::DamagedStore&) {
    throw;
  } catch (const std::runtime_error& error) {
    core::usage_error(error.what());
  }
}

}  // namespace assay::answers
