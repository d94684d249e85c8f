// The numbers that trade one cost for another. They change times, never results.
//
// Each is followed by what its idea saves: times without it, as `benchmarks/tuning.py` finds them (`benchmarks/tuning.md`
// has all of them, with half and double of each number too).
#pragma once

#include <cstddef>

namespace entropick::tuning {

// One subset (score.hpp, plan.hpp).

// Keys are block numbers, without a hash table, if there are at most so many possible blocks in percent of the rows:
// no look-ups, against a pass over blocks that may be empty.
constexpr std::size_t DENSE_PERCENT = 100;

// Up to so many dense blocks are counted in four arrays that take turns: no waiting for the count before, against
// four arrays to clear and to add up.
constexpr std::size_t LANE_BLOCKS = 256;

// Singletons are filtered out before rows are hashed if the last subset had more blocks than so many percent of the
// rows: a cheap pass over all rows, against many new blocks in the hash table.
constexpr std::size_t SINGLETON_PERCENT = 40;

// The filter has so many bytes a row: fewer rows that share a byte by chance, against memory to clear.
constexpr std::size_t FILTER_BYTES = 4;

// Up to so many rows are filtered before they are split into parts, more of them part by part: fewer rows to split,
// against a filter that leaves the cache.
constexpr std::size_t FILTER_ROWS = 131'072;

// Rows are expected to fall into known blocks if the last subset had fewer blocks than so many percent of the rows:
// a jump that is predicted, against work without jumps.
constexpr std::size_t FEW_BLOCKS_PERCENT = 33;

// Rows are split into parts of at most about so many: a hash table that stays in the cache, against moving the rows.
constexpr std::size_t PART_ROWS = 4'096;

// Where few blocks are expected, rows are not split if there prove to be no more than about so many: nothing is moved,
// against counting in vain if there are more.
constexpr std::size_t UNSPLIT_BLOCKS = 32'768;

// Up to so many columns of a mask are looked up one by one: no pass over the planes of all columns, against sorting.
constexpr std::size_t FEW_COLUMNS = 32;

// Many subsets (batch.hpp).

// Equal rows are looked for if each thread has at least so many subsets to score,
constexpr std::size_t CONDENSE_SUBSETS = 64;

// and become one if that saves so many times as many rows to score as it costs bits to move.
constexpr std::size_t CONDENSE_COST = 2;

// Threads are started for at least so many rows (and columns) to look at in all: about 200 µs, and a thread takes 50.
constexpr std::size_t THREAD_WORK = 40'000;

// A thread takes subsets of about so many rows at a time: fewer turns at the counter, against threads that end early.
constexpr std::size_t CHUNK_WORK = 20'000;

// Pairs of columns (pairs.hpp).

// Columns of up to so many levels are counted as sets of bits: the work grows with the product of two columns' levels.
constexpr std::size_t MAX_SET_LEVELS = 8;

// Threads are started for at least so many words to AND in all.
constexpr std::size_t PAIR_THREAD_WORK = 400'000;

// A thread takes so many pairs at a time.
constexpr std::size_t PAIR_CHUNK = 64;

}  // namespace entropick::tuning
