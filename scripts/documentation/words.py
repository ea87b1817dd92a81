# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# How many words the pages have together: what stands between blanks and has a letter or a digit, so that the bars of a table are none.
# A page that the program writes, of its flags or from data, or a table between marks, is not read from end to end and has no limit.
import re

WORD = re.compile(r"\S*\w\S*")
MOST = 32_600
CHANGELOG, MOST_OF_CHANGELOG = "CHANGELOG.md", 600
TABLE_OF_A_PROGRAM = re.compile(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", re.DOTALL)
WRITTEN_BY_THE_PROGRAM = {"docs/claims.md", "docs/evidence/published-steps.md", "docs/reference/cli.md"}


def count(text):
    return len(WORD.findall(TABLE_OF_A_PROGRAM.sub("", text)))


def findings(root, pages, most=MOST):
    counts = {page: count((root / page).read_text(encoding="utf-8")) for page in pages if str(page) not in WRITTEN_BY_THE_PROGRAM}
    together = sum(counts.values())
    changelog = root / CHANGELOG
    changes = count(changelog.read_text(encoding="utf-8")) if changelog.is_file() else 0
    too_long = [f"{CHANGELOG}:1: {changes} words, expected at most {MOST_OF_CHANGELOG}"] if changes > MOST_OF_CHANGELOG else []
    if together <= most:
        return too_long
    longest = ", ".join(f"{page} {words}" for page, words in sorted(counts.items(), key=lambda one: -one[1])[:5])
    return [*too_long, f"docs:1: {together} words in all pages, expected at most {most}; the longest: {longest}"]
