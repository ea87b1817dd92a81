// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/read_text.hpp"

#include "harness/core/files/input_file.hpp"

namespace assay::model {

std::string read_text(const std::string& path, const std::string& expected) {
  constexpr std::size_t most_bytes = std::size_t{512} << 20U;
  return core::read_input(path, expected, most_bytes);
}

}  // namespace assay::model
