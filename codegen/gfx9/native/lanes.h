/* Values that go from lane to lane, or between lanes and scalars (cross_lane.py, lane_moves.py). */

static int first_lane(Context *c, Wave *w, const Instruction *what) {
    const u64 exec = exec_of(w);
    const int lane = exec ? __builtin_ctzll(exec) : 0;
    u32 room[LANES];
    const u32 *values;
    if (!exec && c->sanitizer) note(c, w, number_of(c, what), -1, NO_LANE, 0);
    const u64 bad = ~words_of(w, what->source, room, &values) & 1ull << lane;
    if (bad && ends_unset(c, w, what, what->source, 1, bad)) return FAULT;
    w->scalar[what->target[0].index] = values[lane];
    w->scalar_set[what->target[0].index] = 1;
    if (w->watch.far) first_exact(c, w, what, values, lane);
    return FINE;
}

/* Bring a source from other lanes: 0 where there is none, which counts as set. */
static u64 moved(const Move *move, u64 there, const u32 *from, u64 marks, u32 *restrict room) {
    u32 found[LANES];
    u64 known = ~there;
    for (int l = 0; l < LANES; ++l) {
        const int lane = move->lane[l] < 0 ? 0 : move->lane[l];
        found[l] = there >> l & 1 ? from[lane] : 0;
        known |= (marks >> lane & there >> l & 1) << l;
    }
    memcpy(room, found, sizeof found);
    return known;
}

static u64 lanes_there(const Move *move, u64 exec) {
    u64 there = 0;
    for (int l = 0; l < LANES; ++l)
        if (move->lane[l] >= 0) there |= (exec >> move->lane[l] & 1) << l;
    return there;
}

/* A scalar from the lane that an operand names. */
static int read_lane(Context *c, Wave *w, const Instruction *what) {
    u32 room[LANES];
    const u32 *values;
    int set = 1;
    const u32 lane = word_of(w, what->source + 1, &set) % LANES;
    const u64 marks = words_of(w, what->source, room, &values);
    set &= (int)(marks >> lane & 1);
    if (c->sanitizer && !set) computed_unset(c, w, what, what->target, ~0ull);
    if (w->watch.far) first_exact(c, w, what, values, (int)lane);
    w->scalar[what->target[0].index] = values[lane];
    w->scalar_set[what->target[0].index] = (u8)set;
    return FINE;
}

/* A scalar to one lane, whether it is on or not. */
static int write_lane(Context *c, Wave *w, const Instruction *what) {
    int set = 1, place_set = 1;
    const u32 value = word_of(w, what->source, &set);
    const u32 lane = word_of(w, what->source + 1, &place_set) % LANES;
    if (!place_set && ends_unset(c, w, what, what->source + 1, 1, ~0ull)) return FAULT;
    const i64 row = row_of(w, what->target);
    w->row[row * LANES + lane] = value;
    w->set[row] = (w->set[row] & ~(1ull << lane)) | (u64)set << lane;
    forget_exact(w, row, 1ull << lane);
    if (c->sanitizer && !set) computed_unset(c, w, what, what->target, 1ull << lane);
    return FINE;
}

/* Odd rows of the first register and even ones of the second change places, where both lanes are on. */
static void swap_lanes(Wave *w, const Instruction *what) {
    const int rows = what->elements;
    const u64 exec = exec_of(w);
    const i64 first = what->target[0].index, second = what->target[1].index;
    u32 *upper = w->row + first * LANES, *lower = w->row + second * LANES;
    forget_exact(w, first, exec);
    forget_exact(w, second, exec);
    for (int l = 0; l < LANES; ++l) {
        const int other = l - rows;
        if (l / rows % 2 == 0 || !(exec >> l & exec >> other & 1)) continue;
        const u32 kept = upper[l];
        upper[l] = lower[other];
        lower[other] = kept;
        const u64 mine = w->set[first] >> l & 1, theirs = w->set[second] >> other & 1;
        w->set[first] = (w->set[first] & ~(1ull << l)) | theirs << l;
        w->set[second] = (w->set[second] & ~(1ull << other)) | mine << other;
    }
}

/* Each lane gets the value of the lane that its move tells. */
static void lds_swizzle(Context *c, Wave *w, const Instruction *what) {
    const Move *move = c->program->moves + what->move;
    const u64 exec = exec_of(w);
    u32 room[LANES], row[LANES];
    const u32 *values;
    const u64 marks = words_of(w, what->source, room, &values);
    const u64 known = moved(move, lanes_there(move, exec), values, marks, row);
    forget_exact(w, what->target[0].index, exec);
    write_row(w, what->target[0].index, row, known, exec);
    issue(c->program, w, what);
}

/* Each lane sends its value to the lane that its address names; of several the last one stays, 0 where none. */
static int lds_push(Context *c, Wave *w, const Instruction *what) {
    u64 exec = exec_of(w);
    u32 room[2][LANES], row[LANES] = {0};
    const u32 *low, *given;
    u64 known = ~0ull;
    const u64 there = words_of(w, what->source, room[0], &low), marks = words_of(w, what->source + 1, room[1], &given);
    if (!leave_unset(c, w, what, 0, 1, there, &exec)) return FAULT;
    for (u64 left = exec; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const u64 to = ((u64)low[l] + (u64)what->offset[0]) / 4 % LANES;
        row[to] = given[l];
        known = (known & ~(1ull << to)) | (marks >> l & 1) << to;
    }
    forget_exact(w, what->target[0].index, exec);
    write_row(w, what->target[0].index, row, known, exec);
    issue(c->program, w, what);
    return FINE;
}
