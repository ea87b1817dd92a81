// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system.hpp"

namespace assay::model {

double bytes_of(Datatype datatype) {
  switch (datatype) {
    case Datatype::float8:
      return 1;
    case Datatype::float16:
    case Datatype::bfloat16:
      return 2;
    case Datatype::float32:
      return 4;
  }
  return 0;
}

}  // namespace assay::model
