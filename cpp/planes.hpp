// The table as the kernels see it: one bit plane for every bit of every column, rows sorted by class.
//
// A subset reads the planes of its columns and nothing else. Planes that repeat another one, or its opposite,
// are kept once, constant ones not at all: tables of indicator columns are full of both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine.hpp"

namespace entropick {

// Rows come in tiles of 256, four words of a plane. Row q of a tile is bit 16·(q mod 4) + q/16 of word
// (q/4) mod 4: the order in which transposed planes leave the registers (see expand.hpp).
constexpr std::size_t TILE_WORDS = 4, TILE = 64 * TILE_WORDS;

inline void check_class_starts(const std::vector<std::int64_t>& class_starts) {
    if (class_starts.size() < 2 || class_starts.front() != 0)
        throw std::invalid_argument("class_starts must begin with 0 and end with the number of rows");
    if (!std::is_sorted(class_starts.begin(), class_starts.end()))
        throw std::invalid_argument("class_starts must not decrease");
    if (class_starts.back() >= (std::int64_t(1) << 29))
        throw std::invalid_argument("a table holds fewer than 2^29 rows");
}

class BitPlanes {
public:
    // class_starts[c]: first row of class c; last entry: the row count.
    BitPlanes(std::size_t n_columns, const std::vector<std::int64_t>& class_starts)
        : class_starts_(class_starts), n_columns_(n_columns) {
        check_class_starts(class_starts);
        for (std::size_t c = 0; c < n_classes(); ++c) t2_starts_.push_back(class_starts[c] + std::int64_t(c));
        count_words();
    }

    // The rows and the columns of a mask of another table, every row with a weight. Its planes may repeat others.
    BitPlanes(const BitPlanes& whole, const std::uint8_t* mask, const std::vector<std::uint32_t>& rows,
              std::vector<std::uint32_t> weights, const std::vector<std::int64_t>& class_starts)
        : class_starts_(class_starts), t2_starts_(whole.t2_starts_), n_columns_(whole.n_columns_),
          weights_(std::move(weights)) {
        count_words();
        const std::uint64_t* last = nullptr;
        for (const ColumnPlane& use : whole.column_planes_) {
            if (!mask[use.column]) continue;
            const std::uint64_t* const plane = whole.plane(use.plane);
            if (plane != last) {
                words_.resize(words_.size() + n_words_);
                std::uint64_t* const out = words_.data() + words_.size() - n_words_;
                for (std::size_t r = 0; r < n_rows_; ++r)
                    out[word_of(r)] |= (plane[word_of(rows[r])] >> bit_of(rows[r]) & 1) << bit_of(r);
                evenness_.push_back(0);  // the order is that of the whole table
                last = plane;
            }
            column_planes_.push_back({std::uint32_t(n_planes() - 1), use.column});
        }
        index_places();
    }

    std::size_t n_rows() const { return n_rows_; }
    std::size_t n_tiles() const { return n_words_ / TILE_WORDS; }
    std::size_t n_columns() const { return n_columns_; }
    std::size_t n_planes() const { return evenness_.size(); }
    std::size_t n_classes() const { return class_starts_.size() - 1; }
    const std::vector<std::int64_t>& class_starts() const { return class_starts_; }
    // Where the values of each class begin in T2, which knows nothing of weights.
    const std::vector<std::int64_t>& t2_starts() const { return t2_starts_; }
    // How many rows of the data each row stands for; null if it is itself alone.
    const std::uint32_t* weights() const { return weights_.empty() ? nullptr : weights_.data(); }
    // A column and one of its planes; the list is sorted by plane, those with the most even halves first.
    struct ColumnPlane {
        std::uint32_t plane, column;
    };
    const std::vector<ColumnPlane>& column_planes() const { return column_planes_; }
    // The planes of one column, each as its first place in that list.
    const std::vector<std::uint32_t>& places_of(std::size_t column) const { return places_of_[column]; }
    const std::uint64_t* plane(std::size_t number) const { return words_.data() + number * n_words_; }
    const std::uint64_t* zeros() const { return zeros_.data(); }

    // codes: one per row, in the order of the classes, below 2^16. To be called once for every column.
    template <typename Code>
    void add_column(std::size_t column, const Code* codes) {
        if (sealed_) throw std::logic_error("a sealed table takes no more columns");
        Code any = 0;
        for (std::size_t r = 0; r < n_rows_; ++r) any |= Code(codes[r] ^ codes[0]);
        std::vector<std::uint64_t> plane(n_words_);
        for (int bit = 0; any >> bit; ++bit) {
            if (!((any >> bit) & 1)) continue;
            std::fill(plane.begin(), plane.end(), 0);
            for (std::size_t r = 0; r < n_rows_; ++r) {
                // Relative to the first row, so that a plane and its opposite are the same.
                const std::uint64_t one = ((codes[r] ^ codes[0]) >> bit) & 1;
                plane[word_of(r)] |= one << bit_of(r);
            }
            column_planes_.push_back({number_of(plane), std::uint32_t(column)});
        }
    }

    // To be called when all columns are there.
    void seal() {
        std::stable_sort(column_planes_.begin(), column_planes_.end(), [&](const ColumnPlane& a, const ColumnPlane& b) {
            return evenness_[a.plane] != evenness_[b.plane] ? evenness_[a.plane] > evenness_[b.plane]
                                                            : a.plane < b.plane;
        });
        known_.clear();
        index_places();
    }

    bool sealed() const { return sealed_; }

private:
    static std::size_t word_of(std::size_t row) { return row / TILE * TILE_WORDS + row / 4 % TILE_WORDS; }
    static std::size_t bit_of(std::size_t row) { return 16 * (row % 4) + row % TILE / 16; }

    void count_words() {
        n_rows_ = std::size_t(class_starts_.back());
        n_words_ = (n_rows_ + TILE - 1) / TILE * TILE_WORDS;
        zeros_.resize(n_words_);
    }

    void index_places() {
        places_of_.resize(n_columns_);
        std::uint32_t first = 0;
        for (std::uint32_t k = 0; k < column_planes_.size(); ++k) {
            if (column_planes_[k].plane != column_planes_[first].plane) first = k;
            places_of_[column_planes_[k].column].push_back(first);
        }
        sealed_ = true;
    }

    // The number of the plane, which may have been there before.
    std::uint32_t number_of(const std::vector<std::uint64_t>& words) {
        std::uint64_t hash = 0;
        for (const std::uint64_t word : words) {
            hash = hash_of(hash ^ word);
            hash ^= hash >> 32;
        }
        const auto same = known_.equal_range(hash);
        for (auto known = same.first; known != same.second; ++known)
            if (std::equal(words.begin(), words.end(), plane(known->second))) return known->second;
        const auto number = std::uint32_t(evenness_.size());
        std::size_t ones = 0;
        for (const std::uint64_t word : words) ones += count_bits(word);
        words_.insert(words_.end(), words.begin(), words.end());
        evenness_.push_back(std::min(ones, n_rows_ - ones));
        known_.emplace(hash, number);
        return number;
    }

    std::vector<std::int64_t> class_starts_, t2_starts_;
    std::size_t n_columns_;
    std::vector<ColumnPlane> column_planes_;
    std::vector<std::vector<std::uint32_t>> places_of_;
    std::vector<std::uint64_t> words_, zeros_;
    std::vector<std::uint32_t> weights_;
    std::vector<std::size_t> evenness_;  // of each plane: its ones or its zeros, whichever are fewer
    std::unordered_multimap<std::uint64_t, std::uint32_t> known_;
    std::size_t n_rows_ = 0, n_words_ = 0;
    bool sealed_ = false;
};

}  // namespace entropick
