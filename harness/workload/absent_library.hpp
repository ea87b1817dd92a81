// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A host library this build was made without: every problem is unsupported, with the reason.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::workload {

class AbsentLibrary final : public HostLibrary {
 public:
  explicit AbsentLibrary(std::string name) : name_(std::move(name)) {}

  std::string version() const override { return name_ + " (not in this build)"; }
  std::optional<std::string> unsupported(const Problem&) const override {
    return name_ + " was not found when this program was built";
  }
  std::unique_ptr<HostProduct> prepare(const Problem& problem, int) const override {
    throw core::Error(core::ErrorKind::system, *unsupported(problem));
  }

 private:
  std::string name_;
};

}  // namespace assay::workload
