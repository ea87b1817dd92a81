# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Public figures of H100, as records of origin imported, as limits, and as what assay predicts from them.
