# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
