// Times the kernels on tables that tuning.py wrote, with values of one number of tuning.hpp that take turns.
//
// usage: tuning THREADS NUMBER VALUE,... FILE...
// For each file a line: the least seconds with each value, for its subsets or, if it has none, for pairs of columns.
// tuning.py makes the numbers variable, and adds `numbers`, their addresses by name.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "batch.hpp"
#include "pairs.hpp"

using namespace entropick;

namespace {

std::size_t n_threads = 1, *number = nullptr;
std::vector<std::size_t> number_values;

template <typename T>
std::vector<T> read(std::ifstream& file) {
    std::int64_t n = 0;
    file.read(reinterpret_cast<char*>(&n), sizeof n);
    std::vector<T> values(std::size_t(n) / sizeof(T));
    file.read(reinterpret_cast<char*>(values.data()), n);
    return values;
}

// Of one thread the processor's time, which other programs disturb less.
double now() {
    if (n_threads == 1) return double(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// call(k) is to be timed with the k-th value: at least three times, and a quarter of a second for all values together.
void print_least_seconds(const std::function<void(std::size_t)>& call) {
    std::vector<double> least(number_values.size(), 1e9);
    const double began = now();
    for (int round = 0; round < 4 || now() - began < 0.25; ++round)
        for (std::size_t k = 0; k < least.size(); ++k) {
            *number = number_values[k];
            const double start = now();
            int n_calls = 0;
            do call(k), ++n_calls;
            while (now() - start < 0.001);
            if (round > 0) least[k] = std::min(least[k], (now() - start) / n_calls);
        }
    for (const double seconds : least) std::printf("%.9f ", seconds);
    std::puts("");
}

void time_table(const char* path) {
    std::ifstream file(path, std::ios::binary);
    const auto starts = read<std::int64_t>(file);
    const auto levels = read<std::size_t>(file);
    const auto codes = read<std::uint8_t>(file);  // columns × rows, rows sorted by class
    const auto masks = read<std::uint8_t>(file);
    const std::size_t m = levels.size(), n = std::size_t(starts.back());
    BitPlanes planes(m, starts);
    for (std::size_t j = 0; j < m; ++j) planes.add_column(j, codes.data() + j * n);
    planes.seal();
    std::vector<std::int64_t> t1(n + 1), t2;
    for (std::size_t a = 0; a <= n; ++a) t1[a] = -std::int64_t(a * a);
    for (std::size_t c = 0; c + 1 < starts.size(); ++c)
        for (std::int64_t q = 0; q <= starts[c + 1] - starts[c]; ++q) t2.push_back(q * q);
    const Tables tables{t1.data(), t2.data()};
    std::vector<KernelPool> kernels(number_values.size());  // each value sees its own past
    const auto score = [&](const std::vector<std::uint8_t>& some, std::size_t k) {
        std::vector<std::int64_t> sums(some.size() / m), duplicate_of(sums.size());
        score_subsets(planes, kernels[k], tables, some.data(), sums.size(), n_threads, sums.data(),
                      duplicate_of.data());
    };
    if (!masks.empty()) return print_least_seconds([&](std::size_t k) { score(masks, k); });

    // Each of eight columns with every column: by sets where there are so few levels, else as subsets.
    std::vector<std::size_t> columns;
    for (std::size_t s = 0; s < std::min<std::size_t>(8, m); ++s) columns.push_back(s);
    if (*std::max_element(levels.begin(), levels.end()) <= LevelSets::MAX_SET_LEVELS) {
        LevelSets sets(levels, starts);
        for (std::size_t j = 0; j < m; ++j) sets.set_column(j, codes.data() + j * n);
        std::vector<std::int64_t> blocks(columns.size() * m), cells(blocks.size());
        return print_least_seconds(
            [&](std::size_t) { sets.score(columns, tables, n_threads, blocks.data(), cells.data()); });
    }
    std::vector<std::uint8_t> pairs(columns.size() * m * m);
    for (std::size_t s = 0; s < columns.size(); ++s)
        for (std::size_t f = 0; f < m; ++f) pairs[(s * m + f) * m + f] = pairs[(s * m + f) * m + s] = 1;
    print_least_seconds([&](std::size_t k) { score(pairs, k); });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) return 2;
    n_threads = std::stoul(argv[1]);
    number = tuning::numbers.at(argv[2]);
    std::istringstream values(argv[3]);
    for (std::string value; std::getline(values, value, ',');) number_values.push_back(std::stoul(value));
    for (int k = 4; k < argc; ++k) time_table(argv[k]);
}
