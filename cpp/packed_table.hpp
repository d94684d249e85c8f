// The table as the kernels see it: every column takes as many bits as its levels need, and the rows are
// sorted by class, so that the cells of one class lie side by side and no count of classes enters memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace entropick {

struct Field {
    std::size_t word;
    std::uint64_t mask;
    int shift;
};

class PackedTable {
public:
    // bits[j]: width of column j, at most 16. class_starts[c]: first row of class c; last entry: the row count.
    PackedTable(const std::vector<int>& bits, const std::vector<std::int64_t>& class_starts)
        : class_starts_(class_starts) {
        if (class_starts.size() < 2 || class_starts.front() != 0)
            throw std::invalid_argument("class_starts must begin with 0 and end with the number of rows");
        for (std::size_t c = 1; c < class_starts.size(); ++c)
            if (class_starts[c] < class_starts[c - 1])
                throw std::invalid_argument("class_starts must not decrease");
        if (class_starts.back() >= (std::int64_t(1) << 31))
            throw std::invalid_argument("a table holds fewer than 2^31 rows");
        n_rows_ = std::size_t(class_starts.back());
        std::size_t word = 0;
        int used = 0;
        for (const int width : bits) {
            if (width < 0 || width > 16) throw std::invalid_argument("a column takes 0 to 16 bits");
            if (used + width > 64) {
                ++word;
                used = 0;
            }
            const std::uint64_t ones = (std::uint64_t(1) << width) - 1;
            // A constant column has no bits; it must not point behind the last word.
            fields_.push_back({word, width ? ones << used : 0, width ? used : 0});
            used += width;
        }
        n_words_ = word + 1;
        words_.assign(n_words_ * n_rows_, 0);
    }

    std::size_t n_rows() const { return n_rows_; }
    std::size_t n_words() const { return n_words_; }
    std::size_t n_columns() const { return fields_.size(); }
    std::size_t n_classes() const { return class_starts_.size() - 1; }
    const std::vector<std::int64_t>& class_starts() const { return class_starts_; }
    const Field& field(std::size_t column) const { return fields_[column]; }
    const std::uint64_t* words(std::size_t word) const { return words_.data() + word * n_rows_; }

    // codes: one per row, in the order of the classes.
    template <typename Code>
    void set_column(std::size_t column, const Code* codes) {
        const Field& field = fields_.at(column);
        std::uint64_t* out = words_.data() + field.word * n_rows_;
        for (std::size_t r = 0; r < n_rows_; ++r)
            out[r] = (out[r] & ~field.mask) | ((std::uint64_t(codes[r]) << field.shift) & field.mask);
    }

private:
    std::vector<std::int64_t> class_starts_;
    std::vector<Field> fields_;
    std::vector<std::uint64_t> words_;
    std::size_t n_rows_ = 0, n_words_ = 0;
};

}  // namespace entropick
