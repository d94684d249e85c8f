// Masks in, exact sums out: Σ_blocks T1[a] + Σ_cells T2[c][q] for every subset of the columns.
//
// The tables hold integers (fixed point), so a sum does not depend on the order in which blocks are met: the
// same subset has the same score in every engine and for any number of threads, and equal partitions tie.
//
// One subset: the bits of its columns are compressed into 64-bit keys and the keys into block numbers. What
// does not fit into one key is done in stages, (block, next 32 bits) being the next key; rows that are
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

#include "compress.hpp"
#include "packed_table.hpp"
#include "partition.hpp"

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
    SubsetKernel(const PackedTable& table, const Tables& tables)
        : table_(table), tables_(tables), word_masks_(table.n_words(), 0), keys_(table.n_rows()),
          blocks_(table.n_rows()), rows_(table.n_rows()), ends_(table.n_classes()) {}

    std::int64_t operator()(const std::uint8_t* mask) {
        plan(mask);
        std::int64_t sum = 0;
        std::size_t n = table_.n_rows(), next_piece = 0;
        bool all_rows = true;
        for (std::size_t c = 0; c < ends_.size(); ++c) ends_[c] = std::size_t(table_.class_starts()[c + 1]);
        std::fill(keys_.begin(), keys_.end(), 0);
        for (int capacity = 64;; capacity = 32) {
            int bits = 0;
            for (; next_piece < pieces_.size() && bits + pieces_[next_piece].bits <= capacity; ++next_piece) {
                Piece& piece = pieces_[next_piece];
                piece.shift = bits;
                bits += piece.bits;
                add_piece(piece, table_.words(piece.word), all_rows ? nullptr : rows_.data(), n, keys_.data());
            }
            // Later keys carry the block number above the new bits, so they are full width for the hash.
            const std::size_t n_blocks = partition_(keys_.data(), n, capacity == 64 ? bits : 64, blocks_.data());
            count_blocks(n, n_blocks);
            if (next_piece == pieces_.size()) {
                const std::size_t known = unknown_.size();
                sum += score_blocks(n_blocks) + score_cells(n_blocks);
                return unknown_.size() == known ? sum : UNKNOWN;
            }
            n = drop_singletons(all_rows, sum);
            all_rows = false;
            if (n == 0) return sum;
        }
    }

    const std::vector<std::uint32_t>& unknown_sizes() const { return unknown_; }

private:
    // The masks of the words that the subset touches, in pieces of at most 32 bits.
    void plan(const std::uint8_t* mask) {
        pieces_.clear();
        for (std::size_t j = 0; j < table_.n_columns(); ++j)
            if (mask[j]) word_masks_[table_.field(j).word] |= table_.field(j).mask;
        for (std::size_t w = 0; w < word_masks_.size(); ++w) {
            const std::uint64_t low = word_masks_[w] & 0xFFFFFFFFull, high = word_masks_[w] & ~0xFFFFFFFFull;
            if (low) pieces_.push_back(make_piece(w, low, count_bits(low), 0));
            if (high) pieces_.push_back(make_piece(w, high, count_bits(high), 0));
            word_masks_[w] = 0;
        }
    }

    static int count_bits(std::uint64_t x) {
        int count = 0;
        for (; x; x &= x - 1) ++count;
        return count;
    }

    void count_blocks(std::size_t n, std::size_t n_blocks) {
        if (sizes_.size() < n_blocks) sizes_.resize(n_blocks);
        std::fill_n(sizes_.begin(), n_blocks, 0);
        for (std::size_t i = 0; i < n; ++i) ++sizes_[blocks_[i]];
    }

    // Keeps the rows whose block has company, with their block number as the head of the next key.
    std::size_t drop_singletons(bool all_rows, std::int64_t& sum) {
        std::size_t kept = 0, i = 0;
        for (std::size_t c = 0; c < ends_.size(); ++c) {
            std::int64_t alone = 0;
            for (; i < ends_[c]; ++i) {
                if (sizes_[blocks_[i]] == 1) {
                    ++alone;
                    continue;
                }
                rows_[kept] = all_rows ? std::uint32_t(i) : rows_[i];
                keys_[kept++] = std::uint64_t(blocks_[i]) << 32;
            }
            if (alone) sum += alone * (tables_.t1[1] + tables_.t2[table_.class_starts()[c] + std::int64_t(c) + 1]);
            ends_[c] = kept;
        }
        return kept;
    }

    std::int64_t score_blocks(std::size_t n_blocks) {
        std::int64_t sum = 0;
        for (std::size_t b = 0; b < n_blocks; ++b) {
            const std::int64_t value = tables_.t1[sizes_[b]];
            if (value == UNKNOWN) unknown_.push_back(sizes_[b]);
            else sum += value;
        }
        return sum;
    }

    std::int64_t score_cells(std::size_t n_blocks) {
        if (cells_.size() < n_blocks) cells_.resize(n_blocks, 0);
        std::int64_t sum = 0;
        std::size_t start = 0;
        for (std::size_t c = 0; c < ends_.size(); ++c) {
            const std::int64_t* t2 = tables_.t2 + table_.class_starts()[c] + c;
            const std::size_t end = ends_[c];
            for (std::size_t i = start; i < end; ++i) ++cells_[blocks_[i]];
            // Harvest and clear by whichever is shorter, the blocks or the rows of the class.
            if (n_blocks < end - start) {
                for (std::size_t b = 0; b < n_blocks; ++b) {
                    sum += t2[cells_[b]];
                    cells_[b] = 0;
                }
            } else {
                for (std::size_t i = start; i < end; ++i) {
                    sum += t2[cells_[blocks_[i]]];  // t2[0] = 0: a cell is counted once
                    cells_[blocks_[i]] = 0;
                }
            }
            start = end;
        }
        return sum;
    }

    const PackedTable& table_;
    const Tables tables_;
    std::vector<std::uint64_t> word_masks_;
    std::vector<Piece> pieces_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> blocks_, rows_;
    std::vector<std::size_t> ends_;  // of each class among the rows still in play
    std::vector<std::uint32_t> sizes_, cells_, unknown_;
    Partitioner partition_;
};

// masks: n_masks × n_columns. unknown[a] becomes 1 for every size a that T1 lacked.
inline void score_subsets(const PackedTable& table, const Tables& tables, const std::uint8_t* masks,
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
