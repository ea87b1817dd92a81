// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/copy_way.hpp"

#include <fmt/core.h>

#include <utility>

namespace assay::offload {

std::optional<std::string> cannot_copy(const CopyWay& way) {
  if (way.memory == MemoryKind::pageable && way.by == CopyBy::sm)
    return "memory=pageable: no kernel addresses it (expected memory that is page-locked, or by=engine)";
  if (way.memory == MemoryKind::pageable && way.direction == CopyDirection::both)
    return "memory=pageable: the driver copies it in the calling thread, one way after the other";
  return std::nullopt;
}

PeerWay PeerWay::back() const {
  PeerWay way = *this;
  std::swap(way.from, way.to);
  return way;
}

std::optional<std::string> not_a_peer(const PeerWay& way) {
  if (way.from != way.to) return std::nullopt;
  return fmt::format("from={}, to={}: a GPU is not a peer of itself", way.from, way.to);
}

std::optional<std::string> not_two_gpus(const PeerWay& way, int devices) {
  if (devices < 2) return fmt::format("a copy to a peer needs two GPUs, and this process sees {}", devices);
  for (const int gpu : {way.from, way.to})
    if (gpu < 0 || gpu >= devices)
      return fmt::format("from={}, to={}: this process sees {} GPUs, the first is 0", way.from, way.to,
                         devices);
  return std::nullopt;
}

}  // namespace assay::offload
