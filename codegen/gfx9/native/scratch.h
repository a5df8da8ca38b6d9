/* Scratch memory: what each lane keeps for itself (scratch_transfer.py). */

/* A load to, or a store from (a word of) registers at an offset of each lane. */
static int scratch_at(
    Context *c, Wave *w, const Instruction *what, u64 exec, const i64 *offset, int loads, const Word *data_word) {
    const i64 bytes = c->program->scratch_bytes;
    u64 known[4] = {0};
    u8 data[LANES][16];
    for (u64 left = exec; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const i64 at = offset[l];
        if (at < 0 || at + what->bytes > bytes) {
            if (ends_at(c, w, what, OUT_OF_BOUNDS, l, IN_SCRATCH, (u64)at, (u64)what->bytes)) return FAULT;
            memset(data[l], 0, 16);
            continue;
        }
        u8 *place = w->scratch + l * bytes + at, *set = w->scratch_set + l * bytes + at;
        if (loads) {
            memcpy(data[l], place, (u64)what->bytes);
            const u32 found = marks_at(set, (u64)what->bytes);
            for (i32 i = 0; i < (what->bytes + 3) / 4; ++i) known[i] |= (u64)(found >> i & 1) << l;
            continue;
        }
        for (i32 i = 0; i < (what->bytes + 3) / 4; ++i) { /* a spill may keep what is never used */
            Word from = *data_word;
            from.index += from.bank == NUMBER ? 0 : i;
            u32 words[LANES];
            const u32 *values;
            const u64 there = words_of(w, &from, words, &values);
            const u32 value = what->flags & HIGH ? values[l] >> 16 : values[l];
            const u64 size = what->bytes < 4 ? (u64)what->bytes : 4;
            memcpy(place + 4 * i, &value, size);
            memset(set + 4 * i, (int)(there >> l & 1), size);
        }
    }
    if (loads) write_loaded(c, w, what, what->target[0].index, data, known, exec, FROM_MEMORY);
    issue(c->program, w, what);
    return FINE;
}

static int scratch_transfer(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w);
    u32 room[2][LANES];
    const u32 *first, *second;
    i64 offset[LANES];
    const u64 marks = words_of(w, what->source, room[0], &first) & words_of(w, what->source + 1, room[1], &second);
    if (!leave_unset(c, w, what, 0, 2, marks, &exec)) return FAULT;
    for (int l = 0; l < LANES; ++l) offset[l] = (i64)(i32)first[l] + (i32)second[l] + what->offset[0];
    return scratch_at(c, w, what, exec, offset, what->kind == SCRATCH_LOAD, what->source + 2);
}
