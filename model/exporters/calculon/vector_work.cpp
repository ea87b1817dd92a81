// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/vector_work.hpp"

#include <cstdlib>

#include "model/exporters/calculon/names_and_units.hpp"
#include "model/predict/layers/layer.hpp"
#include "model/predict/measured/measured_vector.hpp"

namespace assay::model::calculon {
namespace {

std::optional<Layer> layer_of(const VectorName& name, double elements, double width) {
  const double row = std::strtod(name.columns.c_str(), nullptr);
  if (name.kernel == "layer_norm") return layer_norm(elements, row, width);
  if (name.kernel == "softmax") return softmax(elements, row, width);
  if (name.kernel == "dropout") return dropout(elements, width);
  if (name.kernel == "gelu") return gelu(elements, width, false);
  if (name.kernel == "residual_add") return residual(elements, width);
  return std::nullopt;
}

}  // namespace

std::optional<VectorWork> forward_work(const fit::SizeRow& row, const std::string& back_end) {
  const VectorName name(row.curve());
  const DtypeName* dtype = dtype_named(name.dtype);
  if (dtype == nullptr || name.pass != "forward" || !row.operation.starts_with(back_end + "."))
    return std::nullopt;
  const auto layer = layer_of(name, row.size_bytes / dtype->bytes, dtype->bytes);
  if (!layer) return std::nullopt;
  return VectorWork{dtype->theirs,
                    {.flop = layer->fw_flops, .bytes = layer->fw_bytes, .s = row.time_us * 1e-6}};
}

}  // namespace assay::model::calculon
