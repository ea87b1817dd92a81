// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A problem as calls to NCCL: a collective of its own where it has one, else sends and receives in one group.
#pragma once

#include <cstddef>
#include <string>

#include "collectives/content.hpp"
#include "collectives/nccl/communicator.hpp"
#include "collectives/nccl/device/device_operation.hpp"

namespace assay::collectives {

class NcclOperation final : public DeviceOperation {
 public:
  /// `communicator` must outlive it, and its rank be `rank` of the problem's.
  NcclOperation(const nccl::Calls& calls, Communicator& communicator, const Problem& problem,
                const Content& content, int rank);

  void enqueue(const std::byte* input, std::byte* output, cudaStream_t stream) override;
  std::string function() const override;

 private:
  enum class Calls { collective, sends_and_receives };
  Calls kind_of_calls() const;
  ncclResult_t collective(const std::byte* input, std::byte* output, cudaStream_t stream);
  void exchange(const std::byte* input, std::byte* output, cudaStream_t stream);
  void exchange_with_root(const std::byte* input, std::byte* output, cudaStream_t stream);
  void exchange_with_all(const std::byte* input, std::byte* output, cudaStream_t stream);
  void send(const std::byte* from, std::int64_t elements, int peer, cudaStream_t stream);
  void receive(std::byte* into, std::int64_t elements, int peer, cudaStream_t stream);
  bool is_even() const { return problem_.count % problem_.ranks == 0; }
  std::int64_t bytes(std::int64_t elements) const { return elements * element_bytes_; }

  const nccl::Calls& calls_;
  Communicator& communicator_;
  Problem problem_;
  int rank_;
  std::int64_t element_bytes_;
  ncclDataType_t type_;
  ncclRedOp_t reduction_;
  Calls kind_;
};

/// A group of NCCL's: closed at the end of its scope also where an exception leaves it.
class NcclGroup {
 public:
  NcclGroup(const nccl::Calls& calls, Communicator& communicator);
  ~NcclGroup();
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;
  /// Enqueues what it holds. Throws core::Error (nccl).
  void end();

 private:
  const nccl::Calls& calls_;
  Communicator& communicator_;
  bool open_ = false;
};

}  // namespace assay::collectives
