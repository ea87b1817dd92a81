# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Virtual hosts with soft RoCE, for the tests that need real verbs: see docs/developing/verbs-vm.md.
