// What differs between compilers and machines.
#pragma once

#include <cstdint>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "entropick reads words as shorter numbers in the order of little-endian machines"
#endif

// With ENTROPICK_PORTABLE only standard C++ is left, which is what compilers other than these two see; the tests
// build the kernels both ways.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(ENTROPICK_PORTABLE)
#define ENTROPICK_GNU 1
#define ENTROPICK_INLINE inline __attribute__((always_inline))
#define ENTROPICK_PRAGMA(text) _Pragma(#text)
#define ENTROPICK_UNROLL(times) ENTROPICK_PRAGMA(GCC unroll times)
#define ENTROPICK_PREFETCH(address) __builtin_prefetch(address)
#else
#define ENTROPICK_INLINE inline
#define ENTROPICK_UNROLL(times)
#define ENTROPICK_PREFETCH(address) void(address)
#endif

// Code for newer x86 machines (AVX2 and popcnt) lives beside code for all; which one runs is decided at run time.
#if defined(ENTROPICK_GNU) && defined(__x86_64__)
#define ENTROPICK_X86 1
#define ENTROPICK_FOR(features) __attribute__((target(features)))
#include <immintrin.h>
#endif

namespace entropick {

ENTROPICK_INLINE std::uint64_t count_bits(std::uint64_t x) {
#ifdef ENTROPICK_GNU
    return std::uint64_t(__builtin_popcountll(x));
#else
    std::uint64_t count = 0;
    for (; x; x &= x - 1) ++count;
    return count;
#endif
}

#ifdef ENTROPICK_X86
inline bool is_modern() {
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    return has;
}
#endif

constexpr std::uint64_t MIX = 0x9E3779B97F4A7C15ull;  // 2^64 / golden ratio

// The first bits of the hash depend on all bits of the key. It is linear, so keys must not be (see expand.hpp).
ENTROPICK_INLINE std::uint64_t hash_of(std::uint64_t key) { return key * MIX; }

}  // namespace entropick
