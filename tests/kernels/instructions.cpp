// One fixed evaluation by our kernel and by the plain loop, for callgrind to count. Run by test_kernels.py.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "score.hpp"

extern "C" void plain(const std::uint8_t* codes, int m, int n, const std::int32_t* levels, const std::uint8_t* y, int C,
                      const std::uint8_t* masks, int S, const double* t1, const double* t2, double* out);

namespace {
constexpr int N = 2000, M = 60, LEVELS = 3, MASKS = 24;

// Not the library's generator: the same numbers everywhere.
std::uint32_t state = 1;
std::uint32_t next() { return (state = state * 1664525u + 1013904223u) >> 8; }
}  // namespace

extern "C" void ours(entropick::SubsetKernel& kernel, const std::uint8_t* masks, std::int64_t* sums) {
    for (int s = 0; s < MASKS; ++s) sums[s] = kernel(masks + s * M);
}

int main() {
    std::vector<std::uint8_t> codes(N * M), y(N), masks(MASKS * M);
    // Columns that follow one another in half of the rows: neither all rows alone nor few blocks.
    for (int j = 0; j < M; ++j)
        for (int r = 0; r < N; ++r)
            codes[j * N + r] = j && next() % 2 ? codes[(j - 1) * N + r] : std::uint8_t(next() % LEVELS);
    for (int r = 0; r < N; ++r) y[r] = r >= N / 3;
    // A third each of p = .5, of 20 columns and of 5.
    for (int s = 0; s < MASKS; ++s)
        for (int j = 0; j < M; ++j) masks[s * M + j] = next() % 60 < (s % 3 == 0 ? 30u : s % 3 == 1 ? 20u : 5u);
    entropick::BitPlanes table(M, {0, N / 3, N});
    for (int j = 0; j < M; ++j) table.add_column(j, codes.data() + j * N);
    table.seal();
    std::vector<std::int64_t> t1(N + 1), t2, sums(MASKS);
    std::vector<double> value(N + 1), minus(N + 1), out(MASKS);
    for (int a = 0; a <= N; ++a) {
        t1[a] = -std::int64_t(a) * a;
        value[a] = double(a) * a;
        minus[a] = -value[a];
    }
    for (int a = 0; a <= N / 3; ++a) t2.push_back(std::int64_t(a) * a);
    for (int a = 0; a <= N - N / 3; ++a) t2.push_back(std::int64_t(a) * a);
    const std::vector<std::int32_t> levels(M, LEVELS);
    entropick::SubsetKernel kernel(table, {t1.data(), t2.data()});
    ours(kernel, masks.data(), sums.data());
    plain(codes.data(), M, N, levels.data(), y.data(), 2, masks.data(), MASKS, minus.data(), value.data(), out.data());
    for (int s = 0; s < MASKS; ++s)
        if (sums[s] != std::llround(out[s] * N)) {
            std::printf("subset %d: %lld and %.1f\n", s, static_cast<long long>(sums[s]), out[s] * N);
            return 1;
        }
}
