// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/peer_blocks.hpp"

#include <algorithm>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"

namespace assay::results::peers {
namespace {

class BlockFinder {
 public:
  BlockFinder(Lines lines, std::string_view kind) : lines_(lines) {
    for (const Reader& reader : readers())
      if (kind == "auto" || reader.kind == kind) readers_.push_back(&reader);
  }

  const Reader* reader_at(std::size_t at, const BlockExtent& open) const {
    const std::string_view text = trimmed(lines_[at].text);
    if (text.empty() || (text[0] == '{' && unknown_objects_ > most_unknown_objects)) return nullptr;
    for (const Reader* reader : readers_)
      if (reader->opens(lines_, at, reader == open.reader ? open.begin : lines_.size())) return reader;
    return nullptr;
  }

  /// Finds all blocks, or the first alone.
  BlockExtents find(bool all) {
    BlockExtents found;
    BlockExtent open;
    for (std::size_t at = 0; at < lines_.size();) {
      const Reader* const reader = reader_at(at, open);
      if (!reader && open.reader) {
        ++at;
        continue;
      }
      if (!reader) {
        const std::size_t end = end_of_unknown(at);
        for (; at < end; ++at) found.lines_outside += says_something(lines_[at].text) ? 1 : 0;
        continue;
      }
      close(open, at, found);
      open = {reader, at, at + 1};
      if (!all) break;
      if (!reader->end) {
        ++at;
        continue;
      }
      at = std::max(at + 1, std::min(reader->end(lines_, at), lines_.size()));
      close(open, at, found);
    }
    close(open, lines_.size(), found);
    return found;
  }

 private:
  static void close(BlockExtent& open, std::size_t end, BlockExtents& found) {
    if (!open.reader) return;
    open.end = end;
    found.blocks.push_back(open);
    open = {};
  }

  static bool says_something(std::string_view text) {
    return text.find_first_not_of(" \t-=*#") != std::string_view::npos;
  }

  /// Objects within an object of another program are not searched. Few of them are left open.
  std::size_t end_of_unknown(std::size_t at) {
    const std::string_view text = trimmed(lines_[at].text);
    if (text.empty() || (text[0] != '{' && text[0] != '[') || ++unknown_objects_ > most_unknown_objects)
      return at + 1;
    const std::size_t end = json_end(lines_, at);
    return end < lines_.size() ? end : at + 1;
  }

  /// Each is looked at by every reader of JSON.
  static constexpr int most_unknown_objects = 1000;

  Lines lines_;
  std::vector<const Reader*> readers_;
  int unknown_objects_ = 0;
};

}  // namespace

BlockExtents blocks_among(Lines lines, std::string_view kind) { return BlockFinder(lines, kind).find(true); }

bool has_block(Lines lines, std::string_view kind) {
  return !BlockFinder(lines, kind).find(false).blocks.empty();
}

}  // namespace assay::results::peers
