// Ridge regression on subsets of features, from their Gram matrix.
//
// The Gram matrix G of a subset is turned into a tridiagonal one by Householder reflections, G = QTQ', and X'Y into
// Q'X'Y. With any penalty, T + λI is then solved in a few passes over two diagonals, so that one reduction serves all
// penalties. Sums run in a fixed order, whatever the width of the vectors, so that all machines agree.
//
// If a subset has more features than there are rows, XX' is reduced instead of X'X: the residuals are λ(XX' + λI)⁻¹Y.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "machine.hpp"
#include "parallel.hpp"

namespace entropick {

// Of the centred features and targets, row after row: gram = X'X, cross = X'Y; total = Σ Y², more than 0. X, feature
// after feature, and Y, row after row, are null unless subsets may have more features than there are rows.
struct RidgeProblem {
    const double *gram, *cross, *X, *Y;
    std::size_t n_features, n_targets, n_rows;
    double total;
    std::vector<double> penalties;
    double price;  // of a degree of freedom
};

// Degrees of freedom and residual sum of squares of a fitted subset.
struct RidgeFit {
    double df, rss;
};

// V(U)/V(∅) of the penalty that makes it least, and the place of that; infinite and −1 if all penalties have too many
// degrees of freedom. fit(i) is the subset's fit with penalty i.
template <typename Fit>
void pick_penalty(const RidgeProblem& problem, const Fit& fit, double& ratio, std::int64_t& place) {
    ratio = std::numeric_limits<double>::infinity();
    place = -1;
    const double n = double(problem.n_rows);
    for (std::size_t i = 0; i < problem.penalties.size(); ++i) {
        const auto [df, rss] = fit(i);
        if (2 * problem.price * df >= n) continue;
        const double factor = (n - problem.price) / (n - problem.price * df),
                     found = rss / problem.total * (factor * factor);
        if (!(found < ratio)) continue;
        ratio = found;
        place = std::int64_t(i);
    }
}

constexpr std::size_t RIDGE_CHUNK = 4;  // subsets that a thread takes at a time

// Four numbers at a time, added up and multiplied each for itself.
#ifdef ENTROPICK_GNU
using Four = double __attribute__((vector_size(32)));
#else
struct Four {
    double values[4];
    double operator[](std::size_t i) const { return values[i]; }
};
inline Four operator+(const Four& a, const Four& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }
inline Four operator-(const Four& a, const Four& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]}; }
inline Four operator*(const Four& a, const Four& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]}; }
#endif
ENTROPICK_INLINE void fill(Four& four, double x) { four = Four{x, x, x, x}; }
ENTROPICK_INLINE void load(Four& four, const double* from) { std::memcpy(&four, from, sizeof four); }
ENTROPICK_INLINE void store(const Four& four, double* to) { std::memcpy(to, &four, sizeof four); }

class RidgeKernel {
public:
    explicit RidgeKernel(const RidgeProblem& problem) : problem_(problem) {}

    // V(U)/V(∅) of a subset of the features with the penalty that makes it least, and the place of that; infinite and
    // −1 if all penalties have too many degrees of freedom.
    void solve(const std::uint8_t* member, double& ratio, std::int64_t& place) {
        own_.clear();
        for (std::size_t f = 0; f < problem_.n_features; ++f)
            if (member[f]) own_.push_back(f);
        by_rows_ = problem_.X && own_.size() > problem_.n_rows;
        size_ = by_rows_ ? problem_.n_rows : own_.size();
        gather();
        reduce();
        pick_penalty(problem_, [&](std::size_t i) { return fit(problem_.penalties[i]); }, ratio, place);
    }

private:
    // Rows and columns in fours, the last ones filled up with zeros.
    void gather() {
        const std::size_t k = size_, q = problem_.n_targets;
        padded_ = (k + 3) / 4 * 4;
        matrix_.assign(padded_ * padded_, 0.0);
        if (by_rows_) {
            targets_.assign(problem_.Y, problem_.Y + k * q);
        } else {
            targets_.resize(k * q);
            for (std::size_t i = 0; i < k; ++i) {
                const double* const from = problem_.gram + own_[i] * problem_.n_features;
                double* const to = matrix_.data() + i * padded_;
                for (std::size_t j = i / 4 * 4; j < k; ++j) to[j] = from[own_[j]];
                std::copy_n(problem_.cross + own_[i] * q, q, targets_.data() + i * q);
            }
        }
        for (auto* const vector : {&diagonal_, &beside_, &v_, &w_, &next_, &product_, &pivots_})
            vector->assign(padded_, 0.0);
        half_.assign(std::max(q, padded_), 0.0);
    }

    void reduce() {
#ifdef ENTROPICK_X86
        if (is_modern()) return reduce_avx2();
#endif
        reduce_body();
    }

#ifdef ENTROPICK_X86
    ENTROPICK_FOR("avx2") void reduce_avx2() { reduce_body(); }
#endif

    // Step i makes row i tridiagonal: A ← A − v w' − w v' for the rows below it, where v is the reflection. The update
    // of a step and the product of the matrix with the next v are one pass over the matrix; what the next v needs, the
    // next row, is updated before. Of the matrix there is the upper triangle, in squares of four by four.
    ENTROPICK_INLINE void reduce_body() {
        if (by_rows_) multiply();
        const std::size_t k = size_;
        for (std::size_t i = 0; i < k; ++i) {
            double* const row = matrix_.data() + i * padded_;
            const double a = v_[i], b = w_[i];
            for (std::size_t j = i; j < k; ++j) row[j] -= a * w_[j] + b * v_[j];
            diagonal_[i] = row[i];
            if (i + 1 == k) break;
            const double tau = reflect(row, i);
            v_[i] = w_[i] = 0;  // this row is done
            std::fill(product_.begin(), product_.end(), 0.0);
            for (std::size_t r = (i + 1) / 4 * 4; r < k; r += 4) pass(r);
            reflect_targets(i, tau);
            // w = τ p − (τ/2 · τ p'v) v
            double dot = 0;
            for (std::size_t r = i + 1; r < k; ++r) dot += product_[r] * next_[r];
            const double share = tau * tau * dot / 2;
            for (std::size_t r = i + 1; r < k; ++r) w_[r] = tau * product_[r] - share * next_[r];
            std::swap(v_, next_);
        }
    }

    // XX' of the features in the subset: the upper triangle, in squares of four by four.
    ENTROPICK_INLINE void multiply() {
        const std::size_t n = size_;
        for (const std::size_t f : own_) {
            std::copy_n(problem_.X + f * n, n, next_.data());
            for (std::size_t i = 0; i < n; ++i) {
                double* const row = matrix_.data() + i * padded_;
                Four times;
                fill(times, next_[i]);
                for (std::size_t j = i / 4 * 4; j < padded_; j += 4) {
                    Four sum, x;
                    load(sum, row + j);
                    load(x, next_.data() + j);
                    store(sum + times * x, row + j);
                }
            }
        }
        std::fill(next_.begin(), next_.end(), 0.0);
    }

    // Takes the step before off four rows, and adds what they and the same columns add to the product with the next v.
    // Entries of rows that are done meet zeros only.
    ENTROPICK_INLINE void pass(std::size_t r) {
        double* const rows = matrix_.data() + r * padded_;
        double* const product = product_.data();
        const double *const v = v_.data(), *const w = w_.data(), *const next = next_.data();
        Four a[4] = {}, b[4] = {}, times[4] = {}, dots[4] = {};
        for (std::size_t x = 0; x < 4; ++x) {
            fill(a[x], v[r + x]);
            fill(b[x], w[r + x]);
            fill(times[x], next[r + x]);
        }
        for (std::size_t j = r; j < padded_; j += 4) {
            Four v_j, w_j, next_j, sum;
            load(v_j, v + j);
            load(w_j, w + j);
            load(next_j, next + j);
            load(sum, product + j);
            ENTROPICK_UNROLL(4)
            for (std::size_t x = 0; x < 4; ++x) {
                Four entry;
                load(entry, rows + x * padded_ + j);
                entry = entry - (a[x] * w_j + b[x] * v_j);
                store(entry, rows + x * padded_ + j);
                sum = sum + times[x] * entry;
                if (j > r) dots[x] = dots[x] + entry * next_j;
            }
            store(sum, product + j);
        }
        for (std::size_t x = 0; x < 4; ++x) product[r + x] += (dots[x][0] + dots[x][1]) + (dots[x][2] + dots[x][3]);
    }

    // The reflection I − τ v v' that makes the row zero beyond the place after i; v is next_, its first entry 1.
    double reflect(const double* row, std::size_t i) {
        const std::size_t k = size_;
        double scale = 0;
        for (std::size_t j = i + 2; j < k; ++j) scale = std::max(scale, std::abs(row[j]));
        beside_[i + 1] = row[i + 1];
        std::fill_n(next_.data(), i + 2, 0.0);
        if (scale == 0) {
            std::fill(next_.begin(), next_.end(), 0.0);
            return 0;
        }
        scale = std::max(scale, std::abs(row[i + 1]));
        double sum = 0;
        for (std::size_t j = i + 1; j < k; ++j) sum += (row[j] / scale) * (row[j] / scale);
        const double first = row[i + 1], beta = -std::copysign(scale * std::sqrt(sum), first);
        beside_[i + 1] = beta;
        next_[i + 1] = 1;
        for (std::size_t j = i + 2; j < k; ++j) next_[j] = row[j] / (first - beta);
        return (beta - first) / beta;
    }

    void reflect_targets(std::size_t i, double tau) {
        const std::size_t k = size_, q = problem_.n_targets;
        if (tau == 0) return;
        std::fill_n(half_.data(), q, 0.0);
        for (std::size_t r = i + 1; r < k; ++r)
            for (std::size_t c = 0; c < q; ++c) half_[c] += next_[r] * targets_[r * q + c];
        for (std::size_t r = i + 1; r < k; ++r)
            for (std::size_t c = 0; c < q; ++c) targets_[r * q + c] -= tau * next_[r] * half_[c];
    }

    // Degrees of freedom and residual sum of squares with this penalty: T + λI = LDL', with pivots D.
    RidgeFit fit(double penalty) {
        const std::size_t k = size_, q = problem_.n_targets;
        double trace = 0, slope = 0;  // of the inverse: Σ D'/D, D' the derivative of a pivot by λ
        for (std::size_t i = 0; i < k; ++i) {
            const double ratio = i ? beside_[i] / pivots_[i - 1] : 0;
            // Never below λ in exact arithmetic.
            pivots_[i] = std::max(diagonal_[i] + penalty - ratio * beside_[i], penalty);
            slope = 1 + ratio * ratio * slope;
            trace += slope / pivots_[i];
        }
        double explained = 0, length = 0;  // b'g and b'b
        for (std::size_t c = 0; c < q; ++c) {
            for (std::size_t i = 0; i < k; ++i) {
                half_[i] = targets_[i * q + c] - (i ? beside_[i] / pivots_[i - 1] * half_[i - 1] : 0);
                explained += half_[i] * half_[i] / pivots_[i];
            }
            double b = 0;
            for (std::size_t i = k; i-- > 0;) {
                b = (half_[i] - (i + 1 < k ? beside_[i + 1] * b : 0)) / pivots_[i];
                length += b * b;
            }
        }
        const double rss = by_rows_ ? penalty * penalty * length : problem_.total - explained - penalty * length;
        return {1 + double(k) - penalty * trace, rss};
    }

    const RidgeProblem& problem_;
    bool by_rows_ = false;               // whether XX' is reduced
    std::size_t size_ = 0, padded_ = 0;  // of the matrix
    std::vector<std::size_t> own_;
    std::vector<double> matrix_, targets_, diagonal_, beside_, v_, w_, next_, product_, pivots_, half_;
};

// Many subsets, members[subset][feature], shared out among threads.
inline void solve_ridges(const RidgeProblem& problem, const std::uint8_t* members, std::size_t n_subsets,
                         std::size_t n_threads, double* ratios, std::int64_t* places) {
    parallel(n_subsets, n_threads, RIDGE_CHUNK, [&](const auto& take) {
        RidgeKernel kernel(problem);
        std::size_t begin, end;
        while (take(begin, end))
            for (std::size_t s = begin; s < end; ++s)
                kernel.solve(members + s * problem.n_features, ratios[s], places[s]);
    });
}

}  // namespace entropick
