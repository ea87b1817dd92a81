// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/fabric_calls.hpp"

#include "harness/core/files/shared_library.hpp"

namespace assay::cuda {
namespace {

FabricCalls find_fabric_calls() {
  static const core::SharedLibrary driver("libcuda.so.1", core::ErrorKind::cuda,
                                          core::SharedLibrary::AtEnd::stay);
  FabricCalls calls;
  driver.find("cuDeviceGet", calls.device);
  driver.find("cuDeviceGetAttribute", calls.attribute);
  driver.find("cuMemGetAllocationGranularity", calls.granularity);
  driver.find("cuMemCreate", calls.create);
  driver.find("cuMemRelease", calls.release);
  driver.find("cuMemExportToShareableHandle", calls.export_handle);
  driver.find("cuMemImportFromShareableHandle", calls.import_handle);
  driver.find("cuMemAddressReserve", calls.reserve);
  driver.find("cuMemAddressFree", calls.unreserve);
  driver.find("cuMemMap", calls.map);
  driver.find("cuMemUnmap", calls.unmap);
  driver.find("cuMemSetAccess", calls.set_access);
  driver.find("cuGetErrorString", calls.error_text);
  return calls;
}

}  // namespace

const FabricCalls& fabric_calls() {
  static const FabricCalls calls = find_fabric_calls();
  return calls;
}

}  // namespace assay::cuda
