# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# How a comparison can end without a table.


class Failed(Exception):
    """One of the two programs gave no number; the text says which and why."""
