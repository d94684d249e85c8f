// What a block shows of the classes by chance alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace entropick {

// Σ_k k ln(k / mean) Hyp(k; n, a, b), mean = ab/n: k rows of a class of size b among a drawn out of n.
//
// The masses are made from that of the mode by successive quotients, to both sides until they are below the rounding
// of their sum: no Γ of large arguments, whose differences would lose digits, and no underflow.
inline double mean_gain(std::int64_t n, std::int64_t a, std::int64_t b) {
    constexpr double NEGLIGIBLE = 1e-20;
    const double mean = double(a) * double(b) / double(n);
    // k ln(k / mean) less k − mean, whose mean is 0: no large terms that cancel.
    const auto gain = [=](std::int64_t k) {
        return (k ? double(k) * std::log(double(k) / mean) : 0.0) - (double(k) - mean);
    };
    const auto mode = std::int64_t((double(a) + 1) * (double(b) + 1) / (double(n) + 2));
    const std::int64_t lowest = std::max<std::int64_t>(0, a + b - n), highest = std::min(a, b), rest = n - a - b;
    const std::int64_t start = std::min(std::max(mode, lowest), highest);
    double total = 1, weighted = gain(start), mass = 1;
    for (std::int64_t k = start + 1; k <= highest && mass > NEGLIGIBLE; ++k) {
        mass *= double(a - k + 1) * double(b - k + 1) / (double(k) * double(rest + k));
        total += mass;
        weighted += mass * gain(k);
    }
    mass = 1;
    for (std::int64_t k = start - 1; k >= lowest && mass > NEGLIGIBLE; --k) {
        mass *= double(k + 1) * double(rest + k + 1) / (double(a - k) * double(b - k));
        total += mass;
        weighted += mass * gain(k);
    }
    return weighted / total;
}

// shares[i] = e(sizes[i]): the sum of mean_gain over the classes, divided by n. There are times[c] classes of size
// class_sizes[c].
inline void expected_shares(const std::int64_t* sizes, std::size_t n_sizes,
                            const std::vector<std::int64_t>& class_sizes, const std::vector<std::int64_t>& times,
                            double* shares) {
    std::int64_t n = 0;
    for (std::size_t c = 0; c < class_sizes.size(); ++c) n += times[c] * class_sizes[c];
    for (std::size_t i = 0; i < n_sizes; ++i) {
        double sum = 0;
        for (std::size_t c = 0; c < class_sizes.size(); ++c)
            sum += double(times[c]) * mean_gain(n, sizes[i], class_sizes[c]);
        shares[i] = sum / double(n);
    }
}

}  // namespace entropick
