// The numbers that trade one cost for another. They change times, never results.
//
// What each trades, and by how much times grow without its idea: the mean of the workloads of `benchmarks/tuning.py`,
// and the worst of them. `benchmarks/tuning.md` has the whole table. Half or double of a number changes the mean by
// less than 3 % where nothing else is said.
#pragma once

#include <cstddef>

namespace entropick::tuning {

// One subset (score.hpp, plan.hpp).

// Keys are block numbers, without a hash table, if there are at most so many possible blocks in percent of the rows:
// no look-ups, against a pass over blocks that may be empty. 1.12, 3.2 for few columns of a large table.
constexpr std::size_t DENSE_PERCENT = 100;

// Up to so many dense blocks are counted in four arrays that take turns: no waiting for the count before, against
// four arrays to clear and to add up. 1.02, 1.6 for five columns of Blog Feedback.
constexpr std::size_t LANE_BLOCKS = 256;

// Singletons are filtered out before rows are hashed if the last subset had more blocks than so many percent of the
// rows: a cheap pass over all rows, against many new blocks in the hash table. 1.4, 3.3 where rows differ in all.
constexpr std::size_t SINGLETON_PERCENT = 40;

// The filter has so many bytes a row: fewer rows that share a byte by chance, against memory to clear. Half: 1.07;
// double: 0.96, for twice the memory.
constexpr std::size_t FILTER_BYTES = 4;

// Up to so many rows are filtered before they are split into parts, more of them part by part: fewer rows to split,
// against a filter that leaves the cache. 1.03, 2.1 for two million rows.
constexpr std::size_t FILTER_ROWS = 131'072;

// Rows are expected to fall into known blocks if the last subset had fewer blocks than so many percent of the rows:
// a jump that is predicted, against work without jumps. 1.15, 3.0 for 20 columns of Blog Feedback.
constexpr std::size_t FEW_BLOCKS_PERCENT = 33;

// Rows are split into parts of at most about so many: a hash table that stays in the cache, against moving the rows.
// 1.2, 7.7 for a large table.
constexpr std::size_t PART_ROWS = 4'096;

// Where few blocks are expected, rows are not split if there prove to be no more than about so many: nothing is moved,
// against counting in vain if there are more. 1.13, 3.0 for 20 columns of Blog Feedback.
constexpr std::size_t UNSPLIT_BLOCKS = 32'768;

// Up to so many columns of a mask are looked up one by one: no pass over the planes of all columns, against sorting.
// 1.04, 2.1 for five of 1558 columns.
constexpr std::size_t FEW_COLUMNS = 32;

// Many subsets (batch.hpp).

// Equal rows are looked for if each thread has at least so many subsets to score: nothing on average, but 2.2 in a late
// step of a search, where most columns are out,
constexpr std::size_t CONDENSE_SUBSETS = 64;

// and become one if that saves so many times as many rows to score as it costs bits to move.
constexpr std::size_t CONDENSE_COST = 2;

// Threads are started for at least so many rows (and columns) to look at in all, not for less than a thread costs to
// start. 1.04, 1.3 for twelve subsets of 1558 columns; times of threads are rough.
constexpr std::size_t THREAD_WORK = 40'000;

// A thread takes subsets of about so many rows at a time: fewer turns at the counter, against threads that end early.
// Half or double: 1.00 and 1.03.
constexpr std::size_t CHUNK_WORK = 20'000;

// Pairs of columns (pairs.hpp).

// Columns of up to so many levels are counted as sets of bits: the work grows with the product of two columns' levels.
// 5.8, 68 for a large table. Half: 2.5; at 16 levels, sets take 1.8 times as long as subsets of two columns.
constexpr std::size_t MAX_SET_LEVELS = 8;

// Threads are started for at least so many words to AND in all. 1.5, 3.6 for eight of 1558 columns, half or double 1.2;
// rough too.
constexpr std::size_t PAIR_THREAD_WORK = 400'000;

// A thread takes so many pairs at a time. Half or double: 0.99 and 0.96, which is noise.
constexpr std::size_t PAIR_CHUNK = 64;

}  // namespace entropick::tuning
