// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The five calls of the OpenMP API (5.0, section 3.2) that are used here. Declared, because <omp.h> comes
// with each compiler's own runtime and the static checks run on another compiler than the build.
#pragma once

extern "C" {
int omp_get_thread_num();
int omp_get_max_threads();
void omp_set_num_threads(int threads);
int omp_get_dynamic();
void omp_set_dynamic(int dynamic);
}
