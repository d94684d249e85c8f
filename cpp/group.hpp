// Rows with equal keys are a block: a hash table of blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine.hpp"

namespace entropick {

constexpr std::uint64_t EMPTY = ~std::uint64_t(0);  // no key: keys have at most 63 bits

struct alignas(16) Block {
    std::uint64_t key = EMPTY;
    std::uint32_t cell = 0;  // rows of the class at hand
    std::uint32_t size = 0;  // rows of the classes before
};

class Blocks {
public:
    // Room for this many blocks, of keys whose hashes agree in the first `skip` bits; the table must be empty.
    void reserve(std::size_t n, int skip) {
        std::size_t capacity = 4 * STRIP;
        while (capacity < 4 * n) capacity <<= 1;
        wrap_ = capacity - 1;
        for (down_ = 64 - skip; capacity > 1; capacity >>= 1) --down_;
        if (blocks_.size() <= wrap_) {
            blocks_.resize(wrap_ + 1);
            used_.resize(wrap_ / 2 + 1);
        }
    }

    std::size_t size() const { return count_; }
    Block& operator[](std::size_t i) { return blocks_[used_[i]]; }
    Block& at(std::size_t place) { return blocks_[place]; }

    // Adds weight(i) to the cell of the block of keys[i], and calls use(i, place of that block). False if there are
    // more blocks than there is room for.
    template <typename Weight, typename Use>
    bool add(const std::uint64_t* keys, std::size_t begin, std::size_t end, bool mostly_known, Weight weight, Use use) {
        for (std::size_t start = begin; start < end; start += STRIP) {
            if (2 * (count_ + STRIP) > wrap_ + 1) return false;
            const std::size_t stop = std::min(end, start + STRIP);
            mostly_known ? add_known(keys, start, stop, weight, use) : add_any(keys, start, stop, weight, use);
        }
        return true;
    }

    void clear() {
        for (std::size_t i = 0; i < count_; ++i) blocks_[used_[i]] = {};
        count_ = 0;
    }

private:
    static constexpr std::size_t STRIP = 256;

    // Where most keys are known already, a jump is predicted.
    template <typename Weight, typename Use>
    void add_known(const std::uint64_t* keys, std::size_t start, std::size_t stop, Weight weight, Use use) {
        Block* const blocks = blocks_.data();
        const int down = down_;
        const std::size_t wrap = wrap_;
        for (std::size_t i = start; i < stop; ++i) {
            const std::uint64_t key = keys[i];
            std::size_t place = std::size_t(hash_of(key) >> down & wrap);
            if (blocks[place].key != key) place = probe(key, place);
            blocks[place].cell += weight(i);
            use(i, place);
        }
    }

    // Whether a key is new or known cannot be predicted, so nothing here jumps on it. The few keys that find
    // their place taken by another one have their turn after the strip.
    template <typename Weight, typename Use>
    void add_any(const std::uint64_t* keys, std::size_t start, std::size_t stop, Weight weight, Use use) {
        std::uint32_t late[STRIP];
        Block* const blocks = blocks_.data();
        std::uint32_t* const used = used_.data();
        const int down = down_;
        const std::size_t wrap = wrap_;
        std::size_t count = count_, n_late = 0;
        for (std::size_t i = start; i < stop; ++i) {
            const std::uint64_t key = keys[i];
            const std::size_t place = std::size_t(hash_of(key) >> down & wrap);
            Block& block = blocks[place];
            const std::uint64_t there = block.key;
            const bool fresh = there == EMPTY, ours = fresh | (there == key);
            block.key = there ^ ((there ^ key) & (0 - std::uint64_t(fresh)));
            block.cell += weight(i) & (0 - std::uint32_t(ours));
            used[count] = std::uint32_t(place);
            count += fresh;
            use(i, place);
            late[n_late] = std::uint32_t(i);
            n_late += !ours;
        }
        count_ = count;
        for (std::size_t k = 0; k < n_late; ++k) {
            const std::uint64_t key = keys[late[k]];
            const std::size_t place = probe(key, std::size_t(hash_of(key) >> down & wrap));
            blocks[place].cell += weight(late[k]);
            use(late[k], place);
        }
    }

    std::size_t probe(std::uint64_t key, std::size_t place) {
        while (blocks_[place].key != EMPTY && blocks_[place].key != key) place = (place + 1) & wrap_;
        if (blocks_[place].key == EMPTY) {
            blocks_[place].key = key;
            used_[count_++] = std::uint32_t(place);
        }
        return place;
    }

    std::vector<Block> blocks_;
    std::vector<std::uint32_t> used_;
    std::size_t count_ = 0, wrap_ = 0;
    int down_ = 64;
};

}  // namespace entropick
