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

/* Global memory wants words aligned, not more. */
static int is_aligned(u64 address, u64 size) { return !(address & ((size < 4 ? alignment_of(size) : 4) - 1)); }

/* The addresses of all lanes of a global access; 0 if one that is needed was never set. */
static int global_addresses(const Wave *w, const Instruction *what, u64 exec, u64 *restrict at) {
    u32 room[2][LANES];
    const u32 *low, *high;
    const u64 marks = words_of(w, what->source, room[0], &low);
    if (what->flags & HAS_BASE) {
        int set = 1;
        u64 base = word_of(w, what->source + 1, &set);
        base |= (u64)word_of(w, what->source + 2, &set) << 32;
        if (exec && (!set || exec & ~marks)) return 0;
        for (int l = 0; l < LANES; ++l) at[l] = base + low[l] + (u64)what->offset[0];
        return 1;
    }
    const u64 upper = words_of(w, what->source + 1, room[1], &high);
    if (exec & ~(marks & upper)) return 0;
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

/* Load `size` bytes of the lanes `lanes`; adds their marks to known. */
static int load_lanes(Context *c, u64 lanes, const u64 *at, u64 size, u64 first, u8 (*data)[16], u64 *known) {
    for (u64 left = lanes; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const u64 address = at[l] + first;
        const Buffer *buffer = buffer_at(c, address, size);
        if (!buffer || !is_aligned(address, size)) return 0;
        const u64 place = address - buffer->address;
        memcpy(data[l] + first, buffer->content + place, size);
        const u32 marks = marks_at(buffer->set ? buffer->set + place : 0, size);
        for (u64 i = 0; i < (size + 3) / 4; ++i) known[first / 4 + i] |= (u64)(marks >> i & 1) << l;
    }
    return 1;
}

static int store_lanes(Context *c, u64 lanes, const u64 *at, u64 size, u64 first, u8 (*data)[16]) {
    for (u64 left = lanes; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const u64 address = at[l] + first;
        const Buffer *buffer = buffer_at(c, address, size);
        if (!buffer || !buffer->writable || !is_aligned(address, size)) return 0;
        const u64 place = address - buffer->address;
        memcpy(buffer->content + place, data[l] + first, size);
        if (buffer->set) memset(buffer->set + place, 1, size);
    }
    return 1;
}

static int global_load(Context *c, Wave *w, const Instruction *what) {
    const u64 exec = exec_of(w);
    u64 at[LANES], known[4] = {0};
    u8 data[LANES][16];
    if (!global_addresses(w, what, exec, at)) return FAULT;
    if (!load_lanes(c, exec, at, (u64)what->bytes, 0, data, known)) return FAULT;
    count_global(c, what, exec, at);
    write_loaded(w, what, what->target[0].index, data, known, exec);
    issue(w, what);
    return FINE;
}

static int global_store(Context *c, Wave *w, const Instruction *what) {
    const u64 exec = exec_of(w);
    u64 at[LANES];
    u8 data[LANES][16];
    if (!global_addresses(w, what, exec, at) || !stored(w, what, what->source + 3, data, exec)) return FAULT;
    if (!store_lanes(c, exec, at, (u64)what->bytes, 0, data)) return FAULT;
    count_global(c, what, exec, at);
    issue(w, what);
    return FINE;
}

/* Addresses of a buffer, offsets in it and where it ends for each lane; 0 for what is refused.
   Sources: offset or index, offset beside an index, resource (4), soffset. */
static int buffer_places(const Wave *w, const Instruction *what, u64 exec, u64 *at, i64 *offset, i64 *end) {
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
    if (!set || exec & ~marks) return !exec;
    if ((base & 0xFFFFFFFFFFFFull) != PRIVATE_SEGMENT && (base >> 63 || flags >> 23 & 1))
        return 0; /* swizzled, or with the lane as its index */
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
    Context *c, const Wave *w, const Instruction *what, u64 exec, u64 *at, u8 (*data)[16], u64 *known, u64 *inside) {
    const i64 bytes = what->bytes, part = bytes < 4 ? bytes : 4;
    i64 offset[LANES], end[LANES];
    if (!buffer_places(w, what, exec, at, offset, end)) return 0;
    memset(data, 0, LANES * 16);
    *inside = 0;
    for (int l = 0; l < LANES; ++l) *inside |= (exec >> l & (offset[l] + bytes <= end[l])) << l;
    if (!load_lanes(c, *inside, at, (u64)bytes, 0, data, known)) return 0;
    for (i64 first = 0; first < bytes && *inside != exec; first += part) {
        u64 some = 0;
        for (int l = 0; l < LANES; ++l) some |= ((exec & ~*inside) >> l & (offset[l] + first + part <= end[l])) << l;
        if (!load_lanes(c, some, at, (u64)part, (u64)first, data, known)) return 0;
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
    const u64 exec = exec_of(w);
    u64 at[LANES];
    i64 offset[LANES], end[LANES];
    if (!buffer_places(w, what, exec, at, offset, end)) return FAULT;
    return scratch_at(c, w, what, exec, offset, loads, what->source + 7);
}

static int buffer_load(Context *c, Wave *w, const Instruction *what) {
    const u64 exec = exec_of(w);
    u64 at[LANES], known[4] = {0}, inside;
    u8 data[LANES][16];
    if (is_private(w, what)) return buffer_private(c, w, what, 1);
    if (!buffer_loaded(c, w, what, exec, at, data, known, &inside)) return FAULT;
    count_global(c, what, inside, at);
    write_loaded(w, what, what->target[0].index, data, known, exec);
    issue(w, what);
    return FINE;
}

static int buffer_store(Context *c, Wave *w, const Instruction *what) {
    const u64 exec = exec_of(w);
    const i64 bytes = what->bytes, part = bytes < 4 ? bytes : 4;
    u64 at[LANES], inside = 0;
    i64 offset[LANES], end[LANES];
    u8 data[LANES][16];
    if (is_private(w, what)) return buffer_private(c, w, what, 0);
    if (!buffer_places(w, what, exec, at, offset, end) || !stored(w, what, what->source + 7, data, exec)) return FAULT;
    for (int l = 0; l < LANES; ++l) inside |= (exec >> l & (offset[l] + bytes <= end[l])) << l;
    if (!store_lanes(c, inside, at, (u64)bytes, 0, data)) return FAULT;
    for (i64 first = 0; first < bytes && inside != exec; first += part) {
        u64 some = 0;
        for (int l = 0; l < LANES; ++l) some |= ((exec & ~inside) >> l & (offset[l] + first + part <= end[l])) << l;
        if (!store_lanes(c, some, at, (u64)part, (u64)first, data)) return FAULT;
    }
    count_global(c, what, inside, at);
    issue(w, what);
    return FINE;
}

/* A base of two words and an offset, the lowest two bits ignored. */
static u64 scalar_address(const Wave *w, const Instruction *what, int *set) {
    u64 address = word_of(w, what->source, set);
    address |= (u64)word_of(w, what->source + 1, set) << 32;
    address += (u64)(i64)(i32)word_of(w, what->source + 2, set);
    return address & ~3ull;
}

static int scalar_load(Context *c, Wave *w, const Instruction *what) {
    int set = 1;
    const u64 address = scalar_address(w, what, &set);
    if (!set) return FAULT;
    for (i32 i = 0; i < what->bytes / 4; ++i) {
        const Buffer *buffer = buffer_at(c, address + 4 * (u64)i, 4);
        if (!buffer) return FAULT;
        const u64 place = address + 4 * (u64)i - buffer->address;
        memcpy(w->scalar + what->target[0].index + i, buffer->content + place, 4);
        w->scalar_set[what->target[0].index + i] = (u8)(marks_at(buffer->set ? buffer->set + place : 0, 4) & 1);
    }
    issue(w, what);
    return FINE;
}

static int scalar_store(Context *c, Wave *w, const Instruction *what) {
    int set = 1;
    const u64 address = scalar_address(w, what, &set);
    for (i32 i = 0; i < what->bytes / 4; ++i) {
        const u32 value = word_of(w, what->source + 3 + i, &set);
        const Buffer *buffer = buffer_at(c, address + 4 * (u64)i, 4);
        if (!set || !buffer || !buffer->writable) return FAULT;
        const u64 place = address + 4 * (u64)i - buffer->address;
        memcpy(buffer->content + place, &value, 4);
        if (buffer->set) memset(buffer->set + place, 1, 4);
    }
    issue(w, what);
    return FINE;
}
