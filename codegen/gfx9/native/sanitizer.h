/* A sanitizer and what it keeps of waves: made, begun anew, joined with that of another thread, given back. */

/* What is kept of a wave begins anew. */
static void begin_watch(const Program *p, Wave *w, u32 clock) {
    Watch *watch = &w->watch;
    const u64 places = (u64)(p->rows_of_lanes + SCALARS);
    memset(watch->origin, 0, places * 4);
    memset(watch->unset, 0xFF, SCALARS * 8);
    memset(watch->far, 0, places * 8);
    memset(watch->wrong, 0, places * 8);
    memset(watch->half, 0, places * 8);
    memset(watch->settled, 0, sizeof watch->settled);
    watch->start_exec = exec_of(w);
    watch->base = watch->clock = clock;
    watch->idle = watch->furthest = -1;
    watch->stores = watch->dirty = 0;
    watch->known.count = watch->seen.count = 0;
}

static void new_watch(const Program *p, Watch *watch) {
    const u64 places = (u64)(p->rows_of_lanes + SCALARS);
    watch->origin = malloc(places * 4);
    watch->loader = malloc(places * 4);
    watch->unset = malloc(SCALARS * 8);
    watch->far = malloc(places * 8);
    watch->wrong = malloc(places * 8);
    watch->half = malloc(places * 8);
    watch->far_at = malloc(places * 4);
}

static void free_watch(Watch *watch) {
    void *all[] = {watch->origin, watch->loader, watch->unset, watch->far, watch->half, watch->wrong, watch->far_at, watch->exact,
                   watch->known.all, watch->seen.all};
    for (u64 i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

/* A party for each grain, all empty. In huge pages where Linux has them: else page faults cost more than the checks. */
static Party *no_parties(u64 grains) {
    const u64 page = 4096, size = grains * sizeof(Party);
    Party *found = calloc(1, size);
#ifdef __linux__
    const u64 first = ((u64)found + page - 1) / page * page, end = ((u64)found + size) / page * page;
    if (found && end > first) madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
    return found;
}

/* A sanitizer is one for each thread of ours, and lives as long as the launch. */
Sanitizer *new_sanitizer(const Program *p) {
    Sanitizer *s = calloc(1, sizeof *s);
    s->head = malloc((u64)(p->instructions + 1) * 8);
    memset(s->head, 0xFF, (u64)(p->instructions + 1) * 8);
    s->writer = calloc((u64)p->buffer_count + 1, sizeof(Party *));
    s->others = calloc((u64)p->buffer_count + 1, sizeof(Party *));
    for (i64 i = 0; i < p->buffer_count; ++i) {
        const u64 grains = p->buffers[i].size / (u64)p->memory_grain + 2;
        if (!p->buffers[i].writable) continue;
        s->writer[i] = no_parties(grains);
        s->others[i] = calloc(OTHERS * grains, sizeof(Party));
    }
    return s;
}

/* Add to a sanitizer what another thread's saw. */
void meet_sanitizer(const Program *p, Sanitizer *s, const Sanitizer *other) {
    Context c = {.program = p, .sanitizer = s};
    for (i64 i = 0; i < p->buffer_count; ++i)
        if (s->writer[i]) meet_other(&c, other, i, p->buffers[i].size);
    for (i64 i = 0; i < other->findings; ++i) {
        const Finding *theirs = other->finding + i;
        Finding *mine = known_finding(s, (int)theirs->check, theirs->instruction, theirs->other);
        if (mine) mine->count += theirs->count;
        else add_finding(s, theirs);
    }
}

void free_sanitizer(const Program *p, Sanitizer *s) {
    for (i64 i = 0; i < p->buffer_count; ++i) {
        free(s->writer[i]);
        free(s->others[i]);
    }
    for (i64 i = 0; i < s->release_room; ++i) free(s->release[i].told.all);
    void *all[] = {s->finding, s->head, s->writer, s->others, s->release, s};
    for (u64 i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

/* For Python. */
i64 findings_of(const Sanitizer *s, const Finding **found) {
    *found = s->finding;
    return s->findings;
}

i64 finding_bytes(void) { return sizeof(Finding); }
