/* Global memory: buffers far apart, every access inside of one, aligned, of bytes that were set. */

static const Buffer *buffer_at(Context *c, u64 address, u64 size) {
    const Buffer *buffer = c->program->buffers + c->last_buffer;
    if (address - buffer->address + size <= buffer->size && address >= buffer->address) return buffer;
    for (i64 i = 0; i < c->program->buffer_count; ++i) {
        buffer = c->program->buffers + i;
        if (address >= buffer->address && address - buffer->address + size <= buffer->size) {
            c->last_buffer = i;
            return buffer;
        }
    }
    return 0;
}

static u64 alignment_of(u64 size) { return size & -size; }

/* Global memory wants words aligned, not more; less in buffers that say so (device_memory.py). */
static int is_aligned(const Buffer *buffer, u64 address, u64 size) {
    const u64 natural = alignment_of(size);
    return !(address & ((natural < buffer->alignment ? natural : buffer->alignment) - 1));
}

/* The addresses of all lanes of a global access; 0 if the run ends because one was never set. */
static int global_addresses(Context *c, const Wave *w, const Instruction *what, u64 *exec, u64 *restrict at) {
    u32 room[2][LANES];
    const u32 *low, *high;
    const u64 marks = words_of(w, what->source, room[0], &low);
    if (what->flags & HAS_BASE) {
        int set = 1;
        u64 base = word_of(w, what->source + 1, &set);
        base |= (u64)word_of(w, what->source + 2, &set) << 32;
        if (!leave_unset(c, w, what, 0, 3, marks & all_if(set), exec)) return 0;
        require_exact(c, w, what, 0, 3, *exec);
        for (int l = 0; l < LANES; ++l) at[l] = base + low[l] + (u64)what->offset[0];
        return 1;
    }
    const u64 upper = words_of(w, what->source + 1, room[1], &high);
    if (!leave_unset(c, w, what, 0, 2, marks & upper, exec)) return 0;
    require_exact(c, w, what, 0, 2, *exec);
    for (int l = 0; l < LANES; ++l) at[l] = (low[l] | (u64)high[l] << 32) + (u64)what->offset[0];
    return 1;
}

static void count_global(Context *c, const Instruction *what, u64 lanes, const u64 *at) {
    u64 lowest = ~0ull;
    for (int l = 0; l < LANES; ++l)
        if (lanes >> l & 1 && at[l] < lowest) lowest = at[l];
    const u64 line = (u64)c->program->line_bytes;
    count(c, what - c->program->code, 0, lanes, at, lanes ? lowest / line * line : 0);
}

/* The buffer that a lane accesses; 0 where it must not, and `ends` tells whether the run does. */
static const Buffer *accessed(
    Context *c, const Wave *w, const Instruction *what, int lane, u64 address, u64 size, int writes, int *ends_run) {
    const Buffer *buffer = buffer_at(c, address, size);
    *ends_run = 0;
    if (!buffer || (writes && !buffer->writable)) {
        *ends_run = ends_at(c, w, what, buffer ? WRITES_INPUT : OUT_OF_BOUNDS, lane, IN_MEMORY, address, size);
        return 0;
    }
    if (!is_aligned(buffer, address, size)) *ends_run = ends_at(c, w, what, MISALIGNED, lane, IN_MEMORY, address, size);
    return *ends_run ? 0 : buffer;
}

/* Load `size` bytes of the lanes `lanes`; adds their marks to known. */
static int load_lanes(Context *c, Wave *w, const Instruction *what, u64 lanes, const u64 *at, u64 size, u64 first,
                      u8 (*data)[16], u64 *known) {
    const int how = what->flags & COHERENT ? COHERENTLY : READS;
    for (u64 left = lanes; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const u64 address = at[l] + first;
        int ends_run;
        const Buffer *buffer = accessed(c, w, what, l, address, size, 0, &ends_run);
        if (ends_run) return 0;
        if (!buffer) { /* told: what it reads counts as set */
            memset(data[l] + first, 0, size);
            for (u64 i = 0; i < (size + 3) / 4; ++i) known[first / 4 + i] |= 1ull << l;
            continue;
        }
        const u64 place = address - buffer->address;
        if (what->kind != ATOMIC && what->kind != BUFFER_ATOMIC)
            meet_memory(c, w, what, l, buffer, place, size, how, 0);
        if (how == COHERENTLY && buffer->writable) meet_release(c, w, what, address, 1, 0);
        memcpy(data[l] + first, buffer->content + place, size);
        const u32 marks = marks_at(buffer->set ? buffer->set + place : 0, size);
        for (u64 i = 0; i < (size + 3) / 4; ++i) known[first / 4 + i] |= (u64)(marks >> i & 1) << l;
    }
    return 1;
}

static int store_lanes(
    Context *c, Wave *w, const Instruction *what, u64 lanes, const u64 *at, u64 size, u64 first, u8 (*data)[16]) {
    const int atomic = what->kind == ATOMIC || what->kind == BUFFER_ATOMIC || what->flags & COHERENT;
    for (u64 left = lanes; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const u64 address = at[l] + first;
        int ends_run;
        const Buffer *buffer = accessed(c, w, what, l, address, size, 1, &ends_run);
        if (ends_run) return 0;
        if (!buffer) continue;
        const u64 place = address - buffer->address;
        if (atomic) meet_release(c, w, what, address, what->flags & RETURNS, 1);
        meet_memory(c, w, what, l, buffer, place, size, atomic ? CHANGES : WRITES, data[l] + first);
        if (!atomic) w->watch.dirty = 1;
        memcpy(buffer->content + place, data[l] + first, size);
        if (buffer->written) memset(buffer->written + place, 1, size);
    }
    return 1;
}

/* Another lane of the same instruction whose bytes overlap those of a lane; -1 for none. */
static int lane_that_meets(u64 lanes, const u64 *at, u64 size, int lane) {
    for (u64 left = lanes & ~(1ull << lane); left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        if (at[l] < at[lane] + size && at[lane] < at[l] + size) return l;
    }
    return -1;
}

/* Two lanes of one instruction wrote one place: which of them stays is not said. */
static void tell_pair(Context *c, const Wave *w, const Instruction *what, int check, u64 lanes, const u64 *at, int lane, int space) {
    const i64 here = number_of(c, what);
    const int other = lane_that_meets(lanes, at, (u64)what->bytes, lane);
    Finding *found = other < 0 ? 0 : note(c, w, here, here, check, 1ull << lane);
    put_place(found, space, at[lane], (u64)what->bytes);
    if (found) found->other_group = c->number, found->other_wave = w->number, found->other_lane = other, found->how = WRITES;
}

/* Lanes whose bytes are not there after a store: another lane's are. */
static void tell_lanes(Context *c, const Wave *w, const Instruction *what, u64 lanes, const u64 *at, u8 (*data)[16]) {
    if (!c->sanitizer) return;
    const u64 size = (u64)what->bytes;
    for (u64 left = lanes; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const Buffer *buffer = buffer_at(c, at[l], size);
        if (!buffer || !buffer->writable) continue;
        if (memcmp(buffer->content + (at[l] - buffer->address), data[l], size))
            tell_pair(c, w, what, MEMORY_LANES, lanes, at, l, IN_MEMORY);
        else if (is_checked(c, SAME_VALUE))
            tell_pair(c, w, what, SAME_VALUE, lanes, at, l, IN_MEMORY);
    }
}

static int global_load(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w), at[LANES], known[4] = {0};
    u8 data[LANES][16];
    if (!global_addresses(c, w, what, &exec, at)) return FAULT;
    if (!load_lanes(c, w, what, exec, at, (u64)what->bytes, 0, data, known)) return FAULT;
    count_global(c, what, exec, at);
    write_loaded(c, w, what, what->target[0].index, data, known, exec, FROM_MEMORY);
    issue(c->program, w, what);
    return FINE;
}

static int global_store(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w), at[LANES];
    u8 data[LANES][16];
    if (!global_addresses(c, w, what, &exec, at) || !stored(c, w, what, what->source + 3, data, exec)) return FAULT;
    if (!store_lanes(c, w, what, exec, at, (u64)what->bytes, 0, data)) return FAULT;
    tell_lanes(c, w, what, exec, at, data);
    count_global(c, what, exec, at);
    issue(c->program, w, what);
    return FINE;
}

/* Addresses of a buffer, offsets in it and where it ends for each lane; 0 where the run ends.
   Sources: offset or index, offset beside an index, resource (4), soffset. */
static int buffer_places(Context *c, const Wave *w, const Instruction *what, u64 *exec, u64 *at, i64 *offset, i64 *end) {
    int set = 1;
    u64 base = word_of(w, what->source + 2, &set);
    base |= (u64)word_of(w, what->source + 3, &set) << 32;
    const i64 length = word_of(w, what->source + 4, &set);
    const u32 flags = word_of(w, what->source + 5, &set);
    const i64 extra = (i64)word_of(w, what->source + 6, &set) + what->offset[0];
    const i64 stride = (i64)(base >> 48 & 0x3FFF);
    u32 room[2][LANES];
    const u32 *first, *second;
    u64 marks = words_of(w, what->source, room[0], &first) & words_of(w, what->source + 1, room[1], &second);
    marks &= all_if(set);
    if (!leave_unset(c, w, what, 0, 7, marks, exec)) return 0;
    if (!*exec) { /* its resource may never have been set */
        memset(offset, 0, LANES * sizeof *offset);
        memset(end, 0, LANES * sizeof *end);
        return 1;
    }
    require_exact(c, w, what, 0, 7, *exec);
    if ((base & 0xFFFFFFFFFFFFull) != PRIVATE_SEGMENT && (base >> 63 || flags >> 23 & 1))
        return 0; /* swizzled, or with the lane as its index: not executed, also under a sanitizer */
    for (int l = 0; l < LANES; ++l) {
        const i64 index = what->flags & HAS_INDEX ? (i64)first[l] : 0;
        const i64 more = what->flags & HAS_OFFSET ? (i64)(what->flags & HAS_INDEX ? second[l] : first[l]) : 0;
        offset[l] = extra + more + index * stride;
        end[l] = what->flags & HAS_INDEX && stride ? (index < length ? INT64_MAX / 2 : -1) : length;
        at[l] = (base & 0xFFFFFFFFFFFFull) + (u64)offset[l];
    }
    return 1;
}

/* What lanes load from a buffer, 0 beyond it; inside: lanes with their whole width in it. */
static int buffer_loaded(
    Context *c, Wave *w, const Instruction *what, u64 *on, u64 *at, u8 (*data)[16], u64 *known, u64 *inside) {
    const i64 bytes = what->bytes, part = bytes < 4 ? bytes : 4;
    i64 offset[LANES], end[LANES];
    if (!buffer_places(c, w, what, on, at, offset, end)) return 0;
    const u64 exec = *on;
    memset(data, 0, LANES * 16);
    *inside = 0;
    for (int l = 0; l < LANES; ++l) *inside |= (exec >> l & (offset[l] + bytes <= end[l])) << l;
    if (!load_lanes(c, w, what, *inside, at, (u64)bytes, 0, data, known)) return 0;
    for (i64 first = 0; first < bytes && *inside != exec; first += part) {
        u64 some = 0;
        for (int l = 0; l < LANES; ++l) some |= ((exec & ~*inside) >> l & (offset[l] + first + part <= end[l])) << l;
        if (!load_lanes(c, w, what, some, at, (u64)part, (u64)first, data, known)) return 0;
        known[first / 4] |= exec & ~*inside & ~some; /* what lies beyond reads as 0 */
    }
    return 1;
}

/* Whether an access goes to the scratch memory of lanes (scratch_memory.py). */
static int is_private(const Wave *w, const Instruction *what) {
    int set = 1;
    const u64 base = word_of(w, what->source + 2, &set) | (u64)word_of(w, what->source + 3, &set) << 32;
    return set && (base & 0xFFFFFFFFFFFFull) == PRIVATE_SEGMENT;
}

static int buffer_private(Context *c, Wave *w, const Instruction *what, int loads) {
    u64 exec = exec_of(w), at[LANES];
    i64 offset[LANES], end[LANES];
    if (!buffer_places(c, w, what, &exec, at, offset, end)) return FAULT;
    return scratch_at(c, w, what, exec, offset, loads, what->source + 7);
}

static int buffer_load(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w), at[LANES], known[4] = {0}, inside;
    u8 data[LANES][16];
    if (is_private(w, what)) return buffer_private(c, w, what, 1);
    if (!buffer_loaded(c, w, what, &exec, at, data, known, &inside)) return FAULT;
    count_global(c, what, inside, at);
    write_loaded(c, w, what, what->target[0].index, data, known, exec, FROM_MEMORY);
    issue(c->program, w, what);
    return FINE;
}

static int buffer_store(Context *c, Wave *w, const Instruction *what) {
    const i64 bytes = what->bytes, part = bytes < 4 ? bytes : 4;
    u64 exec = exec_of(w), at[LANES], inside = 0;
    i64 offset[LANES], end[LANES];
    u8 data[LANES][16];
    if (is_private(w, what)) return buffer_private(c, w, what, 0);
    if (!buffer_places(c, w, what, &exec, at, offset, end) || !stored(c, w, what, what->source + 7, data, exec))
        return FAULT;
    for (int l = 0; l < LANES; ++l) inside |= (exec >> l & (offset[l] + bytes <= end[l])) << l;
    if (!store_lanes(c, w, what, inside, at, (u64)bytes, 0, data)) return FAULT;
    tell_lanes(c, w, what, inside, at, data);
    for (i64 first = 0; first < bytes && inside != exec; first += part) {
        u64 some = 0;
        for (int l = 0; l < LANES; ++l) some |= ((exec & ~inside) >> l & (offset[l] + first + part <= end[l])) << l;
        if (!store_lanes(c, w, what, some, at, (u64)part, (u64)first, data)) return FAULT;
    }
    count_global(c, what, inside, at);
    issue(c->program, w, what);
    return FINE;
}

/* A base of two words and an offset, the lowest two bits ignored. */
static u64 scalar_address(const Wave *w, const Instruction *what, int *set) {
    u64 address = word_of(w, what->source, set);
    address |= (u64)word_of(w, what->source + 1, set) << 32;
    address += (u64)(i64)(i32)word_of(w, what->source + 2, set) + (u64)what->offset[0];
    return address & ~3ull;
}

static int scalar_load(Context *c, Wave *w, const Instruction *what) {
    int set = 1;
    const u64 address = scalar_address(w, what, &set);
    if (!set && ends_unset(c, w, what, what->source, 3, ~0ull)) return FAULT;
    if (set) require_exact(c, w, what, 0, 3, ~0ull);
    for (i32 i = 0; i < what->bytes / 4; ++i) {
        const i32 to = what->target[0].index + i;
        const i64 kept = c->program->rows_of_lanes + to;
        int ends_run;
        const Buffer *buffer = set ? accessed(c, w, what, -1, address + 4 * (u64)i, 4, 0, &ends_run) : 0;
        if (set && ends_run) return FAULT;
        forget_exact(w, kept, ~0ull);
        if (!buffer) { /* told: what it reads counts as set */
            w->scalar[to] = 0;
            w->scalar_set[to] = 1;
            continue;
        }
        const u64 place = address + 4 * (u64)i - buffer->address;
        meet_memory(c, w, what, ALL_LANES, buffer, place, 4, READS, 0);
        memcpy(w->scalar + to, buffer->content + place, 4);
        w->scalar_set[to] = (u8)(marks_at(buffer->set ? buffer->set + place : 0, 4) & 1);
        if (!w->scalar_set[to]) loaded_unset(c, w, kept, what, FROM_MEMORY);
    }
    issue(c->program, w, what);
    return FINE;
}

static int scalar_store(Context *c, Wave *w, const Instruction *what) {
    int set = 1;
    const u64 address = scalar_address(w, what, &set);
    for (i32 i = 0; i < what->bytes / 4; ++i) {
        const u32 value = word_of(w, what->source + 3 + i, &set);
        if (!set && ends_unset(c, w, what, what->source, what->sources, ~0ull)) return FAULT;
        int ends_run;
        const Buffer *buffer = set ? accessed(c, w, what, -1, address + 4 * (u64)i, 4, 1, &ends_run) : 0;
        if (set && ends_run) return FAULT;
        if (!buffer) continue;
        const u64 place = address + 4 * (u64)i - buffer->address;
        meet_memory(c, w, what, ALL_LANES, buffer, place, 4, WRITES, (const u8 *)&value);
        memcpy(buffer->content + place, &value, 4);
        if (buffer->written) memset(buffer->written + place, 1, 4);
    }
    issue(c->program, w, what);
    return FINE;
}
