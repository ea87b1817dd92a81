// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/connected_ranks.hpp"

#include <atomic>
#include <utility>
#include <vector>

#include "collectives/transport/shared_memory_pair.hpp"
#include "collectives/transport/socket_mesh.hpp"
#include "collectives/watch/noting_transport.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

/// Every rank sends rank 0 the address of its post: the watch asks there.
void open_post(const CaseMaker& maker) {
  std::vector<PostPlace> places;
  const std::string& secret = maker.team->trust().secret;
  const PostPlace own = maker.post->begin_point(secret);
  for (const std::string& text : maker.team->gather_at_leader(to_text(own), team::reply_limit_s)) {
    places.push_back(post_place_from(text));
    places.back().secret = secret;
  }
  if (maker.watch != nullptr) maker.watch->set_places(std::move(places));
}

}  // namespace

ConnectedRanks connect_ranks(const CaseMaker& maker, const MpiDataCalls* mpi) {
  open_post(maker);
  const std::atomic<bool>& given_up = maker.post->given_up();
  const bool alone = maker.team->size() == 1;
  auto transport = mpi != nullptr ? make_mpi_transport(*mpi, maker.hang_limit_s, given_up)
                   : alone        ? std::move(make_thread_transports(1).front())
                                  : make_socket_mesh(*maker.team, maker.hang_limit_s, given_up);
  return {.post = maker.post,
          .transport = std::make_unique<NotingTransport>(std::move(transport), maker.post->ring()),
          .transport_name = mpi != nullptr ? "mpi"
                            : alone        ? "none"
                                           : "sockets"};
}

ConnectedRanks connect_pair(const CaseMaker& maker, HostTransport wanted, Waiting waiting) {
  open_post(maker);
  const std::atomic<bool>& given_up = maker.post->given_up();
  const bool tcp = wanted == HostTransport::tcp;
  auto transport = tcp ? make_socket_mesh(*maker.team, maker.hang_limit_s, given_up, waiting)
                       : make_shared_memory_pair(*maker.team, maker.hang_limit_s, waiting, given_up);
  if (maker.team->rank() > 1) transport = nullptr;
  if (transport) transport = std::make_unique<NotingTransport>(std::move(transport), maker.post->ring());
  return {
      .post = maker.post, .transport = std::move(transport), .transport_name = tcp ? "TCP" : "shared memory"};
}

}  // namespace assay::collectives
