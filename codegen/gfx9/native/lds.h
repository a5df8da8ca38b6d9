/* The LDS of a workgroup: grains that every access takes whole, with who wrote and read them since a barrier. */

/* A read or a write of a grain by a wave; whether that ends the run as a race, if it is looked for. */
static int touch_grain(Context *c, const Wave *w, Grain *grain, u32 writes, int looks) {
    const u32 now = c->epoch, mine = 1u << w->number;
    looks &= !c->program->skips_races;
    const u32 writers = grain->written == now ? grain->writers : 0;
    const u32 readers = grain->read == now ? grain->readers : 0;
    if (!writes) {
        if (looks && writers && !(writers & mine)) return 0;
        grain->read = now;
        grain->readers = (u16)(readers | mine);
        return 1;
    }
    if (looks && (writers | readers) & ~mine) return 0;
    grain->written = now;
    grain->writers = (u16)(writers | mine);
    return 1;
}

/* What was under way at a barrier counts as made after it. */
static void touch_again(Context *c, const Wave *w, const Access *access) {
    const Program *p = c->program;
    for (u64 left = access->lanes; left; left &= left - 1) {
        Grain *grain = c->grain + access->at[__builtin_ctzll(left)] / p->grain;
        for (i64 i = 0; i < access->size / p->grain; ++i) touch_grain(c, w, grain + i, access->is_write, 0);
    }
}

/* Of the sanitizer: an access to a grain, and whether data that a load brings into the LDS has arrived. */
static void meet_lds(Context *c, Wave *w, const Instruction *what, int lane, int how, u64 at, u16 value, int same) {
    const u64 grain = at / (u64)c->program->grain;
    Party *before = c->lds_writer + grain;
    if (how != WRITES && before->queue == VM && before->clock >= c->clock && before->wave == w->number &&
        before->number > w->done[VM]) {
        Finding *found = note(c, w, number_of(c, what), before->at, EARLY, 1ull << lane);
        put_place(found, IN_LDS, at, (u64)c->program->grain);
        if (found) found->queue = VM;
    }
    if (is_checked(c, LDS_RACE) || is_checked(c, SAME_VALUE))
        meet(c, w, before, c->lds_others + OTHERS * grain, what, lane, how, IN_LDS, at, value, same);
}

/* A lane reads, or changes at once as others do: no race with its like. */
static int read_place(Context *c, Wave *w, const Instruction *what, int lane, u64 at) {
    Grain *grain = c->grain + (i64)at / c->program->grain;
    if (c->sanitizer) {
        const int how = what->kind == LDS_ATOMIC ? CHANGES : what->flags & COHERENT ? COHERENTLY : READS;
        for (i64 i = 0; i < what->bytes / c->program->grain; ++i) meet_lds(c, w, what, lane, how, at + (u64)(i * c->program->grain), 0, 0);
        return 1;
    }
    for (i64 i = 0; i < what->bytes / c->program->grain; ++i)
        if (!touch_grain(c, w, grain + i, 0, 1)) return 0;
    return 1;
}

/* A lane writes; what changes nothing is no race, and joins who wrote it. */
static int write_place(Context *c, Wave *w, const Instruction *what, int lane, u64 at, const u8 *data) {
    const i64 size = c->program->grain;
    Grain *grain = c->grain + (i64)at / size;
    for (i64 i = 0; i < what->bytes / size; ++i, ++grain) {
        u8 *place = c->lds + at + i * size;
        int same = grain->set;
        for (i64 b = 0; b < size; ++b) same &= place[b] == data[i * size + b];
        if (c->sanitizer) {
            const u16 value = short_value(data + i * size, (u64)size);
            meet_lds(c, w, what, lane, WRITES, at + (u64)(i * size), value, same);
        } else if (same) {
            if (grain->written == c->epoch) grain->writers |= (u16)(1u << w->number);
            continue;
        }
        if (!c->sanitizer && !touch_grain(c, w, grain, 1, 1)) return 0;
        memcpy(place, data + i * size, (u64)size);
        grain->set = 1;
    }
    return 1;
}

/* Check an access, count it, and remember it as under way; places in bytes. */
static int access_lds(Context *c, Wave *w, const Instruction *what, i64 part, u64 *on, const u64 *at, u32 writes) {
    const u64 lanes = *on;
    const Program *p = c->program;
    if (w->accesses == w->room) {
        w->room = 2 * w->room + 16;
        w->access = realloc(w->access, (u64)w->room * sizeof(Access));
    }
    Access *access = w->access + w->accesses;
    *access = (Access){w->issued[what->queue] + 1, (u32)what->queue, writes, (u32)what->bytes, lanes, {0}};
    const int arrives = what->kind == GLOBAL_TO_LDS || what->kind == BUFFER_TO_LDS;
    const u64 size = (u64)what->bytes, natural = alignment_of(size), most = (u64)p->lds_alignment;
    const u64 wanted = arrives && natural > 4 ? 4 : natural, ones = (wanted < most ? wanted : most) - 1;
    for (int l = 0; l < LANES; ++l) {
        if (!(lanes >> l & 1)) continue;
        const int outside = at[l] + size > (u64)p->lds_bytes || at[l] > (u64)p->lds_bytes;
        if (at[l] & ones || outside) {
            if (ends_at(c, w, what, outside ? OUT_OF_BOUNDS : MISALIGNED, l, IN_LDS, at[l], size)) return 0;
            *on &= ~(1ull << l);
            continue;
        }
        access->at[l] = (u32)at[l];
    }
    access->lanes = *on;
    if (part >= 0) count(c, what - p->code, part, *on, at, 0);
    ++w->accesses;
    return 1;
}

static void lds_places(const u32 *low, i64 offset, u64 *at) {
    for (int l = 0; l < LANES; ++l) at[l] = (u32)(low[l] + (u32)offset);
}

/* Lane l of sixteen gets element l % each of lanes l / each, and so on, a row of lanes apart (ds_read_b64_tr_b*). */
static void transpose(u8 (*data)[16], u64 *known, i32 each) {
    u8 found[LANES][16];
    u64 marks[4] = {0};
    const int size = 8 / each, lanes = 16 / each;
    for (int l = 0; l < LANES; ++l) {
        const int first = l & ~15, column = l & 15;
        int set[2] = {1, 1};
        for (int row = 0; row < each; ++row) {
            const int from = first + lanes * row + column / each;
            memcpy(found[l] + size * row, data[from] + size * (column % each), (u64)size);
            set[2 * row / each] &= (int)(known[size * (column % each) / 4] >> from & 1);
        }
        for (int i = 0; i < 2; ++i) marks[i] |= (u64)set[i] << l;
    }
    memcpy(data, found, sizeof found);
    memcpy(known, marks, sizeof marks);
}

static int lds_read(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w);
    u32 room[LANES], kept[LANES];
    const u32 *low;
    const u64 marks = words_of(w, what->source, room, &low);
    if (!leave_unset(c, w, what, 0, 1, marks, &exec)) return FAULT;
    memcpy(kept, low, sizeof kept); /* the first target may be the register of the address */
    for (i32 part = 0; part < what->parts; ++part) {
        u64 at[LANES], known[4] = {0};
        u8 data[LANES][16];
        u64 inside = exec;
        lds_places(kept, what->offset[part], at);
        if (!access_lds(c, w, what, part, &inside, at, 0)) return FAULT;
        for (int i = 0; i < 4; ++i) known[i] = exec & ~inside; /* told: what is read there counts as set */
        memset(data, 0, inside == exec ? 0 : sizeof data);
        const i64 grain = c->program->grain;
        const u64 unit = what->bytes < 4 ? (u64)what->bytes : 4;
        for (u64 left = inside; left; left &= left - 1) {
            const int l = __builtin_ctzll(left);
            if (!read_place(c, w, what, l, at[l])) return FAULT;
            memcpy(data[l], c->lds + at[l], (u64)what->bytes);
            for (u64 i = 0; i < (u64)what->bytes; i += unit) {
                int set = 1;
                for (u64 b = 0; b < unit; b += grain < (i64)unit ? (u64)grain : unit)
                    set &= c->grain[(at[l] + i + b) / (u64)grain].set;
                known[i / 4] |= (u64)set << l;
            }
        }
        if (what->flags & TRANSPOSED) transpose(data, known, what->elements);
        write_loaded(c, w, what, what->target[part].index, data, known, exec, FROM_LDS);
        issue(c->program, w, what);
    }
    return FINE;
}

static int put_lds(Context *c, Wave *w, const Instruction *what, u64 lanes, const u64 *at, u8 (*data)[16]) {
    for (u64 left = lanes; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        if (!write_place(c, w, what, l, at[l], data[l])) return 0;
    }
    for (u64 left = c->sanitizer ? lanes : 0; left; left &= left - 1) { /* a lane that finds another's bytes */
        const int l = __builtin_ctzll(left);
        if (memcmp(c->lds + at[l], data[l], (u64)what->bytes)) tell_pair(c, w, what, LDS_LANES, lanes, at, l, IN_LDS);
        else if (is_checked(c, SAME_VALUE)) tell_pair(c, w, what, SAME_VALUE, lanes, at, l, IN_LDS);
    }
    return 1;
}

static int lds_write(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w);
    u32 room[LANES];
    const u32 *low;
    const u64 marks = words_of(w, what->source, room, &low);
    if (!leave_unset(c, w, what, 0, 1, marks, &exec)) return FAULT;
    for (i32 part = 0; part < what->parts; ++part) {
        u64 at[LANES];
        u8 data[LANES][16];
        u64 inside = exec;
        lds_places(low, what->offset[part], at);
        if (!access_lds(c, w, what, part, &inside, at, 1)) return FAULT;
        if (!stored(c, w, what, what->source + 1 + part, data, inside)) return FAULT;
        if (!put_lds(c, w, what, inside, at, data)) return FAULT;
        issue(c->program, w, what);
    }
    return FINE;
}

/* Lane l of a load into the LDS goes to M0 + offset + l times its bytes. */
static int loaded_to_lds(
    Context *c, Wave *w, const Instruction *what, u64 exec, u8 (*data)[16], const u64 *known) {
    u64 place[LANES];
    for (i32 i = 0; i < what->bytes / 4; ++i)
        if (exec & ~known[i] && ends(c, w, what, UNSET_MEMORY, exec & ~known[i])) return FAULT;
    const u64 start = (u64)(w->m0 & c->program->m0_mask) + (u64)what->offset[1];
    for (int l = 0; l < LANES; ++l) place[l] = start + (u64)(l * what->bytes);
    if (!access_lds(c, w, what, 1, &exec, place, 1)) return FAULT;
    if (!put_lds(c, w, what, exec, place, data)) return FAULT;
    issue(c->program, w, what);
    return FINE;
}

static int global_to_lds(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w), at[LANES], known[4] = {0};
    u8 data[LANES][16];
    if (!global_addresses(c, w, what, &exec, at)) return FAULT;
    if (!load_lanes(c, w, what, exec, at, (u64)what->bytes, 0, data, known)) return FAULT;
    count_global(c, what, exec, at);
    return loaded_to_lds(c, w, what, exec, data, known);
}

static int buffer_to_lds(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w), at[LANES], known[4] = {0}, inside;
    u8 data[LANES][16];
    if (!buffer_loaded(c, w, what, &exec, at, data, known, &inside)) return FAULT;
    count_global(c, what, inside, at);
    return loaded_to_lds(c, w, what, exec, data, known);
}

/* Each lane gets the value of the lane that its address names, 0 from one that is switched off. */
static int lds_permute(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w);
    u32 room[2][LANES], row[LANES];
    const u32 *low, *given;
    u64 known = 0;
    const u64 there = words_of(w, what->source, room[0], &low), marks = words_of(w, what->source + 1, room[1], &given);
    if (!leave_unset(c, w, what, 0, 1, there, &exec)) return FAULT;
    for (int l = 0; l < LANES; ++l) {
        const u64 from = ((u64)low[l] + (u64)what->offset[0]) / 4 % LANES;
        const u64 on = exec >> from & 1;
        row[l] = on ? given[from] : 0;
        known |= (u64)(!on | (marks >> from & 1)) << l;
    }
    forget_exact(w, what->target[0].index, exec);
    write_row(w, what->target[0].index, row, known, exec);
    issue(c->program, w, what);
    return FINE;
}
