/* What loads and stores have in common: what is under way, what is counted, data to and from lanes. */

/* All but the last `left` of a queue have finished; so have the accesses to the LDS among them. */
static void finish(Wave *w, int queue, i64 left) {
    const i64 done = (i64)w->issued[queue] - left;
    if (done <= (i64)w->done[queue]) return;
    w->done[queue] = (u32)done;
    i64 kept = 0;
    for (i64 i = 0; i < w->accesses; ++i)
        if (w->access[i].queue != (u32)queue || w->access[i].number > w->done[queue]) {
            if (kept != i) w->access[kept] = w->access[i];
            ++kept;
        }
    w->accesses = kept;
}

/* A load or store begins, once a counter that is at its end has one less under way. */
static void issue(const Program *p, Wave *w, const Instruction *what) {
    const u32 number = ++w->issued[what->queue];
    if (what->queue != SMEM) finish(w, what->queue, what->queue == VM ? VMCNT_END : LGKMCNT_END);
    if (!what->loads) return;
    w->loading[what->queue] = number;
    for (i32 r = what->loaded; r < what->loaded + what->loads; ++r) w->pending[r] = number << 2 | what->queue;
    if (w->watch.loader)
        for (i32 r = what->loaded; r < what->loaded + what->loads; ++r) w->watch.loader[r] = (i32)(what - p->code);
}

/* s_waitcnt: at most so many of each queue stay under way. */
static void wait_for(Wave *w, const Instruction *what) {
    for (int queue = 0; queue < QUEUES; ++queue)
        if (what->wait[queue] >= 0) finish(w, queue, what->wait[queue]);
}

/* A register that an instruction reads or overwrites and that is still being loaded; -1 for none. */
static i32 early_register(const Wave *w, const Instruction *what) {
    if (w->loading[VM] <= w->done[VM] && w->loading[LDS] <= w->done[LDS] && w->loading[SMEM] <= w->done[SMEM])
        return -1;
    for (i32 i = 0; i < what->ranges; ++i) {
        const Range *range = what->range + i;
        for (i32 r = range->first; r < range->first + range->count; ++r) {
            const u32 pending = w->pending[r];
            const i32 queue = pending & 3;
            if (!pending || pending >> 2 <= w->done[queue]) continue;
            if (range->how == READ || queue != what->queue || queue == SMEM) return r;
        }
    }
    return -1;
}

/* Whether an instruction that comes too early ends the run; else what it waits for counts as there. */
static int ends_early(Context *c, Wave *w, const Instruction *what) {
    const i32 r = early_register(w, what);
    if (r < 0) return 0;
    if (!c->sanitizer) return 1;
    Finding *found = note(c, w, number_of(c, what), w->watch.loader[r], EARLY, 0);
    if (found) found->loaded = r, found->queue = w->pending[r] & 3;
    w->pending[r] = 0;
    return 0;
}

/* Whether M0 chooses a register that there is not, or that is still being loaded. */
static int is_bad_index(const Program *p, const Wave *w, const Instruction *what) {
    for (i32 i = 0; i < what->sources + what->targets; ++i) {
        const Word *word = i < what->sources ? what->source + i : what->target + i - what->sources;
        if (word->bank != INDEXED) continue;
        if (row_of(w, word) >= (i64)word->value) return 1;
        const u32 pending = w->pending[row_of(w, word)];
        if (!p->skips_waits && pending && pending >> 2 > w->done[pending & 3]) return 1;
    }
    return 0;
}

/* Where the table of patterns is looked into first for one. */
static i64 first_slot(const Context *c, i64 instruction, i64 part, const u64 *hash) {
    const u64 key = (hash[0] ^ hash[1] >> 29) + (u64)(instruction * 2 + part) * 0xFF51AFD7ED558CCDull;
    return (i64)(key >> 20 & (u64)(c->slots - 1));
}

/* Count an access: each pattern of addresses of an instruction once, with how often it came. */
static void count(Context *c, i64 instruction, i64 part, u64 lanes, const u64 *restrict at, u64 base) {
    u64 hash[2] = {0, lanes * 0x9E3779B97F4A7C15ull};
    u32 on[LANES];
    unpacked(lanes, on);
    u64 place[LANES];
    for (int l = 0; l < LANES; ++l) place[l] = on[l] ? at[l] - base : 0;
    for (int l = 0; l < LANES; ++l) hash[0] += (place[l] + 1) * (0xD6E8FEB86659FD93ull * (2 * l + 1));
    for (int l = 0; l < LANES; ++l) hash[1] += (place[l] ^ 0x5555) * (0xC2B2AE3D27D4EB4Full * (4 * l + 3));
    i64 slot = first_slot(c, instruction, part, hash);
    for (; c->slot[slot] >= 0; slot = (slot + 1) & (c->slots - 1)) {
        Pattern *seen = c->pattern + c->slot[slot];
        if (seen->hash[0] == hash[0] && seen->hash[1] == hash[1] && seen->instruction == instruction &&
            seen->part == part && seen->lanes == lanes) {
            ++seen->count;
            return;
        }
    }
    if (c->patterns == c->pattern_room) {
        c->pattern_room *= 2;
        c->pattern = realloc(c->pattern, (u64)c->pattern_room * sizeof(Pattern));
    }
    Pattern *made = c->pattern + c->patterns;
    *made = (Pattern){instruction, part, 1, lanes, {hash[0], hash[1]}, {0}};
    for (int l = 0; l < LANES; ++l) made->at[l] = (i64)place[l];
    c->slot[slot] = c->patterns++;
    if (2 * c->patterns < c->slots) return;
    free(c->slot); /* twice the table, filled anew by adding what is there */
    c->slots *= 2;
    c->slot = malloc((u64)c->slots * sizeof(i64));
    memset(c->slot, 0xFF, (u64)c->slots * sizeof(i64));
    for (i64 i = 0; i < c->patterns; ++i) {
        const Pattern *p = c->pattern + i;
        i64 s = first_slot(c, p->instruction, p->part, p->hash);
        while (c->slot[s] >= 0) s = (s + 1) & (c->slots - 1);
        c->slot[s] = i;
    }
}

/* Loaded bytes (a row of 16 a lane) to registers; known: marks of each 32-bit word. */
static void write_loaded(
    Context *c, Wave *w, const Instruction *what, i64 first, u8 (*data)[16], const u64 *known, u64 exec, int from) {
    const i32 words = what->bytes < 4 ? 1 : what->bytes / 4;
    u32 row[LANES];
    for (i32 i = 0; i < words; ++i) {
        const u32 *old = w->row + (first + i) * LANES;
        for (int l = 0; l < LANES; ++l) {
            u32 value;
            memcpy(&value, data[l] + 4 * i, 4);
            if (what->bytes == 1) value = what->flags & SIGNED ? (u32)(i32)(int8_t)value : value & 0xFF;
            if (what->bytes == 2) value = what->flags & SIGNED ? (u32)(i32)(int16_t)value : value & 0xFFFF;
            if (what->flags & KEEPS_OTHER_HALF)
                value = what->flags & HIGH ? (old[l] & 0xFFFF) | value << 16 : (old[l] & 0xFFFF0000) | (value & 0xFFFF);
            row[l] = value;
        }
        if (exec & ~known[i]) loaded_unset(c, w, first + i, what, from);
        forget_exact(w, first + i, exec);
        write_row(w, first + i, row, known[i], exec);
    }
}

/* What lanes store, a row of 16 bytes each; 0 if some of it was never set and the run ends there. */
static int stored(Context *c, const Wave *w, const Instruction *what, const Word *first, u8 (*data)[16], u64 exec) {
    const i32 words = what->bytes < 4 ? 1 : what->bytes / 4;
    for (i32 i = 0; i < words; ++i) {
        Word from = *first;
        u32 room[LANES];
        const u32 *values;
        from.index += from.bank == NUMBER ? 0 : i;
        const u64 bad = exec & ~words_of(w, &from, room, &values);
        if (bad && ends_unset(c, w, what, &from, 1, bad)) return 0;
        for (int l = 0; l < LANES; ++l) {
            const u32 value = what->flags & HIGH ? values[l] >> 16 : values[l];
            memcpy(data[l] + 4 * i, &value, 4);
        }
    }
    return 1;
}

/* Whether each of up to 16 bytes was set, as the marks of 32-bit words (or of less than one). */
static u32 marks_at(const u8 *set, u64 size) {
    if (!set) return 15;
    u32 marks = 0;
    if (size < 4) {
        int all = 1;
        for (u64 i = 0; i < size; ++i) all &= set[i];
        return (u32)all;
    }
    for (u64 i = 0; i < size / 4; ++i) {
        u32 four;
        memcpy(&four, set + 4 * i, 4);
        marks |= (u32)(four == 0x01010101) << i;
    }
    return marks;
}
