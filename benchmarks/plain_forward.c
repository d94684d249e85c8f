/* Greedy forward selection, incremental: the partition of the chosen columns is kept, every candidate is merged into it
   through a hash table, and the best one stays while the score rises. One thread. Returns how many were chosen. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { int cap, now; int32_t *val, *stamp; int64_t *key; } Table;

/* out = the partition of id refined by a column; returns its number of blocks. */
static int merge(Table *t, const int32_t *id, const uint8_t *column, int levels, int n, int32_t *out) {
  int next = 0; t->now++;
  for (int r = 0; r < n; r++) {
    int64_t q = (int64_t)id[r] * levels + column[r];
    uint32_t p = (uint32_t)(((uint64_t)q * 0x9E3779B97F4A7C15ull) >> 40) & (t->cap - 1);
    while (t->stamp[p] == t->now && t->key[p] != q) p = (p + 1) & (t->cap - 1);
    if (t->stamp[p] != t->now) { t->stamp[p] = t->now; t->key[p] = q; t->val[p] = next++; }
    out[r] = t->val[p];
  }
  return next;
}

static double value(const int32_t *id, int blocks, const uint8_t *y, int C, int n, const double *t1, const double *t2, int32_t *count) {
  memset(count, 0, 4L * blocks * C);
  for (int r = 0; r < n; r++) count[(long)id[r] * C + y[r]]++;
  double sum = 0;
  for (long b = 0; b < blocks; b++) {
    int a = 0;
    for (int c = 0; c < C; c++) { int q = count[b * C + c]; a += q; sum += t2[q]; }
    sum += t1[a];
  }
  return sum / n;
}

int plain_forward(const uint8_t *codes, int m, int n, const int32_t *levels, const uint8_t *y, int C, const double *t1,
                  const double *t2, int32_t *chosen, double *best_score) {
  Table t = {1, 0, 0, 0, 0}; while (t.cap < 2 * n) t.cap <<= 1;
  t.val = malloc(4L * t.cap); t.stamp = calloc(t.cap, 4); t.key = malloc(8L * t.cap);
  int32_t *id = calloc(n, 4), *trial = malloc(4L * n), *count = malloc(4L * n * C);
  uint8_t *taken = calloc(m, 1); int k = 0; double best = value(id, 1, y, C, n, t1, t2, count);
  for (int winner = 0; winner >= 0;) {
    double high = best; winner = -1;
    for (int f = 0; f < m; f++) if (!taken[f]) {
      int blocks = merge(&t, id, codes + (long)f * n, levels[f], n, trial);
      double score = value(trial, blocks, y, C, n, t1, t2, count);
      if (score > high + 1e-12) { high = score; winner = f; }
    }
    if (winner < 0) break;
    merge(&t, id, codes + (long)winner * n, levels[winner], n, trial);
    memcpy(id, trial, 4L * n); taken[winner] = 1; chosen[k++] = winner; best = high;
  }
  *best_score = best;
  free(t.val); free(t.stamp); free(t.key); free(id); free(trial); free(count); free(taken);
  return k;
}
