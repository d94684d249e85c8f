// Rows with equal keys get equal block numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace entropick {

class Partitioner {
public:
    // Fills blocks[i] for n keys of `bits` bits and returns an upper bound of the block numbers. Few bits are
    // their own block number (some blocks are then empty); else numbers are given in order of appearance.
    std::size_t operator()(const std::uint64_t* keys, std::size_t n, int bits, std::uint32_t* blocks) {
        if (bits < 32 && (std::size_t(1) << bits) <= std::max<std::size_t>(2 * n, 16)) {
            for (std::size_t i = 0; i < n; ++i) blocks[i] = std::uint32_t(keys[i]);
            return std::size_t(1) << bits;
        }
        // Multiplicative hashing: the top bits of the product are the ones that depend on every bit of the key.
        std::size_t capacity = 16;
        int down = 60;
        for (; capacity < 2 * n; capacity <<= 1) --down;
        if (slots_.size() < capacity) slots_.resize(capacity);
        if (key_of_.size() < n) key_of_.resize(n);
        std::fill_n(slots_.begin(), capacity, 0);
        const std::size_t wrap = capacity - 1;
        std::uint32_t count = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint64_t key = keys[i];
            std::size_t at = std::size_t((key * 0x9E3779B97F4A7C15ull) >> down);
            std::uint32_t found;  // block number plus one; 0 is an empty slot
            while ((found = slots_[at]) && key_of_[found - 1] != key) at = (at + 1) & wrap;
            if (!found) {
                key_of_[count] = key;
                slots_[at] = found = ++count;
            }
            blocks[i] = found - 1;
        }
        return count;
    }

private:
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint64_t> key_of_;
};

}  // namespace entropick
