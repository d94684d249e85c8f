// Ridge regression on subsets of features that differ little from one, the center.
//
// A subset adds some features to the center and leaves others out. Its slopes b solve the equations of the center with
// a border, a column of B and an unknown in c for every feature that differs:
//
//     | M   B | |b|   |g|
//     | B'  Γ | |c| = |γ|      M = G + λI, G the Gram matrix of the center, g its products with a target
//
// Of a feature x that is added, the column is X'x, Γ has its products with the other ones, and λ; c is its slope. Of one
// that is left out, the column is its unit vector and Γ is 0: c is the multiplier that makes its slope 0. Where M is
// XX' + λI instead, of the rows, the column is x, Γ is −1 if it is added and 1 if it is left out, and γ is 0.
//
// In the axes of M it is diagonal, 1/r. So all it takes are sums over them: with S = Γ − B'rB,
//
//     c = S⁻¹(γ − B'rg),  b = r(g − Bc),  trace of the inverse = Σ r + tr S⁻¹B'r²B, and the slopes' own part of S⁻¹.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine.hpp"
#include "parallel.hpp"
#include "ridge.hpp"

namespace entropick {

// The eigenvalues of G; for every feature its column of B, and for every target g, along the axes.
struct RidgeCenter {
    const std::uint8_t* member;  // of every feature
    const double *values, *columns, *targets;
    std::size_t size;  // number of axes
    bool by_rows;      // whether G is XX'
};

class NearKernel {
public:
    NearKernel(const RidgeProblem& problem, const RidgeCenter& center)
        : problem_(problem), center_(center), direct_(problem) {
        for (std::size_t f = 0; f < problem.n_features; ++f) n_own_ += center.member[f];
        for (const double penalty : problem.penalties) {
            fits_.emplace_back();
            Fit& fit = fits_.back();
            fit.penalty = penalty;
            for (std::size_t t = 0; t < center.size; ++t) {
                fit.r.push_back(1 / (center.values[t] + penalty));
                fit.trace += fit.r[t];
            }
            for (std::size_t i = 0; i < problem.n_targets * center.size; ++i) {
                fit.slopes.push_back(center.targets[i] * fit.r[i % center.size]);
                fit.explained += center.targets[i] * fit.slopes[i];
                fit.length += fit.slopes[i] * fit.slopes[i];
            }
        }
    }

    // As RidgeKernel::solve, which is used for subsets that differ by much.
    void solve(const std::uint8_t* member, double& ratio, std::int64_t& place) {
        changed_.clear();
        n_added_ = 0;
        for (std::size_t f = 0; f < problem_.n_features; ++f)
            if (member[f] && !center_.member[f]) changed_.push_back(f);
        n_added_ = changed_.size();
        for (std::size_t f = 0; f < problem_.n_features; ++f)
            if (!member[f] && center_.member[f]) changed_.push_back(f);
        if (4 * changed_.size() > center_.size + 16) return direct_.solve(member, ratio, place);
        is_spoilt_ = false;
        pick_penalty(problem_, [&](std::size_t i) { return fit(fits_[i]); }, ratio, place);
        if (is_spoilt_) direct_.solve(member, ratio, place);
    }

private:
    struct Fit {  // of the center
        double penalty = 0, trace = 0, explained = 0, length = 0;
        std::vector<double> r, slopes;
    };

    RidgeFit fit(const Fit& center) {
        const std::size_t m = changed_.size(), q = problem_.n_targets;
        sum(center);
        border(center.penalty);
        invert(center.penalty);
        double trace = center.trace, explained = center.explained, length = center.length;
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < m; ++j) trace += inverse_[i * m + j] * squares_[i * m + j];
            if (i < n_added_ && !center_.by_rows) trace += inverse_[i * m + i];
        }
        c_.assign(m, 0.0);
        for (std::size_t target = 0; target < q; ++target) {
            for (std::size_t i = 0; i < m; ++i) {
                c_[i] = 0;
                for (std::size_t j = 0; j < m; ++j) c_[i] += inverse_[i * m + j] * rest(j, target);
                explained += c_[i] * rest(i, target);
            }
            for (std::size_t i = 0; i < m; ++i) {
                double product = 0;
                for (std::size_t j = 0; j < m; ++j) product += squares_[i * m + j] * c_[j];
                length += c_[i] * (product - 2 * with_slopes_[i * q + target]);
                if (i < n_added_ && !center_.by_rows) length += c_[i] * c_[i];
            }
        }
        const double penalty = center.penalty,
                     size = double(center_.by_rows ? center_.size : n_own_ + 2 * n_added_ - m);
        return {1 + size - penalty * trace,
                center_.by_rows ? penalty * penalty * length : problem_.total - explained - penalty * length};
    }

    // γ − B'rg
    double rest(std::size_t i, std::size_t target) const {
        const std::size_t q = problem_.n_targets;
        const double own = i < n_added_ && !center_.by_rows ? problem_.cross[changed_[i] * q + target] : 0.0;
        return own - with_targets_[i * q + target];
    }

    // B'rB, B'r²B, B'rg and B'r²g.
    void sum(const Fit& center) {
        const std::size_t m = changed_.size(), q = problem_.n_targets, k = center_.size;
        scaled_.resize(m * k);
        products_.resize(m * m);
        squares_.resize(m * m);
        with_targets_.resize(m * q);
        with_slopes_.resize(m * q);
#ifdef ENTROPICK_X86
        if (is_modern()) return sum_avx2(center);
#endif
        sum_body(center);
    }

#ifdef ENTROPICK_X86
    ENTROPICK_FOR("avx2") void sum_avx2(const Fit& center) { sum_body(center); }
#endif

    ENTROPICK_INLINE void sum_body(const Fit& center) {
        const std::size_t m = changed_.size(), q = problem_.n_targets, k = center_.size;
        for (std::size_t i = 0; i < m; ++i) {
            const double* const column = center_.columns + changed_[i] * k;
            double* const scaled = scaled_.data() + i * k;
            for (std::size_t t = 0; t < k; ++t) scaled[t] = center.r[t] * column[t];
            for (std::size_t j = 0; j <= i; ++j)
                dot(scaled, center_.columns + changed_[j] * k, scaled_.data() + j * k, products_[i * m + j],
                    squares_[i * m + j]);
            for (std::size_t c = 0; c < q; ++c)
                dot(scaled, center_.targets + c * k, center.slopes.data() + c * k, with_targets_[i * q + c],
                    with_slopes_[i * q + c]);
        }
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = i + 1; j < m; ++j) {
                products_[i * m + j] = products_[j * m + i];
                squares_[i * m + j] = squares_[j * m + i];
            }
        }
    }

    // x'y and x'z.
    ENTROPICK_INLINE void dot(const double* x, const double* y, const double* z, double& with_y, double& with_z) const {
        const std::size_t k = center_.size, fours = k / 4 * 4;
        Four a, b;
        fill(a, 0.0);
        fill(b, 0.0);
        for (std::size_t t = 0; t < fours; t += 4) {
            Four own, other, third;
            load(own, x + t);
            load(other, y + t);
            load(third, z + t);
            a = a + own * other;
            b = b + own * third;
        }
        with_y = (a[0] + a[1]) + (a[2] + a[3]);
        with_z = (b[0] + b[1]) + (b[2] + b[3]);
        for (std::size_t t = fours; t < k; ++t) {
            with_y += x[t] * y[t];
            with_z += x[t] * z[t];
        }
    }

    // S = Γ − B'rB.
    void border(double penalty) {
        const std::size_t m = changed_.size();
        inverse_.resize(m * m);
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < m; ++j) {
                double corner = 0;
                if (center_.by_rows)
                    corner = i != j ? 0 : i < n_added_ ? -1 : 1;
                else if (i < n_added_ && j < n_added_)
                    corner = problem_.gram[changed_[i] * problem_.n_features + changed_[j]] + (i == j ? penalty : 0);
                inverse_[i * m + j] = corner - products_[i * m + j];
            }
        }
    }

    // By elimination, in place. In exact arithmetic the pivots of features that are added are at least λ (by rows: at
    // most −1), and those of the others have the other sign, whatever the order; rounding errors may spoil that.
    void invert(double penalty) {
        const std::size_t m = changed_.size();
        for (std::size_t p = 0; p < m; ++p) {
            double* const row = inverse_.data() + p * m;
            double pivot = row[p];
            const bool is_added = p < n_added_;
            if (is_added && !center_.by_rows) pivot = std::max(pivot, penalty);
            if (!(is_added != center_.by_rows ? pivot > 0 : pivot < 0)) is_spoilt_ = true;
            row[p] = 1;
            for (std::size_t j = 0; j < m; ++j) row[j] /= pivot;
            for (std::size_t i = 0; i < m; ++i) {
                if (i == p) continue;
                double* const other = inverse_.data() + i * m;
                const double times = other[p];
                other[p] = 0;
                for (std::size_t j = 0; j < m; ++j) other[j] -= times * row[j];
            }
        }
    }

    const RidgeProblem& problem_;
    const RidgeCenter& center_;
    RidgeKernel direct_;
    std::vector<Fit> fits_;  // one a penalty
    std::size_t n_own_ = 0, n_added_ = 0;
    bool is_spoilt_ = false;            // by rounding errors
    std::vector<std::size_t> changed_;  // features: those that are added, then those that are left out
    std::vector<double> scaled_, products_, squares_, with_targets_, with_slopes_, inverse_, c_;
};

// As solve_ridges, for subsets that differ little from the center.
inline void solve_near(const RidgeProblem& problem, const RidgeCenter& center, const std::uint8_t* members,
                       std::size_t n_subsets, std::size_t n_threads, double* ratios, std::int64_t* places) {
    parallel(n_subsets, n_threads, RIDGE_CHUNK, [&](const auto& take) {
        NearKernel kernel(problem, center);
        std::size_t begin, end;
        while (take(begin, end))
            for (std::size_t s = begin; s < end; ++s)
                kernel.solve(members + s * problem.n_features, ratios[s], places[s]);
    });
}

}  // namespace entropick
