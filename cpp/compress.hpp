// Selected bits of many 64-bit words, moved to the low end of each: x86's pext for every machine.
//
// The moves are those of Hacker's Delight, section 7-4: at most six rounds in which the bits of `move[i]`
// go 2^i places to the right. Every round is the same for all words, so the compiler turns the loops into
// vector code; the AVX2 copy is chosen when the machine has it.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && !defined(_MSC_VER)
#define ENTROPICK_AVX2 1
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ENTROPICK_INLINE inline __attribute__((always_inline))
#else
#define ENTROPICK_INLINE inline
#endif

namespace entropick {

// The bits `mask` of one packed word, and where they go in the key.
struct Piece {
    std::size_t word;
    std::uint64_t mask;
    int bits;       // popcount(mask)
    int shift;      // place of the lowest of them in the key
    int rounds;     // how many of the moves below are needed
    std::uint64_t move[6];
    int by[6];
};

inline Piece make_piece(std::size_t word, std::uint64_t mask, int bits, int shift) {
    Piece piece{word, mask, bits, shift, 0, {}, {}};
    std::uint64_t m = mask, zeros_below = ~mask << 1;
    for (int i = 0; i < 6; ++i) {
        std::uint64_t parity = zeros_below ^ (zeros_below << 1);
        for (int s = 2; s < 64; s <<= 1) parity ^= parity << s;
        const std::uint64_t move = parity & m;
        m = (m ^ move) | (move >> (1 << i));
        zeros_below &= ~parity;
        if (move) {
            piece.move[piece.rounds] = move;
            piece.by[piece.rounds++] = 1 << i;
        }
    }
    return piece;
}

// keys[i] |= compress(words[rows[i]]) << shift, or words[i] where `rows` is null.
ENTROPICK_INLINE void add_piece_body(const Piece& piece, const std::uint64_t* words, const std::uint32_t* rows,
                                     std::size_t n, std::uint64_t* keys) {
    constexpr std::size_t BLOCK = 256;
    std::uint64_t x[BLOCK];
    for (std::size_t start = 0; start < n; start += BLOCK) {
        const std::size_t count = n - start < BLOCK ? n - start : BLOCK;
        if (rows) {
            for (std::size_t i = 0; i < count; ++i) x[i] = words[rows[start + i]] & piece.mask;
        } else {
            for (std::size_t i = 0; i < count; ++i) x[i] = words[start + i] & piece.mask;
        }
        for (int r = 0; r < piece.rounds; ++r) {
            const std::uint64_t move = piece.move[r];
            const int by = piece.by[r];
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint64_t t = x[i] & move;
                x[i] = (x[i] ^ t) | (t >> by);
            }
        }
        for (std::size_t i = 0; i < count; ++i) keys[start + i] |= x[i] << piece.shift;
    }
}

#ifdef ENTROPICK_AVX2
__attribute__((target("avx2"))) inline void add_piece_avx2(const Piece& piece, const std::uint64_t* words,
                                                           const std::uint32_t* rows, std::size_t n,
                                                           std::uint64_t* keys) {
    add_piece_body(piece, words, rows, n, keys);
}
#endif

inline void add_piece(const Piece& piece, const std::uint64_t* words, const std::uint32_t* rows, std::size_t n,
                      std::uint64_t* keys) {
#ifdef ENTROPICK_AVX2
    static const bool has_avx2 = __builtin_cpu_supports("avx2");
    if (has_avx2) return add_piece_avx2(piece, words, rows, n, keys);
#endif
    add_piece_body(piece, words, rows, n, keys);
}

}  // namespace entropick
