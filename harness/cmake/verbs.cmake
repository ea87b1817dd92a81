# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The kernel image that every test labelled verbs boots, made once before the first of them, and the runner's own test.
assay_wants_tests(verbs verbs_tests)
if(verbs_tests)
  add_test(NAME verbs.image COMMAND ${PROJECT_SOURCE_DIR}/scripts/verbs-vm image)
  set_tests_properties(verbs.image PROPERTIES LABELS verbs SKIP_RETURN_CODE 77 TIMEOUT 360 FIXTURES_SETUP verbs_image)
endif()
assay_verbs_test(runner SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/verbs_runner_test.py LIMIT 600)
