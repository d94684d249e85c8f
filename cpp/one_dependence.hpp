// What naive Bayes and averaged one-dependence estimators lose on rows left out, for many masks.
//
// The logarithms are rounded so that sums of them are exact (see criteria/_dependence.py). So columns can be added and
// taken away in any order: what most masks share, the core, is added up once for a parent and a tile of rows, and a
// mask adds and subtracts the columns in which it differs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "machine.hpp"
#include "parallel.hpp"
#include "tuning.hpp"

namespace entropick {

// others, own: ln P(level | parent, class) at [parent][class][level], the row being of another class, or of that class
// and not counted. Parents are all levels, or there is one that is no column. All belong to the caller.
struct DependenceTables {
    const double *others, *own, *log_prior;
    std::size_t n_classes, n_levels;
    bool has_parents;
};

// places: the number of a row's level in every column, row after row.
struct DependenceRows {
    const std::int32_t* places;
    const std::int32_t* classes;
    std::size_t n_rows, n_columns;
};

namespace dependence {

constexpr std::size_t STRIP = 8;  // rows whose terms are looked up together
constexpr double FAR = 600.0;  // exponents that are larger are not taken: sums stay far below 2^1024
constexpr std::size_t LOG_FACTORS = 16;  // sums of up to 2^31 shares, whose product is taken before the logarithm

// Lists of numbers, one after the other.
class Lists {
public:
    void close() { starts_.push_back(numbers_.size()); }
    void push(std::size_t number) { numbers_.push_back(std::uint32_t(number)); }
    const std::uint32_t* operator[](std::size_t list) const { return numbers_.data() + starts_[list]; }
    std::size_t size(std::size_t list) const { return starts_[list + 1] - starts_[list]; }
    std::size_t size() const { return starts_.size() - 1; }

private:
    std::vector<std::size_t> starts_{0};
    std::vector<std::uint32_t> numbers_;
};

// What is to be added up for a batch of masks. Columns are numbered among those that some mask has.
struct MaskPlan {
    struct Change {
        std::size_t begin;
        std::uint32_t n_added, n_removed;
        bool from_core;  // else from nothing
    };

    std::size_t n_masks;
    std::vector<std::uint32_t> used, core, columns;  // columns: those of all changes
    std::vector<Change> changes;
    std::vector<bool> has_columns, uses_core;  // of masks; of parents
    Lists sharing, needed;                     // of parents: the masks that have it, the columns that these need

    std::size_t n_parents() const { return sharing.size(); }

    MaskPlan(const std::uint8_t* masks, std::size_t n, std::size_t n_columns, bool has_parents) : n_masks(n) {
        std::vector<std::size_t> times(n_columns);
        for (std::size_t s = 0; s < n; ++s)
            for (std::size_t j = 0; j < n_columns; ++j) times[j] += masks[s * n_columns + j];
        for (std::size_t j = 0; j < n_columns; ++j) {
            if (!times[j]) continue;
            if (2 * times[j] > n) core.push_back(std::uint32_t(used.size()));
            used.push_back(std::uint32_t(j));
        }
        for (std::size_t s = 0; s < n; ++s) add_change(masks + s * n_columns);
        // Masks that add equally many columns follow each other, so that the end of a loop is foreseen.
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t(0));
        const auto length = [&](std::size_t s) { return std::make_pair(changes[s].n_added, changes[s].n_removed); };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
        for (std::size_t p = 0; p < (has_parents ? used.size() : std::min<std::size_t>(1, used.size())); ++p)
            add_parent(masks, n_columns, p, has_parents, order);
    }

private:
    void add_change(const std::uint8_t* mask) {
        std::vector<std::uint32_t> all, added, removed;
        std::size_t next = 0;  // in the core
        for (std::size_t j = 0; j < used.size(); ++j) {
            const bool in_core = next < core.size() && core[next] == j;
            next += in_core;
            if (mask[used[j]]) all.push_back(std::uint32_t(j));
            if (mask[used[j]] && !in_core) added.push_back(std::uint32_t(j));
            if (!mask[used[j]] && in_core) removed.push_back(std::uint32_t(j));
        }
        const bool from_core = added.size() + removed.size() < all.size();
        if (!from_core) added = all, removed.clear();
        changes.push_back({columns.size(), std::uint32_t(added.size()), std::uint32_t(removed.size()), from_core});
        columns.insert(columns.end(), added.begin(), added.end());
        columns.insert(columns.end(), removed.begin(), removed.end());
        has_columns.push_back(!all.empty());
    }

    void add_parent(const std::uint8_t* masks, std::size_t n_columns, std::size_t p, bool has_parents,
                    const std::vector<std::size_t>& order) {
        std::vector<bool> is_needed(used.size());
        bool is_core_used = false;
        for (const std::size_t s : order) {
            if (!has_columns[s] || (has_parents && !masks[s * n_columns + used[p]])) continue;
            sharing.push(s);
            const Change& change = changes[s];
            is_core_used |= change.from_core;
            const std::size_t end = change.begin + change.n_added + change.n_removed;
            for (std::size_t k = change.begin; k < end; ++k) is_needed[columns[k]] = true;
        }
        if (is_core_used)
            for (const std::uint32_t j : core) is_needed[j] = true;
        for (std::size_t j = 0; j < used.size(); ++j)
            if (is_needed[j]) needed.push(j);
        sharing.close();
        needed.close();
        uses_core.push_back(is_core_used);
    }
};

// Rows that a thread takes at a time.
struct RowTile {
    const std::size_t* classes;
    const std::int32_t* places;  // strips × columns used × rows
    std::size_t n_rows, stride;  // a number of strips; from a class to the next in the evidence
};

struct TileScratch {
    std::vector<double> base, sum, terms;  // strips × masks × rows, the same, and columns × rows
    std::vector<std::size_t> classes;
    std::vector<std::int32_t> places;
};

// Of the masks, for one strip.
struct MaskState {
    double *base, *sum;
};

// The rows of one mask: evidence at [class][row], and what is known of the row's own class.
struct MaskRows {
    const double *evidence, *own_evidence, *own_prior, *counted;
    std::size_t n_rows, stride;
};

struct LossSum {
    double loss, slope;
};

#ifdef ENTROPICK_X86
namespace avx2 {
#define ENTROPICK_VECTORS
#define ENTROPICK_LANES ENTROPICK_FOR("avx2") inline
#include "lanes.inc"
#undef ENTROPICK_LANES
#undef ENTROPICK_VECTORS
}  // namespace avx2
#endif

namespace any {
#define ENTROPICK_LANES inline
#include "lanes.inc"
#undef ENTROPICK_LANES
}  // namespace any

inline void tile_evidence(const DependenceTables& tables, const MaskPlan& plan, const RowTile& tile,
                          TileScratch& scratch, double* evidence) {
#ifdef ENTROPICK_X86
    if (is_modern()) return avx2::tile_evidence(tables, plan, tile, scratch, evidence);
#endif
    any::tile_evidence(tables, plan, tile, scratch, evidence);
}

inline LossSum sum_losses(const DependenceTables& tables, const MaskRows& rows, double exponent, double* losses) {
#ifdef ENTROPICK_X86
    if (is_modern()) return avx2::sum_losses(tables, rows, exponent, losses);
#endif
    return any::sum_losses(tables, rows, exponent, losses);
}

}  // namespace dependence

class DependenceKernel {
public:
    // exponents: descending, at least one.
    DependenceKernel(const DependenceTables& tables, const std::vector<double>& exponents)
        : tables_(tables), exponents_(exponents) {
        if (exponents.empty()) throw std::invalid_argument("there is at least one exponent");
    }

    std::size_t n_exponents() const { return exponents_.size(); }

    // The mean loss of each mask at its best exponent. If `losses` is not null, it gets the losses there, masks × rows.
    void score(const DependenceRows& rows, const std::uint8_t* masks, std::size_t n_masks, std::size_t n_threads,
               double* means, double* losses) const {
        for_masks(rows, masks, n_masks, n_threads, [&](std::size_t s, const dependence::MaskRows& of_mask) {
            const std::size_t best = best_exponent(of_mask, means[s]);
            means[s] /= double(rows.n_rows);
            if (losses) dependence::sum_losses(tables_, of_mask, exponents_[best], losses + s * rows.n_rows);
        });
    }

    // The sum of the losses of each mask at every exponent, masks × exponents.
    void sums(const DependenceRows& rows, const std::uint8_t* masks, std::size_t n_masks, std::size_t n_threads,
              double* sums) const {
        for_masks(rows, masks, n_masks, n_threads, [&](std::size_t s, const dependence::MaskRows& of_mask) {
            for (std::size_t b = 0; b < n_exponents(); ++b)
                sums[s * n_exponents() + b] = dependence::sum_losses(tables_, of_mask, exponents_[b], nullptr).loss;
        });
    }

private:
    // The loss is convex in the exponent, so its slope says on which side the best one is.
    std::size_t best_exponent(const dependence::MaskRows& rows, double& least) const {
        std::vector<double> known(n_exponents(), -1.0);
        const auto at = [&](std::size_t b) {
            const dependence::LossSum found = dependence::sum_losses(tables_, rows, exponents_[b], nullptr);
            known[b] = found.loss;
            return found;
        };
        std::size_t low = 0, high = n_exponents() - 1;
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            (at(middle).slope > 0 ? low : high) = middle;
        }
        for (const std::size_t b : {low, high})
            if (known[b] < 0) at(b);
        const std::size_t best = known[high] < known[low] ? high : low;
        least = known[best];
        return best;
    }

    // Calls work(mask, its rows) for every mask: first the evidence of all masks, tile by tile, then mask by mask.
    template <typename Work>
    void for_masks(const DependenceRows& rows, const std::uint8_t* masks, std::size_t n_masks, std::size_t n_threads,
                   const Work& work) const {
        using namespace dependence;
        check(rows);
        const MaskPlan plan(masks, n_masks, rows.n_columns, tables_.has_parents);
        const std::size_t stride = (rows.n_rows + STRIP - 1) / STRIP * STRIP, per_mask = tables_.n_classes * stride;
        if (n_masks * per_mask < tuning::EVIDENCE_THREAD_WORK) n_threads = 1;
        std::vector<double> evidence = take_buffer(n_masks * per_mask);
        parallel(stride / STRIP, n_threads, tuning::TILE_STRIPS, [&](const auto& take) {
            TileScratch scratch;
            std::size_t begin, end;
            while (take(begin, end)) {
                const RowTile tile = fill(rows, plan, begin * STRIP, end * STRIP, scratch);
                tile_evidence(tables_, plan, RowTile{tile.classes, tile.places, tile.n_rows, stride}, scratch,
                              evidence.data() + begin * STRIP);
            }
        });
        std::vector<double> own_prior(stride), counted(stride);
        for (std::size_t r = 0; r < rows.n_rows; ++r) own_prior[r] = tables_.log_prior[rows.classes[r]], counted[r] = 1.0;
        parallel(n_masks, n_threads, 1, [&](const auto& take) {
            std::vector<double> own(stride);
            std::size_t s, end;
            while (take(s, end)) {
                const double* const of_mask = evidence.data() + s * per_mask;
                for (std::size_t r = 0; r < rows.n_rows; ++r) own[r] = of_mask[std::size_t(rows.classes[r]) * stride + r];
                work(s, MaskRows{of_mask, own.data(), own_prior.data(), counted.data(), rows.n_rows, stride});
            }
        });
        const std::lock_guard<std::mutex> lock(spare_lock_);
        spare_.swap(evidence);
    }

    dependence::RowTile fill(const DependenceRows& rows, const dependence::MaskPlan& plan, std::size_t begin,
                             std::size_t end, dependence::TileScratch& scratch) const {
        using dependence::STRIP;
        scratch.base.resize((end - begin) * plan.n_masks);
        scratch.sum.resize((end - begin) * plan.n_masks);
        scratch.terms.resize(plan.used.size() * STRIP);
        scratch.classes.resize(end - begin);
        scratch.places.resize((end - begin) * plan.used.size());
        for (std::size_t r = begin; r < end; ++r) {
            const std::size_t row = std::min(r, rows.n_rows - 1);  // the last one again, where there are none
            const std::size_t strip = (r - begin) / STRIP, lane = (r - begin) % STRIP;
            scratch.classes[r - begin] = std::size_t(rows.classes[row]);
            for (std::size_t j = 0; j < plan.used.size(); ++j)
                scratch.places[(strip * plan.used.size() + j) * STRIP + lane] =
                    rows.places[row * rows.n_columns + plan.used[j]];
        }
        return {scratch.classes.data(), scratch.places.data(), end - begin, 0};
    }

    // Memory is kept from call to call: fresh pages cost about as much as what is written to them.
    std::vector<double> take_buffer(std::size_t size) const {
        std::vector<double> buffer;
        {
            const std::lock_guard<std::mutex> lock(spare_lock_);
            buffer.swap(spare_);
        }
        if (buffer.size() < size) buffer.resize(size);
        return buffer;
    }

    void check(const DependenceRows& rows) const {
        for (std::size_t k = 0; k < rows.n_rows * rows.n_columns; ++k)
            if (rows.places[k] < 0 || std::size_t(rows.places[k]) >= tables_.n_levels)
                throw std::invalid_argument("a place is the number of a level");
        for (std::size_t r = 0; r < rows.n_rows; ++r)
            if (rows.classes[r] < 0 || std::size_t(rows.classes[r]) >= tables_.n_classes)
                throw std::invalid_argument("a class is below the number of classes");
    }

    DependenceTables tables_;
    std::vector<double> exponents_;
    mutable std::mutex spare_lock_;
    mutable std::vector<double> spare_;
};

}  // namespace entropick
