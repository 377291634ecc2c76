/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A value for every shape: terms of rows and columns, with weights tuned on that shape.
 *
 *   value = base + sum over rows and columns of
 *               w_empty * empty cells
 *             + w_merge * tiles in runs of two or more equal ones, empty cells skipped
 *             - w_mono * min(falls, rises)
 *             - w_sum * sum over cells of k^sum_power
 *           - w_edge * sum over cells that are not on the border of k^mono_power
 *           + w_corner, if a largest tile is in a corner
 *
 * falls is the sum of k^mono_power - l^mono_power over neighbours k > l of a line, read from its
 * first cell, rises the sum of l^mono_power - k^mono_power over k < l; empty cells are 0.
 *
 * The terms of rows and columns are those of nneonneo/2048-ai (base=1600000, w_empty=270,
 * w_merge=700, w_mono=47, mono_power=4, w_sum=11, sum_power=3.5; its 200000 per line are in base),
 * for lines of any length. The computation is in integers: w_sum * k^sum_power and the like are
 * rounded for each k, and k^mono_power is first scaled so that it fits into 16 bits for the largest
 * tile that occurs. So the order of sums does not matter and every instruction set agrees.
 *
 * A weight that is not set is that of the shape in agents/values/weights.def, which documents its
 * source. base only matters relative to the terminal value of a search: it is the cost of a loss.
 *
 * Check value: 4x4 with a single 4 in the corner is 1600000 + 2*15*270 - 2*round(11*2^3.5) =
 * 1607852.
 */
#include "agents/agent.h"
#include "agents/values/strong_leaves.h"
#include "boards/simd/kernel.h"

#include <math.h>
#include <string.h>

struct strong {
	int64_t tuned;
	union {
		double w[9];
		struct {
			double base, w_empty, w_merge, w_mono, mono_power, w_sum, sum_power, w_edge,
			    w_corner;
		};
	};

	const struct game *game;
	struct strong_tables tables;
	struct strong_bytes bytes;
	const struct value_kernel *kernel; /* NULL if the tables do not fit into bytes */
	struct strong_leaf_tables leaf_tables;
	const struct strong_leaves *leaves; /* NULL if batches are as fast */
};

#define WEIGHT(field, least, most, size, text)                                                     \
	{                                                                                          \
		.name = #field, .kind = FIELD_REAL, .offset = offsetof(struct strong, field),      \
		.fallback = "auto", .min = least, .max = most, .choices = "auto", .help = text,    \
		.scale = size                                                                      \
	}

static const struct field strong_params[] = {
    {FIELD_MEMBER(FIELD_INTEGER, strong, tuned), .fallback = "3", .min = 1, .max = 3,
     .help = "the set of weights that auto stands for"},
    WEIGHT(base, 0, 1e9, 1e6, "constant part of the value, which a lost game does not have"),
    WEIGHT(w_empty, -1e6, 1e6, 400, "an empty cell, in its row and in its column"),
    WEIGHT(w_merge, -1e6, 1e6, 600, "a tile in a run of equal ones, in its row and in its column"),
    WEIGHT(w_mono, 0, 1e6, 40, "price of disorder in a line"),
    WEIGHT(mono_power, 0.5, 6, 3, "power of the exponent k in that price"),
    WEIGHT(w_sum, 0, 1e6, 12, "price of a tile, in its row and in its column"),
    WEIGHT(sum_power, 0.5, 6, 3, "power of the exponent k in that price"),
    WEIGHT(w_edge, 0, 1e6, 0.5, "price of a tile that is not on the border, times k^mono_power"),
    WEIGHT(w_corner, 0, 1e8, 8000, "a largest tile in a corner"),
    {0},
};

static const struct shape_weights defaults[] = {
#define STRONG(set, rows, cols, ...) {set, rows, cols, {__VA_ARGS__}},
#include "agents/values/weights.def"
};

static enum status tables_make(struct strong *s, struct why *why)
{
	struct strong_tables *t = &s->tables;
	const int length = s->game->rows > s->game->cols ? s->game->rows : s->game->cols;
	const double limit = length > 4 ? UINT16_MAX / 2 : UINT16_MAX, bound = 0x7fffffff;
	/*
	 * The scale fits the largest tile that occurs in play: 2^15 on at most sixteen cells, else
	 * 2^(12 + cells / 2). Larger tiles share the limit.
	 */
	const int cells = s->game->cells, largest = cells <= 16 ? 15 : 12 + cells / 2;
	const double scale = fmin(1, limit / pow(largest, s->mono_power));
	double most = fabs(s->w_empty), mono = rint(s->w_mono / scale);
	*t = (struct strong_tables){.base = (int32_t)rint(s->base),
				    .corner = (int32_t)rint(s->w_corner),
				    .merge = (int32_t)rint(s->w_merge)};
	t->cell[0][0] = t->cell[1][0] = (int32_t)rint(2 * s->w_empty);
	for (int k = 1; k <= s->game->max_exponent; k++) {
		const double sum = 2 * rint(s->w_sum * pow(k, s->sum_power));
		const double edge = rint(s->w_edge * pow(k, s->mono_power));
		most = fmax(most, sum + edge);
		t->power[k] = (uint16_t)fmin(limit, rint(scale * pow(k, s->mono_power)));
		t->cell[0][k] = (int32_t)fmax(-bound, -sum);
		t->cell[1][k] = (int32_t)fmax(-bound, -sum - edge);
	}
	const double lines = s->game->rows + s->game->cols;
	const double sum = s->base + s->w_corner + s->game->cells * (most + 2 * fabs(s->w_merge)) +
			   lines * mono * 2 * t->power[s->game->max_exponent];
	if (sum > bound)
		return why_set(
		    why, STATUS_INPUT,
		    "strong: these weights give values up to %.3g on %s; at most %.3g is "
		    "kept in whole numbers",
		    sum, s->game->name, bound);
	t->mono = (int32_t)mono;
	return STATUS_OK;
}

/* Sets the digits of X at CODE; returns false if X needs too many digits. */
static bool digits_put(struct strong_digits *digits, int code, int64_t x)
{
	const int most = sizeof digits->digit / sizeof digits->digit[0];
	digits->whole[code] = (int32_t)x;
	for (int d = 0; x > 0; d++, x /= 64) {
		if (d == most)
			return false;
		digits->digit[d][code] = (uint8_t)(x % 64);
		digits->count = d < digits->count ? digits->count : d + 1;
	}
	return true;
}

/* Makes BYTES for GAME; returns false if a number does not fit. */
static bool bytes_make(struct strong_bytes *bytes, const struct strong_tables *tables,
		       const struct game *game)
{
	int64_t most = tables->cell[0][0];
	bool fits = true;
	*bytes = (struct strong_bytes){
	    .corner = tables->corner, .merge = tables->merge, .mono = tables->mono};
	for (int k = 0; k <= game->max_exponent; k++)
		most = tables->cell[0][k] > most ? tables->cell[0][k] : most;
	for (int k = 0; k <= game->max_exponent; k++) {
		const int code = k ? k + 1 : 0;
		const int64_t cell = tables->cell[0][k], inside = tables->cell[1][k];
		fits &= digits_put(&bytes->cell, code, most - cell);
		fits &= digits_put(&bytes->inside, code, cell - inside);
		bytes->powers[code] = tables->power[k];
		bytes->power[0][code] = (uint8_t)tables->power[k];
		bytes->power[1][code] = (uint8_t)(tables->power[k] >> 8);
	}
	const int64_t start = tables->base + game->cells * most;
	bytes->start = (int32_t)start;
	return fits && start <= INT32_MAX && start >= INT32_MIN;
}

static const struct strong_leaves *leaves_of(const struct game *game)
{
	const struct strong_leaves *leaves =
	    ISA_PICK(game->isa, strong_leaves_portable, strong_leaves_avx2, strong_leaves_avx512);
	while (leaves->rows && (leaves->rows != game->rows || leaves->cols != game->cols))
		leaves++;
	return leaves->rows ? leaves : NULL;
}

/* Makes the shuffle that closes the gaps between TILES of a line. */
static void close_make(unsigned tiles, uint8_t close[2][ROW_BYTES])
{
	const int count = __builtin_popcount(tiles);
	memset(close, 0x80, 2 * ROW_BYTES);
	for (int c = 0, next = 0; c < SIDE_MAX; c++)
		if (tiles >> c & 1) {
			close[0][next] = close[1][count - 1 - next] = (uint8_t)c;
			next++;
		}
}

/* Sets DIGITS to the digits of X by exponent; no X is negative. */
static void leaf_digits_make(struct strong_leaf_digits *digits, const int64_t x[EXPONENTS])
{
	uint64_t all = 0;
	for (int k = 0; k < EXPONENTS; k++) {
		digits->whole[k] = (uint32_t)x[k];
		all |= (uint64_t)x[k];
	}
	for (digits->count = 0; all; all /= 256)
		digits->count++;
	for (int d = 0; d < digits->count; d++)
		for (int k = 0; k < EXPONENTS; k++)
			digits->digit[d][k] = (uint8_t)(x[k] >> 8 * (digits->count - 1 - d));
}

static void leaf_tables_make(struct strong_leaf_tables *leaf, const struct strong_tables *tables,
			     const struct game *game)
{
	const int32_t *cell = tables->cell[0];
	int64_t most = cell[0], cost[EXPONENTS], inside[EXPONENTS];
	*leaf = (struct strong_leaf_tables){
	    .corner = tables->corner, .merge = tables->merge, .mono = tables->mono};
	for (int k = 0; k < EXPONENTS; k++)
		most = cell[k] > most ? cell[k] : most;
	for (int k = 0; k < EXPONENTS; k++) {
		cost[k] = most - cell[k];
		inside[k] = (int64_t)cell[k] - tables->cell[1][k];
		leaf->price[k] = cell[k] - cell[0];
		leaf->powers[k] = tables->power[k];
		leaf->power[0][k] = (uint8_t)tables->power[k];
		leaf->power[1][k] = (uint8_t)(tables->power[k] >> 8);
		if (k > 0 && k + 1 < EXPONENTS)
			leaf->gain[k] = (int64_t)cell[k + 1] + cell[0] - 2 * (int64_t)cell[k];
	}
	for (int i = 0; i < 1 << 10; i++)
		memcpy(&leaf->pairs[i], (uint16_t[]){leaf->powers[i & 31], leaf->powers[i >> 5]},
		       sizeof leaf->pairs[i]);
	const int filling = ROW_BYTES * ROW_BYTES - game->cells;
	leaf->start =
	    (uint32_t)(tables->base + ((int64_t)1 << 31) + game->cells * most + filling * cost[0]);
	leaf_digits_make(&leaf->cost, cost);
	leaf_digits_make(&leaf->inside, inside);
	for (unsigned tiles = 0; tiles < 1 << SIDE_MAX; tiles++)
		close_make(tiles, leaf->close[tiles]);
}

static enum status strong_init(void *self, const struct agent_env *env, struct why *why)
{
	struct strong *s = self;
	s->game = env->game;
	weights_fill(s->w, sizeof s->w / sizeof *s->w, defaults, sizeof defaults / sizeof *defaults,
		     (int)s->tuned, s->game);
	enum status status = tables_make(s, why);
	if (!status && bytes_make(&s->bytes, &s->tables, s->game))
		s->kernel = value_kernel(s->game);
	if (status)
		return status;
	s->leaves = leaves_of(s->game);
	leaf_tables_make(&s->leaf_tables, &s->tables, s->game);
	return STATUS_OK;
}

/* Returns the value of order and runs in a line of LENGTH exponents. */
static int32_t line_value(const struct strong_tables *t, const uint8_t *line, int length)
{
	int falls = 0, rises = 0, merging = 0, run = 1, last = 0;
	for (int i = 0; i < length; i++) {
		if (i > 0) {
			const int step = t->power[line[i - 1]] - t->power[line[i]];
			falls += step > 0 ? step : 0;
			rises += step < 0 ? -step : 0;
		}
		if (!line[i])
			continue;
		run = line[i] == last ? run + 1 : 1;
		merging += run == 2 ? 2 : run > 2;
		last = line[i];
	}
	return t->merge * merging - t->mono * (falls < rises ? falls : rises);
}

/* Returns the value of BOARD. */
static int32_t strong_sum(const struct strong_tables *t, const struct game *game,
			  const struct board *board)
{
	const int rows = game->rows, cols = game->cols;
	int32_t value = t->base;
	uint8_t column[SIDE_MAX];
	for (int r = 0; r < rows; r++) {
		value += line_value(t, board->cell[r], cols);
		for (int c = 0; c < cols; c++) {
			const bool inside = r > 0 && r + 1 < rows && c > 0 && c + 1 < cols;
			value += t->cell[inside][board->cell[r][c]];
		}
	}
	for (int c = 0; c < cols; c++) {
		for (int r = 0; r < rows; r++)
			column[r] = board->cell[r][c];
		value += line_value(t, column, rows);
	}
	return value + (t->corner && board_max_in_corner(game, board) ? t->corner : 0);
}

/* Minimal number of boards for which a batch is faster. */
enum { STRONG_BATCH = 4 };

static void strong_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct strong *s = self;
	if (n < STRONG_BATCH || !s->kernel) {
		for (size_t i = 0; i < n; i++)
			out[i] = strong_sum(&s->tables, s->game, &boards[i]);
		return;
	}
	for (size_t first = 0; first < n; first += BATCH_MAX) {
		const size_t count = n - first < BATCH_MAX ? n - first : BATCH_MAX;
		struct batch batch;
		for (size_t i = 0; i < count; i++)
			batch_put(&batch, i, &boards[first + i], s->game->rows);
		s->kernel->strong_eval(&s->bytes, &batch, count, out + first);
	}
}

static bool strong_best(const void *self, const struct leaf_rule *rule, const struct batch *batch,
			size_t n, double *out)
{
	const struct strong *s = self;
	if (rule->spawns || rule->rewards || !s->kernel)
		return false;
	s->kernel->strong_best(&s->bytes, rule, batch, n, out);
	return true;
}

/* Adds the sums of the leaves of NODE; returns false if the kernel declines. */
static bool node_sums_add(const struct strong *s, const struct leaf_rule *rule,
			  const struct leaf_node *node)
{
	int64_t whole[SPAWN_KINDS_MAX];
	if (!s->leaves->sum(&s->leaf_tables, node->after, node->k, node->kinds, whole))
		return false;
	for (int i = 0; i < node->kinds; i++)
		*node->sum[i] += whole[i] == STRONG_LOST ? rule->terminal : (double)whole[i];
	return true;
}

static size_t strong_leaf_sums(const void *self, const struct leaf_rule *rule,
			       const struct leaf_node *nodes, size_t n)
{
	const struct strong *s = self;
	size_t i = 0;
	if (rule->spawns || rule->rewards)
		return 0;
	if (s->leaves)
		while (i < n && node_sums_add(s, rule, &nodes[i]))
			i++;
	else if (s->kernel && s->kernel->strong_sums) {
		s->kernel->strong_sums(&s->bytes, rule, nodes, n);
		i = n;
	}
	return i;
}

/*
 * An upper bound: disorder and inner tiles cost nothing, every tile is in a run twice, and tiles
 * merge as often as their numbers allow.
 */
static double strong_bound(const void *self, const struct board *after, int spawns)
{
	const struct strong *s = self;
	const struct strong_tables *t = &s->tables;
	const struct game *game = s->game;
	const struct strong_leaf_tables *leaf = &s->leaf_tables;
	int count[EXPONENTS] = {0};
	int64_t sum = (int64_t)t->base + (t->corner > 0 ? t->corner : 0), spawn_gain = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			count[after->cell[r][c]]++;
	for (int k = 0; k <= game->max_exponent; k++)
		sum += (int64_t)count[k] * t->cell[0][k];
	const int tiles = game->cells - count[0] + spawns;
	if (t->merge > 0)
		sum += (int64_t)2 * t->merge * (tiles < game->cells ? tiles : game->cells);
	for (int i = 0; i < game->spawn.kinds; i++) {
		const int32_t price = leaf->price[game->spawn.exponent[i]];
		spawn_gain = price > spawn_gain ? price : spawn_gain;
		count[game->spawn.exponent[i]] += spawns;
	}
	sum += spawns * spawn_gain;
	for (int k = 1; k < game->max_exponent; k++) {
		sum += leaf->gain[k] > 0 ? count[k] / 2 * leaf->gain[k] : 0;
		count[k + 1] += count[k] / 2;
	}
	return (double)sum;
}

const struct value_class strong_value = {
    .name = "strong",
    .summary = "order, runs, room and sizes of tiles in rows and columns, tuned for each shape",
    .params = strong_params,
    .size = sizeof(struct strong),
    .init = strong_init,
    .eval = strong_eval,
    .best = strong_best,
    .leaf_sums = strong_leaf_sums,
    .bound = strong_bound,
};
