// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which uplinks, queue pairs, buffer or window reach a stated time, each on its own.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/file/key_value.hpp"
#include "model/fabric/simulate/answer.hpp"
#include "model/fabric/simulate/times.hpp"
#include "model/fabric/size.hpp"

namespace assay::model::fabric {

struct SizeQuestion {
  std::string fabric_file, workload_file;
  std::vector<KeyValue> replaced;
  double at_most_us = 0;  // for the whole workload, the median over hash seeds
  SimulationOptions simulation = {};
  SeeSimulation see = {};
};

/// One key of the fabric file, the others as they are.
struct SizedKey {
  std::string key, meaning;
  std::vector<std::string> values;  // that `answer` numbers from 0
  SizeAnswer answer;
};

/// Those keys that the preset has: spines or ratio, queue pairs, XOFF, the window of admission. Throws a
/// usage Error for a time that is not above 0.
std::vector<SizedKey> size_fabric(const SizeQuestion& question);

/// A finding where no key reaches the time. Names the headroom that priority flow control needs above XOFF
/// where the fabric states the length of its links.
Answer size_answer(const SizeQuestion& question, const std::vector<SizedKey>& keys);

}  // namespace assay::model::fabric
