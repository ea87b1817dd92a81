// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An environment variable for as long as this object lives.
#pragma once

#include <cstdlib>
#include <string>
#include <utility>

namespace assay::machine {

class WithSetting {
 public:
  WithSetting(std::string name, const std::string& value) : name_(std::move(name)) {
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~WithSetting() { unsetenv(name_.c_str()); }
  WithSetting(const WithSetting&) = delete;
  WithSetting& operator=(const WithSetting&) = delete;

 private:
  std::string name_;
};

}  // namespace assay::machine
