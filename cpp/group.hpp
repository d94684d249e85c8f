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
    // Makes space for this many blocks, of keys whose hashes agree in the first `shared_bits`; the table must be empty.
    void reserve(std::size_t n, int shared_bits) {
        std::size_t capacity = 4 * STRIP;
        while (capacity < 4 * n) capacity <<= 1;
        last_slot_ = capacity - 1;
        for (shift_ = 64 - shared_bits; capacity > 1; capacity >>= 1) --shift_;
        if (slots_.size() <= last_slot_) {
            slots_.resize(last_slot_ + 1);
            used_.resize(last_slot_ / 2 + 1);
        }
    }

    std::size_t size() const { return count_; }
    Block& operator[](std::size_t i) { return slots_[used_[i]]; }
    Block& at(std::size_t slot) { return slots_[slot]; }

    // Adds weight(i) to the cell of the block of keys[i], whose slot becomes slot_of[i]. False if the table gets half
    // full, which n blocks do not do after reserve(n). `few_blocks`: most keys have been there before.
    template <typename Weight>
    bool add(const std::uint64_t* keys, std::size_t begin, std::size_t end, bool few_blocks, Weight weight,
             std::uint32_t* slot_of) {
        for (std::size_t start = begin; start < end; start += STRIP) {
            if (2 * (count_ + STRIP) > last_slot_ + 1) return false;
            const std::size_t stop = std::min(end, start + STRIP);
            few_blocks ? add_known(keys, start, stop, weight, slot_of) : add_any(keys, start, stop, weight, slot_of);
        }
        return true;
    }

    void clear() {
        for (std::size_t i = 0; i < count_; ++i) slots_[used_[i]] = {};
        count_ = 0;
    }

private:
    static constexpr std::size_t STRIP = 256;

    // Where most keys are known already, a jump is predicted.
    template <typename Weight>
    void add_known(const std::uint64_t* keys, std::size_t start, std::size_t stop, Weight weight,
                   std::uint32_t* slot_of) {
        Block* const slots = slots_.data();
        const int shift = shift_;
        const std::size_t last = last_slot_;
        for (std::size_t i = start; i < stop; ++i) {
            const std::uint64_t key = keys[i];
            std::size_t slot = std::size_t(hash_of(key) >> shift & last);
            if (slots[slot].key != key) slot = find(key, slot);
            slots[slot].cell += weight(i);
            slot_of[i] = std::uint32_t(slot);
        }
    }

    // Whether a key is new or known cannot be predicted, so nothing here jumps on it. The few keys that collide, their
    // slot taken by another one, have their turn after the strip.
    template <typename Weight>
    void add_any(const std::uint64_t* keys, std::size_t start, std::size_t stop, Weight weight,
                 std::uint32_t* slot_of) {
        std::uint32_t collided[STRIP];
        Block* const slots = slots_.data();
        std::uint32_t* const used = used_.data();
        const int shift = shift_;
        const std::size_t last = last_slot_;
        std::size_t count = count_, n_collided = 0;
        for (std::size_t i = start; i < stop; ++i) {
            const std::uint64_t key = keys[i];
            const std::size_t slot = std::size_t(hash_of(key) >> shift & last);
            Block& block = slots[slot];
            const std::uint64_t there = block.key;
            const bool is_new = there == EMPTY, is_ours = is_new | (there == key);
            block.key = there ^ ((there ^ key) & (0 - std::uint64_t(is_new)));
            block.cell += weight(i) & (0 - std::uint32_t(is_ours));
            used[count] = std::uint32_t(slot);
            count += is_new;
            slot_of[i] = std::uint32_t(slot);
            collided[n_collided] = std::uint32_t(i);
            n_collided += !is_ours;
        }
        count_ = count;
        for (std::size_t k = 0; k < n_collided; ++k) {
            const std::size_t i = collided[k], slot = find(keys[i], slot_of[i]);
            slots[slot].cell += weight(i);
            slot_of[i] = std::uint32_t(slot);
        }
    }

    // The slot of a key, from the one on where its hash points; a new key gets the first that is empty.
    std::size_t find(std::uint64_t key, std::size_t slot) {
        while (slots_[slot].key != EMPTY && slots_[slot].key != key) slot = (slot + 1) & last_slot_;
        if (slots_[slot].key == EMPTY) {
            slots_[slot].key = key;
            used_[count_++] = std::uint32_t(slot);
        }
        return slot;
    }

    std::vector<Block> slots_;
    std::vector<std::uint32_t> used_;
    std::size_t count_ = 0, last_slot_ = 0;  // the last slot's number is also a mask, for there are 2^k of them
    int shift_ = 64;
};

}  // namespace entropick
