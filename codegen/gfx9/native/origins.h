/* Where a value that nobody set comes from: a register, or what an instruction read from memory. */

enum { FROM_REGISTER, FROM_LDS, FROM_MEMORY };

static i32 origin_at(i64 instruction, int kind) { return (i32)((instruction + 1) << 2 | kind); }

/* The place of a word among rows and scalars; -1 for numbers and the like. */
static i64 place_of(const Program *p, const Wave *w, const Word *word) {
    switch (word->bank) {
    case ROW:
    case INDEXED: return row_of(w, word);
    case SCALAR:
    case MASK: return p->rows_of_lanes + word->index;
    }
    return -1;
}

/* The origin of the first of some words that is not set in these lanes; 0: a register that was never written. */
static i32 origin_of(const Program *p, const Wave *w, const Word *words, i32 count, u64 lanes) {
    u32 room[LANES];
    const u32 *values;
    for (i32 i = 0; i < count; ++i) {
        if (!(lanes & ~words_of(w, words + i, room, &values))) continue;
        const i64 place = place_of(p, w, words + i);
        if (place >= 0) return w->watch.origin[place];
    }
    return 0;
}

/* A value that matters was never set: told where it was read first. Whether the run ends here. */
static int ends_unset(Context *c, const Wave *w, const Instruction *what, const Word *words, i32 count, u64 lanes) {
    if (!c->sanitizer) return 1;
    const i32 origin = origin_of(c->program, w, words, count, lanes);
    const i64 here = number_of(c, what), there = origin ? (origin >> 2) - 1 : here;
    note(c, w, there, there == here ? -1 : here, UNSET_REGISTER + (origin & 3), lanes);
    return 0;
}

/* Take lanes out of a set whose words were never set; 0 if the run ends there. */
static int leave_unset(Context *c, const Wave *w, const Instruction *what, i32 first, i32 count, u64 marks, u64 *exec) {
    const u64 bad = *exec & ~marks;
    if (!bad) return 1;
    if (ends_unset(c, w, what, what->source + first, count, bad)) return 0;
    *exec &= ~bad;
    return 1;
}

/* A load brought words that were never set: of a scalar, all of its lanes as a mask. */
static void loaded_unset(Context *c, Wave *w, i64 place, const Instruction *what, int kind) {
    if (!c->sanitizer) return;
    w->watch.origin[place] = origin_at(number_of(c, what), kind);
    if (place >= c->program->rows_of_lanes) w->watch.unset[place - c->program->rows_of_lanes] = ~0ull;
}

/* An instruction computed from words that were not set: what it writes has their origin. */
static void computed_unset(Context *c, Wave *w, const Instruction *what, const Word *to, u64 lanes) {
    const Program *p = c->program;
    const i64 place = place_of(p, w, to);
    if (place < 0) return;
    const i32 origin = origin_of(p, w, what->source, what->sources, lanes);
    w->watch.origin[place] = origin ? origin : origin_at(number_of(c, what), FROM_REGISTER);
    if (to->bank == MASK || to->bank == SCALAR) w->watch.unset[to->index] = lanes;
    if (to->bank == MASK) w->watch.origin[place + 1] = w->watch.origin[place];
}
