// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/base_file.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::exporters {

BaseFile::BaseFile(const std::string& path, const std::string& form,
                   std::initializer_list<const char*> numbers) {
  if (path.empty())
    core::usage_error(
        fmt::format("export {}: expected --base, a file of that tool for what is not measured", form));
  json_ = read_ordered_json(path);
  if (!json_.is_object()) core::usage_error(path + ": expected a JSON object");
  for (const char* key : numbers)
    if (!json_.contains(key) || !json_[key].is_number() || !(json_[key].get<double>() > 0))
      core::usage_error(fmt::format("{}: key '{}': expected a number above 0", path, key));
}

}  // namespace assay::model::exporters
