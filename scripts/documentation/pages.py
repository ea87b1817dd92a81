# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Pages and their code blocks.
import dataclasses
import re

OPENS = re.compile(r"^```(\S*)")


@dataclasses.dataclass
class Block:
    language: str
    line: int  # of the opening fence
    lines: list


def pages(root):
    """README, CONTRIBUTING and every page below docs, relative to root."""
    found = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    return [path.relative_to(root) for path in found if path.is_file()]


def blocks_of(text):
    blocks, current = [], None
    for number, line in enumerate(text.splitlines(), 1):
        fence = OPENS.match(line)
        if fence and current is None:
            current = Block(fence.group(1), number, [])
        elif fence:
            blocks.append(current)
            current = None
        elif current is not None:
            current.lines.append(line)
    return blocks


def prose_of(text):
    """The text without its code blocks, with as many lines."""
    lines, fenced = [], False
    for line in text.splitlines():
        fence = OPENS.match(line)
        lines.append("" if fence or fenced else line)
        fenced ^= bool(fence)
    return "\n".join(lines)
