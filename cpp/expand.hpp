// From bit planes to one number a row: the transpose of a bit matrix, 16 planes × 256 rows at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine.hpp"
#include "planes.hpp"

namespace entropick {

// The four words of a tile, in one register where the machine has such.
#ifdef ENTROPICK_GNU
typedef std::uint64_t TileWords __attribute__((vector_size(8 * TILE_WORDS)));
#else
struct TileWords {
    std::uint64_t w[TILE_WORDS];
    template <typename Op>
    TileWords each(Op op) const {
        TileWords out;
        for (std::size_t i = 0; i < TILE_WORDS; ++i) out.w[i] = op(w[i], i);
        return out;
    }
    TileWords operator>>(int s) const {
        return each([=](std::uint64_t x, std::size_t) { return x >> s; });
    }
    TileWords operator<<(int s) const {
        return each([=](std::uint64_t x, std::size_t) { return x << s; });
    }
    TileWords operator&(std::uint64_t m) const {
        return each([=](std::uint64_t x, std::size_t) { return x & m; });
    }
    TileWords operator^(const TileWords& o) const {
        return each([&](std::uint64_t x, std::size_t i) { return x ^ o.w[i]; });
    }
    TileWords& operator^=(const TileWords& o) { return *this = *this ^ o; }
};
#endif

// One round of the transpose of 16 × 16 blocks (Hacker's Delight, 7-3): planes S apart swap their bits S apart.
template <int S>
ENTROPICK_INLINE void swap_round(TileWords (&x)[16]) {
    constexpr std::uint64_t low = S == 1   ? 0x5555555555555555
                                  : S == 2 ? 0x3333333333333333
                                  : S == 4 ? 0x0F0F0F0F0F0F0F0F
                                           : 0x00FF00FF00FF00FF;
    ENTROPICK_UNROLL(8)
    for (int k = 0; k < 8; ++k) {
        const int i = k / S * 2 * S + k % S;
        const TileWords t = ((x[i] >> S) ^ x[i + S]) & low;
        x[i + S] ^= t;
        x[i] ^= t << S;
    }
}

// shorts[i]: the bits of row i of the tile in 16 planes.
ENTROPICK_INLINE void expand_16_body(const std::uint64_t* const* planes, std::size_t tile, std::uint16_t* shorts) {
    TileWords x[16];
    ENTROPICK_UNROLL(16)
    for (std::size_t i = 0; i < 16; ++i) std::memcpy(&x[i], planes[i] + tile * TILE_WORDS, sizeof x[i]);
    swap_round<8>(x);
    swap_round<4>(x);
    swap_round<2>(x);
    swap_round<1>(x);
    std::memcpy(shorts, x, sizeof x);
}

// keys[i]: the bits of row i of the tile in `count` planes, at most 63, folded (which can be undone) so that rows in
// arithmetic progression are not keys in one. Planes are read by sixteens, and there must be
// so many; those behind `count` do not matter.
ENTROPICK_INLINE void expand_body(const std::uint64_t* const* planes, std::size_t count, std::size_t tile,
                                  std::uint64_t* keys) {
    std::uint16_t shorts[4][TILE];
    const std::size_t n_shorts = std::max<std::size_t>(1, (count + 15) / 16);
    for (std::size_t p = 0; p < n_shorts; ++p) expand_16_body(planes + 16 * p, tile, shorts[p]);
    const std::uint64_t used_bits = (std::uint64_t(1) << count) - 1;
    if (n_shorts <= 2) {
        if (n_shorts < 2) std::memset(shorts[1], 0, sizeof shorts[1]);
        const auto used_32 = std::uint32_t(used_bits);
        for (std::size_t i = 0; i < TILE; ++i) {
            const std::uint32_t key = (shorts[0][i] | std::uint32_t(shorts[1][i]) << 16) & used_32;
            keys[i] = key ^ key >> 16;
        }
        return;
    }
    if (n_shorts < 4) std::memset(shorts[3], 0, sizeof shorts[3]);
    for (std::size_t i = 0; i < TILE; ++i) {
        const std::uint32_t low = shorts[0][i] | std::uint32_t(shorts[1][i]) << 16;
        const std::uint32_t high = shorts[2][i] | std::uint32_t(shorts[3][i]) << 16;
        const std::uint64_t key = (low | std::uint64_t(high) << 32) & used_bits;
        keys[i] = key ^ key >> 32;
    }
}

// A hash of the key, with more put in last: where results and keys agree, more agrees. The halves of a key are
// multiplied by the halves of the multiplier, which is what vector units can do. 63 bits, as the largest number is
// kept for empty places (see group.hpp).
ENTROPICK_INLINE std::uint64_t absorb_one(std::uint64_t key, std::uint64_t more, std::uint64_t multiplier) {
    const std::uint64_t low = (key & 0xFFFFFFFF) * (multiplier & 0xFFFFFFFF);
    const std::uint64_t high = (key >> 32) * (multiplier >> 32);
    return ((low + (high << 32 | high >> 32)) ^ more) & (~std::uint64_t(0) >> 1);
}

#ifdef ENTROPICK_X86
ENTROPICK_FOR("avx2")
inline void expand_avx2(const std::uint64_t* const* planes, std::size_t count, std::size_t tile, std::uint64_t* keys) {
    expand_body(planes, count, tile, keys);
}

ENTROPICK_FOR("avx2")
inline void expand_16_avx2(const std::uint64_t* const* planes, std::size_t tile, std::uint16_t* keys) {
    expand_16_body(planes, tile, keys);
}

ENTROPICK_FOR("avx2")
inline void absorb_avx2(std::uint64_t* keys, const std::uint64_t* more, std::uint64_t multiplier) {
    const __m256i by_low = _mm256_set1_epi64x(std::int64_t(multiplier & 0xFFFFFFFF));
    const __m256i by_high = _mm256_set1_epi64x(std::int64_t(multiplier >> 32));
    const __m256i all_but_one = _mm256_set1_epi64x(std::int64_t(~std::uint64_t(0) >> 1));
    for (std::size_t i = 0; i < TILE; i += 4) {
        auto* const at = reinterpret_cast<__m256i*>(keys + i);
        const __m256i key = _mm256_loadu_si256(at);
        const __m256i low = _mm256_mul_epu32(key, by_low);
        const __m256i high = _mm256_mul_epu32(_mm256_srli_epi64(key, 32), by_high);
        const __m256i hash = _mm256_add_epi64(low, _mm256_shuffle_epi32(high, 0xB1));
        const __m256i with = _mm256_xor_si256(hash, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(more + i)));
        _mm256_storeu_si256(at, _mm256_and_si256(with, all_but_one));
    }
}
#endif

inline void expand(const std::uint64_t* const* planes, std::size_t count, std::size_t tile, std::uint64_t* keys) {
#ifdef ENTROPICK_X86
    if (is_modern()) return expand_avx2(planes, count, tile, keys);
#endif
    expand_body(planes, count, tile, keys);
}

inline void expand_16(const std::uint64_t* const* planes, std::size_t tile, std::uint16_t* keys) {
#ifdef ENTROPICK_X86
    if (is_modern()) return expand_16_avx2(planes, tile, keys);
#endif
    expand_16_body(planes, tile, keys);
}

// absorb_one for a tile.
inline void absorb(std::uint64_t* keys, const std::uint64_t* more, std::uint64_t multiplier) {
#ifdef ENTROPICK_X86
    if (is_modern()) return absorb_avx2(keys, more, multiplier);
#endif
    for (std::size_t i = 0; i < TILE; ++i) keys[i] = absorb_one(keys[i], more[i], multiplier);
}

}  // namespace entropick
