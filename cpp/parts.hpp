// Rows split into parts by the first bits of their hash: equal keys stay together, and every part fits into the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine.hpp"

namespace entropick {

// Rows in play: their keys, their numbers where those are needed, and the ends of the classes among them.
struct Rows {
    std::uint64_t* keys;
    std::uint32_t* numbers;
    std::size_t* ends;
    std::size_t n;
    int shared_bits;  // so many leading bits of the hashes are equal
};

class Parts {
public:
    // Calls use(part) for each of 2^bits parts; the rows of a part are in their order, and its to change.
    template <typename Use>
    void split(const Rows& rows, std::size_t n_classes, int bits, Use use) {
        scatter(rows, n_classes, bits);
        std::size_t start = 0;
        for (std::size_t p = 0; p >> bits == 0; ++p) {
            std::size_t* const ends = ends_.data() + p * n_classes;
            std::uint32_t* const numbers = rows.numbers ? numbers_.data() + start : nullptr;
            Rows part{keys_.data() + start, numbers, ends, ends[n_classes - 1], bits};
            start += part.n;
            use(part);
        }
    }

private:
    void scatter(const Rows& rows, std::size_t n_classes, int bits) {
        const std::size_t n_parts = std::size_t(1) << bits;
        const int shift = 64 - bits;
        if (keys_.size() < rows.n) keys_.resize(rows.n);
        if (rows.numbers && numbers_.size() < rows.n) numbers_.resize(rows.n);
        ends_.assign(n_parts * n_classes, 0);
        std::size_t i = 0;
        for (std::size_t c = 0; c < n_classes; ++c) {
            std::size_t* const counts = ends_.data() + c;
            for (; i < rows.ends[c]; ++i) ++counts[(hash_of(rows.keys[i]) >> shift) * n_classes];
        }
        next_.resize(n_parts);
        std::size_t start = 0;
        for (std::size_t p = 0; p < n_parts; ++p) {
            std::size_t end = 0;
            for (std::size_t c = 0; c < n_classes; ++c) {
                std::size_t& count = ends_[p * n_classes + c];
                count = end += count;
            }
            next_[p] = start;
            start += end;
        }
        for (i = 0; i < rows.n; ++i) {
            const std::uint64_t key = rows.keys[i];
            const std::size_t at = next_[hash_of(key) >> shift]++;
            keys_[at] = key;
            if (rows.numbers) numbers_[at] = rows.numbers[i];
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::size_t> ends_, next_;
};

}  // namespace entropick
