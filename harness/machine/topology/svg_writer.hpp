// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Shapes of an SVG picture in whole pixels, in the order in which they are drawn. Looks are classes in one
// style sheet.
#pragma once

#include <string>

namespace assay::machine {

struct Rectangle {
  int x = 0, y = 0, width = 0, height = 0;
};

class SvgWriter {
 public:
  void rectangle(const Rectangle& at, const std::string& style, int rounding = 4);
  /// `y` is the baseline. The style class may hold an anchor.
  void text(int x, int y, const std::string& words, const std::string& style);
  /// Level; `tenths` is the stroke's width in tenths of a pixel.
  void stroke(int from_x, int to_x, int y, int tenths, const std::string& style);
  /// Level and then upright.
  void bend(int from_x, int from_y, int to_x, int to_y, const std::string& style);
  void line(int from_x, int from_y, int to_x, int to_y, const std::string& style);

  /// The whole element. `label` is read out in place of the picture.
  std::string finish(int width, int height, const std::string& style_sheet, const std::string& label) const;

 private:
  std::string shapes_;
};

std::string xml_escaped(const std::string& text);

/// At most `most` code points, the last an ellipsis where something was cut.
std::string shortened(const std::string& text, std::size_t most);

}  // namespace assay::machine
