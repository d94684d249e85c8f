// All columns together with one column: the counts of pairs of levels by AND and popcount.
//
// A level of a column is a set of rows, one bit each. The rows of a class fill whole words, so that the cells of the
// class are counted without looking at it. The first level of a column is what is left of the class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "machine.hpp"
#include "parallel.hpp"
#include "score.hpp"

namespace entropick {

class LevelSets {
public:
    static constexpr std::size_t MAX_LEVELS = 8;

    // class_starts[c]: first row of class c; last entry: the row count. levels[j]: 1 to MAX_LEVELS.
    LevelSets(const std::vector<std::size_t>& levels, const std::vector<std::int64_t>& class_starts)
        : levels_(levels), class_starts_(class_starts), word_starts_{0}, set_starts_{0} {
        check_class_starts(class_starts);
        for (std::size_t c = 0; c < n_classes(); ++c)
            word_starts_.push_back(word_starts_[c] + std::size_t(class_starts[c + 1] - class_starts[c] + 63) / 64);
        for (const std::size_t n : levels) {
            if (n < 1 || n > MAX_LEVELS) throw std::invalid_argument("a column has 1 to 8 levels");
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

    // Of columns f and s together, for every f: blocks[f] = Σ_blocks T1[a] and cells[f] = Σ_cells T2[c][q].
    // All of T1 must be known.
    void score(std::size_t s, const Tables& tables, std::size_t n_threads, std::int64_t* blocks,
               std::int64_t* cells) const {
        const std::size_t work = n_columns() * n_words() * levels_.at(s);
        parallel(n_columns(), work < 200'000 ? 1 : n_threads, 16, [&](const auto& take) {
            std::size_t begin, end;
            while (take(begin, end))
                for (std::size_t f = begin; f < end; ++f) score_pair(f, s, tables, blocks[f], cells[f]);
        });
    }

private:
    using Counts = std::uint32_t[MAX_LEVELS][MAX_LEVELS];

    std::size_t n_words() const { return word_starts_.back(); }
    const std::uint64_t* words(std::size_t set) const { return words_.data() + set * n_words(); }

    static ENTROPICK_INLINE std::uint32_t count_body(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
        std::uint32_t count = 0;
        for (std::size_t w = 0; w < n; ++w) count += count_bits(a[w] & b[w]);
        return count;
    }

#ifdef ENTROPICK_X86
    ENTROPICK_FOR("popcnt")
    static std::uint32_t count_popcnt(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
        return count_body(a, b, n);
    }
#endif

    static std::uint32_t count_both(const std::uint64_t* a, const std::uint64_t* b, std::size_t n) {
#ifdef ENTROPICK_X86
        if (is_modern()) return count_popcnt(a, b, n);
#endif
        return count_body(a, b, n);
    }

    void score_pair(std::size_t f, std::size_t s, const Tables& tables, std::int64_t& block_sum,
                    std::int64_t& cell_sum) const {
        Counts blocks = {}, cells;
        block_sum = cell_sum = 0;
        for (std::size_t c = 0; c < n_classes(); ++c) {
            const std::int64_t* const t2 = tables.t2 + class_starts_[c] + c;
            count_cells(f, s, c, cells);
            for (std::size_t i = 0; i < levels_[f]; ++i)
                for (std::size_t j = 0; j < levels_[s]; ++j) {
                    cell_sum += t2[cells[i][j]];
                    blocks[i][j] += cells[i][j];
                }
        }
        for (std::size_t i = 0; i < levels_[f]; ++i)
            for (std::size_t j = 0; j < levels_[s]; ++j) block_sum += tables.t1[blocks[i][j]];
    }

    // cells[i][j]: rows of the class with level i of f and level j of s.
    void count_cells(std::size_t f, std::size_t s, std::size_t c, Counts& cells) const {
        const std::size_t first = word_starts_[c], n = word_starts_[c + 1] - first;
        cells[0][0] = std::uint32_t(class_starts_[c + 1] - class_starts_[c]);
        for (std::size_t j = 1; j < levels_[s]; ++j)
            cells[0][0] -= cells[0][j] = sizes_[(set_starts_[s] + j - 1) * n_classes() + c];
        for (std::size_t i = 1; i < levels_[f]; ++i) {
            const std::size_t set = set_starts_[f] + i - 1;
            cells[i][0] = sizes_[set * n_classes() + c];
            for (std::size_t j = 1; j < levels_[s]; ++j) {
                cells[i][j] = count_both(words(set) + first, words(set_starts_[s] + j - 1) + first, n);
                cells[i][0] -= cells[i][j];
                cells[0][j] -= cells[i][j];
            }
            cells[0][0] -= cells[i][0];
        }
    }

    std::vector<std::size_t> levels_;
    std::vector<std::int64_t> class_starts_;
    std::vector<std::size_t> word_starts_, set_starts_;  // of classes in the words; of columns in the sets
    std::vector<std::uint64_t> words_;                   // sets × words
    std::vector<std::uint32_t> sizes_;                   // sets × classes
};

}  // namespace entropick
