/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value strong of WIDE boards, and of the best after-state of each, by the tables of
 * values_kernel.h. A file that includes this one first includes batch_template.h.
 *
 * Powers are shorts. The disorder of a line, min(falls, rises), is the sum of the greater of each
 * two neighbours, minus all powers except the first and the last, minus the greater of these two.
 * Sums over lines exceed a short; their low bits are summed modulo 2^16 and their high bytes
 * separately, which gives the whole sum, since the high bytes alone miss less than 256 per line.
 *
 * Both directions along an axis merge the same tiles, so the sum over cells is made once per axis.
 *
 * Invariant: the results are those of agents/value.h; tests/agents/values/test_value.c.
 */
enum { STRONG_STEP = 1 };

/* Adds to COUNT the tiles of a line without gaps that equal neither neighbour. */
ALWAYS_INLINE lanes line_loners(const lanes *v, int length, lanes count)
{
	const lanes one = lanes_all(1);
	lanes before = one;
	UNROLL
	for (int k = 0; k < length - 1; k++) {
		/* No tile is 1, so empty cells count as unequal. */
		const lanes rise = lanes_minus(v[k], lanes_max(v[k + 1], one));
		const lanes after = lanes_min(rise, one);
		count = lanes_plus(count, k ? lanes_both(before, after) : after);
		before = after;
	}
	return lanes_plus(count, before);
}

/* line_loners() for a line with gaps. */
ALWAYS_INLINE lanes line_loners_closed(const lanes *cell, int step, int length, lanes count)
{
	lanes v[SIDE_MAX];
	UNROLL
	for (int k = 0; k < length; k++)
		v[k] = cell[k * step];
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		wide_close(v, length, k, lanes_empty(v[k]));
	return line_loners(v, length, count);
}

/* Counts the tiles in runs of equal ones, along lines, which may have SLID, and across. */
ALWAYS_INLINE lanes runs_count(const lanes *cell, int lines, int length, bool slid)
{
	lanes loners = lanes_all(0);
#pragma GCC unroll 1
	for (int i = 0; i < lines; i++) {
		const lanes *line = cell + i * length;
		loners = slid ? line_loners(line, length, loners)
			      : line_loners_closed(line, 1, length, loners);
	}
#pragma GCC unroll 1
	for (int k = 0; k < length; k++)
		loners = line_loners_closed(cell + k, length, lines, loners);
	return lanes_minus(lanes_all(2 * lines * length), loners);
}

/* Sums of shorts of a half: modulo 2^16, and of their high bytes. */
struct short_sums {
	wide_ushorts low, high;
};

/* Adds the disorder of a line of powers. */
ALWAYS_INLINE struct short_sums line_disorder(const wide_ushorts *power, int step, int length,
					      struct short_sums sum)
{
	const wide_ushorts first = power[0], last = power[(length - 1) * step];
	wide_ushorts disorder = wide_max16(first, power[step]);
	UNROLL
	for (int k = 1; k < length - 1; k++)
		disorder += wide_max16(power[k * step], power[(k + 1) * step]) - power[k * step];
	disorder -= wide_max16(first, last);
	sum.low += disorder;
	sum.high += disorder >> 8;
	return sum;
}

/* Looks up the powers of a cell, by halves. */
ALWAYS_INLINE void powers_find(const struct strong_bytes *bytes, const struct wide_places *cell,
			       int pieces, wide_ushorts *first, wide_ushorts *second)
{
#ifdef __AVX2__
	const lanes low = wide_lookup(bytes->power[0], cell, pieces);
	const lanes high = wide_lookup(bytes->power[1], cell, pieces);
	*first = wide_join(low, high, 0);
	*second = wide_join(low, high, 1);
#else
#define POWER(i) bytes->powers[cell->all[i]]
#define EIGHT(i)                                                                                   \
	(wide_ushorts){POWER(i),       POWER((i) + 1), POWER((i) + 2), POWER((i) + 3),             \
		       POWER((i) + 4), POWER((i) + 5), POWER((i) + 6), POWER((i) + 7)}
	(void)pieces;
	*first = EIGHT(0);
	*second = EIGHT(8);
#undef EIGHT
#undef POWER
#endif
}

/* disorder_sum() for lines of one kind. */
typedef void strong_disorder(const struct strong_bytes *bytes, const struct wide_places *cell,
			     int pieces, struct short_sums sum[2]);

/* Sums the disorder of all lines. */
ALWAYS_INLINE void disorder_sum(const struct strong_bytes *bytes, const struct wide_places *cell,
				int pieces, int lines, int length, struct short_sums sum[2])
{
	wide_ushorts power[2][CELLS_MAX];
	UNROLL
	for (int i = 0; i < lines; i++) {
		UNROLL
		for (int k = i * length; k < (i + 1) * length; k++)
			powers_find(bytes, &cell[k], pieces, &power[0][k], &power[1][k]);
	}
#pragma GCC unroll 1
	for (int half = 0; half < 2; half++) {
		struct short_sums all = {{0}, {0}};
		UNROLL
		for (int i = 0; i < lines; i++)
			all = line_disorder(power[half] + i * length, 1, length, all);
		UNROLL
		for (int k = 0; k < length; k++)
			all = line_disorder(power[half] + k, length, lines, all);
		sum[half] = all;
	}
}

#ifdef __AVX2__
/* Sums over the cells that are MARGIN from the border, by digits. */
ALWAYS_INLINE void cells_sum(const struct strong_digits *from, const struct wide_places *cell,
			     int pieces, int lines, int length, int margin, wide_ints sum[4])
{
	const lanes one = lanes_all(1), none = lanes_all(0);
	sum[0] = sum[1] = sum[2] = sum[3] = wide_all32(0);
#pragma GCC unroll 1
	for (int d = from->count - 1; d >= 0; d--) {
		wide_shorts part[2] = {wide_all16(0), wide_all16(0)};
#pragma GCC unroll 1
		for (int i = margin; i < lines - margin; i++) {
			lanes four = none, rest = none;
			UNROLL
			for (int k = margin; k < length - margin; k++) {
				const lanes x =
				    wide_lookup(from->digit[d], &cell[i * length + k], pieces);
				if (k < margin + 4)
					four = lanes_plus(four, x);
				else
					rest = lanes_plus(rest, x);
			}
			part[0] += wide_dot8(four, one, rest, one, 0);
			part[1] += wide_dot8(four, one, rest, one, 1);
		}
		UNROLL
		for (int q = 0; q < 4; q++)
			sum[q] = (sum[q] << 6) + wide_dot16(part[q / 2], 1, part[q / 2], 0, q % 2);
	}
}

#else
/* Sums over the cells that are MARGIN from the border, board by board. */
ALWAYS_INLINE void cells_sum(const struct strong_digits *from, const struct wide_places *cell,
			     int pieces, int lines, int length, int margin, wide_ints sum[4])
{
	(void)pieces;
	for (int board = 0; board < WIDE; board++) {
		uint32_t all = 0;
		UNROLL
		for (int i = margin; i < lines - margin; i++) {
			UNROLL
			for (int k = margin; k < length - margin; k++)
				all += (uint32_t)from->whole[cell[i * length + k].all[board]];
		}
		sum[board / 4][board % 4] = (int32_t)all;
	}
}
#endif

/* Returns 1 where a largest tile is in a corner. */
ALWAYS_INLINE lanes corner_holds(const lanes *cell, int lines, int length)
{
	const int end = lines * length - 1;
	const lanes corner = lanes_max(lanes_max(cell[0], cell[length - 1]),
				       lanes_max(cell[end + 1 - length], cell[end]));
	lanes largest = corner;
#pragma GCC unroll 1
	for (int i = 0; i <= end; i++)
		largest = lanes_max(largest, cell[i]);
	return lanes_where(lanes_equal(corner, largest), lanes_all(1));
}

/* The best values so far, and shared results of the two directions of an axis. */
struct strong_best {
	wide_ints value[4];
	lanes legal; /* nonzero where any move is legal */
	wide_ints cells[2][4];
	int pieces; /* pieces of tables */
};

/* Computes the values of boards, by quarters, from the sums over their cells. */
ALWAYS_INLINE void strong_values(const struct strong_bytes *bytes, strong_disorder *disorder_of,
				 const lanes *cell, const struct wide_places *places, int pieces,
				 int lines, int length, bool slid, const wide_ints cells[4],
				 wide_ints value[4])
{
	const bool inside = bytes->inside.count > 0 && lines > 2 && length > 2;
	const lanes runs = runs_count(cell, lines, length, slid);
	struct short_sums disorder[2];
	disorder_of(bytes, places, pieces, disorder);
	UNROLL
	for (int q = 0; q < 4; q++) {
		const wide_shorts count = wide_dot8(runs, lanes_all(1), runs, lanes_all(0), q / 2);
		value[q] = bytes->start - cells[q];
		value[q] += bytes->merge * wide_dot16(count, 1, count, 0, q % 2);
		const struct short_sums sum = disorder[q / 2];
		const wide_ushorts missed = sum.low - (sum.high << 8);
		value[q] -= bytes->mono *
			    wide_dot16((wide_shorts)missed, 1, (wide_shorts)sum.high, 256, q % 2);
	}
	if (inside) {
		wide_ints inner[4];
		cells_sum(&bytes->inside, places, pieces, lines, length, 1, inner);
		UNROLL
		for (int q = 0; q < 4; q++)
			value[q] -= inner[q];
	}
	if (bytes->corner) {
		const lanes corner = corner_holds(cell, lines, length);
		UNROLL
		for (int q = 0; q < 4; q++)
			value[q] += bytes->corner & (wide_spread(corner, q) != 0);
	}
}

/* Updates the best values by the after-states of one direction. */
ALWAYS_INLINE void strong_update_max(const struct strong_bytes *bytes, strong_disorder *disorder_of,
				     const struct batch_boards *boards, int direction, int lines,
				     int length, struct strong_best *best)
{
	struct batch_after after;
	struct wide_places room[CELLS_MAX];
	wide_ints *cells = best->cells[direction % 2], value[4];
	batch_move(boards, direction, lines, length, STRONG_STEP, false, &after);
	best->legal = lanes_max(best->legal, after.changed);
	const struct wide_places *places =
	    wide_find(after.cell, lines * length, best->pieces, room);
	if (direction < 2)
		cells_sum(&bytes->cell, places, best->pieces, lines, length, 0, cells);
	strong_values(bytes, disorder_of, after.cell, places, best->pieces, lines, length, true,
		      cells, value);
	UNROLL
	for (int q = 0; q < 4; q++)
		best->value[q] = wide_greater32(best->value[q], value[q], after.changed, q);
}

/* The kernel for the values of the boards themselves. */
ALWAYS_INLINE void strong_eval_body(const struct strong_bytes *bytes, strong_disorder *disorder_of,
				    const struct batch *batch, size_t n, double *out, int rows,
				    int cols)
{
	for (size_t first = 0; first < n; first += WIDE) {
		struct batch_boards boards;
		struct wide_places room[CELLS_MAX];
		wide_ints cells[4], value[4];
		double last[WIDE], *to = n - first < WIDE ? last : out + first;
		batch_open(batch, first, rows, cols, STRONG_STEP, &boards);
		const int pieces = wide_pieces(boards.cell, rows * cols, 0);
		const struct wide_places *places =
		    wide_find(boards.cell, rows * cols, pieces, room);
		cells_sum(&bytes->cell, places, pieces, rows, cols, 0, cells);
		strong_values(bytes, disorder_of, boards.cell, places, pieces, rows, cols, false,
			      cells, value);
		UNROLL
		for (int q = 0; q < 4; q++)
			wide_store(value[q], q, 1, to);
		if (n - first < WIDE)
			memcpy(out + first, last, (n - first) * sizeof *out);
	}
}

/* strong_update_max() for lines of one kind. */
typedef void strong_direction(const struct strong_bytes *bytes, const struct batch_boards *boards,
			      int direction, struct strong_best *best);

/* Sets BEST to the best after-states of BOARDS; columns move by VERTICAL, rows by HORIZONTAL. */
ALWAYS_INLINE void strong_moves(const struct strong_bytes *bytes, const struct batch_boards *boards,
				int cells, strong_direction *vertical, strong_direction *horizontal,
				struct strong_best *best)
{
	best->legal = lanes_all(0);
	best->pieces = wide_pieces(boards->cell, cells, STRONG_STEP);
	UNROLL
	for (int q = 0; q < 4; q++)
		best->value[q] = wide_all32(INT32_MIN);
	for (int d = 0; d < DIRECTIONS; d++)
		(d == UP || d == DOWN ? vertical : horizontal)(bytes, boards, d, best);
}

/* The kernel for the best after-states. */
ALWAYS_INLINE void strong_best_body(const struct strong_bytes *bytes, const struct leaf_rule *rule,
				    const struct batch *batch, size_t n, double *out,
				    strong_direction *vertical, strong_direction *horizontal,
				    int rows, int cols)
{
	for (size_t first = 0; first < n; first += WIDE) {
		struct batch_boards boards;
		struct strong_best best;
		double last[WIDE], *to = n - first < WIDE ? last : out + first;
		batch_open(batch, first, rows, cols, STRONG_STEP, &boards);
		strong_moves(bytes, &boards, rows * cols, vertical, horizontal, &best);
		UNROLL
		for (int q = 0; q < 4; q++)
			wide_store(best.value[q], q, 1, to);
		lost_write(best.legal, rule->terminal, to);
		if (n - first < WIDE)
			memcpy(out + first, last, (n - first) * sizeof *out);
	}
}

#ifdef __AVX512VBMI__
/*
 * The leaves of chance nodes. The cells of the nodes are lanes, and those of the leaves are looked
 * up in them; so a leaf costs three bytes, not a board. AVX2 looks up in 16 lanes only: that gained
 * 2 to 3% on 4x4 and lost 2% on 3x4.
 */
enum { TABLE_NODES = WIDE, LIST_LEAVES = 1024, LIST_ROOM = LIST_LEAVES + 64 };

/* By leaf: its node, the cell of the new tile, and its code. */
struct leaf_list {
	size_t n;
	uint8_t node[LIST_ROOM], cell[LIST_ROOM], tile[LIST_ROOM];
};

/* Lists the leaves of NODE, the I-th. Returns the number of its empty cells. */
ALWAYS_INLINE int leaves_list(const struct leaf_node *node, size_t i, int rows, int cols,
			      struct leaf_list *list)
{
	uint64_t cells[SIDE_MAX]; /* the numbers of the empty cells of each row */
	int count = 0, before[SIDE_MAX];
	UNROLL
	for (int r = 0; r < rows; r++) {
		const uint64_t ones = 0x0101010101010101, numbers = 0x0706050403020100;
		const uint64_t empty = zero_bytes(row_load(node->after->cell[r]), cols) >> 7;
		cells[r] = _pext_u64(numbers + ones * (unsigned)(r * cols), empty * 255);
		before[r] = count;
		count += __builtin_popcountll(empty);
	}
	for (int j = 0; j < node->kinds; j++) {
		UNROLL
		for (int r = 0; r < rows; r++)
			row_store(list->cell + list->n + before[r], cells[r]);
		memset(list->node + list->n, (int)i, (size_t)(rows * cols));
		memset(list->tile + list->n, node->k[j] + STRONG_STEP, (size_t)(rows * cols));
		list->n += (size_t)count;
	}
	return count;
}

/* Makes the boards of the leaves from FIRST on. */
ALWAYS_INLINE void leaves_open(const struct batch_boards *nodes, const struct leaf_list *list,
			       size_t first, int cells, struct batch_boards *boards)
{
	lanes node, cell, tile;
	memcpy(&node, list->node + first, sizeof node);
	memcpy(&cell, list->cell + first, sizeof cell);
	memcpy(&tile, list->tile + first, sizeof tile);
	UNROLL
	for (int c = 0; c < cells; c++) {
		const lanes all = _mm512_permutexvar_epi8(node, nodes->cell[c]);
		boards->cell[c] = lanes_blend(lanes_equal(cell, lanes_all(c)), tile, all);
	}
	boards->empty = lanes_all(0); /* unused */
}

/* Sets to[i] to x of board i, for the boards of a quarter. */
ALWAYS_INLINE void ints_store(wide_ints x, int quarter, int32_t *to)
{
	UNROLL
	for (int i = 0; i < WIDE / 16; i++)
		memcpy(to + 16 * i + 4 * quarter, (const char *)&x + 16 * i, 16);
}

/* Returns the sum of the first COUNT numbers; reads up to seven more. */
ALWAYS_INLINE int64_t ints_sum(const int32_t *from, int count)
{
	typedef int32_t ints __attribute__((vector_size(32)));
	typedef int64_t longs __attribute__((vector_size(64)));
	longs sum = {0};
	for (int i = 0; i < count; i += 8) {
		ints x;
		memcpy(&x, from + i, sizeof x);
		x &= (ints){0, 1, 2, 3, 4, 5, 6, 7} < count - i;
		sum += __builtin_convertvector(x, longs);
	}
	sum += __builtin_shufflevector(sum, sum, 4, 5, 6, 7, 0, 1, 2, 3);
	sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1, 2, 3, 0, 1);
	return sum[0] + sum[1];
}

/* Adds the VALUES of the leaves of NODE to its sums. Returns the values of the next node. */
ALWAYS_INLINE const int32_t *values_add(const struct leaf_node *node, int count,
					const struct leaf_rule *rule, const int32_t *values)
{
	for (int j = 0; j < node->kinds; j++, values += count) {
		const int64_t sum = ints_sum(values, count);
		*node->sum[j] += count == 1 && sum == INT32_MIN ? rule->terminal : (double)sum;
	}
	return values;
}

/* The kernel for the sums of leaves. */
ALWAYS_INLINE void strong_sums_body(const struct strong_bytes *bytes, const struct leaf_rule *rule,
				    const struct leaf_node *nodes, size_t n,
				    strong_direction *vertical, strong_direction *horizontal,
				    int rows, int cols)
{
	struct batch batch; /* not cleared, for speed, nor the others */
	struct batch_boards table, boards;
	struct leaf_list list;
	_Alignas(64) int32_t values[LIST_ROOM];
	int count[TABLE_NODES];
	for (size_t done = 0, end; done < n; done = end) {
		list.n = 0;
		for (end = done; end < n && end < done + TABLE_NODES; end++) {
			const size_t most = (size_t)(nodes[end].kinds * rows * cols);
			if (list.n + most > LIST_LEAVES)
				break;
			batch_put(&batch, end - done, nodes[end].after, rows);
			count[end - done] = leaves_list(&nodes[end], end - done, rows, cols, &list);
		}
		batch_open(&batch, 0, rows, cols, STRONG_STEP, &table);
		for (size_t first = 0; first < list.n; first += WIDE) {
			struct strong_best best;
			leaves_open(&table, &list, first, rows * cols, &boards);
			strong_moves(bytes, &boards, rows * cols, vertical, horizontal, &best);
			UNROLL
			for (int q = 0; q < 4; q++)
				ints_store(best.value[q], q, values + first);
		}
		const int32_t *next = values;
		for (size_t i = done; i < end; i++)
			next = values_add(&nodes[i], count[i - done], rule, next);
	}
}
#endif

#define SHAPE(r, c)                                                                                \
	static __attribute__((noinline)) void strong_disorder_##r##x##c(                           \
	    const struct strong_bytes *bytes, const struct wide_places *cell, int pieces,          \
	    struct short_sums sum[2])                                                              \
	{                                                                                          \
		disorder_sum(bytes, cell, pieces, r, c, sum);                                      \
	}                                                                                          \
	static void strong_direction_##r##x##c(const struct strong_bytes *bytes,                   \
					       const struct batch_boards *boards, int direction,   \
					       struct strong_best *best)                           \
	{                                                                                          \
		strong_update_max(bytes, strong_disorder_##r##x##c, boards, direction, r, c,       \
				  best);                                                           \
	}
#include "boards/shapes.def"

#ifdef __AVX512VBMI__
#define STRONG_SUMS(r, c)                                                                          \
	static void strong_sums_##r##x##c(const struct strong_bytes *bytes,                        \
					  const struct leaf_rule *rule,                            \
					  const struct leaf_node *nodes, size_t n)                 \
	{                                                                                          \
		strong_sums_body(bytes, rule, nodes, n, strong_direction_##c##x##r,                \
				 strong_direction_##r##x##c, r, c);                                \
	}
/* From 24 cells on, strong_leaves_template.h is faster. */
#define STRONG_SUMS_OF(r, c) ((r) * (c) < 24 ? strong_sums_##r##x##c : NULL)
#else
#define STRONG_SUMS(r, c)
#define STRONG_SUMS_OF(r, c) NULL
#endif
#define SHAPE(r, c)                                                                                \
	static void strong_best_##r##x##c(const struct strong_bytes *bytes,                        \
					  const struct leaf_rule *rule, const struct batch *batch, \
					  size_t n, double *out)                                   \
	{                                                                                          \
		strong_best_body(bytes, rule, batch, n, out, strong_direction_##c##x##r,           \
				 strong_direction_##r##x##c, r, c);                                \
	}                                                                                          \
	STRONG_SUMS(r, c)                                                                          \
	static void strong_eval_##r##x##c(const struct strong_bytes *bytes,                        \
					  const struct batch *batch, size_t n, double *out)        \
	{                                                                                          \
		strong_eval_body(bytes, strong_disorder_##r##x##c, batch, n, out, r, c);           \
	}
#include "boards/shapes.def"
#define STRONG_KERNELS(r, c) strong_best_##r##x##c, strong_eval_##r##x##c, STRONG_SUMS_OF(r, c)
