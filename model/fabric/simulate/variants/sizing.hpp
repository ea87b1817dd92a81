// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The uplinks, queue pairs, buffer or window that reach a stated time, each on its own.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/file/key_value.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/times.hpp"
#include "model/fabric/size.hpp"

namespace assay::model::fabric {

struct SizeQuestion {
  std::string fabric_toml, fabric_file;  // what the file says, and its name
  WorkloadFile workload;
  std::vector<KeyValue> replaced;
  double at_most_us = 0;  // for the whole workload, the median over hash seeds
  SimulationOptions simulation = {};
  SeeSimulation see = {};
};

/// One key of the fabric file, the others as they are.
struct SizedKey {
  std::string key, meaning;
  std::string (*text)(double value) = nullptr;  // as the file has it
  SizeAnswer answer;
};

struct SizedFabric {
  FabricFile as_it_is;
  double as_it_is_us = 0;
  std::vector<SizedKey> keys = {};
};

/// Those keys that the preset has: spines or ratio, queue pairs, XOFF, the window of admission. A value that
/// the rest of the file does not allow, as where a failed link is of a spine that is no longer there, takes
/// for ever. Throws a usage Error for a time that is not above 0.
SizedFabric size_fabric(const SizeQuestion& question);

/// A finding where neither the fabric as it is nor a key reaches the time. Names the headroom that priority
/// flow control needs above XOFF where the fabric states the length of its links.
Answer size_answer(const SizeQuestion& question, const SizedFabric& sized);

}  // namespace assay::model::fabric
