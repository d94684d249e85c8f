// From a mask to the planes of its columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "planes.hpp"
#include "tuning.hpp"

namespace entropick {

class Plan {
public:
    explicit Plan(const BitPlanes& table) : table_(table), planes_(table.n_planes() + 17) {}

    void operator()(const std::uint8_t* mask) {
        size_ = 0;
        if (!plan_few(mask)) plan_many(mask);
        std::fill_n(planes_.begin() + 1 + std::ptrdiff_t(size_), 16, table_.zeros());
    }

    // The planes of the columns of the mask, those with the most even halves first, and sixteen of zeros behind them.
    const std::uint64_t* const* planes() const { return planes_.data() + 1; }
    std::size_t size() const { return size_; }

private:
    // Few columns of many: found eight at a time. False if they are not so few.
    bool plan_few(const std::uint8_t* mask) {
        const std::size_t m = table_.n_columns();
        if (table_.column_planes().size() < 8 * tuning::FEW_COLUMNS) return false;
        std::size_t n_found = 0;
        places_.clear();
        for (std::size_t j = 0; j < m; j += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, mask + j, j + 8 <= m ? 8 : m - j);
            if (!eight) continue;
            for (std::size_t k = j; k < m && k < j + 8; ++k) {
                if (!mask[k]) continue;
                if (++n_found > tuning::FEW_COLUMNS) return false;
                places_.insert(places_.end(), table_.places_of(k).begin(), table_.places_of(k).end());
            }
        }
        std::sort(places_.begin(), places_.end());
        places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
        for (const std::uint32_t place : places_) planes_[++size_] = table_.plane(table_.column_planes()[place].plane);
        return true;
    }

    // A mask cannot be predicted, so this does not jump. Repeated planes follow one another.
    void plan_many(const std::uint8_t* mask) {
        const std::uint64_t** const planes = planes_.data();
        std::size_t n = 0;
        for (const BitPlanes::ColumnPlane& use : table_.column_planes()) {
            const std::uint64_t* const plane = table_.plane(use.plane);
            planes[n + 1] = plane;
            n += mask[use.column] & (planes[n] != plane);
        }
        size_ = n;
    }

    const BitPlanes& table_;
    std::vector<const std::uint64_t*> planes_;  // nothing, then the planes
    std::vector<std::uint32_t> places_;
    std::size_t size_ = 0;
};

}  // namespace entropick
