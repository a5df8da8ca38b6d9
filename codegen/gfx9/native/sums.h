/* Sums and products of 32 bits as they would be without a limit, to see where an address lost its upper bits.

   What is told is an address made of one: widened by its sign or by zeros, neither of which gives the number that
   it would be. What a subtraction makes of one is left alone, for so remainders of wrapped numbers are computed.
   Kept as `far`: lanes whose register is not the number `exact`; `half`: of these, those that may be the lower half
   of a whole product; `wrong`: lanes of what was widened from one. */

enum {
    NO_SUM, ADD, SUB, SUB_REVERSED, MULTIPLY, SHIFT_BY_FIRST, SHIFT_BY_SECOND, MULTIPLY_ADD, SHIFT_ADD, ADD_SHIFT, ADD_THREE,
    OR, SHIFT_OR, COPY, SELECT, SIGN, WIDE, MULTIPLY_ADD_WIDE
};

static i64 exact_of(const Program *p, const Wave *w, const Word *word, u32 value, int lane) {
    const i64 place = place_of(p, w, word);
    const int slot = place >= p->rows_of_lanes ? 0 : lane;
    if (place >= 0 && w->watch.far[place] >> slot & 1) return w->watch.exact[place * LANES + slot];
    return (i32)value;
}

static i64 shifted(i64 value, u32 by) { return by > 31 ? 0 : (i64)((u64)value << by); }

/* Bits that are set in one of both alone add up. */
static i64 joined(i64 a, i64 b) { return a + b - (i32)((u32)a & (u32)b); }

static i64 product(i64 a, i64 b) {
    i64 found;
    return __builtin_mul_overflow(a, b, &found) ? INT64_MAX : found;
}

static i64 exact_sum(i32 sum, const i64 *v) {
    switch (sum) {
    case ADD: return v[0] + v[1];
    case SUB: return v[0] - v[1];
    case SUB_REVERSED: return v[1] - v[0];
    case MULTIPLY: return product(v[0], v[1]);
    case SHIFT_BY_FIRST: return shifted(v[1], (u32)v[0] & 31);
    case SHIFT_BY_SECOND: return shifted(v[0], (u32)v[1] & 31);
    case MULTIPLY_ADD_WIDE:
    case MULTIPLY_ADD: return product(v[0], v[1]) + v[2];
    case SHIFT_ADD: return shifted(v[0], (u32)v[1] & 31) + v[2];
    case ADD_SHIFT: return shifted(v[0] + v[1], (u32)v[2] & 31);
    case ADD_THREE: return v[0] + v[1] + v[2];
    case OR: return joined(v[0], v[1]);
    case SHIFT_OR: return joined(shifted(v[0], (u32)v[1] & 31), v[2]);
    }
    return v[0];
}

/* Lanes of any of the sources that a mask (far or wrong) names, and the instruction that began it. */
static u64 marked(const Program *p, const Wave *w, const Instruction *what, const u64 *masks, i32 *at) {
    u64 found = 0;
    for (i32 i = 0; i < what->sources; ++i) {
        const i64 place = place_of(p, w, what->source + i);
        if (place < 0 || !masks[place]) continue;
        found |= place >= p->rows_of_lanes ? ~0ull : masks[place];
        *at = w->watch.far_at[place];
    }
    return found;
}

/* Lanes of sources that are not their number when they are widened by zeros. */
static u64 widened_by_zeros(const Program *p, const Wave *w, const Instruction *what, const u32 *const *in, u64 lanes, i32 *at) {
    u64 found = 0;
    for (i32 i = 0; i < what->sources; ++i) {
        const i64 place = place_of(p, w, what->source + i);
        if (place < 0 || !w->watch.far[place]) continue;
        for (u64 left = lanes & ~w->watch.half[place]; left; left &= left - 1) {
            const int l = __builtin_ctzll(left);
            if (exact_of(p, w, what->source + i, in[i][l], l) == (i64)in[i][l]) continue;
            found |= 1ull << l;
            *at = w->watch.far_at[place];
        }
    }
    return found;
}

static void mark(Watch *watch, i64 place, u64 exec, u64 far, u64 wrong, i32 at) {
    watch->half[place] &= ~exec;
    watch->far[place] = (watch->far[place] & ~exec) | (far & exec);
    watch->wrong[place] = (watch->wrong[place] & ~exec) | (wrong & exec);
    if ((far | wrong) & exec) watch->far_at[place] = at;
}

/* Lanes of a register got a value that no sum is known of. */
static void forget_exact(Wave *w, i64 place, u64 lanes) {
    if (w->watch.far) mark(&w->watch, place, lanes, 0, 0, 0);
}

/* After an instruction computed: out[i] are the words of its targets, before they are written. */
static void keep_exact(
    Context *c, Wave *w, const Instruction *what, const u32 *const *in, u32 *const *out, u64 exec, int lanes) {
    if (!c->sanitizer || !is_checked(c, OVERFLOWS) || !what->targets) return;
    const Program *p = c->program;
    Watch *watch = &w->watch;
    const i64 place = place_of(p, w, what->target);
    i32 at = (i32)number_of(c, what);
    i32 earlier = at;
    const u64 sources = what->sum ? marked(p, w, what, watch->far, &earlier) : 0;
    const u64 widened = what->sum ? marked(p, w, what, watch->wrong, &earlier) : 0;
    const u64 halves = what->sum == MULTIPLY_ADD_WIDE ? ~0ull : sources ? marked(p, w, what, watch->half, &earlier) : 0;
    u64 far = 0, wrong = 0;
    i64 exact[LANES];
    const u64 all = lanes == 1 ? 1 : exec;
    if (what->sum >= WIDE) wrong = widened | (sources ? widened_by_zeros(p, w, what, in, all, &earlier) : 0);
    if (what->sum == SIGN) {
        wrong = widened | sources;
    } else if (what->sum == WIDE || ((what->sum == SUB || what->sum == SUB_REVERSED) && sources)) {
        far = 0;
    } else if (what->sum == COPY || what->sum == SELECT) {
        far = sources, wrong = widened;
        if (far)
            for (int l = 0; l < lanes; ++l) {
                exact[l] = (i32)out[0][l];
                for (i32 i = 0; i < what->sources && far >> l & 1; ++i) {
                    const Word *from = what->source + i;
                    if (from->bank != MASK && in[i][l] == out[0][l]) exact[l] = exact_of(p, w, from, in[i][l], l);
                }
                if (exact[l] == (i32)out[0][l]) far &= ~(1ull << l);
            }
    } else if (what->sum) {
        for (int l = 0; l < lanes; ++l) {
            i64 v[3] = {0, 0, 0};
            for (i32 i = 0; i < what->sources && i < 3; ++i)
                v[i] = sources >> l & 1 ? exact_of(p, w, what->source + i, in[i][l], l) : (i32)in[i][l];
            exact[l] = exact_sum(what->sum, v);
            far |= (u64)(exact[l] != (i32)out[0][l]) << l;
        }
        if (!sources && !wrong) earlier = at;
    }
    if (place >= 0 && (far & exec)) {
        if (!watch->exact) watch->exact = malloc((u64)(p->rows_of_lanes + SCALARS) * LANES * 8);
        for (int l = 0; l < lanes; ++l)
            if (exec >> l & far >> l & 1) watch->exact[place * LANES + l] = exact[l];
    }
    for (i32 i = 0; i < what->targets; ++i) {
        const i64 to = place_of(p, w, what->target + i);
        if (to < 0) continue;
        mark(watch, to, exec, i ? 0 : far, wrong, earlier);
        if (!i) watch->half[to] |= halves & far & exec;
    }
}

/* A scalar that is the value of a lane. */
static void first_exact(Context *c, Wave *w, const Instruction *what, const u32 *values, int lane) {
    Watch *watch = &w->watch;
    const i64 from = place_of(c->program, w, what->source), to = place_of(c->program, w, what->target);
    if (from < 0 || to < 0) return;
    const int slot = from >= c->program->rows_of_lanes ? 0 : lane;
    const u64 far = watch->far[from] >> slot & 1;
    if (far) watch->exact[to * LANES] = exact_of(c->program, w, what->source, values[lane], lane);
    mark(watch, to, ~0ull, all_if((int)far), all_if((int)(watch->wrong[from] >> slot & 1)), watch->far_at[from]);
}

/* An address: whether it came from a sum that left 32 bits. */
static void require_exact(Context *c, const Wave *w, const Instruction *what, i32 first, i32 count, u64 exec) {
    if (!c->sanitizer || !is_checked(c, OVERFLOWS)) return;
    for (i32 i = first; i < first + count; ++i) {
        const i64 place = place_of(c->program, w, what->source + i);
        if (place < 0) continue;
        u64 wrong = w->watch.wrong[place];
        if (i == 0 && what->flags & HAS_BASE && w->watch.far[place]) { /* 32 bits, widened by zeros */
            u32 room[LANES];
            const u32 *values;
            i32 at;
            words_of(w, what->source, room, &values);
            Instruction alone = *what;
            alone.sources = 1;
            wrong |= widened_by_zeros(c->program, w, &alone, &values, exec, &at);
        }
        const u64 bad = place >= c->program->rows_of_lanes ? (wrong ? exec : 0) : wrong & exec;
        if (!bad) continue;
        note(c, w, w->watch.far_at[place], number_of(c, what), OVERFLOWS, bad);
        return;
    }
}
