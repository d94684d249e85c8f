// All columns together with one column: the counts of pairs of levels by AND and popcount.
//
// A level of a column is a set of rows, one bit each. The rows of a class have words of their own, so that its cells
// are counted without looking at it. The first level of a column is what is left of the class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine.hpp"
#include "parallel.hpp"
#include "score.hpp"
#include "tuning.hpp"

namespace entropick {

class LevelSets {
public:
    static constexpr std::size_t MAX_SET_LEVELS = tuning::MAX_SET_LEVELS;

    // class_starts[c]: first row of class c; last entry: the row count. levels[j]: 1 to MAX_SET_LEVELS.
    LevelSets(const std::vector<std::size_t>& levels, const std::vector<std::int64_t>& class_starts)
        : levels_(levels), class_starts_(class_starts), word_starts_{0}, set_starts_{0} {
        check_class_starts(class_starts);
        for (std::size_t c = 0; c < n_classes(); ++c) word_starts_.push_back(word_starts_[c] + (size_of(c) + 63) / 64);
        for (const std::size_t n : levels) {
            if (n < 1 || n > MAX_SET_LEVELS)
                throw std::invalid_argument("a column has 1 to " + std::to_string(MAX_SET_LEVELS) + " levels");
            set_starts_.push_back(set_starts_.back() + n - 1);
        }
        words_.resize(set_starts_.back() * n_words());
        sizes_.resize(set_starts_.back() * n_classes());
    }

    std::size_t n_columns() const { return levels_.size(); }
    std::size_t n_classes() const { return class_starts_.size() - 1; }
    std::size_t n_rows() const { return std::size_t(class_starts_.back()); }

    // codes: one per row, in the order of the classes, below the column's levels. To be called once for every column.
    void set_column(std::size_t column, const std::uint8_t* codes) {
        for (std::size_t c = 0; c < n_classes(); ++c) {
            std::size_t bit = word_starts_[c] * 64;
            for (auto row = class_starts_[c]; row < class_starts_[c + 1]; ++row, ++bit) {
                const std::size_t code = codes[row];
                if (code >= levels_.at(column)) throw std::invalid_argument("a code is below the number of levels");
                if (code == 0) continue;
                const std::size_t set = set_starts_[column] + code - 1;
                words_[set * n_words() + bit / 64] |= std::uint64_t(1) << (bit % 64);
                ++sizes_[set * n_classes() + c];
            }
        }
    }

    // Of columns f and s together, for every f and every s of a list: blocks[s][f] = Σ_blocks T1[a] and
    // cells[s][f] = Σ_cells T2[c][q]. All of T1 must be known.
    void score(const std::vector<std::size_t>& columns, const Tables& tables, std::size_t n_threads,
               std::int64_t* blocks, std::int64_t* cells) const {
        std::size_t work = 0;
        for (const std::size_t s : columns) work += n_columns() * n_words() * levels_.at(s) * levels_[s];
        if (work < tuning::PAIR_THREAD_WORK) n_threads = 1;
        parallel(columns.size() * n_columns(), n_threads, tuning::PAIR_CHUNK, [&](const auto& take) {
            std::size_t begin, end;
            while (take(begin, end)) score_some(begin, end, columns, tables, blocks, cells);
        });
    }

private:
    using Counts = std::uint32_t[MAX_SET_LEVELS][MAX_SET_LEVELS];

    std::size_t size_of(std::size_t c) const { return std::size_t(class_starts_[c + 1] - class_starts_[c]); }

    std::size_t n_words() const { return word_starts_.back(); }
    const std::uint64_t* words(std::size_t set) const { return words_.data() + set * n_words(); }

    ENTROPICK_INLINE void score_body(std::size_t begin, std::size_t end, const std::vector<std::size_t>& columns,
                                     const Tables& tables, std::int64_t* blocks, std::int64_t* cells) const {
        std::size_t f = begin % n_columns(), s = begin / n_columns();
        for (std::size_t k = begin; k < end; ++k) {
            score_pair(f, columns[s], tables, blocks[k], cells[k]);
            if (++f < n_columns()) continue;
            f = 0;
            ++s;
        }
    }

#ifdef ENTROPICK_X86
    ENTROPICK_FOR("popcnt")
    void score_popcnt(std::size_t begin, std::size_t end, const std::vector<std::size_t>& columns, const Tables& tables,
                      std::int64_t* blocks, std::int64_t* cells) const {
        score_body(begin, end, columns, tables, blocks, cells);
    }
#endif

    void score_some(std::size_t begin, std::size_t end, const std::vector<std::size_t>& columns, const Tables& tables,
                    std::int64_t* blocks, std::int64_t* cells) const {
#ifdef ENTROPICK_X86
        if (is_modern()) return score_popcnt(begin, end, columns, tables, blocks, cells);
#endif
        score_body(begin, end, columns, tables, blocks, cells);
    }

    ENTROPICK_INLINE void score_pair(std::size_t f, std::size_t s, const Tables& tables, std::int64_t& block_sum,
                                     std::int64_t& cell_sum) const {
        Counts blocks, cells;
        const std::size_t n_f = levels_[f], n_s = levels_[s];
        for (std::size_t i = 0; i < n_f; ++i) std::fill_n(blocks[i], n_s, 0);
        std::int64_t of_blocks = 0, of_cells = 0;
        for (std::size_t c = 0; c < n_classes(); ++c) {
            const std::int64_t* const t2 = tables.t2 + class_starts_[c] + c;
            count_cells(f, s, c, cells);
            for (std::size_t i = 0; i < n_f; ++i)
                for (std::size_t j = 0; j < n_s; ++j) {
                    of_cells += t2[cells[i][j]];
                    blocks[i][j] += cells[i][j];
                }
        }
        for (std::size_t i = 0; i < n_f; ++i)
            for (std::size_t j = 0; j < n_s; ++j) of_blocks += tables.t1[blocks[i][j]];
        block_sum = of_blocks;
        cell_sum = of_cells;
    }

    // cells[i][j]: rows of the class with level i of f and level j of s.
    ENTROPICK_INLINE void count_cells(std::size_t f, std::size_t s, std::size_t c, Counts& cells) const {
        const std::size_t n_f = levels_[f], n_s = levels_[s], sets_f = set_starts_[f], sets_s = set_starts_[s];
        // Two sets by two, which share what they read; set i is that of level i + 1.
        std::size_t i = 0;
        for (; i + 2 < n_f; i += 2) {
            std::size_t j = 0;
            for (; j + 2 < n_s; j += 2) count_tile<2, 2>(sets_f, i, sets_s, j, c, cells);
            for (; j + 1 < n_s; ++j) count_tile<2, 1>(sets_f, i, sets_s, j, c, cells);
        }
        for (; i + 1 < n_f; ++i) {
            std::size_t j = 0;
            for (; j + 2 < n_s; j += 2) count_tile<1, 2>(sets_f, i, sets_s, j, c, cells);
            for (; j + 1 < n_s; ++j) count_tile<1, 1>(sets_f, i, sets_s, j, c, cells);
        }
        // The first levels have what the others leave: of each level of f, of each level of s, and of the class.
        const auto size_in_class = [&](std::size_t set) { return sizes_[set * n_classes() + c]; };
        cells[0][0] = std::uint32_t(size_of(c));
        for (i = 1; i < n_f; ++i) {
            cells[i][0] = size_in_class(sets_f + i - 1);
            cells[0][0] -= cells[i][0];  // all rows of level i of f, whatever their level of s
            for (std::size_t j = 1; j < n_s; ++j) cells[i][0] -= cells[i][j];
        }
        for (std::size_t j = 1; j < n_s; ++j) {
            cells[0][j] = size_in_class(sets_s + j - 1);
            for (i = 1; i < n_f; ++i) cells[0][j] -= cells[i][j];
            cells[0][0] -= cells[0][j];  // what is left of level j of s
        }
    }

    template <std::size_t F, std::size_t S>
    ENTROPICK_INLINE void count_tile(std::size_t sets_f, std::size_t i, std::size_t sets_s, std::size_t j,
                                     std::size_t c, Counts& cells) const {
        const std::size_t first = word_starts_[c], n = word_starts_[c + 1] - first;
        const std::uint64_t *const a = words(sets_f + i) + first, *const b = words(sets_s + j) + first;
        const std::size_t stride = n_words();
        std::uint64_t both[F][S] = {};
        for (std::size_t w = 0; w < n; ++w)
            for (std::size_t x = 0; x < F; ++x)
                for (std::size_t y = 0; y < S; ++y) both[x][y] += count_bits(a[x * stride + w] & b[y * stride + w]);
        for (std::size_t x = 0; x < F; ++x)
            for (std::size_t y = 0; y < S; ++y) cells[i + x + 1][j + y + 1] = std::uint32_t(both[x][y]);
    }

    std::vector<std::size_t> levels_;
    std::vector<std::int64_t> class_starts_;
    std::vector<std::size_t> word_starts_, set_starts_;  // of classes in the words; of columns in the sets
    std::vector<std::uint64_t> words_;                   // sets × words
    std::vector<std::uint32_t> sizes_;                   // sets × classes
};

}  // namespace entropick
