// From a mask to the planes that it needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "planes.hpp"

namespace entropick {

class Plan {
public:
    explicit Plan(const BitPlanes& table) : table_(table), slots_(table.n_planes() + 17) {}

    void operator()(const std::uint8_t* mask) {
        size_ = 0;
        if (!plan_few(mask)) plan_many(mask);
        std::fill_n(slots_.begin() + 1 + std::ptrdiff_t(size_), 16, table_.zeros());
    }

    // The planes of the columns of the mask, those with the most even halves first, and sixteen of zeros behind them.
    const std::uint64_t* const* planes() const { return slots_.data() + 1; }
    std::size_t size() const { return size_; }

private:
    // Few columns of many: found eight at a time. False if they are not so few.
    bool plan_few(const std::uint8_t* mask) {
        constexpr std::size_t FEW = 32;
        const std::size_t m = table_.n_columns();
        if (table_.needs().size() < 8 * FEW) return false;
        std::size_t n_found = 0;
        needs_.clear();
        for (std::size_t j = 0; j < m; j += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, mask + j, j + 8 <= m ? 8 : m - j);
            if (!eight) continue;
            for (std::size_t k = j; k < m && k < j + 8; ++k) {
                if (!mask[k]) continue;
                if (++n_found > FEW) return false;
                needs_.insert(needs_.end(), table_.needs_of(k).begin(), table_.needs_of(k).end());
            }
        }
        std::sort(needs_.begin(), needs_.end());
        needs_.erase(std::unique(needs_.begin(), needs_.end()), needs_.end());
        for (const std::uint32_t need : needs_) slots_[++size_] = table_.plane(table_.needs()[need].plane);
        return true;
    }

    // A mask cannot be predicted, so this does not jump. Repeated planes follow one another.
    void plan_many(const std::uint8_t* mask) {
        const std::uint64_t** const slots = slots_.data();
        std::size_t n = 0;
        for (const BitPlanes::Need& need : table_.needs()) {
            const std::uint64_t* const plane = table_.plane(need.plane);
            slots[n + 1] = plane;
            n += mask[need.column] & (slots[n] != plane);
        }
        size_ = n;
    }

    const BitPlanes& table_;
    std::vector<const std::uint64_t*> slots_;  // nothing, then the planes
    std::vector<std::uint32_t> needs_;
    std::size_t size_ = 0;
};

}  // namespace entropick
