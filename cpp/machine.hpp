// What differs between compilers and machines.
#pragma once

#include <cstdint>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "entropick reads words as shorter numbers in the order of little-endian machines"
#endif

// Three forms, which all give the same results: GCC and Clang on x86, the same on other machines (ENTROPICK_PLAIN), and
// standard C++ for all other compilers, such as MSVC (ENTROPICK_PORTABLE). The tests build all three on any machine.
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
#if defined(ENTROPICK_GNU) && defined(__x86_64__) && !defined(ENTROPICK_PLAIN)
#define ENTROPICK_X86 1
#define ENTROPICK_FOR(features) __attribute__((target(features)))
#include <immintrin.h>
#endif

namespace entropick {

ENTROPICK_INLINE std::uint64_t count_bits(std::uint64_t x) {
#ifdef ENTROPICK_GNU
    return std::uint64_t(__builtin_popcountll(x));
#else
    // Hacker's Delight, 5-1: sums of pairs of bits, of fours, of bytes, and of all bytes in the first one.
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return x * 0x0101010101010101 >> 56;
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
