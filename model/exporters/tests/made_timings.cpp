// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/tests/made_timings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::model::exporters {

Exported made_by(std::string_view exporter, const ExportRequest& request) {
  const Exporter& known = *exporter_named(exporter);
  ExportRequest whole = request;
  for (const OwnOption& option : known.own) whole.own.try_emplace(std::string(option.flag), option.otherwise);
  return exported(known, whole);
}

double ring_us(const std::string& operation, double bytes, double fixed_us) {
  const double steps = operation == "all_reduce" ? 14 : 7;
  return fixed_us + steps * 1 + steps / 8 * bytes / 200e9 * 1e6;
}

CsvSource ring(std::initializer_list<const char*> operations, double fixed_us, const char* more) {
  std::string text = columns;
  for (const char* operation : operations)
    for (int power = least_power; power <= most_power; ++power)
      text += fmt::format("{},8,{:.0f},fp16,{:.9g}\n", operation, std::exp2(power),
                          ring_us(operation, std::exp2(power), fixed_us));
  return {"made", text + more};
}

double gemm_us(double m, double n, double k) {
  return std::max(2 * m * n * k / 500e12, 2 * (m * n + m * k + n * k) / 2e12) * 1e6;
}

CsvSource gemms(const char* dtype) {
  std::string text = "m,n,k,dtype,time_us\n";
  for (const int m : {16, 128, 1024, 8192})
    for (const int n : {512, 2048, 8192})
      for (const int k : {1024, 4096})
        text += fmt::format("{},{},{},{},{:.9g}\n", m, n, k, dtype, gemm_us(m, n, k));
  return {"gemms", text};
}

const char* const genz_base =
    R"({"Flops": 1, "Memory_size": 80, "Memory_BW": 1, "ICN": 1, "ICN_LL": 1, "real_values": true})";

const char* const llm_base =
    R"({"name": "gpu", "mem_per_GPU_in_GB": 80, "hbm_bandwidth_in_GB_per_sec": 3350,
  "intra_node_bandwidth_in_GB_per_sec": 900, "intra_node_min_message_latency": 8e-6, "peak_fp16_TFLOPS": 989,
  "inter_node_bandwidth_in_GB_per_sec": 400})";

const char* const aic_base = R"(gpu:
  mem_bw: 3350000000000 # declared
  mem_bw_empirical_scaling_factor: 0.8 # some
  mem_empirical_constant_latency: 0.000003 # 3us
  mem_capacity: 85899345920
node:
  inter_node_bw: 50000000000
)";

std::string floored() {
  std::string text = columns;
  for (int power = 10; power <= 29; ++power)
    text += fmt::format("all_reduce,8,{:.0f},fp16,{:.9g}\n", std::exp2(power),
                        std::max(12.0, 1.75 * std::exp2(power) / 200e9 * 1e6));
  return text;
}

}  // namespace assay::model::exporters
