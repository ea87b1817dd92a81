// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/known_runs.hpp"

#include "results/store/sqlite/database.hpp"

namespace assay::results {

bool has_run(const Store& store, const std::string& run_id) {
  return store.database()
             .prepare("SELECT count(*) FROM runs WHERE run_id = ?")
             .bind(run_id)
             .single_integer() > 0;
}

}  // namespace assay::results
