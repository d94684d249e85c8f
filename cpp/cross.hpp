// Sums over rows of products of indicators of levels, and of these with numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "machine.hpp"
#include "parallel.hpp"

namespace entropick {

// Codes of columns, column after column; starts[j]: the place of the first level of column j among all levels, with a
// last entry for their number.
struct Levels {
    const std::uint8_t* codes;
    std::size_t n_rows;
    std::vector<std::size_t> starts;

    std::size_t n_columns() const { return starts.size() - 1; }
    std::size_t n_levels() const { return starts.back(); }

    void check() const {
        for (std::size_t j = 0; j < n_columns(); ++j) {
            if (starts[j + 1] < starts[j]) throw std::invalid_argument("starts do not fall");
            const std::size_t n = starts[j + 1] - starts[j];
            for (std::size_t row = 0; row < n_rows; ++row)
                if (codes[j * n_rows + row] >= n) throw std::invalid_argument("a code is below the number of levels");
        }
    }
};

constexpr std::size_t CROSS_WORDS = 128;  // of every level, that are looked at together
constexpr std::size_t CROSS_CHUNK = 4;    // levels, or columns, that a thread takes at a time

// The rows of every level as bits.
class LevelBits {
public:
    explicit LevelBits(const Levels& levels)
        : n_levels_(levels.n_levels()), n_words_((levels.n_rows + 63) / 64), bits_(n_levels_ * n_words_) {
        for (std::size_t j = 0; j < levels.n_columns(); ++j) {
            const std::uint8_t* const codes = levels.codes + j * levels.n_rows;
            std::uint64_t* const first = bits_.data() + levels.starts[j] * n_words_;
            for (std::size_t row = 0; row < levels.n_rows; ++row)
                first[codes[row] * n_words_ + row / 64] |= std::uint64_t(1) << row % 64;
        }
    }

    // Adds the rows that have level i and level j to counts[i − first][j], for i from `first` to `end` and every j.
    void count(std::size_t first, std::size_t begin, std::size_t end, double* counts) const {
#ifdef ENTROPICK_X86
        if (is_modern()) return count_popcnt(first, begin, end, counts);
#endif
        count_body(first, begin, end, counts);
    }

    // The rows that have level i of others and level j of these, as counts[i][j].
    void count_with(const LevelBits& others, double* counts) const {
        if (others.n_words_ != n_words_) throw std::invalid_argument("the same rows");
#ifdef ENTROPICK_X86
        if (is_modern()) return count_with_popcnt(others, counts);
#endif
        count_with_body(others, counts);
    }

    std::size_t n_levels() const { return n_levels_; }

private:
#ifdef ENTROPICK_X86
    ENTROPICK_FOR("popcnt")
    void count_popcnt(std::size_t first, std::size_t begin, std::size_t end, double* counts) const {
        count_body(first, begin, end, counts);
    }

    ENTROPICK_FOR("popcnt")
    void count_with_popcnt(const LevelBits& others, double* counts) const { count_with_body(others, counts); }
#endif

    ENTROPICK_INLINE void count_with_body(const LevelBits& others, double* counts) const {
        std::fill(counts, counts + others.n_levels_ * n_levels_, 0.0);
        for (std::size_t from = 0; from < n_words_; from += CROSS_WORDS) {
            const std::size_t to = std::min(from + CROSS_WORDS, n_words_);
            for (std::size_t j = 0; j < n_levels_; ++j) {
                const std::uint64_t* const one = bits_.data() + j * n_words_;
                for (std::size_t i = 0; i < others.n_levels_; ++i) {
                    const std::uint64_t* const other = others.bits_.data() + i * n_words_;
                    std::uint64_t both = 0;
                    ENTROPICK_UNROLL(8)
                    for (std::size_t w = from; w < to; ++w) both += count_bits(one[w] & other[w]);
                    counts[i * n_levels_ + j] += double(both);
                }
            }
        }
    }

    ENTROPICK_INLINE void count_body(std::size_t first, std::size_t begin, std::size_t end, double* counts) const {
        for (std::size_t from = 0; from < n_words_; from += CROSS_WORDS) {
            const std::size_t to = std::min(from + CROSS_WORDS, n_words_);
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint64_t* const one = bits_.data() + i * n_words_;
                double* const line = counts + (i - first) * n_levels_;
                // Of two levels from `first` on, a pair is counted once.
                for (std::size_t j = 0; j <= i; ++j) {
                    const std::uint64_t* const other = bits_.data() + j * n_words_;
                    std::uint64_t both = 0;
                    ENTROPICK_UNROLL(8)
                    for (std::size_t w = from; w < to; ++w) both += count_bits(one[w] & other[w]);
                    line[j] += double(both);
                }
            }
        }
    }

    std::size_t n_levels_, n_words_;
    std::vector<std::uint64_t> bits_;
};

// Adds the rows that have any level of the columns from `first` on and any level of all columns to counts, shape
// (levels of these, levels).
inline void count_pairs(const Levels& levels, std::size_t first, std::size_t n_threads, double* counts) {
    levels.check();
    const std::size_t n_levels = levels.n_levels(), start = levels.starts.at(first), n_own = n_levels - start;
    const LevelBits bits(levels);
    parallel(n_own, n_threads, CROSS_CHUNK, [&](const auto& take) {
        std::size_t begin, end;
        while (take(begin, end)) bits.count(start, start + begin, start + end, counts);
    });
    for (std::size_t i = 0; i < n_own; ++i)
        for (std::size_t j = i + 1; j < n_own; ++j) counts[i * n_levels + start + j] = counts[j * n_levels + start + i];
}

// Adds numbers, values[row][value], to sums[level][value] of the level that each column has in the row.
inline void sum_by_level(const Levels& levels, const double* values, std::size_t n_values, std::size_t n_threads,
                         double* sums) {
    levels.check();
    const std::size_t tile = std::max<std::size_t>(1, (std::size_t(1) << 15) / std::max<std::size_t>(1, n_values));
    parallel(levels.n_columns(), n_threads, CROSS_CHUNK, [&](const auto& take) {
        std::size_t begin, end;
        while (take(begin, end))
            for (std::size_t from = 0; from < levels.n_rows; from += tile)
                for (std::size_t j = begin; j < end; ++j) {
                    const std::uint8_t* const codes = levels.codes + j * levels.n_rows;
                    double* const own = sums + levels.starts[j] * n_values;
                    for (std::size_t row = from; row < std::min(from + tile, levels.n_rows); ++row) {
                        const double* const more = values + row * n_values;
                        double* const sum = own + codes[row] * n_values;
                        for (std::size_t v = 0; v < n_values; ++v) sum[v] += more[v];
                    }
                }
    });
}

}  // namespace entropick
