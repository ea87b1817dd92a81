// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A library of another version than the node's: it can be opened, and nothing more.
extern "C" {

int ncclGetVersion(int* version) {
  *version = 22003;
  return 0;
}

#define ASSAY_NEVER_CALLED(name) \
  int name() { return 3; }
ASSAY_NEVER_CALLED(ncclGetErrorString)
ASSAY_NEVER_CALLED(ncclGetLastError)
ASSAY_NEVER_CALLED(ncclGetUniqueId)
ASSAY_NEVER_CALLED(ncclCommInitRankConfig)
ASSAY_NEVER_CALLED(ncclCommSplit)
ASSAY_NEVER_CALLED(ncclCommDestroy)
ASSAY_NEVER_CALLED(ncclCommAbort)
ASSAY_NEVER_CALLED(ncclCommGetAsyncError)
ASSAY_NEVER_CALLED(ncclGroupStart)
ASSAY_NEVER_CALLED(ncclGroupEnd)
ASSAY_NEVER_CALLED(ncclAllReduce)
ASSAY_NEVER_CALLED(ncclAllGather)
ASSAY_NEVER_CALLED(ncclReduceScatter)
ASSAY_NEVER_CALLED(ncclBroadcast)
ASSAY_NEVER_CALLED(ncclReduce)
ASSAY_NEVER_CALLED(ncclSend)
ASSAY_NEVER_CALLED(ncclRecv)

}  // extern "C"
