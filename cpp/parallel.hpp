// A list of tasks, shared out among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace entropick {

// Runs work(take) in up to n_threads threads, where take(begin, end) gives the next tasks, `chunk` at a time, until
// there are none. The first exception ends the work and is thrown.
template <typename Work>
void parallel(std::size_t n_tasks, std::size_t n_threads, std::size_t chunk, const Work& work) {
    std::atomic<std::size_t> next{0};
    std::mutex failing;
    std::exception_ptr failure;
    const auto take = [&](std::size_t& begin, std::size_t& end) {
        begin = next.fetch_add(chunk);
        end = std::min(begin + chunk, n_tasks);
        return begin < n_tasks;
    };
    const auto guarded = [&] {
        try {
            work(take);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(failing);
            if (!failure) failure = std::current_exception();
            next = n_tasks;
        }
    };
    std::vector<std::thread> helpers;
    for (std::size_t t = 1; t < n_threads && t * chunk < n_tasks; ++t) {
        try {
            helpers.emplace_back(guarded);
        } catch (const std::exception&) {
            break;  // the machine gives no more threads or memory: the threads we have do the work
        }
    }
    guarded();
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace entropick
