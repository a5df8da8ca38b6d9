/* Atomic operations, lane after lane; what becomes of memory is told by a row (atomic_rows.py). */

/* What memory holds afterwards at one lane's place; old: what it held. */
static void change(const Program *p, const Instruction *what, const u32 *old, u32 (*data)[LANES], int lane, u32 *found) {
    const i32 each = what->bytes / 4;
    u32 value[6];
    const u32 *in[6];
    u32 *out[2] = {found, found + 1};
    for (i32 i = 0; i < each; ++i) value[i] = old[i];
    for (i32 i = 0; i < what->elements; ++i) value[each + i] = data[i][lane];
    for (i32 i = 0; i < 6; ++i) in[i] = value + i;
    p->rows[what->row](in, out);
}

/* The data of all lanes, from source `first` on; 0 where some was never set and the run ends. */
static int data_of(Context *c, const Wave *w, const Instruction *what, i32 first, u64 exec, u32 (*data)[LANES]) {
    for (i32 i = 0; i < what->elements; ++i) {
        u32 room[LANES];
        const u32 *values;
        const u64 bad = exec & ~words_of(w, what->source + first + i, room, &values);
        if (bad && ends_unset(c, w, what, what->source + first + i, 1, bad)) return 0;
        memcpy(data[i], values, sizeof room);
    }
    return 1;
}

static void give_back(Context *c, Wave *w, const Instruction *what, u8 (*data)[16], u64 exec) {
    const u64 known[4] = {~0ull, ~0ull, ~0ull, ~0ull};
    if (what->flags & RETURNS) write_loaded(c, w, what, what->target[0].index, data, known, exec, FROM_MEMORY);
}

static int memory_atomic(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w), at[LANES], inside;
    u32 data[4][LANES];
    u8 old[LANES][16];
    memset(old, 0, sizeof old);
    if (what->kind == BUFFER_ATOMIC) {
        i64 offset[LANES], end[LANES];
        if (!buffer_places(c, w, what, &exec, at, offset, end)) return FAULT;
        inside = exec;
        for (int l = 0; l < LANES; ++l)
            if (offset[l] + what->bytes > end[l]) inside &= ~(1ull << l);
        if (!data_of(c, w, what, 7, exec, data)) return FAULT;
    } else {
        if (!global_addresses(c, w, what, &exec, at) || !data_of(c, w, what, 3, exec, data)) return FAULT;
        inside = exec;
    }
    for (u64 left = inside; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const u64 lane = 1ull << l;
        u64 known[4] = {0};
        u32 held[2], found[2];
        u8 row[LANES][16];
        if (!load_lanes(c, w, what, lane, at, (u64)what->bytes, 0, row, known)) return FAULT;
        for (i32 i = 0; i < what->bytes / 4; ++i)
            if (!(known[i] & lane) && ends(c, w, what, UNSET_MEMORY, lane)) return FAULT;
        memcpy(old[l], row[l], 16);
        memcpy(held, row[l], 8);
        change(c->program, what, held, data, l, found);
        memcpy(row[l], found, 8);
        if (!store_lanes(c, w, what, lane, at, (u64)what->bytes, 0, row)) return FAULT;
    }
    c->atomics[0] += exec != 0;
    give_back(c, w, what, old, exec);
    issue(c->program, w, what);
    return FINE;
}

static int lds_atomic(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w);
    u32 room[LANES], data[4][LANES];
    const u32 *low;
    u64 at[LANES];
    u8 old[LANES][16];
    const u64 marks = words_of(w, what->source, room, &low);
    if (!leave_unset(c, w, what, 0, 1, marks, &exec)) return FAULT;
    lds_places(low, what->offset[0], at);
    if (!access_lds(c, w, what, -1, &exec, at, 0) || !data_of(c, w, what, 1, exec, data)) return FAULT;
    for (u64 left = exec; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        u32 held[2], found[2];
        if (!read_place(c, w, what, l, at[l])) return FAULT;
        for (i64 i = 0; i < what->bytes / c->program->grain; ++i)
            if (!c->grain[(i64)at[l] / c->program->grain + i].set && ends(c, w, what, UNSET_LDS, 1ull << l)) return FAULT;
        memcpy(held, c->lds + at[l], (u64)what->bytes);
        memcpy(old[l], held, (u64)what->bytes);
        change(c->program, what, held, data, l, found);
        memcpy(c->lds + at[l], found, (u64)what->bytes);
    }
    c->atomics[1] += exec != 0;
    give_back(c, w, what, old, exec);
    issue(c->program, w, what);
    return FINE;
}
