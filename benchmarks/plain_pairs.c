/* The plain counting loop of pairwise methods: for every column f, the table (f, s, class) is counted row by row, and
   the sums of x log x over (f, s) and over (f, s, class) are looked up. One thread. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void plain_pairs(const uint8_t *codes, int m, int n, const int32_t *levels, const uint8_t *y, int C, int s,
                 const double *xlogx, double *joint, double *with_classes) {
  const uint8_t *b = codes + (long)s * n;
  int Ls = levels[s];
  for (int f = 0; f < m; f++) {
    const uint8_t *a = codes + (long)f * n;
    int32_t *count = calloc((size_t)levels[f] * Ls * C, 4);
    for (int r = 0; r < n; r++) count[(a[r] * Ls + b[r]) * C + y[r]]++;
    double blocks = 0, cells = 0;
    for (int k = 0; k < levels[f] * Ls; k++) {
      int size = 0;
      for (int c = 0; c < C; c++) { size += count[k * C + c]; cells += xlogx[count[k * C + c]]; }
      blocks += xlogx[size];
    }
    joint[f] = blocks / n; with_classes[f] = cells / n;
    free(count);
  }
}
