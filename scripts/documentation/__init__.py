# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What scripts/check-documentation looks at: pages, their links, the commands they name and the sessions they show.
