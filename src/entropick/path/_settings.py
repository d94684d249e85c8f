"""The numbers that decide what a path finds, each with its reason."""

BLOCKS = 12  # of the rows: a Plackett–Burman matrix of this order has eleven balanced splits
FEWEST_IN_BLOCK = 2  # rows: with fewer there are 8 or 4 blocks
SIZES_ONE_BY_ONE = 10  # columns, up to which every size is judged; here one column more or less matters ...
FACTOR = 1.2  # ... and from there on steps of a fifth, which the rows can hardly tell apart
PATIENCE = 5  # judged sizes without a better one, after which no larger one is tried
MOST_GROWN = 60  # columns, up to which sets grow as long as all columns together predict clearly more
EXCHANGES = 2  # rounds of exchanges after each growth: a third round changed no answer
MOST_COLUMNS = 200  # of a half that are tried; of more, its most promising, or a path takes minutes
CELLS = 3_000_000  # of the rows that halves are made of: more rows than that leave the order as it is
NEAR = 0.7  # share of the entropy of the simpler of two columns that both have: near copies split their places
FURTHER = 10  # places beyond the answer that decoys are compared on, so that the least sure columns have a place
MOST_PLACES = 30  # that decoys are compared on: with more columns than that nobody asks which one is sure
MOST_WITH_DECOYS = 2000  # columns; copies of more take long
DECOYS = 4  # copies of the table: useless columns get among the sure ones in at most a fifth of the tables
SHUFFLES = 99  # of the target, for a p-value of 0.01 at best
FEWEST_SHUFFLES = 49  # for one of 0.02, at which something is said to be there
LEVEL = 0.02  # a selection whose p-value is above this is not kept
PAIR_WORK = 2e8  # operations spent on the pairs of a half or of a shuffle, about a tenth of a second
