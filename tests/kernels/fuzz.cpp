// The kernels against a std::map or a plain loop, on tables of odd shapes. Built with sanitizers by test_kernels.py.
//
// usage: fuzz SEED ROUNDS
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "batch.hpp"
#include "chance.hpp"
#include "cross.hpp"
#include "near.hpp"
#include "one_dependence.hpp"
#include "order.hpp"
#include "pairs.hpp"
#include "ridge.hpp"

using namespace entropick;
using Codes = std::vector<std::uint16_t>;
using Long = long double;

namespace {

constexpr std::size_t LARGE = 132'000;  // more rows than are filtered at once

std::mt19937_64 random_bits;

std::size_t below(std::size_t n) { return n ? random_bits() % n : 0; }

template <typename T>
T one_of(const std::vector<T>& values) {
    return values[below(values.size())];
}

struct Problem {
    std::vector<Codes> columns;
    std::vector<std::size_t> levels;
    std::vector<std::int64_t> starts{0};
    std::vector<std::int64_t> t1, t2;

    std::size_t n() const { return std::size_t(starts.back()); }
};

Problem make_problem() {
    Problem problem;
    const std::size_t n_classes = 1 + below(one_of<std::size_t>({1, 2, 3, 5, 60, 3000}));
    const std::size_t n = one_of<std::size_t>({0, n_classes, 1 + below(70), 250 + below(20), 1000 + below(3000),
                                               20'000 + below(20'000), LARGE + below(9'000)});
    for (std::size_t c = 0; c < n_classes; ++c)
        problem.starts.push_back(c + 1 == n_classes ? std::int64_t(n)
                                                    : problem.starts[c] + std::int64_t(below(2 * n / n_classes + 1)));
    for (auto& start : problem.starts) start = std::min(start, std::int64_t(n));
    const std::size_t m =
        n > 10'000 ? 1 + below(40) : one_of<std::size_t>({1, 2, 3 + below(10), 62 + below(4), 130 + below(70), 400});
    const int kind = int(below(5));
    // Some tables repeat few rows, so that they can be condensed.
    std::vector<std::size_t> original(n);
    const std::size_t n_originals = 1 + (kind == 4 ? below(n / 2 + 1) : n);
    for (std::size_t& row : original) row = below(n_originals);
    for (std::size_t j = 0; j < m; ++j) {
        const std::size_t levels = one_of<std::size_t>({1, 2, 2, 3, 5, 8, 9, 300, 65'535});
        Codes codes(n);
        const std::size_t copied = below(j + 1);
        for (std::size_t r = 0; r < n; ++r) {
            if (kind == 0) codes[r] = std::uint16_t(below(levels));
            if (kind == 1) codes[r] = std::uint16_t(below(20) ? 0 : below(levels));            // sparse
            if (kind == 2) codes[r] = std::uint16_t(r * 2654435761u % 97 * (j + 1) % levels);  // few rows differ
            if (kind == 3)
                codes[r] = j && copied < j && below(50) ? problem.columns[copied][r] : std::uint16_t(below(levels));
        }
        if (kind == 4)
            for (std::size_t r = 0; r < n; ++r)
                codes[r] = std::uint16_t((original[r] * 2654435761u >> (j % 16)) % levels);
        std::size_t most = 0;
        for (const std::uint16_t code : codes) most = std::max<std::size_t>(most, code);
        problem.columns.push_back(codes);
        problem.levels.push_back(most + 1);
    }
    const bool unknown = below(2);
    for (std::size_t a = 0; a <= n; ++a)
        problem.t1.push_back(a == 0 ? 0 : unknown && a > 3 && below(2) ? UNKNOWN : -std::int64_t(a * a % 1009));
    for (std::size_t c = 0; c < n_classes; ++c)
        for (std::int64_t q = 0; q <= problem.starts[c + 1] - problem.starts[c]; ++q)
            problem.t2.push_back(q * q * (std::int64_t(c) + 1) % 10'007);
    return problem;
}

// The sum, and the sizes whose value of T1 is not known.
std::int64_t reference(const Problem& problem, const std::uint8_t* mask, std::map<std::int64_t, int>& unknown) {
    std::map<Codes, std::vector<std::int64_t>> cells;
    const std::size_t n_classes = problem.starts.size() - 1;
    for (std::size_t c = 0; c < n_classes; ++c)
        for (auto r = problem.starts[c]; r < problem.starts[c + 1]; ++r) {
            Codes key;
            for (std::size_t j = 0; j < problem.columns.size(); ++j)
                if (mask[j]) key.push_back(problem.columns[j][std::size_t(r)]);
            auto& counts = cells[key];
            counts.resize(n_classes);
            ++counts[c];
        }
    std::int64_t sum = 0;
    for (const auto& [key, counts] : cells) {
        std::int64_t size = 0;
        for (std::size_t c = 0; c < n_classes; ++c) {
            size += counts[c];
            sum += problem.t2[std::size_t(problem.starts[c] + std::int64_t(c) + counts[c])];
        }
        const std::int64_t value = problem.t1[std::size_t(size)];
        if (value == UNKNOWN)
            ++unknown[size];
        else
            sum += value;
    }
    return sum;
}

[[noreturn]] void fail(const char* what, const Problem& problem) {
    std::printf("%s: %zu rows, %zu columns, %zu classes\n", what, problem.n(), problem.columns.size(),
                problem.starts.size() - 1);
    std::exit(1);
}

void check_subsets(const Problem& problem) {
    const std::size_t m = problem.columns.size(), n_masks = 1 + below(problem.n() > 10'000 ? 200 : 90);
    BitPlanes planes(m, problem.starts);
    for (std::size_t j = 0; j < m; ++j) {
        if (problem.levels[j] > 256) {
            planes.add_column(j, problem.columns[j].data());
            continue;
        }
        const std::vector<std::uint8_t> narrow(problem.columns[j].begin(), problem.columns[j].end());
        planes.add_column(j, narrow.data());
    }
    planes.seal();
    const double p = one_of<double>({0.5, 0.02, 0.9, 3.0 / double(m)});
    const std::size_t used = below(2) ? m : 1 + below(m);
    std::vector<std::uint8_t> masks(n_masks * m);
    for (std::size_t s = 0; s < n_masks; ++s)
        for (std::size_t j = 0; j < used; ++j) masks[s * m + j] = std::uniform_real_distribution<>()(random_bits) < p;
    std::vector<std::int64_t> sums(n_masks), duplicate_of(n_masks);
    const Tables tables{problem.t1.data(), problem.t2.data()};
    KernelPool kernels;
    auto missing =
        score_subsets(planes, kernels, tables, masks.data(), n_masks / 2, 2, sums.data(), duplicate_of.data());
    missing =
        score_subsets(planes, kernels, tables, masks.data(), n_masks, 1 + below(3), sums.data(), duplicate_of.data());
    std::map<std::int64_t, std::map<std::int64_t, int>> unknown_of;
    for (std::size_t k = 0; k < missing.size(); k += 2) ++unknown_of[missing[k]][missing[k + 1]];
    SubsetKernel weak(planes, tables, 0);  // its first hash is a bad one, so that it has to try again
    const std::size_t step = 1 + n_masks / (problem.n() > 10'000 ? 2 : 8);
    for (std::size_t s = 0; s < n_masks; s += step) {
        std::map<std::int64_t, int> unknown;
        const std::int64_t sum = reference(problem, &masks[s * m], unknown);
        if (sums[std::size_t(duplicate_of[s])] != sum) fail("wrong sum", problem);
        if (unknown_of[duplicate_of[s]] != unknown) fail("wrong unknown sizes", problem);
        if (weak(&masks[s * m]) != sum) fail("wrong sum after a bad hash", problem);
        std::map<std::int64_t, int> again;
        for (const std::uint32_t size : weak.unknown_sizes()) ++again[size];
        if (again != unknown) fail("wrong unknown sizes after a bad hash", problem);
    }
}

void check_pairs(const Problem& problem) {
    std::vector<std::size_t> narrow;
    std::vector<std::size_t> levels;
    for (std::size_t j = 0; j < problem.columns.size() && narrow.size() < 6; ++j)
        if (problem.levels[j] <= LevelSets::MAX_SET_LEVELS) {
            narrow.push_back(j);
            levels.push_back(problem.levels[j]);
        }
    if (narrow.empty() || problem.n() > 10'000) return;
    LevelSets sets(levels, problem.starts);
    for (std::size_t k = 0; k < narrow.size(); ++k) {
        const std::vector<std::uint8_t> codes(problem.columns[narrow[k]].begin(), problem.columns[narrow[k]].end());
        sets.set_column(k, codes.data());
    }
    Problem known = problem;
    for (auto& value : known.t1)
        if (value == UNKNOWN) value = 7;
    const std::size_t s = below(narrow.size()), m = narrow.size();
    std::vector<std::int64_t> blocks(2 * m), cells(2 * m);
    sets.score({below(m), s}, {known.t1.data(), known.t2.data()}, 2, blocks.data(), cells.data());
    for (std::size_t f = 0; f < m; ++f) {
        std::vector<std::uint8_t> mask(problem.columns.size());
        mask[narrow[f]] = mask[narrow[s]] = 1;
        std::map<std::int64_t, int> unknown;
        if (blocks[m + f] + cells[m + f] != reference(known, mask.data(), unknown)) fail("wrong pair", problem);
    }
}

void check_chance(const Problem& problem) {
    std::vector<std::int64_t> sizes, times;
    for (std::size_t c = 1; c < problem.starts.size(); ++c)
        if (problem.starts[c] > problem.starts[c - 1]) {
            sizes.push_back(problem.starts[c] - problem.starts[c - 1]);
            times.push_back(1);
        }
    const auto n = std::int64_t(problem.n());
    if (n == 0) return;
    const std::vector<std::int64_t> blocks{1, n, 1 + std::int64_t(below(problem.n()))};
    double shares[3];
    expected_shares(blocks.data(), 3, sizes, times, shares);
    for (const double share : shares)
        if (!std::isfinite(share)) fail("no share", problem);
    if (std::abs(shares[1]) > 1e-12) fail("all rows together show something by chance", problem);
}

void check_order(const Problem& problem) {
    if (problem.n() == 0) return;
    const std::size_t n = problem.n();
    std::vector<double> values(n), found(5);
    for (std::size_t r = 0; r < n; ++r)
        values[r] = (below(2) ? 1.0 : -1.0) * std::ldexp(double(problem.columns[0][r]), int(below(2000)) - 1000);
    const std::vector<std::size_t> ranks{0, n - 1, below(n), below(n), n / 2};
    order_statistics(values.data(), n, ranks, found.data());
    std::sort(values.begin(), values.end());
    for (std::size_t k = 0; k < ranks.size(); ++k)
        if (found[k] != values[ranks[k]]) fail("wrong order", problem);
}

// V(U)/V(∅) by plain elimination: of the matrix, its inverse and the slopes at once.
double plain_ratio(const RidgeProblem& problem, const std::uint8_t* member) {
    std::vector<std::size_t> own;
    for (std::size_t f = 0; f < problem.n_features; ++f)
        if (member[f]) own.push_back(f);
    const std::size_t k = own.size(), q = problem.n_targets, width = 2 * k + q;
    double least = std::numeric_limits<double>::infinity();
    for (const double penalty : problem.penalties) {
        std::vector<Long> rows(k * width);
        for (std::size_t i = 0; i < k; ++i) {
            for (std::size_t j = 0; j < k; ++j)
                rows[i * width + j] = problem.gram[own[i] * problem.n_features + own[j]];
            for (std::size_t c = 0; c < q; ++c) rows[i * width + 2 * k + c] = problem.cross[own[i] * q + c];
            rows[i * width + i] += penalty;
            rows[i * width + k + i] = 1;
        }
        for (std::size_t i = 0; i < k; ++i) {
            const Long pivot = rows[i * width + i];
            for (std::size_t j = 0; j < width; ++j) rows[i * width + j] /= pivot;
            for (std::size_t r = 0; r < k; ++r) {
                const Long times = rows[r * width + i];
                if (r != i)
                    for (std::size_t j = 0; j < width; ++j) rows[r * width + j] -= times * rows[i * width + j];
            }
        }
        Long df = Long(1 + k), rss = problem.total;
        for (std::size_t i = 0; i < k; ++i) {
            df -= penalty * rows[i * width + k + i];
            for (std::size_t c = 0; c < q; ++c) {
                const Long slope = rows[i * width + 2 * k + c];
                rss -= slope * problem.cross[own[i] * q + c] + penalty * slope * slope;
            }
        }
        const Long n = Long(problem.n_rows), factor = (n - problem.price) / (n - problem.price * df);
        if (2 * problem.price * df < n) least = std::min(least, double(rss / problem.total * factor * factor));
    }
    return least;
}

void check_cross(const Problem& problem) {
    const std::size_t n_columns = below(6), n_rows = below(300), n_values = below(4), first = below(n_columns + 1);
    Levels levels{nullptr, n_rows, {0}};
    std::vector<std::uint8_t> codes(n_columns * n_rows);
    for (std::size_t j = 0; j < n_columns; ++j) {
        const std::size_t n = 1 + below(below(2) ? 4 : 256);
        levels.starts.push_back(levels.starts.back() + n);
        for (std::size_t row = 0; row < n_rows; ++row) codes[j * n_rows + row] = std::uint8_t(below(n));
    }
    levels.codes = codes.data();
    const std::size_t n_levels = levels.n_levels(), start = levels.starts[first];
    std::vector<double> values(n_rows * n_values), counts((n_levels - start) * n_levels), sums(n_levels * n_values);
    for (double& value : values) value = double(below(100));
    auto expected = counts;
    auto expected_sums = sums;
    const auto level = [&](std::size_t j, std::size_t row) { return levels.starts[j] + codes[j * n_rows + row]; };
    for (std::size_t row = 0; row < n_rows; ++row)
        for (std::size_t i = 0; i < n_columns; ++i) {
            for (std::size_t v = 0; v < n_values; ++v)
                expected_sums[level(i, row) * n_values + v] += values[row * n_values + v];
            for (std::size_t j = 0; i >= first && j < n_columns; ++j)
                ++expected[(level(i, row) - start) * n_levels + level(j, row)];
        }
    count_pairs(levels, first, 1 + below(3), counts.data());
    sum_by_level(levels, values.data(), n_values, 1 + below(3), sums.data());
    if (counts != expected || sums != expected_sums) fail("wrong counts of pairs of levels", problem);
}

// Eigenvalues of a symmetric matrix, which becomes diagonal, and its axes, one a column: Jacobi's rotations.
std::vector<double> turn(std::vector<double>& matrix, std::vector<double>& axes, std::size_t k) {
    axes.assign(k * k, 0.0);
    for (std::size_t i = 0; i < k; ++i) axes[i * k + i] = 1;
    for (int sweep = 0; sweep < 30; ++sweep)
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = i + 1; j < k; ++j) {
                const double angle = std::atan2(2 * matrix[i * k + j], matrix[j * k + j] - matrix[i * k + i]) / 2,
                             c = std::cos(angle), s = std::sin(angle);
                const auto rotate = [&](double& a, double& b) {
                    const double first = a;
                    a = c * a - s * b;
                    b = s * first + c * b;
                };
                for (std::size_t r = 0; r < k; ++r) rotate(matrix[r * k + i], matrix[r * k + j]);
                for (std::size_t r = 0; r < k; ++r) rotate(matrix[i * k + r], matrix[j * k + r]);
                for (std::size_t r = 0; r < k; ++r) rotate(axes[r * k + i], axes[r * k + j]);
            }
    std::vector<double> values(k);
    for (std::size_t i = 0; i < k; ++i) values[i] = std::max(0.0, matrix[i * k + i]);
    return values;
}

// The subsets, each a few features away from the first one.
void check_near(const Problem& problem, const RidgeProblem& ridge, std::vector<std::uint8_t> members) {
    const std::size_t p = ridge.n_features, q = ridge.n_targets, n_subsets = members.size() / p;
    std::vector<std::size_t> own;
    for (std::size_t f = 0; f < p; ++f)
        if (members[f]) own.push_back(f);
    for (std::size_t s = 1; s < n_subsets; ++s) {
        std::copy_n(members.data(), p, members.data() + s * p);
        for (std::size_t changes = below(8); changes-- > 0;) members[s * p + below(p)] ^= 1;
    }
    const bool by_rows = ridge.X && own.size() > ridge.n_rows;
    const std::size_t k = by_rows ? ridge.n_rows : own.size();
    std::vector<double> gram(k * k), axes, columns(p * k), targets(q * k);
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j < k; ++j) {
            if (by_rows)
                for (const std::size_t f : own) gram[i * k + j] += ridge.X[f * k + i] * ridge.X[f * k + j];
            else
                gram[i * k + j] = ridge.gram[own[i] * p + own[j]];
        }
    const auto values = turn(gram, axes, k);
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t t = 0; t < k; ++t) {
            for (std::size_t f = 0; f < p; ++f)
                columns[f * k + t] += axes[i * k + t] * (by_rows ? ridge.X[f * k + i] : ridge.gram[f * p + own[i]]);
            for (std::size_t c = 0; c < q; ++c)
                targets[c * k + t] += axes[i * k + t] * (by_rows ? ridge.Y[i * q + c] : ridge.cross[own[i] * q + c]);
        }
    for (std::size_t i = 0; i < k && !by_rows; ++i) std::copy_n(axes.data() + i * k, k, columns.data() + own[i] * k);
    const std::vector<std::uint8_t> center(members.begin(), members.begin() + std::ptrdiff_t(p));
    const RidgeCenter near{center.data(), values.data(), columns.data(), targets.data(), k, by_rows};
    std::vector<double> ratios(n_subsets), again(n_subsets);
    std::vector<std::int64_t> places(n_subsets);
    solve_near(ridge, near, members.data(), n_subsets, 1 + below(3), ratios.data(), places.data());
    for (std::size_t s = n_subsets; s-- > 0;)
        solve_near(ridge, near, members.data() + s * p, 1, 1, &again[s], &places[s]);
    if (ratios != again) fail("a near ridge that depends on the others", problem);
    for (std::size_t s = 0; s < n_subsets; ++s) {
        const double expected = plain_ratio(ridge, members.data() + s * p);
        if (ratios[s] != expected && !(std::abs(ratios[s] - expected) < 1e-9)) fail("wrong near ridge", problem);
    }
}

void check_ridge(const Problem& problem) {
    // Features of few rows, some constant, equal or nearly equal.
    const std::size_t p = 1 + below(40), q = 1 + below(4), n = 1 + below(60), n_subsets = 1 + below(30);
    std::normal_distribution<> normal;
    std::vector<double> X(n * p), Y(n * q), gram(p * p), cross(p * q);
    for (double& y : Y) y = normal(random_bits);
    for (std::size_t f = 0; f < p; ++f) {
        const std::size_t kind = below(5), other = below(f + 1);
        for (std::size_t r = 0; r < n; ++r) {
            const double noise = normal(random_bits);
            X[r * p + f] = kind == 0 ? 0 : kind == 1 && other < f ? X[r * p + other] : noise;
            if (kind == 2 && other < f) X[r * p + f] = X[r * p + other] + 1e-9 * noise;
        }
    }
    double total = 0;
    for (const double y : Y) total += y * y;
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t i = 0; i < p; ++i) {
            for (std::size_t j = 0; j < p; ++j) gram[i * p + j] += X[r * p + i] * X[r * p + j];
            for (std::size_t c = 0; c < q; ++c) cross[i * q + c] += X[r * p + i] * Y[r * q + c];
        }
    std::vector<double> by_feature(p * n);
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t f = 0; f < p; ++f) by_feature[f * n + r] = X[r * p + f];
    const double* const rows = below(2) ? by_feature.data() : nullptr;
    const RidgeProblem ridge{gram.data(), cross.data(), rows, Y.data(), p, q, n, total, {1, 10, 100}, 1.4};
    std::vector<std::uint8_t> members(n_subsets * p);
    const std::size_t step = 1 + below(5);
    for (std::uint8_t& member : members) member = below(step) == 0;
    std::vector<double> ratios(n_subsets), again(n_subsets);
    std::vector<std::int64_t> places(n_subsets);
    solve_ridges(ridge, members.data(), n_subsets, 1 + below(3), ratios.data(), places.data());
    for (std::size_t s = n_subsets; s-- > 0;) solve_ridges(ridge, members.data() + s * p, 1, 1, &again[s], &places[s]);
    if (ratios != again) fail("a ridge that depends on the others", problem);
    for (std::size_t s = 0; s < n_subsets; ++s) {
        const double expected = plain_ratio(ridge, members.data() + s * p);
        if (ratios[s] != expected && !(std::abs(ratios[s] - expected) < 1e-9)) fail("wrong ridge", problem);
    }
    check_near(problem, ridge, members);
}

// The sum of the losses of a mask at an exponent, by the definition.
double plain_loss(const DependenceTables& tables, const DependenceRows& rows, const std::uint8_t* mask,
                  double exponent) {
    double loss = 0;
    for (std::size_t r = 0; r < rows.n_rows; ++r) {
        const std::int32_t* const places = rows.places + r * rows.n_columns;
        std::vector<double> logits;
        for (std::size_t c = 0; c < tables.n_classes; ++c) {
            const double* const table = std::size_t(rows.classes[r]) == c ? tables.own : tables.others;
            std::vector<double> sums;
            for (std::size_t i = 0; i < rows.n_columns; ++i) {
                if (!mask[i] || (!tables.has_parents && !sums.empty())) continue;
                const std::size_t parent = tables.has_parents ? std::size_t(places[i]) : 0;
                sums.push_back(0);
                for (std::size_t j = 0; j < rows.n_columns; ++j)
                    if (mask[j])
                        sums.back() +=
                            table[(parent * tables.n_classes + c) * tables.n_levels + std::size_t(places[j])];
            }
            double evidence = 0;
            if (!sums.empty()) {
                const double top = *std::max_element(sums.begin(), sums.end());
                for (const double sum : sums) evidence += std::exp(sum - top);
                evidence = top + std::log(evidence) - (tables.has_parents ? tables.log_prior[c] : 0);
            }
            logits.push_back(tables.log_prior[c] + exponent * evidence);
        }
        const double top = *std::max_element(logits.begin(), logits.end());
        double total = 0;
        for (const double logit : logits) total += std::exp(logit - top);
        loss += top + std::log(total) - logits[std::size_t(rows.classes[r])];
    }
    return loss;
}

// Returns the sum of all sums of losses, which is the same on all machines.
double check_dependence(const Problem& problem) {
    const std::size_t m = 1 + below(12), n_classes = 1 + below(one_of<std::size_t>({1, 2, 5, 30}));
    const std::size_t n = 1 + below(90), n_masks = 1 + below(30);
    const bool has_parents = below(2);
    std::vector<std::size_t> starts{0};
    for (std::size_t j = 0; j < m; ++j) starts.push_back(starts[j] + 1 + below(5));
    const std::size_t n_levels = starts[m], n_parents = has_parents ? n_levels : 1;
    std::vector<double> others(n_parents * n_classes * n_levels), own(others.size()), prior(n_classes);
    const std::size_t range = one_of<std::size_t>({1, 10, 400});  // sums that no double holds the exp of, too
    for (auto* table : {&others, &own})
        for (double& x : *table) x = -double(below(range << 20)) / double(1 << 20);
    for (double& x : prior) x = std::log(1.0 / double(n_classes));
    std::vector<std::int32_t> places, classes;
    for (std::size_t r = 0; r < n; ++r) {
        classes.push_back(std::int32_t(below(n_classes)));
        for (std::size_t j = 0; j < m; ++j)
            places.push_back(std::int32_t(starts[j] + below(starts[j + 1] - starts[j])));
    }
    std::vector<std::uint8_t> masks(n_masks * m);
    for (std::size_t s = 0; s < n_masks; ++s)
        for (std::size_t j = 0; j < m; ++j) masks[s * m + j] = below(5) ? std::uint8_t(j % 2) : std::uint8_t(below(2));
    const DependenceTables tables{others.data(), own.data(), prior.data(), n_classes, n_levels, has_parents};
    const DependenceRows rows{places.data(), classes.data(), n, m};
    const std::vector<double> exponents{1, 0.5, 0.25, 0.1, 0.02};
    const DependenceKernel kernel(tables, exponents);
    std::vector<double> means(n_masks), losses(n_masks * n), sums(n_masks * exponents.size());
    kernel.score(rows, masks.data(), n_masks, 1 + below(3), means.data(), losses.data());
    kernel.sums(rows, masks.data(), n_masks, 1 + below(3), sums.data());
    for (std::size_t s = 0; s < n_masks; ++s) {
        double least = 1e300, sum = 0, alone;
        for (std::size_t b = 0; b < exponents.size(); ++b) {
            const double loss = plain_loss(tables, rows, &masks[s * m], exponents[b]);
            least = std::min(least, loss);
            if (std::abs(loss - sums[s * exponents.size() + b]) > 1e-10 * (1 + loss))
                fail("wrong sum of losses", problem);
        }
        for (std::size_t r = 0; r < n; ++r) sum += losses[s * n + r];
        if (std::abs(least / double(n) - means[s]) > 1e-10 * (1 + least)) fail("wrong mean loss", problem);
        if (std::abs(sum - least) > 1e-10 * (1 + least)) fail("wrong losses", problem);
        kernel.score(rows, &masks[s * m], 1, 1, &alone, nullptr);
        if (alone != means[s]) fail("another loss in another batch", problem);
    }
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    random_bits.seed(std::strtoull(argv[1], nullptr, 10));
    double losses = 0;
    for (long round = std::strtol(argv[2], nullptr, 10); round > 0; --round) {
        const Problem problem = make_problem();
        check_subsets(problem);
        check_pairs(problem);
        check_chance(problem);
        check_order(problem);
        check_ridge(problem);
        check_cross(problem);
        losses += check_dependence(problem);
    }
    std::printf("all agree, losses %a\n", losses);
}
