// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A number of which it is asked whether it is normal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace assay::results::expected {

struct Question {
  std::string operation;    // "all_reduce", "host_to_device", "write", "memory", "matmul_16bit"
  std::string system = {};  // a name of Published::systems; empty: unknown
  std::int64_t gpus = 0, nodes = 0;
  std::string network = {};  // "8x400G InfiniBand NDR, SHARP"; empty: unknown
  std::optional<std::int64_t> bytes = {};
  double value = 0;                 // busbw of a collective, else the rate
  std::string settings = {};        // of another run than the usual one; empty: none known
  std::string host = {}, gpu = {};  // as its record names them; empty: given by hand, or not named
  std::string place = {};           // "gx01 (all.log:12)"

  bool is_product() const { return operation.starts_with("matmul"); }
  std::string unit() const { return is_product() ? "TFLOP/s" : "GB/s"; }
  bool is_of_adapter() const { return operation == "write" || operation == "adapter"; }
  bool crosses_network() const { return nodes > 1 || is_of_adapter(); }
  /// Whether switches of the network reduce what the ranks send.
  bool network_reduces() const {
    return operation == "all_reduce" && network.find("SHARP") != std::string::npos;
  }
};

/// Whether ranks exchange, so that the value is a busbw.
bool is_collective(const std::string& operation);
/// "all_reduce, reduce_scatter, ...": every operation that can be asked for.
std::string operations_text();
bool is_operation(const std::string& operation);

}  // namespace assay::results::expected
