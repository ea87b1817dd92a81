// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A host library this build was made without: no problem is supported.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::workload {

class AbsentLibrary final : public HostLibrary {
 public:
  explicit AbsentLibrary(std::string name) : name_(std::move(name)) {}

  std::string version() const override { return name_ + " (not in this build)"; }
  std::optional<std::string> not_built() const override { return name_; }
  std::optional<std::string> unsupported(const Problem&) const override { return core::built_without(name_); }
  std::unique_ptr<HostProduct> prepare(const Problem& problem, int) const override {
    throw core::Error(core::ErrorKind::system, *unsupported(problem));
  }

 private:
  std::string name_;
};

}  // namespace assay::workload
