/* Greedy forward selection, incremental: the partition of the chosen columns is kept, every candidate is merged into it
   through a hash table, and the best one stays while the score rises. One thread. Returns how many were chosen. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int plain_forward(const uint8_t *codes, int m, int n, const int32_t *levels, const uint8_t *y, int C, const double *t1,
                  const double *t2, int32_t *chosen, double *best_score) {
  int cap = 1; while (cap < 2 * n) cap <<= 1;
  int32_t *id = calloc(n, 4), *trial = malloc(4L * n), *val = malloc(4L * cap), *stamp = calloc(cap, 4), *cnt = malloc(4L * n * C);
  int64_t *key = malloc(8L * cap); uint8_t *taken = calloc(m, 1); int now = 0, k = 0;
  memset(cnt, 0, 4L * C); for (int r = 0; r < n; r++) cnt[y[r]]++;
  double best = t1[n]; for (int j = 0; j < C; j++) best += t2[cnt[j]];
  best /= n;
  for (;;) {
    int winner = -1; double high = best;
    for (int f = 0; f < m; f++) if (!taken[f]) {
      const uint8_t *c = codes + (long)f * n; int next = 0; now++;
      for (int r = 0; r < n; r++) {
        int64_t q = (int64_t)id[r] * levels[f] + c[r]; uint32_t p = (uint32_t)(((uint64_t)q * 0x9E3779B97F4A7C15ull) >> 40) & (cap - 1);
        while (stamp[p] == now && key[p] != q) p = (p + 1) & (cap - 1);
        if (stamp[p] != now) { stamp[p] = now; key[p] = q; val[p] = next++; }
        trial[r] = val[p];
      }
      memset(cnt, 0, 4L * next * C); for (int r = 0; r < n; r++) cnt[(long)trial[r] * C + y[r]]++;
      double t = 0; for (long b = 0; b < next; b++) { int a = 0; for (int j = 0; j < C; j++) { int q = cnt[b * C + j]; a += q; t += t2[q]; } t += t1[a]; }
      if (t / n > high + 1e-12) { high = t / n; winner = f; }
    }
    if (winner < 0) break;
    const uint8_t *c = codes + (long)winner * n; int next = 0; now++;
    for (int r = 0; r < n; r++) {
      int64_t q = (int64_t)id[r] * levels[winner] + c[r]; uint32_t p = (uint32_t)(((uint64_t)q * 0x9E3779B97F4A7C15ull) >> 40) & (cap - 1);
      while (stamp[p] == now && key[p] != q) p = (p + 1) & (cap - 1);
      if (stamp[p] != now) { stamp[p] = now; key[p] = q; val[p] = next++; }
      trial[r] = val[p];
    }
    memcpy(id, trial, 4L * n); taken[winner] = 1; chosen[k++] = winner; best = high;
  }
  *best_score = best;
  free(id); free(trial); free(val); free(stamp); free(cnt); free(key); free(taken);
  return k;
}
