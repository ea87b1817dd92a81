// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Many predictions that differ in some keys of the model, the execution or the system: columns of values in,
// columns of numbers out.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/front/answers/predict_answer.hpp"
#include "model/search/system_file.hpp"

namespace assay::answers {

/// "tensor_par" or "execution.tensor_par", "model.seq_size", "system.networks[0].size", and its value in each
/// row.
struct SweptColumn {
  std::string key;
  std::vector<nlohmann::json> values;
};

enum class RowStatus { ok, infeasible, rejected };
inline constexpr std::array<std::string_view, 3> row_status_names = {"ok", "infeasible", "rejected"};

class Sweep {
 public:
  /// `stats`: names of predict()'s stats; none: all. Throws a usage Error for a key that the files do not
  /// have, columns of different lengths, and an unknown name.
  Sweep(const PredictQuestion& question, std::vector<SweptColumn> columns,
        const std::vector<std::string>& stats);

  std::size_t rows() const { return rows_; }
  const std::vector<std::string>& names() const { return names_; }
  /// `out` has a number for each of names() in every row, row by row: NaN where the row has no step. A row
  /// whose values cannot be used is rejected, and `reason` says why.
  RowStatus answer(std::size_t row, double* out, std::string& reason);

 private:
  enum class Part { application, execution, system };
  struct Place {
    Part part;
    std::string key;  // within the part
    std::vector<nlohmann::json> values;
  };

  Place place_of(SweptColumn column) const;
  /// Puts the row's values in place; which parts have another value than before.
  std::array<bool, 3> put(std::size_t row);
  void read(std::size_t row, const std::array<bool, 3>& changed);
  void find_names(const std::vector<std::string>& wanted);

  model::ReadOptions options_;
  nlohmann::json application_, execution_;
  model::SystemFile system_;
  std::string application_where_, execution_where_;
  std::array<model::JsonDocument, 3> documents_;
  model::Configuration current_{.application = {}, .execution = {}, .system = model::System()};
  model::PricedTypes priced_for_ = model::Datatype::float16;
  std::vector<Place> places_;
  std::size_t rows_ = 0;
  std::array<std::optional<std::size_t>, 3> known_ = {};  // of each part, the row that current_ has it of
  std::vector<std::string> names_;
  std::vector<std::size_t> columns_;  // of names_ among all stats
};

}  // namespace assay::answers
