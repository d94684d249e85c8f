// A mask in, an exact sum out: Σ_blocks T1[a] + Σ_cells T2[c][q] for a subset of the columns.
//
// The tables hold integers (fixed point), so a sum does not depend on the order in which blocks are met: the
// same subset has the same score in every engine and for any number of threads, and equal partitions tie.
//
// One subset: the bit planes of its columns become a key for every row, and rows of equal keys a block. More than 63
// planes become a hash, and what it says is checked afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "expand.hpp"
#include "group.hpp"
#include "parts.hpp"
#include "plan.hpp"
#include "planes.hpp"

namespace entropick {

// An entry of T1 that was not computed yet.
constexpr std::int64_t UNKNOWN = std::numeric_limits<std::int64_t>::min();

// The criterion. T2 is ragged: class c has entries for counts 0..b_c, one after the other. Entries of
// size 0 are 0, and T1[1] must be known.
struct Tables {
    const std::int64_t* t1;
    const std::int64_t* t2;
};

// All that one thread needs: 16 bytes a row, and 20 more for subsets of more than 63 planes.
class SubsetKernel {
public:
    // The first multiplier of hashes: tests give a bad one.
    SubsetKernel(const BitPlanes& table, const Tables& tables, std::uint64_t multiplier = MIX)
        : table_(table), tables_(tables), first_multiplier_(multiplier), n_classes_(table.n_classes()), plan_(table),
          keys_(table.n_tiles() * TILE), ends_(table.n_classes()) {}

    // Scores by another criterion from now on.
    void use(const Tables& tables) { tables_ = tables; }

    std::int64_t operator()(const std::uint8_t* mask) {
        plan_(mask);
        unknown_.clear();
        const bool dense = plan_.size() <= 16 && (std::size_t(1) << plan_.size()) <= table_.n_rows();
        return dense ? score_dense() : score_exactly(plan_.size() > KEY_BITS);
    }

    // The blocks of a subset: for every row some row of its block, the same one for all of them.
    std::vector<std::uint32_t> partition(const std::uint8_t* mask) {
        plan_(mask);
        unknown_.clear();
        score_exactly(true);
        std::vector<std::uint32_t> block_of(table_.n_rows());
        std::iota(block_of.begin(), block_of.end(), 0);
        for (std::size_t k = 0; k < n_pairs_; ++k) block_of[pairs_[k].row] = pairs_[k].other;
        return block_of;
    }

    // Sizes of blocks whose value of T1 is not known and not in the last sum.
    const std::vector<std::uint32_t>& unknown_sizes() const { return unknown_; }

private:
    static constexpr std::size_t KEY_BITS = 63;
    // Up to so many rows, a byte for each stays in the cache; and so many blocks of a part do.
    static constexpr std::size_t FILTER_ROWS = 1 << 17, PART_ROWS = 1 << 12;

    // A row and some row of its block, which may be itself.
    struct Pair {
        std::uint32_t row, other;
    };

    const std::int64_t* cell_values(std::size_t c) const { return tables_.t2 + table_.t2_starts()[c]; }

    std::int64_t block_value(std::uint32_t size) {
        const std::int64_t value = tables_.t1[size];
        if (value != UNKNOWN) return value;
        unknown_.push_back(size);
        return 0;
    }

    // The cells of one class, which are cleared: nth gives every block that may have one, at least once. T2[0] = 0.
    template <typename Nth>
    std::int64_t harvest(std::size_t c, std::size_t n, Nth nth) {
        const std::int64_t* const t2 = cell_values(c);
        std::int64_t sum = 0;
        const auto take = [&](Block& block) {
            sum += t2[block.cell];
            block.size += block.cell;
            block.cell = 0;
        };
        for (std::size_t i = 0; i < n; ++i) take(nth(i));
        return sum;
    }

    // Few bits are their own block number.
    std::int64_t score_dense() {
        const std::size_t n_blocks = std::size_t(1) << plan_.size();
        if (dense_.size() < n_blocks) dense_.resize(n_blocks);
        if (short_keys_.empty()) short_keys_.resize(table_.n_tiles() * TILE);
        std::uint16_t* const keys = short_keys_.data();
        for (std::size_t t = 0; t < table_.n_tiles(); ++t) expand_16(plan_.planes(), t, keys + t * TILE);
        Block* const blocks = dense_.data();
        std::int64_t sum = 0;
        for (std::size_t c = 0; c < n_classes_; ++c) {
            const auto start = std::size_t(table_.class_starts()[c]), end = std::size_t(table_.class_starts()[c + 1]);
            if (table_.weights())
                for (std::size_t i = start; i < end; ++i) blocks[keys[i]].cell += table_.weights()[i];
            else if (n_blocks <= 256)
                count_short(keys, start, end, n_blocks);
            else
                for (std::size_t i = start; i < end; ++i) ++blocks[keys[i]].cell;
            // By whichever is shorter, the rows of the class or the blocks.
            sum += end - start < n_blocks
                       ? harvest(
                             c, end - start, [=](std::size_t i) -> Block& { return blocks[keys[start + i]]; })
                       : harvest(c, n_blocks, [=](std::size_t b) -> Block& { return blocks[b]; });
        }
        for (std::size_t b = 0; b < n_blocks; ++b) {
            sum += block_value(blocks[b].size);
            blocks[b].size = 0;
        }
        return sum;
    }

    // Rows of one block come one after the other, and each would wait for the one before: four counts take turns.
    void count_short(const std::uint16_t* keys, std::size_t start, std::size_t end, std::size_t n_blocks) {
        std::uint32_t counts[4][256] = {};
        std::size_t i = start;
        for (; i + 4 <= end; i += 4)
            for (std::size_t turn = 0; turn < 4; ++turn) ++counts[turn][keys[i + turn]];
        for (; i < end; ++i) ++counts[0][keys[i]];
        for (std::size_t b = 0; b < n_blocks; ++b)
            dense_[b].cell = counts[0][b] + counts[1][b] + counts[2][b] + counts[3][b];
    }

    // By hash, again with another one until equal hashes are proven to be equal bits.
    std::int64_t score_exactly(bool paired) {
        paired_ = paired;
        for (std::uint64_t multiplier = first_multiplier_;; multiplier += 2 * MIX) {
            make_keys(multiplier);
            const std::int64_t sum = score_keys();
            if (plan_.size() <= KEY_BITS || blocks_are_true()) return sum;
            unknown_.clear();
        }
    }

    // The bits of every row in the planes; where they are too many, a hash of them.
    void make_keys(std::uint64_t multiplier) {
        for (std::size_t t = 0; t < table_.n_tiles(); ++t) {
            std::uint64_t* const keys = keys_.data() + t * TILE;
            expand(plan_.planes(), std::min(KEY_BITS, plan_.size()), t, keys);
            for (std::size_t first = KEY_BITS; first < plan_.size(); first += KEY_BITS) {
                std::uint64_t more[TILE];
                expand(plan_.planes() + first, std::min(KEY_BITS, plan_.size() - first), t, more);
                absorb(keys, more, multiplier);
            }
        }
    }

    std::int64_t score_keys() {
        Rows all{keys_.data(), nullptr, ends_.data(), table_.n_rows(), 0};
        for (std::size_t c = 0; c < n_classes_; ++c) ends_[c] = std::size_t(table_.class_starts()[c + 1]);
        if (paired_ || table_.weights()) {
            rows_.resize(all.n);
            std::iota(rows_.begin(), rows_.end(), 0);
            all.numbers = rows_.data();
        }
        n_pairs_ = n_blocks_ = 0;
        const bool large = all.n > FILTER_ROWS;
        std::int64_t sum = large ? 0 : drop_alone(all);
        // In parts whose blocks stay in the cache, unless few blocks are expected and that proves true.
        const int bits = part_bits(all.n);
        if (bits == 0) {
            score_blocks(all, all.n, sum);
        } else if (!mostly_known_ || !score_blocks(all, 8 * PART_ROWS, sum)) {
            mostly_known_ = false;
            parts_.split(all, n_classes_, bits, [&](Rows& part) {
                if (large) sum += drop_alone(part);
                score_blocks(part, part.n, sum);
            });
        }
        mostly_known_ = 3 * n_blocks_ < table_.n_rows();
        mostly_alone_ = 5 * n_blocks_ > 2 * table_.n_rows();
        return sum;
    }

    // Where most rows are alone in their block, those whose hash nobody shares are found without a look at keys. Not
    // where rows have weights: there are few of them then, and the values of each would have to be looked up.
    std::int64_t drop_alone(Rows& rows) {
        if (!mostly_alone_ || table_.weights()) return 0;
        std::size_t capacity = 256;
        int down = 56 - rows.skip;
        for (; capacity < 4 * rows.n; capacity <<= 1) --down;
        const std::size_t wrap = capacity - 1;
        if (seen_.size() < capacity) seen_.resize(capacity);
        std::fill_n(seen_.begin(), capacity, 0);
        for (std::size_t i = 0; i < rows.n; ++i) {
            std::uint8_t& seen = seen_[hash_of(rows.keys[i]) >> down & wrap];
            seen = std::uint8_t(seen << 1 | 1);  // 1 once, more than 1 for ever after
        }
        const std::uint8_t* const seen = seen_.data();
        const auto shared = [=](std::uint64_t key) { return seen[hash_of(key) >> down & wrap] > 1; };
        const std::size_t before = rows.n;
        const std::int64_t sum = rows.numbers ? keep<true>(rows, shared) : keep<false>(rows, shared);
        n_blocks_ += before - rows.n;
        return sum;
    }

    // Keeps the rows that share their hash, and sums the values of those that are alone.
    template <bool Numbered, typename Shared>
    std::int64_t keep(Rows& rows, Shared shared) {
        std::int64_t sum = 0;
        std::size_t kept = 0, i = 0;
        for (std::size_t c = 0; c < n_classes_; ++c) {
            const std::size_t start = i, before = kept, end = rows.ends[c];
            for (; i < end; ++i) {
                const std::uint64_t key = rows.keys[i];
                const bool stays = shared(key);
                rows.keys[kept] = key;
                if (Numbered) rows.numbers[kept] = rows.numbers[i];
                kept += stays;
            }
            const std::size_t alone = (i - start) - (kept - before);
            if (alone) sum += std::int64_t(alone) * (tables_.t1[1] + cell_values(c)[1]);
            rows.ends[c] = kept;
        }
        rows.n = kept;
        return sum;
    }

    // Into how many parts: such that their blocks stay in the cache, and few enough for many classes.
    int part_bits(std::size_t n) const {
        int bits = 0;
        while (n >> bits > PART_ROWS && (n_classes_ << bits) < n) ++bits;
        return bits;
    }

    // Adds the values of all blocks to the sum; false, and nothing added, if there are more than about `most`.
    bool score_blocks(const Rows& rows, std::size_t most, std::int64_t& total) {
        for (std::size_t room = std::min({rows.n, most, expected_});; room = std::min(4 * room, most)) {
            blocks_.reserve(room, rows.skip);
            std::int64_t sum = 0;
            const std::uint32_t *const weights = table_.weights(), *const numbers = rows.numbers;
            const bool fits = weights ? add_classes(rows, sum, [=](std::size_t i) { return weights[numbers[i]]; })
                                      : add_classes(rows, sum, [](std::size_t) { return std::uint32_t(1); });
            if (fits) {
                n_blocks_ += blocks_.size();
                expected_ = std::max(blocks_.size() * 5 / 4 + 64, expected_ - expected_ / 8);
                for (std::size_t b = 0; b < blocks_.size(); ++b) sum += block_value(blocks_[b].size);
                if (paired_) pair_rows(rows);
            }
            blocks_.clear();
            if (fits) total += sum;
            if (fits || room == most) return fits;
        }
    }

    template <typename Weight>
    bool add_classes(const Rows& rows, std::int64_t& sum, Weight weight) {
        if (places_.size() < rows.n) places_.resize(rows.n);
        std::uint32_t* const places = places_.data();
        std::size_t start = 0;
        for (std::size_t c = 0; c < n_classes_; start = rows.ends[c++]) {
            const std::size_t end = rows.ends[c];
            const bool by_rows = end - start < blocks_.size();
            const bool fits =
                paired_ || by_rows
                    ? blocks_.add(rows.keys, start, end, mostly_known_, weight,
                                  [=](std::size_t i, std::size_t place) { places[i] = std::uint32_t(place); })
                    : blocks_.add(rows.keys, start, end, mostly_known_, weight, [](std::size_t, std::size_t) {});
            if (!fits) return false;
            sum += by_rows
                       ? harvest(c, end - start, [&](std::size_t i) -> Block& { return blocks_.at(places[start + i]); })
                       : harvest(c, blocks_.size(), [&](std::size_t b) -> Block& { return blocks_[b]; });
        }
        return true;
    }

    // Notes every row that has company, with a row of its block.
    void pair_rows(const Rows& rows) {
        pairs_.resize(table_.n_rows());
        const std::size_t first = n_pairs_;
        for (std::size_t k = 0; k < rows.n; ++k) {
            const std::uint32_t row = rows.numbers[k];
            Block& block = blocks_.at(places_[k]);
            block.cell = row;
            pairs_[n_pairs_] = {row, places_[k]};
            n_pairs_ += block.size > (table_.weights() ? table_.weights()[row] : 1);
        }
        for (std::size_t k = first; k < n_pairs_; ++k) pairs_[k].other = blocks_.at(pairs_[k].other).cell;
    }

    // Whether rows of equal hash have equal bits too. If hashes agree and all planes but the last ones, these do.
    bool blocks_are_true() {
        if (n_pairs_ == 0) return true;
        std::uint64_t differ = 0;
        for (std::size_t first = 0; first + KEY_BITS < plan_.size(); first += KEY_BITS) {
            for (std::size_t t = 0; t < table_.n_tiles(); ++t)
                expand(plan_.planes() + first, KEY_BITS, t, keys_.data() + t * TILE);
            for (std::size_t k = 0; k < n_pairs_; ++k) differ |= keys_[pairs_[k].row] ^ keys_[pairs_[k].other];
        }
        return !differ;
    }

    const BitPlanes& table_;
    Tables tables_;
    const std::uint64_t first_multiplier_;
    const std::size_t n_classes_;
    Plan plan_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint16_t> short_keys_;
    std::vector<std::uint32_t> rows_, places_, unknown_;
    std::vector<std::size_t> ends_;
    Parts parts_;
    std::vector<std::uint8_t> seen_;
    std::vector<Pair> pairs_;
    std::vector<Block> dense_;
    Blocks blocks_;
    std::size_t n_pairs_ = 0, n_blocks_ = 0;
    bool paired_ = false;  // whether pairs are wanted
    // What the last subset was like, as the next one will be: speed depends on it, results do not.
    std::size_t expected_ = 64;
    bool mostly_alone_ = false, mostly_known_ = false;
};

}  // namespace entropick
