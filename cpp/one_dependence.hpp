// What naive Bayes and averaged one-dependence estimators lose on rows left out, for many masks.
//
// The logarithms are rounded so that sums of them are exact (see criteria/_dependence.py). So columns can be added and
// taken away in any order: what most masks share, the core, is added up once for a parent and a strip of rows, and a
// mask adds and subtracts the columns in which it differs. Parents are taken in ascending order for every mask, so that
// its result is the same in every batch.
//
// A thread takes a tile of rows, and for every class one parent after the other. The tables of a parent and a class
// stay in the cache for the tile. Strip by strip, the terms of all columns with this parent are looked up, which every
// mask with the parent then adds up; what a mask has got from its parents so far waits in memory, a strip of numbers.
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

constexpr std::size_t STRIP = 16;            // rows whose terms are looked up together
constexpr std::size_t TILE_STRIPS = 16;      // strips that a thread takes at a time
constexpr std::size_t THREAD_WORK = 20'000;  // masks × rows × classes from which on threads are started
constexpr std::size_t FEW_ROWS_STEP = 8;     // the best exponent is guessed from one of so many groups of four rows
constexpr std::size_t LINE = 8;              // doubles in a line of the cache
constexpr std::ptrdiff_t AHEAD = 3;          // masks whose state is fetched while others are added up
constexpr double DISTANT = 600.0;            // exponents that are larger are not taken: sums stay far below 2^1024
constexpr std::size_t LOG_FACTORS = 16;      // sums of up to 2^31 shares, whose product is taken before the logarithm

// One number of each row of a strip, aligned so that no load spans two lines of the cache.
struct alignas(64) Strip {
    double at[STRIP];
};

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

// What is to be added up for a batch of masks. Columns are numbered among those that some mask has; the sum of the core
// is one more.
struct MaskPlan {
    struct Sum {
        std::size_t begin;
        std::uint32_t n_added, n_removed;  // at least one is added
    };

    std::size_t n_masks;
    std::vector<std::uint32_t> used, core, columns;  // columns: those of all sums, as where their terms begin
    std::vector<Sum> sums;
    std::vector<bool> has_columns, uses_core;  // of masks; of parents
    // Of parents: the masks that have it first, those that have it later, and the columns that these need, as runs: the
    // first column, the one after the last, and so on.
    Lists starting, continuing, needed;

    std::size_t n_parents() const { return needed.size(); }

    MaskPlan(const std::uint8_t* masks, std::size_t n, std::size_t n_columns, bool has_parents) : n_masks(n) {
        std::vector<std::size_t> times(n_columns);
        for (std::size_t s = 0; s < n; ++s)
            for (std::size_t j = 0; j < n_columns; ++j) times[j] += masks[s * n_columns + j];
        for (std::size_t j = 0; j < n_columns; ++j) {
            if (!times[j]) continue;
            if (2 * times[j] > n) core.push_back(std::uint32_t(used.size()));
            used.push_back(std::uint32_t(j));
        }
        for (std::size_t s = 0; s < n; ++s) add_sum(masks + s * n_columns);
        // Masks that add equally many columns follow each other, so that the end of a loop is foreseen.
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t(0));
        const auto length = [&](std::size_t s) { return std::make_pair(sums[s].n_added, sums[s].n_removed); };
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
        std::vector<bool> has_started(n);
        for (std::size_t p = 0; p < (has_parents ? used.size() : std::min<std::size_t>(1, used.size())); ++p)
            add_parent([&](std::size_t s) { return !has_parents || masks[s * n_columns + used[p]]; }, order,
                       has_started);
    }

private:
    void add_sum(const std::uint8_t* mask) {
        std::vector<std::uint32_t> all, added{std::uint32_t(used.size())}, removed;
        std::size_t next = 0;  // in the core
        for (std::size_t j = 0; j < used.size(); ++j) {
            const bool in_core = next < core.size() && core[next] == j;
            next += in_core;
            if (mask[used[j]]) all.push_back(std::uint32_t(j));
            if (mask[used[j]] && !in_core) added.push_back(std::uint32_t(j));
            if (!mask[used[j]] && in_core) removed.push_back(std::uint32_t(j));
        }
        if (added.size() + removed.size() > all.size()) added = all, removed.clear();
        sums.push_back({columns.size(), std::uint32_t(added.size()), std::uint32_t(removed.size())});
        for (const auto* part : {&added, &removed})
            for (const std::uint32_t j : *part) columns.push_back(j * std::uint32_t(STRIP));
        has_columns.push_back(!all.empty());
    }

    template <typename HasParent>
    void add_parent(const HasParent& has_parent, const std::vector<std::size_t>& order,
                    std::vector<bool>& has_started) {
        std::vector<bool> is_needed(used.size() + 1);
        for (const std::size_t s : order) {
            if (!has_columns[s] || !has_parent(s)) continue;
            (has_started[s] ? continuing : starting).push(s);
            has_started[s] = true;
            const std::size_t begin = sums[s].begin, end = begin + sums[s].n_added + sums[s].n_removed;
            for (std::size_t k = begin; k < end; ++k) is_needed[columns[k] / STRIP] = true;
        }
        uses_core.push_back(is_needed.back());
        if (is_needed.back())
            for (const std::uint32_t j : core) is_needed[j] = true;
        is_needed.back() = false;
        for (std::size_t j = 0; j < used.size(); ++j) {
            if (is_needed[j] && (j == 0 || !is_needed[j - 1])) needed.push(j);
            if (is_needed[j] && !is_needed[j + 1]) needed.push(j + 1);
        }
        starting.close();
        continuing.close();
        needed.close();
    }
};

// Rows that a thread takes at a time.
struct RowTile {
    const std::size_t* classes;
    const std::int32_t* places;    // strips × columns used × rows
    std::size_t n_strips, stride;  // stride: from a class to the next in the evidence, in strips
};

struct TileScratch {
    std::vector<Strip> base, total, terms;  // strips × masks, the same, and columns and the core
    std::vector<std::size_t> classes;
    std::vector<std::int32_t> places;
};

// The rows of one mask, in order of their classes: evidence at [class][row], the most of any class, what is known of the
// row's own class, and the row's number.
struct MaskRows {
    const double *evidence, *most_evidence, *own_evidence, *own_prior, *counted;
    const std::size_t* numbers;
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
                          TileScratch& scratch, Strip* evidence) {
#ifdef ENTROPICK_X86
    if (is_modern()) return avx2::tile_evidence(tables, plan, tile, scratch, evidence);
#endif
    any::tile_evidence(tables, plan, tile, scratch, evidence);
}

inline LossSum sum_losses(const DependenceTables& tables, const MaskRows& rows, double exponent, double* losses,
                          std::size_t step = 1) {
#ifdef ENTROPICK_X86
    if (is_modern()) return avx2::sum_losses(tables, rows, exponent, losses, step);
#endif
    return any::sum_losses(tables, rows, exponent, losses, step);
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
    // The loss is convex in the exponent, so its slope says on which side the best one is. A few of the rows tell about
    // where; from there it is a step or two.
    std::size_t best_exponent(const dependence::MaskRows& rows, double& least) const {
        const std::size_t last = n_exponents() - 1;
        std::size_t low = 0, high = last;
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            const auto few =
                dependence::sum_losses(tables_, rows, exponents_[middle], nullptr, dependence::FEW_ROWS_STEP);
            (few.slope > 0 ? low : high) = middle;
        }
        dependence::LossSum at = dependence::sum_losses(tables_, rows, exponents_[low], nullptr);
        std::size_t best = low;
        const bool falls = at.slope > 0;  // towards smaller exponents, which come later
        least = at.loss;
        while (falls ? best < last : best > 0) {
            const std::size_t next = falls ? best + 1 : best - 1;
            at = dependence::sum_losses(tables_, rows, exponents_[next], nullptr);
            if (at.loss < least || (at.loss == least && next < best))
                least = at.loss, best = next;
            else
                break;
            if ((at.slope > 0) != falls) break;
        }
        return best;
    }

    // Calls work(mask, its rows) for every mask: first the evidence of all masks, tile by tile, then mask by mask.
    template <typename Work>
    void for_masks(const DependenceRows& rows, const std::uint8_t* masks, std::size_t n_masks, std::size_t n_threads,
                   const Work& work) const {
        using namespace dependence;
        const MaskPlan plan(masks, n_masks, rows.n_columns, tables_.has_parents);
        check(rows, plan.used);
        // Rows of a class together: the tables of their own class are read for few tiles.
        std::vector<std::size_t> order(rows.n_rows);
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return rows.classes[a] < rows.classes[b]; });
        const std::size_t n_strips = (rows.n_rows + STRIP - 1) / STRIP, stride = n_strips * STRIP;
        const std::size_t per_mask = tables_.n_classes * n_strips;
        if (n_masks * per_mask * STRIP < THREAD_WORK) n_threads = 1;
        std::vector<Strip> evidence = take_buffer(n_masks * per_mask);
        const std::size_t tile_strips = std::min(TILE_STRIPS, (n_strips + n_threads - 1) / n_threads);
        parallel(n_strips, n_threads, tile_strips, [&](const auto& take) {
            TileScratch scratch;
            std::size_t begin, end;
            while (take(begin, end)) {
                fill(rows, order, plan, begin, end, scratch);
                const RowTile tile{scratch.classes.data(), scratch.places.data(), end - begin, n_strips};
                tile_evidence(tables_, plan, tile, scratch, evidence.data() + begin);
            }
        });
        std::vector<double> own_prior(stride), counted(stride);
        for (std::size_t r = 0; r < rows.n_rows; ++r)
            own_prior[r] = tables_.log_prior[rows.classes[order[r]]], counted[r] = 1.0;
        parallel(n_masks, n_threads, 1, [&](const auto& take) {
            std::vector<double> own(stride), most(stride);
            std::size_t s, end;
            while (take(s, end)) {
                const double* const of_mask = evidence[s * per_mask].at;
                std::copy(of_mask, of_mask + stride, most.begin());
                for (std::size_t c = 1; c < tables_.n_classes; ++c)
                    for (std::size_t r = 0; r < stride; ++r) most[r] = std::max(most[r], of_mask[c * stride + r]);
                for (std::size_t r = 0; r < rows.n_rows; ++r)
                    own[r] = of_mask[std::size_t(rows.classes[order[r]]) * stride + r];
                work(s, MaskRows{of_mask, most.data(), own.data(), own_prior.data(), counted.data(), order.data(),
                                 rows.n_rows, stride});
            }
        });
        const std::lock_guard<std::mutex> lock(spare_lock_);
        spare_.swap(evidence);
    }

    // The strips from begin to end.
    void fill(const DependenceRows& rows, const std::vector<std::size_t>& order, const dependence::MaskPlan& plan,
              std::size_t begin, std::size_t end, dependence::TileScratch& scratch) const {
        using dependence::STRIP;
        scratch.base.resize((end - begin) * plan.n_masks);
        scratch.total.resize((end - begin) * plan.n_masks);
        scratch.terms.resize(plan.used.size() + 1);
        scratch.classes.resize((end - begin) * STRIP);
        scratch.places.resize((end - begin) * STRIP * plan.used.size());
        for (std::size_t r = 0; r < (end - begin) * STRIP; ++r) {
            const std::size_t row = order[std::min(begin * STRIP + r, rows.n_rows - 1)];  // after the last, that again
            scratch.classes[r] = std::size_t(rows.classes[row]);
            for (std::size_t j = 0; j < plan.used.size(); ++j)
                scratch.places[(r / STRIP * plan.used.size() + j) * STRIP + r % STRIP] =
                    rows.places[row * rows.n_columns + plan.used[j]];
        }
    }

    // Memory is kept from call to call: fresh pages cost about as much as what is written to them.
    std::vector<dependence::Strip> take_buffer(std::size_t size) const {
        std::vector<dependence::Strip> buffer;
        {
            const std::lock_guard<std::mutex> lock(spare_lock_);
            buffer.swap(spare_);
        }
        if (buffer.size() < size) buffer.resize(size);
        return buffer;
    }

    void check(const DependenceRows& rows, const std::vector<std::uint32_t>& used) const {
        for (std::size_t r = 0; r < rows.n_rows; ++r)
            for (const std::uint32_t j : used) {
                const std::int32_t place = rows.places[r * rows.n_columns + j];
                if (place < 0 || std::size_t(place) >= tables_.n_levels)
                    throw std::invalid_argument("a place is the number of a level");
            }
        for (std::size_t r = 0; r < rows.n_rows; ++r)
            if (rows.classes[r] < 0 || std::size_t(rows.classes[r]) >= tables_.n_classes)
                throw std::invalid_argument("a class is below the number of classes");
    }

    DependenceTables tables_;
    std::vector<double> exponents_;
    mutable std::mutex spare_lock_;
    mutable std::vector<dependence::Strip> spare_;
};

}  // namespace entropick
