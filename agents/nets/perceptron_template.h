/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of perceptrons. A file that includes this one defines KERNEL, the declaration of an
 * instantiation, FLOATS per vector, which divides PERCEPTRON_LANE, and the block of a product that
 * stays in registers: BLOCK_ROWS rows of BLOCK_VECTORS vectors. None of these changes a result,
 * because every element is summed separately.
 */
#include "agents/nets/perceptron.h"
#include "boards/simd/inline.h"

typedef float floats __attribute__((vector_size(4 * FLOATS), may_alias));
typedef int32_t masks __attribute__((vector_size(4 * FLOATS), may_alias));

ALWAYS_INLINE floats broadcast(float x)
{
	return x - (floats){0};
}

/* Computes the block of c at row ROW and column COL, of ROWS by VECTORS * FLOATS. */
ALWAYS_INLINE void block_sum(const struct perceptron_product *p, size_t row, size_t col,
			     const int rows, const int vectors)
{
	floats sum[BLOCK_ROWS][BLOCK_VECTORS];
	float *c = p->c + row * p->cols + col;
	const float *a = p->a + row * p->a_row, *b = p->b + col;
	for (int i = 0; i < rows; i++)
		UNROLL for (int v = 0; v < vectors; v++) sum[i][v] =
		    *(const floats *)(c + (size_t)i * p->cols + v * FLOATS);
	for (size_t k = 0; k < p->depth; k++) {
		floats line[BLOCK_VECTORS];
		UNROLL for (int v = 0; v < vectors; v++) line[v] =
		    *(const floats *)(b + k * p->cols + v * FLOATS);
		UNROLL for (int i = 0; i < rows; i++)
		{
			const floats x = broadcast(a[(size_t)i * p->a_row + k * p->a_step]);
			UNROLL for (int v = 0; v < vectors; v++) sum[i][v] += x * line[v];
		}
	}
	for (int i = 0; i < rows; i++)
		UNROLL for (int v = 0; v < vectors; v++) *
		    (floats *)(c + (size_t)i * p->cols + v * FLOATS) = sum[i][v];
}

ALWAYS_INLINE void columns_sum(const struct perceptron_product *p, size_t col, const int vectors)
{
	size_t row = 0;
	for (; row + BLOCK_ROWS <= p->rows; row += BLOCK_ROWS)
		block_sum(p, row, col, BLOCK_ROWS, vectors);
	for (; row + 2 <= p->rows; row += 2)
		block_sum(p, row, col, 2, vectors);
	for (; row < p->rows; row++)
		block_sum(p, row, col, 1, vectors);
}

static void product(const struct perceptron_product *p)
{
	size_t col = 0;
	for (; col + BLOCK_VECTORS * FLOATS <= p->cols; col += BLOCK_VECTORS * FLOATS)
		columns_sum(p, col, BLOCK_VECTORS);
	for (; col < p->cols; col += FLOATS)
		columns_sum(p, col, 1);
}

/* Computes VECTORS vectors of out, from column COL on. */
ALWAYS_INLINE void inputs_sum(const struct perceptron *p, const float *w,
			      const struct perceptron_input *in, size_t col, const int vectors,
			      float *out)
{
	floats sum[BLOCK_VECTORS];
	UNROLL for (int v = 0; v < vectors; v++) sum[v] = *(const floats *)(out + col + v * FLOATS);
	for (int k = 0; k < p->active; k++) {
		const float *row = w + in->row[k] * p->stride[0] + col;
		const floats x = broadcast(in->x[k]);
		UNROLL for (int v = 0; v < vectors; v++) sum[v] +=
		    x * *(const floats *)(row + v * FLOATS);
	}
	UNROLL for (int v = 0; v < vectors; v++) * (floats *)(out + col + v * FLOATS) = sum[v];
}

static void gather(const struct perceptron *p, const float *w, const struct perceptron_input *in,
		   size_t n, float *out)
{
	const size_t stride = p->stride[0];
	for (size_t i = 0; i < n; i++) {
		size_t col = 0;
		for (; col + BLOCK_VECTORS * FLOATS <= stride; col += BLOCK_VECTORS * FLOATS)
			inputs_sum(p, w, &in[i], col, BLOCK_VECTORS, out + i * stride);
		for (; col < stride; col += FLOATS)
			inputs_sum(p, w, &in[i], col, 1, out + i * stride);
	}
}

static void scatter(const struct perceptron *p, const float *back,
		    const struct perceptron_input *in, size_t n, float *w)
{
	const size_t stride = p->stride[0];
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < p->active; k++) {
			float *row = w + in[i].row[k] * stride;
			const floats x = broadcast(in[i].x[k]);
			for (size_t j = 0; j < stride; j += FLOATS)
				*(floats *)(row + j) +=
				    x * *(const floats *)(back + i * stride + j);
		}
}

static void rectify(float *out, size_t n)
{
	for (size_t j = 0; j < n; j += FLOATS) {
		floats *v = (floats *)(out + j);
		*v = (floats)((masks)*v & (*v > 0));
	}
}

static void block(float *back, const float *out, size_t n)
{
	for (size_t j = 0; j < n; j += FLOATS) {
		floats *v = (floats *)(back + j);
		*v = (floats)((masks)*v & (*(const floats *)(out + j) > 0));
	}
}

KERNEL = {
    .product = product,
    .gather = gather,
    .scatter = scatter,
    .rectify = rectify,
    .block = block,
};

#undef KERNEL
#undef FLOATS
#undef BLOCK_ROWS
#undef BLOCK_VECTORS
