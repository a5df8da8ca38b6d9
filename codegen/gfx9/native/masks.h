/* Masks of lanes of which some were never set: what is known of them after they are combined.

   A lane whose comparison read what nobody wrote does not matter where another mask switches it off. */

/* What a scalar instruction does to masks: its `elements`. */
enum { NO_MASK, MASK_COPY, MASK_AND, MASK_AND_NOT, MASK_OR, MASK_OR_NOT, MASK_XOR, MASK_SAVE_AND };

/* Lanes of a pair of scalars that were never set; all where it is no mask. */
static u64 unset_of(const Wave *w, const Word *low) {
    if (low->bank != SCALAR || (w->scalar_set[low->index] & w->scalar_set[low->index + 1])) return 0;
    return w->watch.unset[low->index];
}

/* Lanes of the result of an operation on masks a and b that come of lanes never set. */
static u64 unset_of_result(i32 kind, u64 a, u64 no_a, u64 b, u64 no_b) {
    switch (kind) {
    case MASK_COPY: return no_a;
    case MASK_AND:
    case MASK_SAVE_AND: return (no_a & (b | no_b)) | (no_b & (a | no_a));
    case MASK_AND_NOT: return (no_a & (~b | no_b)) | (no_b & (a | no_a));
    case MASK_OR: return (no_a & (~b | no_b)) | (no_b & (~a | no_a));
    case MASK_OR_NOT: return (no_a & (b | no_b)) | (no_b & (~a | no_a));
    }
    return no_a | no_b;
}

/* A scalar instruction computed from scalars of which some (bits of `unset`) were never set. Gives for its targets,
   as bits, which count as never set; EXEC that does is told. */
static u32 masked_unset(Context *c, Wave *w, const Instruction *what, const u32 *value, u32 unset) {
    const Word *to = what->target;
    u32 found = 0;
    for (i32 i = 0; i < what->targets; ++i) found |= (u32)((unset & what->depends[i]) != 0) << i;
    const Word *last = what->elements == MASK_SAVE_AND ? to + 2 : to; /* the pair that is the result */
    u64 lanes = ~0ull;
    if (what->elements) {
        const u64 a = value[0] | (u64)value[1] << 32, b = what->sources > 3 ? value[2] | (u64)value[3] << 32 : 0;
        const u64 no_b = what->sources > 3 ? unset_of(w, what->source + 2) : 0;
        lanes = unset_of_result(what->elements, a, unset_of(w, what->source), b, no_b);
        found = lanes ? (last == to ? 3u : 12u) : 0;
    }
    if (!found) return 0;
    for (i32 i = 0; i < what->targets; ++i) {
        if (!(found >> i & 1)) continue;
        computed_unset(c, w, what, to + i, lanes);
        if (to[i].bank != SCALAR || to[i].index != EXEC) continue;
        ends_unset(c, w, what, what->source, what->sources, lanes);
        found &= ~(3u << i); /* told: what follows runs as it comes */
    }
    return found;
}
