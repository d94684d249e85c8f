// The only file that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <vector>

#include "batch.hpp"
#include "chance.hpp"
#include "cross.hpp"
#include "near.hpp"
#include "one_dependence.hpp"
#include "order.hpp"
#include "pairs.hpp"
#include "planes.hpp"
#include "ridge.hpp"

namespace nb = nanobind;
using entropick::BitPlanes;
using entropick::LevelSets;

template <typename T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

namespace {

struct ScoredPlanes : BitPlanes {
    using BitPlanes::BitPlanes;
    entropick::KernelPool kernels;
};

template <typename Code>
void add_column(ScoredPlanes& table, std::size_t column, Vector<const Code> codes) {
    if (codes.shape(0) != table.n_rows()) throw nb::value_error("a column has one code per row");
    if (column >= table.n_columns()) throw nb::index_error("no such column");
    table.add_column(column, codes.data());
}

// Fills sums and duplicate_of (see batch.hpp), and returns the missing values of T1 as an array of (mask, size).
auto score(ScoredPlanes& table, Matrix<const std::uint8_t> masks, Vector<const std::int64_t> t1,
           Vector<const std::int64_t> t2, Vector<std::int64_t> sums, Vector<std::int64_t> duplicate_of,
           std::size_t n_threads) {
    if (!table.sealed()) throw nb::value_error("the table must be sealed before it is scored");
    if (masks.shape(1) != table.n_columns()) throw nb::value_error("a mask has one entry per column");
    if (sums.shape(0) != masks.shape(0) || duplicate_of.shape(0) != masks.shape(0))
        throw nb::value_error("sums and duplicate_of have one entry per mask");
    if (t1.shape(0) != table.n_rows() + 1)
        throw nb::value_error("t1 has one entry for every size from 0 to the number of rows");
    if (t1.data()[0] != 0 || (table.n_rows() > 0 && t1.data()[1] == entropick::UNKNOWN))
        throw nb::value_error("t1 must be 0 for size 0 and known for size 1");
    if (t2.shape(0) != table.n_rows() + table.n_classes())
        throw nb::value_error("t2 has one entry for every count of every class");
    auto missing = std::make_unique<std::vector<std::int64_t>>();
    {
        const nb::gil_scoped_release release;
        *missing = entropick::score_subsets(table, table.kernels, {t1.data(), t2.data()}, masks.data(), masks.shape(0),
                                            n_threads, sums.data(), duplicate_of.data());
    }
    std::vector<std::int64_t>* const kept = missing.release();
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>>(kept->data(), {kept->size() / 2, 2}, owner);
}

// Fills blocks (see batch.hpp).
void partition(const ScoredPlanes& table, Matrix<const std::uint8_t> masks, Matrix<std::uint32_t> blocks,
               std::size_t n_threads) {
    if (!table.sealed()) throw nb::value_error("the table must be sealed before it is used");
    if (masks.shape(1) != table.n_columns()) throw nb::value_error("a mask has one entry per column");
    if (blocks.shape(0) != masks.shape(0) || blocks.shape(1) != table.n_rows())
        throw nb::value_error("one block for every mask and row");
    const nb::gil_scoped_release release;
    entropick::partition_subsets(table, masks.data(), masks.shape(0), n_threads, blocks.data());
}

void set_levels(LevelSets& sets, std::size_t column, Vector<const std::uint8_t> codes) {
    if (codes.shape(0) != sets.n_rows()) throw nb::value_error("a column has one code per row");
    if (column >= sets.n_columns()) throw nb::index_error("no such column");
    sets.set_column(column, codes.data());
}

void score_pairs(const LevelSets& sets, const std::vector<std::size_t>& columns, Vector<const std::int64_t> t1,
                 Vector<const std::int64_t> t2, Matrix<std::int64_t> blocks, Matrix<std::int64_t> cells,
                 std::size_t n_threads) {
    for (const std::size_t s : columns)
        if (s >= sets.n_columns()) throw nb::index_error("no such column");
    for (const auto* sums : {&blocks, &cells})
        if (sums->shape(0) != columns.size() || sums->shape(1) != sets.n_columns())
            throw nb::value_error("one sum for every pair of columns");
    if (t1.shape(0) != sets.n_rows() + 1) throw nb::value_error("t1 has one entry for every size");
    if (t2.shape(0) != sets.n_rows() + sets.n_classes())
        throw nb::value_error("t2 has one entry for every count of every class");
    const nb::gil_scoped_release release;
    sets.score(columns, {t1.data(), t2.data()}, n_threads, blocks.data(), cells.data());
}

void expected_shares(Vector<const std::int64_t> sizes, const std::vector<std::int64_t>& class_sizes,
                     const std::vector<std::int64_t>& times, Vector<double> shares) {
    if (class_sizes.size() != times.size()) throw nb::value_error("every class size has its number of times");
    if (shares.shape(0) != sizes.shape(0)) throw nb::value_error("one share per size");
    const nb::gil_scoped_release release;
    entropick::expected_shares(sizes.data(), sizes.shape(0), class_sizes, times, shares.data());
}

void order_statistics(Vector<const double> x, const std::vector<std::size_t>& ranks, Vector<double> values) {
    if (values.shape(0) != ranks.size()) throw nb::value_error("one value per rank");
    const nb::gil_scoped_release release;
    entropick::order_statistics(x.data(), x.shape(0), ranks, values.data());
}

using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// The tables belong to NumPy and live as long as the kernel.
struct Dependence {
    Dependence(Cube others_, Cube own_, Vector<const double> log_prior_, const std::vector<double>& exponents,
               bool has_parents)
        : others(others_), own(own_), log_prior(log_prior_), kernel(checked(has_parents), exponents) {}

    entropick::DependenceTables checked(bool has_parents) const {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (others.shape(axis) != own.shape(axis)) throw nb::value_error("others and own have the same shape");
        if (others.shape(0) != (has_parents ? others.shape(2) : 1))
            throw nb::value_error("the parents are all levels, or one");
        if (log_prior.shape(0) != others.shape(1)) throw nb::value_error("one prior per class");
        return {others.data(), own.data(), log_prior.data(), others.shape(1), others.shape(2), has_parents};
    }

    entropick::DependenceRows rows(const Matrix<const std::int32_t>& places, const Vector<const std::int32_t>& classes,
                                   const Matrix<const std::uint8_t>& masks) const {
        if (classes.shape(0) != places.shape(0)) throw nb::value_error("one class per row");
        if (masks.shape(1) != places.shape(1)) throw nb::value_error("a mask has one entry per column");
        return {places.data(), classes.data(), places.shape(0), places.shape(1)};
    }

    Cube others, own;
    Vector<const double> log_prior;
    entropick::DependenceKernel kernel;
};

// The mean losses of masks, and all losses if there is room for them (masks × rows, or no masks).
void score_dependence(const Dependence& model, Matrix<const std::int32_t> places, Vector<const std::int32_t> classes,
                      Matrix<const std::uint8_t> masks, Vector<double> means, Matrix<double> losses,
                      std::size_t n_threads) {
    const auto rows = model.rows(places, classes, masks);
    if (means.shape(0) != masks.shape(0)) throw nb::value_error("one mean per mask");
    const bool wanted = losses.shape(0) > 0;
    if (wanted && (losses.shape(0) != masks.shape(0) || losses.shape(1) != rows.n_rows))
        throw nb::value_error("one loss for every mask and row, or no masks");
    const nb::gil_scoped_release release;
    model.kernel.score(rows, masks.data(), masks.shape(0), n_threads, means.data(), wanted ? losses.data() : nullptr);
}

void sum_dependence(const Dependence& model, Matrix<const std::int32_t> places, Vector<const std::int32_t> classes,
                    Matrix<const std::uint8_t> masks, Matrix<double> sums, std::size_t n_threads) {
    const auto rows = model.rows(places, classes, masks);
    if (sums.shape(0) != masks.shape(0) || sums.shape(1) != model.kernel.n_exponents())
        throw nb::value_error("one sum for every mask and exponent");
    const nb::gil_scoped_release release;
    model.kernel.sums(rows, masks.data(), masks.shape(0), n_threads, sums.data());
}

// The arrays stay those of Python.
struct Ridge {
    Ridge(Matrix<const double> gram_, Matrix<const double> cross_, Matrix<const double> X_, Matrix<const double> Y_,
          double total, std::size_t n_rows, const std::vector<double>& penalties, double price)
        : gram(gram_), cross(cross_), X(X_), Y(Y_), problem(checked(total, n_rows, penalties, price)) {}

    entropick::RidgeProblem checked(double total, std::size_t n_rows, const std::vector<double>& penalties,
                                    double price) const {
        const std::size_t n_features = gram.shape(0), n_targets = cross.shape(1);
        if (gram.shape(1) != n_features || cross.shape(0) != n_features)
            throw nb::value_error("gram and cross have the same features");
        if (X.size() &&
            (X.shape(0) != n_features || X.shape(1) != n_rows || Y.shape(0) != n_rows || Y.shape(1) != n_targets))
            throw nb::value_error("X has a row for every feature, Y one for every row of the table");
        const double* const rows = X.size() ? X.data() : nullptr;
        return {gram.data(), cross.data(), rows, Y.data(), n_features, n_targets, n_rows, total, penalties, price};
    }

    Matrix<const double> gram, cross, X, Y;
    entropick::RidgeProblem problem;
};

void check_subsets(const entropick::RidgeProblem& problem, const Matrix<const std::uint8_t>& members,
                   const Vector<double>& ratios, const Vector<std::int64_t>& places) {
    if (members.shape(1) != problem.n_features) throw nb::value_error("a subset has one entry per feature");
    if (ratios.shape(0) != members.shape(0) || places.shape(0) != members.shape(0))
        throw nb::value_error("one ratio and one place per subset");
}

// Fills ratios and places (see ridge.hpp).
void solve_ridges(const Ridge& ridge, Matrix<const std::uint8_t> members, std::size_t n_threads, Vector<double> ratios,
                  Vector<std::int64_t> places) {
    check_subsets(ridge.problem, members, ratios, places);
    const nb::gil_scoped_release release;
    entropick::solve_ridges(ridge.problem, members.data(), members.shape(0), n_threads, ratios.data(), places.data());
}

// The arrays stay those of Python, and the problem that of a Ridge.
struct RidgeCenter {
    RidgeCenter(const Ridge& ridge, Vector<const std::uint8_t> member_, Vector<const double> values_,
                Matrix<const double> columns_, Matrix<const double> targets_)
        : problem(ridge.problem), member(member_), values(values_), columns(columns_), targets(targets_),
          center(checked()) {}

    entropick::RidgeCenter checked() const {
        const std::size_t size = values.shape(0),
                          n_own = std::size_t(std::count(member.data(), member.data() + member.size(), 1));
        if (member.shape(0) != problem.n_features || columns.shape(0) != problem.n_features)
            throw nb::value_error("a center has one entry and one column per feature");
        if (columns.shape(1) != size || targets.shape(1) != size || targets.shape(0) != problem.n_targets)
            throw nb::value_error("columns and targets have one entry per axis");
        const bool by_rows = problem.X && n_own > problem.n_rows;
        if (size != (by_rows ? problem.n_rows : n_own)) throw nb::value_error("an axis for every feature, or row");
        return {member.data(), values.data(), columns.data(), targets.data(), size, by_rows};
    }

    const entropick::RidgeProblem& problem;
    Vector<const std::uint8_t> member;
    Vector<const double> values;
    Matrix<const double> columns, targets;
    entropick::RidgeCenter center;
};

// Fills ratios and places (see near.hpp).
void solve_near(const RidgeCenter& near, Matrix<const std::uint8_t> members, std::size_t n_threads,
                Vector<double> ratios, Vector<std::int64_t> places) {
    check_subsets(near.problem, members, ratios, places);
    const nb::gil_scoped_release release;
    entropick::solve_near(near.problem, near.center, members.data(), members.shape(0), n_threads, ratios.data(),
                          places.data());
}

entropick::Levels as_levels(const Matrix<const std::uint8_t>& codes, const std::vector<std::size_t>& starts) {
    if (starts.size() != codes.shape(0) + 1) throw nb::value_error("starts has one entry per column, and the end");
    return {codes.data(), codes.shape(1), starts};
}

// Adds to counts (see cross.hpp).
void count_pairs(Matrix<const std::uint8_t> codes, const std::vector<std::size_t>& starts, std::size_t first,
                 Matrix<double> counts, std::size_t n_threads) {
    const auto levels = as_levels(codes, starts);
    if (first > levels.n_columns()) throw nb::index_error("no such column");
    if (counts.shape(0) != levels.n_levels() - starts[first] || counts.shape(1) != levels.n_levels())
        throw nb::value_error("one count for every two levels");
    const nb::gil_scoped_release release;
    entropick::count_pairs(levels, first, n_threads, counts.data());
}

// The rows of every level of some columns, to count levels of others with.
struct LevelRows {
    entropick::LevelBits bits;
    std::size_t n_rows;

    LevelRows(Matrix<const std::uint8_t> codes, const std::vector<std::size_t>& starts)
        : bits(checked(codes, starts)), n_rows(codes.shape(1)) {}

    static entropick::Levels checked(const Matrix<const std::uint8_t>& codes, const std::vector<std::size_t>& starts) {
        const auto levels = as_levels(codes, starts);
        levels.check();
        return levels;
    }
};

// Fills counts (see cross.hpp).
void count_with(const LevelRows& rows, Matrix<const std::uint8_t> codes, std::size_t n_levels, Matrix<double> counts) {
    if (codes.shape(0) != 1 || codes.shape(1) != rows.n_rows) throw nb::value_error("one code for every row");
    if (counts.shape(0) != n_levels || counts.shape(1) != rows.bits.n_levels())
        throw nb::value_error("one count for every two levels");
    const auto levels = LevelRows::checked(codes, {0, n_levels});
    const nb::gil_scoped_release release;
    rows.bits.count_with(entropick::LevelBits(levels), counts.data());
}

// Adds to sums (see cross.hpp).
void sum_by_level(Matrix<const std::uint8_t> codes, const std::vector<std::size_t>& starts, Matrix<const double> values,
                  Matrix<double> sums, std::size_t n_threads) {
    const auto levels = as_levels(codes, starts);
    if (values.shape(0) != levels.n_rows) throw nb::value_error("values has one line per row");
    if (sums.shape(0) != levels.n_levels() || sums.shape(1) != values.shape(1))
        throw nb::value_error("one sum for every level and value");
    const nb::gil_scoped_release release;
    entropick::sum_by_level(levels, values.data(), values.shape(1), n_threads, sums.data());
}

}  // namespace

NB_MODULE(_kernels, module) {
    module.attr("UNKNOWN") = entropick::UNKNOWN;
    module.def("expected_shares", &expected_shares, nb::arg("sizes").noconvert(), nb::arg("class_sizes"),
               nb::arg("times"), nb::arg("shares").noconvert());
    module.def("order_statistics", &order_statistics, nb::arg("x").noconvert(), nb::arg("ranks"),
               nb::arg("values").noconvert());
    module.def("count_pairs", &count_pairs, nb::arg("codes").noconvert(), nb::arg("starts"), nb::arg("first"),
               nb::arg("counts").noconvert(), nb::arg("n_threads"));
    module.def("sum_by_level", &sum_by_level, nb::arg("codes").noconvert(), nb::arg("starts"),
               nb::arg("values").noconvert(), nb::arg("sums").noconvert(), nb::arg("n_threads"));
    nb::class_<LevelRows>(module, "LevelRows")
        .def(nb::init<Matrix<const std::uint8_t>, const std::vector<std::size_t>&>(), nb::arg("codes").noconvert(),
             nb::arg("starts"))
        .def("count_with", &count_with, nb::arg("codes").noconvert(), nb::arg("n_levels"),
             nb::arg("counts").noconvert());
    nb::class_<ScoredPlanes>(module, "BitPlanes")
        .def(nb::init<std::size_t, const std::vector<std::int64_t>&>(), nb::arg("n_columns"), nb::arg("class_starts"))
        .def("add_column", &add_column<std::uint8_t>, nb::arg("column"), nb::arg("codes").noconvert())
        .def("add_column", &add_column<std::uint16_t>, nb::arg("column"), nb::arg("codes").noconvert())
        .def("seal", [](ScoredPlanes& table) { table.seal(); })
        .def("score", &score, nb::arg("masks").noconvert(), nb::arg("t1").noconvert(), nb::arg("t2").noconvert(),
             nb::arg("sums").noconvert(), nb::arg("duplicate_of").noconvert(), nb::arg("n_threads"))
        .def("partition", &partition, nb::arg("masks").noconvert(), nb::arg("blocks").noconvert(),
             nb::arg("n_threads"));
    nb::class_<LevelSets>(module, "LevelSets")
        .def(nb::init<const std::vector<std::size_t>&, const std::vector<std::int64_t>&>(), nb::arg("levels"),
             nb::arg("class_starts"))
        .def_ro_static("MAX_SET_LEVELS", &LevelSets::MAX_SET_LEVELS)
        .def("set_column", &set_levels, nb::arg("column"), nb::arg("codes").noconvert())
        .def("score", &score_pairs, nb::arg("columns"), nb::arg("t1").noconvert(), nb::arg("t2").noconvert(),
             nb::arg("blocks").noconvert(), nb::arg("cells").noconvert(), nb::arg("n_threads"));
    nb::class_<Dependence>(module, "Dependence")
        .def(nb::init<Cube, Cube, Vector<const double>, const std::vector<double>&, bool>(),
             nb::arg("others").noconvert(), nb::arg("own").noconvert(), nb::arg("log_prior").noconvert(),
             nb::arg("exponents"), nb::arg("has_parents"))
        .def("score", &score_dependence, nb::arg("places").noconvert(), nb::arg("classes").noconvert(),
             nb::arg("masks").noconvert(), nb::arg("means").noconvert(), nb::arg("losses").noconvert(),
             nb::arg("n_threads"))
        .def("sums", &sum_dependence, nb::arg("places").noconvert(), nb::arg("classes").noconvert(),
             nb::arg("masks").noconvert(), nb::arg("sums").noconvert(), nb::arg("n_threads"));
    nb::class_<Ridge>(module, "Ridge")
        .def(nb::init<Matrix<const double>, Matrix<const double>, Matrix<const double>, Matrix<const double>, double,
                      std::size_t, const std::vector<double>&, double>(),
             nb::arg("gram").noconvert(), nb::arg("cross").noconvert(), nb::arg("X").noconvert(),
             nb::arg("Y").noconvert(), nb::arg("total"), nb::arg("n_rows"), nb::arg("penalties"), nb::arg("price"))
        .def("solve", &solve_ridges, nb::arg("members").noconvert(), nb::arg("n_threads"),
             nb::arg("ratios").noconvert(), nb::arg("places").noconvert());
    nb::class_<RidgeCenter>(module, "RidgeCenter")
        .def(nb::init<const Ridge&, Vector<const std::uint8_t>, Vector<const double>, Matrix<const double>,
                      Matrix<const double>>(),
             nb::keep_alive<1, 2>(), nb::arg("ridge"), nb::arg("member").noconvert(), nb::arg("values").noconvert(),
             nb::arg("columns").noconvert(), nb::arg("targets").noconvert())
        .def("solve", &solve_near, nb::arg("members").noconvert(), nb::arg("n_threads"), nb::arg("ratios").noconvert(),
             nb::arg("places").noconvert());
}
