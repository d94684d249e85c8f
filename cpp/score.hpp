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
#include <optional>
#include <vector>

#include "expand.hpp"
#include "group.hpp"
#include "parts.hpp"
#include "plan.hpp"
#include "planes.hpp"
#include "tuning.hpp"

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
        const bool dense = plan_.size() <= 16 && (100u << plan_.size()) <= tuning::DENSE_PERCENT * table_.n_rows();
        return dense ? score_dense() : score_exactly(plan_.size() > KEY_BITS);
    }

    // The blocks of a subset: for every row some row of its block, the same one for all of them.
    std::vector<std::uint32_t> partition(const std::uint8_t* mask) {
        plan_(mask);
        unknown_.clear();
        score_exactly(true);
        std::vector<std::uint32_t> block_of(table_.n_rows());
        std::iota(block_of.begin(), block_of.end(), 0);
        for (std::size_t k = 0; k < n_matches_; ++k) block_of[matches_[k].row] = matches_[k].other;
        return block_of;
    }

    // Sizes of blocks whose value of T1 is not known and not in the last sum.
    const std::vector<std::uint32_t>& unknown_sizes() const { return unknown_; }

private:
    static constexpr std::size_t KEY_BITS = 63;

    // A row and some row of its block, which may be itself.
    struct Match {
        std::uint32_t row, other;
    };

    const std::int64_t* cell_values(std::size_t c) const { return tables_.t2 + table_.t2_starts()[c]; }

    std::int64_t block_value(std::uint32_t size) {
        const std::int64_t value = tables_.t1[size];
        if (value != UNKNOWN) return value;
        unknown_.push_back(size);
        return 0;
    }

    // Ends a class: its cells are added to the sizes of their blocks and cleared, and their values summed. nth(0) to
    // nth(n - 1) are the blocks that may have a cell; one that comes again has none any more, and T2[0] = 0.
    template <typename Nth>
    std::int64_t end_class(std::size_t c, std::size_t n, Nth nth) {
        const std::int64_t* const t2 = cell_values(c);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            Block& block = nth(i);
            sum += t2[block.cell];
            block.size += block.cell;
            block.cell = 0;
        }
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
            else if (n_blocks <= tuning::LANE_BLOCKS)
                count_in_lanes(keys, start, end, n_blocks);
            else
                for (std::size_t i = start; i < end; ++i) ++blocks[keys[i]].cell;
            // By whichever is shorter, the rows of the class or the blocks.
            if (end - start < n_blocks)
                sum += end_class(c, end - start, [=](std::size_t i) -> Block& { return blocks[keys[start + i]]; });
            else
                sum += end_class(c, n_blocks, [=](std::size_t b) -> Block& { return blocks[b]; });
        }
        for (std::size_t b = 0; b < n_blocks; ++b) {
            sum += block_value(blocks[b].size);
            blocks[b].size = 0;
        }
        return sum;
    }

    // Rows of one block come one after the other, and each would wait for the one before: four counts take turns.
    void count_in_lanes(const std::uint16_t* keys, std::size_t start, std::size_t end, std::size_t n_blocks) {
        std::uint32_t counts[4][tuning::LANE_BLOCKS] = {};
        std::size_t i = start;
        for (; i + 4 <= end; i += 4)
            for (std::size_t lane = 0; lane < 4; ++lane) ++counts[lane][keys[i + lane]];
        for (; i < end; ++i) ++counts[0][keys[i]];
        for (std::size_t b = 0; b < n_blocks; ++b)
            dense_[b].cell = counts[0][b] + counts[1][b] + counts[2][b] + counts[3][b];
    }

    // By key, or by hash, again with another one until equal hashes are proven to be equal bits.
    std::int64_t score_exactly(bool wants_matches) {
        wants_matches_ = wants_matches;
        for (std::uint64_t multiplier = first_multiplier_;; multiplier += 2 * MIX) {
            make_keys(multiplier);
            const std::int64_t sum = score_keys();
            if (plan_.size() <= KEY_BITS || matches_are_true()) return sum;
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
        if (wants_matches_ || table_.weights()) {
            rows_.resize(all.n);
            std::iota(rows_.begin(), rows_.end(), 0);
            all.numbers = rows_.data();
        }
        n_matches_ = n_blocks_ = 0;
        const bool large = all.n > tuning::FILTER_ROWS;
        std::int64_t sum = large ? 0 : drop_singletons(all);
        sum += score_rows(all, large);
        few_blocks_ = 100 * n_blocks_ < tuning::FEW_BLOCKS_PERCENT * table_.n_rows();
        many_singletons_ = 100 * n_blocks_ > tuning::SINGLETON_PERCENT * table_.n_rows();
        return sum;
    }

    // In parts whose blocks stay in the cache, unless few blocks are expected and that proves true.
    std::int64_t score_rows(const Rows& rows, bool large) {
        const int bits = part_bits(rows.n);
        if (bits == 0) return *score_blocks(rows, rows.n);
        if (few_blocks_)
            if (const auto sum = score_blocks(rows, tuning::UNSPLIT_BLOCKS)) return *sum;
        few_blocks_ = false;
        std::int64_t sum = 0;
        parts_.split(rows, n_classes_, bits, [&](Rows& part) {
            if (large) sum += drop_singletons(part);
            sum += *score_blocks(part, part.n);
        });
        return sum;
    }

    // Where most rows are alone in their block, those whose hash nobody shares are found without a look at keys, and
    // their values summed. Not where rows have weights: there are few of them then, and the values of each would have
    // to be looked up.
    std::int64_t drop_singletons(Rows& rows) {
        if (!many_singletons_ || table_.weights()) return 0;
        std::size_t capacity = 256;
        int shift = 56 - rows.shared_bits;
        for (; capacity < tuning::FILTER_BYTES * rows.n; capacity <<= 1) --shift;
        const std::size_t last = capacity - 1;
        if (seen_.size() < capacity) seen_.resize(capacity);
        std::fill_n(seen_.begin(), capacity, 0);
        for (std::size_t i = 0; i < rows.n; ++i) {
            std::uint8_t& seen = seen_[hash_of(rows.keys[i]) >> shift & last];
            seen = std::uint8_t(seen << 1 | 1);  // 1 once, more than 1 for ever after
        }
        const std::uint8_t* const seen = seen_.data();
        const auto is_shared = [=](std::uint64_t key) { return seen[hash_of(key) >> shift & last] > 1; };
        const std::size_t before = rows.n;
        const std::int64_t sum = rows.numbers ? keep_if<true>(rows, is_shared) : keep_if<false>(rows, is_shared);
        n_blocks_ += before - rows.n;
        return sum;
    }

    // Keeps the rows that share their hash, and sums the values of the others, each a block of one row.
    template <bool Numbered, typename IsShared>
    std::int64_t keep_if(Rows& rows, IsShared is_shared) {
        std::int64_t sum = 0;
        std::size_t kept = 0, i = 0;
        for (std::size_t c = 0; c < n_classes_; ++c) {
            const std::size_t start = i, before = kept, end = rows.ends[c];
            for (; i < end; ++i) {
                const std::uint64_t key = rows.keys[i];
                const bool stays = is_shared(key);
                rows.keys[kept] = key;
                if (Numbered) rows.numbers[kept] = rows.numbers[i];
                kept += stays;
            }
            const std::size_t n_singletons = (i - start) - (kept - before);
            if (n_singletons) sum += std::int64_t(n_singletons) * (tables_.t1[1] + cell_values(c)[1]);
            rows.ends[c] = kept;
        }
        rows.n = kept;
        return sum;
    }

    // Into how many parts: such that their blocks stay in the cache, and few enough for many classes.
    int part_bits(std::size_t n) const {
        int bits = 0;
        while (n >> bits > tuning::PART_ROWS && (n_classes_ << bits) < n) ++bits;
        return bits;
    }

    // The sum over the blocks of these rows. Nothing if they are many more than max_blocks, which cannot be if that is
    // the number of rows.
    std::optional<std::int64_t> score_blocks(const Rows& rows, std::size_t max_blocks) {
        blocks_.reserve(std::min(rows.n, max_blocks), rows.shared_bits);
        const std::optional<std::int64_t> sum = sum_blocks(rows);
        blocks_.clear();
        return sum;
    }

    // The same, or nothing if the table of blocks is too small.
    std::optional<std::int64_t> sum_blocks(const Rows& rows) {
        if (slot_of_.size() < rows.n) slot_of_.resize(rows.n);
        std::int64_t sum = 0;
        std::size_t start = 0;
        for (std::size_t c = 0; c < n_classes_; ++c) {
            const std::size_t end = rows.ends[c], n_before = blocks_.size();
            if (!count_class(rows, start, end)) return std::nullopt;
            // By whichever is shorter, the rows of the class or the blocks.
            const std::uint32_t* const slots = slot_of_.data() + start;
            if (end - start < n_before)
                sum += end_class(c, end - start, [&](std::size_t i) -> Block& { return blocks_.at(slots[i]); });
            else
                sum += end_class(c, blocks_.size(), [&](std::size_t b) -> Block& { return blocks_[b]; });
            start = end;
        }
        for (std::size_t b = 0; b < blocks_.size(); ++b) sum += block_value(blocks_[b].size);
        n_blocks_ += blocks_.size();
        if (wants_matches_) note_matches(rows);
        return sum;
    }

    // Counts the rows of one class into the cells of their blocks; false if there are too many blocks.
    bool count_class(const Rows& rows, std::size_t start, std::size_t end) {
        const std::uint32_t *const weights = table_.weights(), *const numbers = rows.numbers;
        const auto add = [&](auto weight) {
            return blocks_.add(rows.keys, start, end, few_blocks_, weight, slot_of_.data());
        };
        return weights ? add([=](std::size_t i) { return weights[numbers[i]]; })
                       : add([](std::size_t) { return std::uint32_t(1); });
    }

    // Notes every row that shares its block, with a row of that block.
    void note_matches(const Rows& rows) {
        matches_.resize(table_.n_rows());
        const std::size_t first = n_matches_;
        for (std::size_t k = 0; k < rows.n; ++k) {
            const std::uint32_t row = rows.numbers[k];
            Block& block = blocks_.at(slot_of_[k]);
            block.cell = row;
            matches_[n_matches_] = {row, slot_of_[k]};
            n_matches_ += block.size > (table_.weights() ? table_.weights()[row] : 1);
        }
        for (std::size_t k = first; k < n_matches_; ++k) matches_[k].other = blocks_.at(matches_[k].other).cell;
    }

    // Whether rows of equal hash have equal bits too. If hashes agree and all planes but the last ones, these do.
    bool matches_are_true() {
        if (n_matches_ == 0) return true;
        std::uint64_t differ = 0;
        for (std::size_t first = 0; first + KEY_BITS < plan_.size(); first += KEY_BITS) {
            for (std::size_t t = 0; t < table_.n_tiles(); ++t)
                expand(plan_.planes() + first, KEY_BITS, t, keys_.data() + t * TILE);
            for (std::size_t k = 0; k < n_matches_; ++k) differ |= keys_[matches_[k].row] ^ keys_[matches_[k].other];
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
    std::vector<std::uint32_t> rows_, slot_of_, unknown_;
    std::vector<std::size_t> ends_;
    Parts parts_;
    std::vector<std::uint8_t> seen_;
    std::vector<Match> matches_;
    std::vector<Block> dense_;
    Blocks blocks_;
    std::size_t n_matches_ = 0, n_blocks_ = 0;
    bool wants_matches_ = false;
    // What the last subset was like, as the next one will be: speed depends on it, results do not.
    bool many_singletons_ = false, few_blocks_ = false;
};

}  // namespace entropick
