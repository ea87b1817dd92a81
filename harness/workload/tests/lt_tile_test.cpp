// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/lt_tile.hpp"

#include <cublasLt.h>
#include <gtest/gtest.h>

namespace assay::workload {
namespace {

// Without a name in headers of CUDA 12.0.
constexpr int tile_256x32 = 35, tile_8x128 = 36, tile_192x256 = 210, tile_768x64 = 311;

TEST(LtTile, IsWhatTheLibrarysNamesSay) {
  EXPECT_EQ(lt_tile(CUBLASLT_MATMUL_TILE_8x8), (LtTile{8, 8}));
  EXPECT_EQ(lt_tile(CUBLASLT_MATMUL_TILE_128x256), (LtTile{128, 256}));
  EXPECT_EQ(lt_tile(tile_256x32), (LtTile{256, 32}));
  EXPECT_EQ(lt_tile(tile_8x128), (LtTile{8, 128}));
  EXPECT_EQ(lt_tile(tile_192x256), (LtTile{192, 256}));
  EXPECT_EQ(lt_tile(tile_768x64), (LtTile{768, 64}));
}

TEST(LtTile, OfTheLastNumbersOfTheHeaderIsRight) {
  EXPECT_EQ(lt_tile(390), (LtTile{64, 744}));
  EXPECT_EQ(lt_tile(500), (LtTile{256, 144}));
  EXPECT_EQ(lt_tile(630), (LtTile{768, 80}));
  EXPECT_EQ(lt_tile(634), (LtTile{512, 1024}));
  EXPECT_EQ(lt_tile(635), std::nullopt);
}

TEST(LtTile, OfNoTileIsNothing) {
  EXPECT_EQ(lt_tile(CUBLASLT_MATMUL_TILE_UNDEFINED), std::nullopt);
  EXPECT_EQ(lt_tile(-1), std::nullopt);
}

TEST(Tiles, CountAlsoWhatIsNotWhole) {
  EXPECT_EQ(tiles(1536, 2816, {.rows = 128, .columns = 256}), 132);
  EXPECT_EQ(tiles(1537, 2816, {.rows = 128, .columns = 256}), 143);
  EXPECT_EQ(tiles(100, 100, {.rows = 128, .columns = 128, .splits = 4}), 4);
}

}  // namespace
}  // namespace assay::workload
