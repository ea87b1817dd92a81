// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether programs made with a CUDA toolkit start on this node's driver. One of an older major version of
// CUDA than the toolkit's refuses them, unless forward-compatibility libraries stand before its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/tree.hpp"

namespace assay::machine {

/// A folder of the package cuda-compat, and the driver that its libcuda is of.
struct CompatLibrary {
  std::string folder, driver;
};

struct CudaDriver {
  std::string installed = {};  // NVIDIA's driver: "535.161.08"; "": unknown
  std::string offers = {};     // the CUDA version of the libcuda that programs find: "12.2"; "": unknown
  std::vector<CompatLibrary> compat = {};  // in /usr/local
};

CudaDriver reported_driver(const Nvml& nvml);
/// Adds to the reported driver what the tree knows besides.
CudaDriver read_cuda_driver(const Tree& tree, CudaDriver reported);
/// The driver of this node, below pretended_root().
CudaDriver read_cuda_driver();

/// The oldest Linux driver that starts programs of this toolkit; "" for a major version not known here.
std::string oldest_driver_for(const std::string& toolkit);

/// "535.161.08" < "535.183.01" < "580": numbers between dots.
bool is_older_driver(const std::string& one, const std::string& other);

struct DriverTooOld {
  std::string what;  // both versions
  std::string ways;  // out of it
  std::string sentence() const { return what + ": " + ways; }
};

/// Empty where programs made with `toolkit` ("13.0") start, or where too little is known to deny it.
std::optional<DriverTooOld> driver_too_old(const CudaDriver& driver, const std::string& toolkit);

/// The folder of cuda-compat that starts programs of this toolkit: where several do, the one of the oldest
/// driver, which asks least of the kernel's.
std::optional<std::string> forward_compatibility(const CudaDriver& driver, const std::string& toolkit);

/// "driver 535.161.08 with the forward-compatibility libraries of /usr/local/cuda-13.0/compat"
std::string with_forward_compatibility(const CudaDriver& driver, const std::string& folder);

}  // namespace assay::machine
