# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# How many words the pages have together: what stands between blanks and has a letter or a digit, so that the bars of a table are none.
# A page that a command writes from data is not read from end to end and has no limit.
import re

WORD = re.compile(r"\S*\w\S*")
MOST = 30_000
WRITTEN_FROM_DATA = {"docs/claims.md"}


def count(text):
    return len(WORD.findall(text))


def findings(root, pages, most=MOST):
    counts = {page: count((root / page).read_text(encoding="utf-8")) for page in pages if str(page) not in WRITTEN_FROM_DATA}
    together = sum(counts.values())
    if together <= most:
        return []
    longest = ", ".join(f"{page} {words}" for page, words in sorted(counts.items(), key=lambda one: -one[1])[:5])
    return [f"docs:1: {together} words in all pages, expected at most {most}; the longest: {longest}"]
