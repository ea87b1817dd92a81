# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every relative link leads to a file, every anchor to a heading of it, and every page can be reached from the index.
import posixpath
import re

from documentation.pages import prose_of

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
MENTION = re.compile(r"(?<![\w/.-])docs/[\w/-]+\.md\b")
INDEX = "docs/index.md"


def anchors_of(text):
    """Anchors of the headings, by GitHub's rule: lower case, no punctuation, hyphens for blanks, -1 for a second one."""
    anchors = set()
    for title in HEADING.findall(prose_of(text)):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", title).lower()).replace(" ", "-")
        anchor, count = plain, 0
        while anchor in anchors:
            count += 1
            anchor = f"{plain}-{count}"
        anchors.add(anchor)
    return anchors


def links_of(text):
    """Line number and target of each link into the project; its text may go over lines."""
    prose = prose_of(text)
    for link in LINK.finditer(prose):
        if not re.match(r"[a-z]+:", link.group(1)):
            yield prose.count("\n", 0, link.start()) + 1, link.group(1)


def problem_of(root, page, target):
    path, _, anchor = target.partition("#")
    file = root / page.parent / path if path else root / page
    if not file.exists():
        return f"the link {target} leads to no file"
    if anchor and anchor not in anchors_of(file.read_text(encoding="utf-8")):
        return f"the link {target} leads to no heading"
    return None


def reached_from(root, start):
    reached, waiting = set(), [start]
    while waiting:
        page = waiting.pop()
        if page in reached or not (root / page).is_file():
            continue
        reached.add(page)
        folder = posixpath.dirname(page)
        targets = [target.partition("#")[0] for _, target in links_of((root / page).read_text(encoding="utf-8"))]
        waiting += [posixpath.normpath(posixpath.join(folder, target)) for target in targets if target.endswith(".md")]
    return reached


def mentions(root, files):
    """Pages that sources name, in a message or a comment, and that are not there."""
    for file in files:
        text = (root / file).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            for page in MENTION.findall(line):
                if not (root / page).is_file():
                    yield f"{file}:{number}: there is no {page}"


def findings(root, pages):
    found = []
    for page in pages:
        for number, target in links_of((root / page).read_text(encoding="utf-8")):
            problem = problem_of(root, page, target)
            if problem:
                found.append(f"{page}:{number}: {problem}")
    if (root / INDEX).is_file():
        reached = reached_from(root, INDEX)
        found += [f"{page}:1: no link leads here from {INDEX}" for page in pages
                  if page.parts[0] == "docs" and page.as_posix() not in reached]
    return found
