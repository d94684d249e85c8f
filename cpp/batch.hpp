// Batches of subsets: equal masks are scored once, and rows that no mask can tell apart are counted once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "parallel.hpp"
#include "planes.hpp"
#include "score.hpp"
#include "tuning.hpp"

namespace entropick {

// The kernels of a table, kept from one batch to the next: their memory is what costs to get.
class KernelPool {
public:
    std::unique_ptr<SubsetKernel> take(const BitPlanes& table, const Tables& tables) {
        const std::lock_guard<std::mutex> lock(taking_);
        if (idle_.empty()) return std::make_unique<SubsetKernel>(table, tables);
        std::unique_ptr<SubsetKernel> kernel = std::move(idle_.back());
        idle_.pop_back();
        kernel->use(tables);
        return kernel;
    }

    void give_back(std::unique_ptr<SubsetKernel> kernel) {
        const std::lock_guard<std::mutex> lock(taking_);
        idle_.push_back(std::move(kernel));
    }

private:
    std::mutex taking_;
    std::vector<std::unique_ptr<SubsetKernel>> idle_;
};

// duplicate_of[s]: the first mask that equals mask s, which may be itself.
inline void find_duplicates(const std::uint8_t* masks, std::size_t n_masks, std::size_t n_columns,
                            std::int64_t* duplicate_of) {
    std::size_t capacity = 16;
    while (capacity < 2 * n_masks) capacity <<= 1;
    std::vector<std::size_t> table(capacity, n_masks);
    for (std::size_t s = 0; s < n_masks; ++s) {
        const std::uint8_t* const mask = masks + s * n_columns;
        std::uint64_t hash = 0, multiplier = MIX;
        for (std::size_t j = 0; j < n_columns; j += 8, multiplier += 2 * MIX) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, mask + j, j + 8 <= n_columns ? 8 : n_columns - j);
            const std::uint64_t product = eight * multiplier;
            hash += product ^ product >> 32;
        }
        std::size_t at = hash_of(hash ^ hash >> 32) >> 32 & (capacity - 1);
        while (table[at] < n_masks && std::memcmp(masks + table[at] * n_columns, mask, n_columns) != 0)
            at = (at + 1) & (capacity - 1);
        if (table[at] == n_masks) table[at] = s;
        duplicate_of[s] = std::int64_t(table[at]);
    }
}

// The table with the columns of a mask only, in which rows that are equal, class included, are one row with a weight:
// subsets of these columns have the same sums. Null if that is not worth while for so many subsets.
inline std::unique_ptr<BitPlanes> condense(const BitPlanes& table, const Tables& tables, const std::uint8_t* mask,
                                           std::size_t n_subsets) {
    const auto n = std::uint32_t(table.n_rows());
    std::vector<std::uint32_t> last_of(n, n);
    const std::vector<std::uint32_t> block_of = SubsetKernel(table, tables).partition(mask);
    std::vector<std::int64_t> starts{0};
    std::vector<std::uint32_t> rows, weights;
    for (std::size_t c = 0; c < table.n_classes(); ++c) {
        for (auto row = std::uint32_t(table.class_starts()[c]); row < table.class_starts()[c + 1]; ++row) {
            std::uint32_t& unit = last_of[block_of[row]];  // the block's unit in the class where it was seen last
            if (unit == n || unit < starts.back()) {
                unit = std::uint32_t(rows.size());
                rows.push_back(row);
                weights.push_back(0);
            }
            ++weights[unit];
        }
        starts.push_back(std::int64_t(rows.size()));
    }
    std::size_t n_planes = 0;
    for (const BitPlanes::ColumnPlane& use : table.column_planes()) n_planes += mask[use.column];
    if (n_subsets * (n - rows.size()) < tuning::CONDENSE_COST * n_planes * rows.size()) return nullptr;
    return std::make_unique<BitPlanes>(table, mask, rows, std::move(weights), starts);
}

// masks: n_masks × n_columns, 0 or 1. The sum of mask s is sums[duplicate_of[s]] and, for every pair (mask, size) that
// is returned, T1[size] more for that mask: values that were not known.
inline std::vector<std::int64_t> score_subsets(const BitPlanes& whole, KernelPool& kernels, const Tables& tables,
                                               const std::uint8_t* masks, std::size_t n_masks, std::size_t n_threads,
                                               std::int64_t* sums, std::int64_t* duplicate_of) {
    const std::size_t m = whole.n_columns();
    find_duplicates(masks, n_masks, m, duplicate_of);
    std::vector<std::size_t> todo;
    for (std::size_t s = 0; s < n_masks; ++s)
        if (duplicate_of[s] == std::int64_t(s)) todo.push_back(s);
    std::unique_ptr<BitPlanes> condensed;
    n_threads = std::max<std::size_t>(1, n_threads);
    if (todo.size() >= tuning::CONDENSE_SUBSETS * n_threads) {
        std::vector<std::uint8_t> any(m, 0);
        for (const std::size_t s : todo)
            for (std::size_t j = 0; j < m; ++j) any[j] |= masks[s * m + j];
        condensed = condense(whole, tables, any.data(), todo.size() / n_threads);
    }
    const BitPlanes& table = condensed ? *condensed : whole;
    const std::size_t work = m + table.n_rows();  // of one subset
    if (todo.size() * work < tuning::THREAD_WORK) n_threads = 1;
    const std::size_t chunk = std::max<std::size_t>(1, tuning::CHUNK_WORK / (work + 1));
    std::vector<std::int64_t> missing;
    std::mutex merging;
    parallel(todo.size(), n_threads, chunk, [&](const auto& take) {
        std::unique_ptr<SubsetKernel> kernel =
            condensed ? std::make_unique<SubsetKernel>(table, tables) : kernels.take(table, tables);
        std::vector<std::int64_t> found;
        std::size_t begin, end;
        while (take(begin, end)) {
            for (std::size_t t = begin; t < end; ++t) {
                sums[todo[t]] = (*kernel)(masks + todo[t] * m);
                for (const std::uint32_t size : kernel->unknown_sizes())
                    found.insert(found.end(), {std::int64_t(todo[t]), std::int64_t(size)});
            }
        }
        if (!condensed) kernels.give_back(std::move(kernel));
        const std::lock_guard<std::mutex> lock(merging);
        missing.insert(missing.end(), found.begin(), found.end());
    });
    return missing;
}

// blocks[s][row]: some row of the block of a row by mask s, the same one for all rows of the block.
inline void partition_subsets(const BitPlanes& table, const std::uint8_t* masks, std::size_t n_masks,
                              std::size_t n_threads, std::uint32_t* blocks) {
    const std::vector<std::int64_t> zeros(table.n_rows() + table.n_classes() + 1, 0);
    const Tables nothing{zeros.data(), zeros.data()};
    parallel(n_masks, std::max<std::size_t>(1, n_threads), 1, [&](const auto& take) {
        SubsetKernel kernel(table, nothing);
        std::size_t begin, end;
        while (take(begin, end))
            for (std::size_t s = begin; s < end; ++s) {
                const std::vector<std::uint32_t> found = kernel.partition(masks + s * table.n_columns());
                std::copy(found.begin(), found.end(), blocks + s * table.n_rows());
            }
    });
}

}  // namespace entropick
