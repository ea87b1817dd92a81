// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/system_file.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "model/predict/answer/system_source.hpp"
#include "model/predict/read/read.hpp"

namespace assay::model {

SystemFile SystemFile::read(const std::string& path, const ReadOptions& options) {
  return read(JsonSource{path}, options);
}

SystemFile SystemFile::read(const JsonSource& source, const ReadOptions& options) {
  SystemSource read = read_system_source(source, options);
  return {std::move(read.system), source.name, std::move(read.options)};
}

void SystemFile::set(const std::string& assignment) {
  const Assignment wanted = assignment_from(assignment);
  EditedJson::set(wanted);
  // The interval was that of the number that was there.
  if (const auto stated = json_.find(intervals_key); stated != json_.end() && stated->is_object())
    stated->erase(wanted.key);
}

System SystemFile::system() const { return read_system(json_, name(), options_.model); }

PricedSystem SystemFile::priced(const PricedTypes& types) const {
  PricedSystem priced = read_priced_system(json_, name(), options_, types);
  const auto type = static_cast<std::size_t>(types.all);
  for (const auto& [engine, has] : {std::pair("matrix", priced.system.matrix[type].has_value()),
                                    std::pair("vector", priced.system.vector[type].has_value())})
    if (!has)
      core::usage_error(fmt::format("{}: {}: expected the datatype '{}' in it, which was asked for", name(),
                                    engine, datatype_names[type]));
  return priced;
}

}  // namespace assay::model
