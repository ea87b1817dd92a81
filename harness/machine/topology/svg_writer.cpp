// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/topology/svg_writer.hpp"

#include <fmt/format.h>

#include "harness/machine/readable.hpp"

namespace assay::machine {

void SvgWriter::rectangle(const Rectangle& at, const std::string& style, int rounding) {
  shapes_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>\n",
                         style, at.x, at.y, at.width, at.height, rounding);
}

void SvgWriter::text(int x, int y, const std::string& words, const std::string& style) {
  if (words.empty()) return;
  shapes_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", style, x, y, xml_escaped(words));
}

void SvgWriter::stroke(int from_x, int to_x, int y, int tenths, const std::string& style) {
  shapes_ += fmt::format("<path class=\"{}\" style=\"stroke-width:{}.{}\" d=\"M{} {}H{}\"/>\n", style,
                         tenths / 10, tenths % 10, from_x, y, to_x);
}

void SvgWriter::bend(int from_x, int from_y, int to_x, int to_y, const std::string& style) {
  shapes_ += fmt::format("<path class=\"{}\" d=\"M{} {}H{}V{}\"/>\n", style, from_x, from_y, to_x, to_y);
}

void SvgWriter::line(int from_x, int from_y, int to_x, int to_y, const std::string& style) {
  shapes_ += fmt::format("<path class=\"{}\" d=\"M{} {}L{} {}\"/>\n", style, from_x, from_y, to_x, to_y);
}

std::string SvgWriter::finish(int width, int height, const std::string& style_sheet,
                              const std::string& label) const {
  return fmt::format(
      "<svg class=\"topology\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">\n<style>\n{3}</style>\n"
      "<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n{4}</svg>\n",
      width, height, xml_escaped(label), style_sheet, shapes_);
}

std::string xml_escaped(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '&')
      escaped += "&amp;";
    else if (letter == '<')
      escaped += "&lt;";
    else if (letter == '>')
      escaped += "&gt;";
    else if (letter == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(letter) >= 0x20)
      escaped += letter;
  }
  return escaped;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  std::size_t end = 0, points = 0;
  for (; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (begins && ++points == most) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace assay::machine
