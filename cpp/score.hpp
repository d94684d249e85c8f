// Masks in, exact sums out: Σ_blocks T1[a] + Σ_cells T2[c][q] for every subset of the columns.
//
// The tables hold integers (fixed point), so a sum does not depend on the order in which blocks are met: the
// same subset has the same score in every engine and for any number of threads, and equal partitions tie.
//
// One subset: the bit planes of its columns become a key of up to 64 bits for every row, and equal keys a block.
// What does not fit into one key is done in stages, (block, further bits) being the next key; rows that are
// alone in their block can never meet again and leave after each stage.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "expand.hpp"
#include "group.hpp"
#include "planes.hpp"

namespace entropick {

// An entry of T1 that was not computed yet, and the sum of a subset that needs one.
constexpr std::int64_t UNKNOWN = std::numeric_limits<std::int64_t>::min();

// The criterion. T2 is ragged: class c has entries for counts 0..b_c, from class_starts[c] + c on. Entries of
// size 0 are 0, and T1[1] must be known.
struct Tables {
    const std::int64_t* t1;
    const std::int64_t* t2;
};

// All that one thread needs: memory of the order of the number of rows, whatever the masks.
class SubsetKernel {
public:
    SubsetKernel(const BitPlanes& table, const Tables& tables, std::uint64_t multiplier = MIX)
        : table_(table), tables_(tables), first_multiplier_(multiplier), planes_(table.n_planes() + 16),
          keys_(table.n_tiles() * TILE), places_(table.n_rows()), ends_(table.n_classes()) {}

    std::int64_t operator()(const std::uint8_t* mask) {
        plan(mask);
        const std::size_t known = unknown_.size();
        std::int64_t sum;
        if (n_planes_ <= 16 && (std::size_t(1) << n_planes_) <= table_.n_rows()) {
            sum = score_dense();
        } else {
            std::uint64_t multiplier = first_multiplier_;
            do {
                unknown_.resize(known);
                make_keys(multiplier);
                sum = drop_alone();
                sum += score_blocks();
                multiplier += 2 * MIX;
            } while (n_planes_ > KEY_BITS && !blocks_are_true());
        }
        return unknown_.size() == known ? sum : UNKNOWN;
    }

    const std::vector<std::uint32_t>& unknown_sizes() const { return unknown_; }

private:
    static constexpr std::size_t KEY_BITS = 63;

    // The planes of the subset.
    void plan(const std::uint8_t* mask) {
        // A mask cannot be predicted, so this does not jump.
        n_planes_ = 0;
        const std::uint64_t* last = nullptr;
        for (const BitPlanes::Need& need : table_.needs()) {
            const std::uint64_t* const plane = table_.plane(need.plane);
            planes_[n_planes_] = plane;
            const bool wanted = mask[need.column] & (plane != last);
            last = wanted ? plane : last;
            n_planes_ += wanted;
        }
        std::fill_n(planes_.begin() + n_planes_, 16, table_.zeros());
    }

    // Few bits are their own block number.
    std::int64_t score_dense() {
        const std::size_t n_blocks = std::size_t(1) << n_planes_;
        if (cells_.size() < n_blocks) {
            cells_.resize(n_blocks);
            sizes_.resize(n_blocks);
        }
        std::uint16_t* const keys = reinterpret_cast<std::uint16_t*>(keys_.data());
        for (std::size_t t = 0; t < table_.n_tiles(); ++t) expand(planes_.data(), n_planes_, t, keys + t * TILE);
        std::int64_t sum = 0;
        std::size_t i = 0;
        for (std::size_t c = 0; c < ends_.size(); ++c) {
            for (const auto end = std::size_t(table_.class_starts()[c + 1]); i < end; ++i) ++cells_[keys[i]];
            const std::int64_t* const t2 = cell_values(c);
            for (std::size_t b = 0; b < n_blocks; ++b) {
                const std::uint32_t cell = cells_[b];
                sum += t2[cell];
                sizes_[b] += cell;
                cells_[b] = 0;
            }
        }
        for (std::size_t b = 0; b < n_blocks; ++b) {
            sum += block_value(sizes_[b]);
            sizes_[b] = 0;
        }
        return sum;
    }

    const std::int64_t* cell_values(std::size_t c) const { return tables_.t2 + table_.class_starts()[c] + c; }

    std::int64_t block_value(std::uint32_t size) {
        const std::int64_t value = tables_.t1[size];
        if (value != UNKNOWN) return value;
        unknown_.push_back(size);
        return 0;
    }

    // The bits of every row in the planes; where they are too many, a hash of them.
    void make_keys(std::uint64_t multiplier) {
        for (std::size_t t = 0; t < table_.n_tiles(); ++t) {
            std::uint64_t* const keys = keys_.data() + t * TILE;
            expand(planes_.data(), std::min(KEY_BITS, n_planes_), t, keys);
            for (std::size_t first = KEY_BITS; first < n_planes_; first += KEY_BITS) {
                std::uint64_t more[TILE];
                expand(planes_.data() + first, std::min(KEY_BITS, n_planes_ - first), t, more);
                for (std::size_t i = 0; i < TILE; ++i) {
                    const std::uint64_t product = keys[i] * multiplier;
                    keys[i] = ((product ^ product >> 32) * multiplier ^ more[i]) & (EMPTY >> 1);
                }
            }
        }
        n_ = table_.n_rows();
        for (std::size_t c = 0; c < ends_.size(); ++c) ends_[c] = std::size_t(table_.class_starts()[c + 1]);
        all_rows_ = true;
    }

    // Where most rows are alone in their block, those whose hash nobody shares are found without a look at keys.
    std::int64_t drop_alone() {
        if (!mostly_alone_) return 0;
        std::size_t capacity = 256;
        int down = 56;
        for (; capacity < 4 * n_; capacity <<= 1) --down;
        if (seen_.size() < capacity) seen_.resize(capacity);
        std::fill_n(seen_.begin(), capacity, 0);
        for (std::size_t i = 0; i < n_; ++i) {
            std::uint8_t& seen = seen_[keys_[i] * MIX >> down];
            seen = std::uint8_t(seen << 1 | 1);  // 1 once, more than 1 for ever after
        }
        if (rows_.size() < n_) rows_.resize(n_);
        std::int64_t sum = 0;
        std::size_t kept = 0, i = 0;
        for (std::size_t c = 0; c < ends_.size(); ++c) {
            const std::size_t rows = ends_[c] - i, before = kept;
            for (; i < ends_[c]; ++i) {
                const std::uint64_t key = keys_[i];
                rows_[kept] = std::uint32_t(i);
                keys_[kept] = key;
                kept += seen_[key * MIX >> down] > 1;
            }
            if (rows) sum += std::int64_t(rows - (kept - before)) * (tables_.t1[1] + cell_values(c)[1]);
            ends_[c] = kept;
        }
        mostly_alone_ = 5 * kept < 3 * n_;
        n_ = kept;
        all_rows_ = false;
        return sum;
    }

    std::int64_t score_blocks() {
        for (std::size_t room = std::min(n_, expected_);; room *= 4) {
            blocks_.reserve(room);
            std::int64_t sum = 0;
            std::size_t i = 0, c = 0;
            for (; c < ends_.size(); ++c) {
                std::uint32_t* const places = places_.data();
                if (!blocks_.add(keys_.data(), i, ends_[c],
                                 [=](std::size_t row, std::size_t place) { places[row] = std::uint32_t(place); }))
                    break;
                const std::int64_t* const t2 = cell_values(c);
                const auto harvest = [&](Block& block) {
                    sum += t2[block.cell];
                    block.size += block.cell;
                    block.cell = 0;
                };
                // By whichever is shorter, the blocks or the rows of the class. T2[0] = 0: a cell counts once.
                if (blocks_.size() < 2 * (ends_[c] - i)) {
                    for (std::size_t b = 0; b < blocks_.size(); ++b) harvest(blocks_[b]);
                } else {
                    for (std::size_t k = i; k < ends_[c]; ++k) harvest(blocks_.at(places_[k]));
                }
                i = ends_[c];
            }
            if (c < ends_.size()) {
                blocks_.clear();
                continue;
            }
            for (std::size_t b = 0; b < blocks_.size(); ++b) sum += block_value(blocks_[b].size);
            expected_ = blocks_.size() * 5 / 4 + 64;
            if (5 * blocks_.size() > 3 * table_.n_rows()) mostly_alone_ = true;
            if (n_planes_ > KEY_BITS) pair_rows();
            blocks_.clear();
            return sum;
        }
    }

    // For blocks_are_true: every row that has company, and some other row of its block.
    void pair_rows() {
        if (rows_.size() < n_) rows_.resize(n_);
        std::size_t kept = 0;
        for (std::size_t k = 0; k < n_; ++k) {
            const std::uint32_t row = all_rows_ ? std::uint32_t(k) : rows_[k];
            Block& block = blocks_.at(places_[k]);
            block.cell = row;
            rows_[kept] = row;
            places_[kept] = places_[k];
            kept += block.size > 1;
        }
        n_ = kept;
        for (std::size_t k = 0; k < n_; ++k) places_[k] = blocks_.at(places_[k]).cell;
    }

    // Whether rows of equal hash have equal bits too.
    bool blocks_are_true() {
        std::vector<std::uint32_t>& tiles = tiles_;
        tiles.clear();
        for (std::size_t k = 0; k < n_; ++k)
            if (tiles.empty() || tiles.back() != rows_[k] / TILE) tiles.push_back(rows_[k] / std::uint32_t(TILE));
        std::uint64_t differ = 0;
        for (std::size_t first = 0; first < n_planes_; first += KEY_BITS) {
            const std::size_t count = std::min(KEY_BITS, n_planes_ - first);
            for (const std::uint32_t t : tiles) expand(planes_.data() + first, count, t, keys_.data() + t * TILE);
            for (std::size_t k = 0; k < n_; ++k) differ |= keys_[rows_[k]] ^ keys_[places_[k]];
        }
        return !differ;
    }

    const BitPlanes& table_;
    const Tables tables_;
    const std::uint64_t first_multiplier_;
    std::vector<const std::uint64_t*> planes_;
    std::size_t n_planes_ = 0, n_ = 0;  // n_: rows still in play
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> places_, rows_, tiles_;
    std::vector<std::uint32_t> cells_, sizes_, unknown_;
    std::vector<std::uint8_t> seen_;
    std::vector<std::size_t> ends_;  // of each class among the rows in play
    Blocks blocks_;
    std::size_t expected_ = 64;
    bool mostly_alone_ = false, all_rows_ = true;
};

// masks: n_masks × n_columns. unknown[a] becomes 1 for every size a that T1 lacked.
inline void score_subsets(const BitPlanes& table, const Tables& tables, const std::uint8_t* masks,
                          std::size_t n_masks, std::size_t n_threads, std::int64_t* sums, std::uint8_t* unknown) {
    std::atomic<std::size_t> next{0};
    std::mutex merging;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            SubsetKernel kernel(table, tables);
            for (std::size_t s; (s = next.fetch_add(1)) < n_masks;) sums[s] = kernel(masks + s * table.n_columns());
            const std::lock_guard<std::mutex> lock(merging);
            for (const std::uint32_t size : kernel.unknown_sizes()) unknown[size] = 1;
        } catch (...) {
            const std::lock_guard<std::mutex> lock(merging);
            failure = std::current_exception();
            next = n_masks;
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t t = 1; t < n_threads && t < n_masks; ++t) {
        try {
            helpers.emplace_back(work);
        } catch (const std::exception&) {
            break;  // the machine gives no more threads or memory: the threads we have do the work
        }
    }
    work();
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace entropick
