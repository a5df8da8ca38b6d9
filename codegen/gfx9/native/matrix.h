/* Matrix instructions: rows and columns stand in consecutive lanes, sums are made wide and rounded once. */

enum { F16, BF16, SMALL, F32, F64, I8, I32 };
enum { SCALE_BLOCK = 32 };                                    /* neighbours along K that share a scale */

/* For each block and each k (A, B) or row (C, D): the lane times 4 and element at which its row begins. */
typedef struct Matrix {
    i32 kind, result, blocks, m, n, k, elements, results, registers[2], result_registers, bits[2];
    const i32 *a, *b, *d;
    const float *table[2];                                    /* values of floats of 8 bits and less */
} Matrix;

/* Elements of an operand as numbers, a row of 64 lanes each. */
static void numbers_of(const u32 *row, i32 kind, i32 bits, i32 elements, const float *table, double (*found)[LANES]) {
    for (i32 e = 0; e < elements; ++e) {
        const u32 *words = row + e * bits / 32 * LANES;
        const int shift = e * bits % 32, is_over = shift + bits > 32 && kind == SMALL; /* the end of a word, with 6 bits */
        for (int l = 0; l < LANES; ++l) {
            const u32 word = words[l];
            if (kind == F16) {
                _Float16 half;
                const u16 of_half = (u16)(word >> shift);
                memcpy(&half, &of_half, 2);
                found[e][l] = (double)half;
            } else if (kind == BF16) {
                float single;
                const u32 wide = word >> shift << 16;
                memcpy(&single, &wide, 4);
                found[e][l] = (double)single;
            } else if (kind == SMALL) {
                const u64 wide = word | (is_over ? (u64)words[l + LANES] << 32 : 0);
                found[e][l] = (double)table[wide >> shift & ((1u << bits) - 1)];
            } else if (kind == I8) {
                found[e][l] = (double)(int8_t)(word >> shift);
            } else if (kind == F32) {
                float single;
                memcpy(&single, &word, 4);
                found[e][l] = (double)single;
            } else {
                const u64 wide = word | (u64)words[l + LANES] << 32;
                memcpy(&found[e][l], &wide, 8);
            }
        }
    }
}

static u64 marks_of(const Wave *w, i32 first, i32 count) {
    u64 all = ~0ull;
    for (i32 r = first; r < first + count; ++r) all &= w->set[r];
    return all;
}

/* One row of the result: a row of A times all of B. */
static void row_of_product(const double *restrict a, const double (*restrict b)[32], i32 k, i32 n, double *restrict sum) {
    double found[32] = {0};
    if (n == 32) {
        for (i32 i = 0; i < k; ++i)
            for (i32 j = 0; j < 32; ++j) found[j] = __builtin_fma(a[i], b[i][j], found[j]);
    } else if (n == 16) {
        for (i32 i = 0; i < k; ++i)
            for (i32 j = 0; j < 16; ++j) found[j] = __builtin_fma(a[i], b[i][j], found[j]);
    } else {
        for (i32 i = 0; i < k; ++i)
            for (i32 j = 0; j < n; ++j) found[j] = __builtin_fma(a[i], b[i][j], found[j]);
    }
    memcpy(sum, found, sizeof found);
}

/* Where the first register of its operands that was not set comes from. */
static i32 product_origin(Context *c, const Wave *w, const Instruction *what, const Matrix *matrix) {
    for (i32 i = 0; i < what->sources; ++i) {
        Word word = what->source[i];
        const i32 count = i < 2 ? matrix->registers[i] : i == 2 ? matrix->result_registers : 1;
        for (i32 r = 0; r < count && word.bank == ROW; ++r, ++word.index)
            if (~w->set[word.index]) {
                const i32 found = w->watch.origin[word.index];
                return found ? found : origin_at(number_of(c, what), FROM_REGISTER);
            }
    }
    return 0;
}

/* What each lane's block is multiplied with: a power of two, or no number; the chosen byte of each word. */
static u64 block_scales(const Wave *w, const Word *from, i64 byte, double *found) {
    u32 room[LANES];
    const u32 *words;
    const u64 known = words_of(w, from, room, &words);
    for (int l = 0; l < LANES; ++l) {
        const u64 power = words[l] >> 8 * byte & 0xFF, bits = power + 1023 - 127 << 52;
        memcpy(found + l, &bits, 8);
        if (power == 255) found[l] = __builtin_nan("");
    }
    return known;
}

static void multiply(Context *context, Wave *w, const Instruction *what, const Matrix *matrix) {
    double a[32][LANES], b[32][LANES], left[32][128], right[128][32], sum[32];
    const Word *from = what->source;
    const i32 k = matrix->k, m = matrix->m, n = matrix->n;
    double (*const of[2])[LANES] = {a, b};
    for (int i = 0; i < 2; ++i)
        numbers_of(
            w->row + (i64)from[i].index * LANES, matrix->kind, matrix->bits[i], matrix->elements, matrix->table[i], of[i]);
    const int constant = from[2].bank == NUMBER;
    const u32 *c = w->row + (constant ? 0 : (i64)from[2].index * LANES);
    u64 known = marks_of(w, from[0].index, matrix->registers[0]) & marks_of(w, from[1].index, matrix->registers[1]);
    if (!constant) known &= marks_of(w, from[2].index, matrix->result_registers);
    u32 found[64][LANES];
    for (i32 block = 0; block < matrix->blocks; ++block) {
        for (i32 i = 0; i < k; ++i) {
            const i32 at = matrix->a[block * k + i], bt = matrix->b[block * k + i];
            for (i32 j = 0; j < m; ++j) left[j][i] = a[at / LANES][at % LANES + j];
            for (i32 j = 0; j < n; ++j) right[i][j] = b[bt / LANES][bt % LANES + j];
        }
        if (what->sources > 3) { /* lanes have the rows of the first block of K, then those of the next */
            double powers[2][LANES];
            for (int i = 0; i < 2; ++i) known &= block_scales(w, from + 3 + i, what->offset[i], powers[i]);
            for (i32 i = 0; i < k; ++i) {
                for (i32 j = 0; j < m; ++j) left[j][i] *= powers[0][m * (i / SCALE_BLOCK) + j];
                for (i32 j = 0; j < n; ++j) right[i][j] *= powers[1][n * (i / SCALE_BLOCK) + j];
            }
        }
        for (i32 row = 0; row < m; ++row) {
            const i32 place = matrix->d[block * m + row], e = place / LANES, lane = place % LANES;
            row_of_product(left[row], right, k, n, sum);
            for (i32 j = 0; j < n; ++j) {
                const i32 l = lane + j;
                if (matrix->result == F64) {
                    double old;
                    u64 bits = from[2].value;
                    if (!constant) bits = c[2 * e * LANES + l] | (u64)c[(2 * e + 1) * LANES + l] << 32;
                    memcpy(&old, &bits, 8);
                    if (constant) old = (double)from[2].value;
                    old = sum[j] + old;
                    memcpy(&bits, &old, 8);
                    found[2 * e][l] = (u32)bits;
                    found[2 * e + 1][l] = (u32)(bits >> 32);
                } else if (matrix->result == I32) {
                    found[e][l] = (u32)((i64)sum[j]) + (constant ? from[2].value : c[e * LANES + l]);
                } else {
                    float old, rounded;
                    const u32 bits = constant ? from[2].value : c[e * LANES + l];
                    memcpy(&old, &bits, 4);
                    rounded = (float)(sum[j] + (double)old);
                    memcpy(&found[e][l], &rounded, 4);
                }
            }
        }
    }
    const i32 first = what->target[0].index;
    const int origin = context->sanitizer && known != ~0ull ? product_origin(context, w, what, matrix) : 0;
    memcpy(w->row + (i64)first * LANES, found, (u64)matrix->result_registers * LANES * 4);
    for (i32 r = 0; r < matrix->result_registers; ++r) {
        w->set[first + r] = all_if(known == ~0ull);
        if (origin) w->watch.origin[first + r] = origin;
        forget_exact(w, first + r, ~0ull);
    }
}
