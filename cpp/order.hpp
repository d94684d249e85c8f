// The numbers at given ranks of a column, without sorting all of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace entropick {

// Integers in the order of the numbers.
inline std::uint64_t sortable(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | std::uint64_t(1) << 63;
}

// values[i]: the number of rank ranks[i], from 0 up. The numbers are counted by their first 16 bits, and only those
// that share them with a wanted one are sorted.
inline void order_statistics(const double* x, std::size_t n, const std::vector<std::size_t>& ranks, double* values) {
    constexpr std::size_t BUCKETS = 1 << 16;
    std::vector<std::size_t> ends(BUCKETS, 0);
    for (std::size_t i = 0; i < n; ++i) ++ends[sortable(x[i]) >> 48];
    for (std::size_t b = 1; b < BUCKETS; ++b) ends[b] += ends[b - 1];
    std::vector<std::uint8_t> wanted(BUCKETS, 0);
    for (const std::size_t rank : ranks) {
        if (rank >= n) throw std::invalid_argument("a rank is below the number of values");
        wanted[std::size_t(std::upper_bound(ends.begin(), ends.end(), rank) - ends.begin())] = 1;
    }
    std::vector<double> kept;
    for (std::size_t i = 0; i < n; ++i)
        if (wanted[sortable(x[i]) >> 48]) kept.push_back(x[i]);
    std::sort(kept.begin(), kept.end());
    // The buckets that are wanted lie one after the other in what was kept.
    std::vector<std::size_t> start_of(BUCKETS, 0);
    std::size_t start = 0;
    for (std::size_t b = 0; b < BUCKETS; ++b) {
        start_of[b] = start;
        if (wanted[b]) start += ends[b] - (b ? ends[b - 1] : 0);
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const auto b = std::size_t(std::upper_bound(ends.begin(), ends.end(), ranks[i]) - ends.begin());
        values[i] = kept[start_of[b] + ranks[i] - (b ? ends[b - 1] : 0)];
    }
}

}  // namespace entropick
