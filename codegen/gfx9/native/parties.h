/* Who accessed a grain of memory last, and whether that is ordered before what comes now, in every schedule.

   A wave's own accesses are in order. Waves of a workgroup are ordered by barriers: by what each had waited for
   (LDS), or at all (memory: a compute unit's accesses go through one cache in order). Workgroups are ordered by a
   release (an atomic or coherent store behind all stores that were waited for and written back) and an acquire (a
   coherent load or atomic that saw it, then an invalidated cache). Source: LLVM, "User Guide for AMDGPU Backend",
   Memory Model gfx90a and gfx942. */

enum { READS, WRITES, CHANGES, COHERENTLY };                  /* how; the last two are atomic */
enum { LOUD = 4, MIXED = 8 };                                 /* a write that changed what was there; that wrote several */
enum { NO_QUEUE = 3 };
enum { SECOND_WRITER = 2, OTHERS };                           /* beside the last writer of a grain: two readers, and that */
enum { MOST_RELEASES = 1 << 16 };

static int knows(const Knowledge *k, const Party *p) {
    for (i64 i = 0; i < k->count; ++i) {
        const Known *one = k->all + i;
        if (one->group == p->group && (p->clock < one->base || (p->wave == one->wave && p->clock <= one->clock))) return 1;
    }
    return 0;
}

static void learn(Knowledge *k, const Known *one) {
    for (i64 i = 0; i < k->count; ++i) {
        Known *old = k->all + i;
        if (old->group != one->group) continue;
        if (one->base > old->base || (one->base == old->base && one->wave == old->wave && one->clock > old->clock)) {
            *old = *one;
            return;
        }
        if (old->base > one->base || (old->base == one->base && old->wave == one->wave)) return;
    }
    if (k->count == k->room) {
        k->room = 2 * k->room + 4;
        k->all = realloc(k->all, (u64)k->room * sizeof(Known));
    }
    k->all[k->count++] = *one;
}

static void learn_all(Knowledge *k, const Knowledge *more) {
    for (i64 i = 0; i < more->count; ++i) learn(k, more->all + i);
}

/* Whether a slot is empty: of the LDS, too, what workgroups before this one left there. */
static int is_none(const Context *c, const Party *p, int space) {
    return space == IN_LDS ? p->clock < c->clock : !p->group;
}

static int is_of_group(const Context *c, const Party *p) { return p->queue != NO_QUEUE || p->group == (u32)c->number + 1; }

static int is_ordered(const Context *c, const Wave *w, const Party *p, int space) {
    if (is_none(c, p, space)) return 1;
    if (is_of_group(c, p)) {
        if (p->wave == w->number) return 1;
        if (p->clock < w->watch.base)
            return p->queue == NO_QUEUE || p->number <= c->wave[p->wave].watch.settled[p->queue];
    }
    return p->queue == NO_QUEUE && knows(&w->watch.known, p);
}

/* Atomic on both sides. Before gfx942 a store that others may see at once looks like any other. */
static int both_atomic(const Context *c, int how, const Party *p) {
    const int theirs = p->how & 3;
    if (!c->program->writes_back && (how == COHERENTLY || theirs == COHERENTLY)) return 1;
    return how >= CHANGES && theirs >= CHANGES;
}

static void tell_party(const Context *c, Finding *found, const Party *p, int space, u64 address, u64 size) {
    put_place(found, space, address, size);
    if (!found) return;
    found->other_group = space == IN_LDS ? c->number : (i64)p->group - 1;
    found->other_wave = p->wave;
    found->other_lane = p->lane;
    found->how = p->how & 3;
}

/* Whether two meet only because one was under way when its wave passed the barrier between them. */
static int is_late(const Context *c, const Wave *w, const Party *p) {
    return p->queue != NO_QUEUE && p->clock >= c->clock && p->clock < w->watch.base;
}

/* Two accesses in no order: a race, or a wait that is missing before a barrier. */
static void tell_race(Context *c, const Wave *w, i64 here, const Party *p, int check, u64 on, int space, u64 address, u64 size) {
    if (!is_late(c, w, p)) {
        tell_party(c, note(c, w, here, p->at, check, on), p, space, address, size);
        return;
    }
    const Wave *theirs = c->wave + p->wave;
    Finding *found = note(c, theirs, theirs->watch.barrier_at, p->at, EARLY, 1ull << (p->lane & 63));
    put_place(found, space, address, size);
    if (!found) return;
    found->other_group = c->number, found->other_wave = w->number, found->other_lane = (i64)__builtin_ctzll(on);
    found->queue = p->queue, found->met = here;
}

/* Where a read is kept: two slots are enough to have, for any wave, one that is another's. */
static Party *slot_of(const Context *c, const Wave *w, Party *readers, int space) {
    for (int i = 0; i < SECOND_WRITER; ++i)
        if (!is_none(c, readers + i, space) && is_of_group(c, readers + i) && readers[i].wave == w->number)
            return readers + i;
    return is_ordered(c, w, readers, space) ? readers : readers + 1;
}

/* An access and the place of it, to be told if it races. */
typedef struct { Party mine; i64 here; u64 on, address, size; int space; } Meeting;

/* A write or a read meets a write that is in no order with it: whether both wrote the same. */
static int meets_write(Context *c, const Wave *w, const Meeting *m, const Party *before, int writes) {
    const int how = m->mine.how & 3, race = m->space == IN_LDS ? LDS_RACE : MEMORY_RACE;
    if (is_ordered(c, w, before, m->space) || both_atomic(c, how, before)) return 0;
    if (writes && how == WRITES && m->mine.value == before->value && !(before->how & MIXED)) {
        tell_party(c, note(c, w, m->here, before->at, SAME_VALUE, m->on), before, m->space, m->address, m->size);
        return 1;
    }
    if (writes || before->how & LOUD) tell_race(c, w, m->here, before, race, m->on, m->space, m->address, m->size);
    return 0;
}

/* What a grain gets, in short: up to two bytes as they are. */
static u16 short_value(const u8 *data, u64 size) {
    if (size <= 2) return (u16)(data[0] | (size == 2 ? data[1] << 8 : 0));
    u32 value = 0;
    for (u64 b = 0; b < size; ++b) value = (value << 8 | value >> 24) ^ (u32)data[b] * 0x9E3779B1u;
    return (u16)(value ^ value >> 16);
}

/* One lane's access to a grain. value: what it writes, in short; same: the grain held that before. */
static void meet(Context *c, Wave *w, Party *before, Party *others, const Instruction *what, int lane, int how, int space,
                 u64 address, u16 value, int same) {
    Party mine = {.clock = w->watch.clock, .at = (u32)number_of(c, what), .wave = (u32)w->number, .how = (u32)how,
                  .value = value, .lane = (u8)lane};
    mine.queue = space == IN_LDS ? (u32)what->queue : NO_QUEUE;
    if (space == IN_LDS) mine.number = w->issued[what->queue] + 1;
    else mine.group = (u32)c->number + 1;
    const int writes = how == WRITES || how == CHANGES, is_own =
        !is_none(c, before, space) && is_of_group(c, before) && before->wave == w->number && before->clock >= w->watch.base;
    if (writes && (how == CHANGES || !same)) mine.how |= LOUD;
    const Meeting m = {mine, number_of(c, what), 1ull << (lane & 63), address,
                       (u64)(space == IN_LDS ? c->program->grain : c->program->memory_grain), space};
    const int is_same = meets_write(c, w, &m, before, writes);
    if (before->is_shared && !is_none(c, before, space)) meets_write(c, w, &m, others + SECOND_WRITER, writes);
    if (!writes) {
        *slot_of(c, w, others, space) = mine;
        before->has_readers = 1;
        return;
    }
    if (is_same) {
        mine.how |= before->how & LOUD;
        mine.is_shared = 1;
        others[SECOND_WRITER] = *before;
    } else if (is_own) {
        mine.how |= before->how & (LOUD | MIXED);
        mine.is_shared = before->is_shared;
        if (before->value != mine.value) mine.how |= MIXED;
    }
    mine.has_readers = before->has_readers;
    for (int i = 0; i < SECOND_WRITER && mine.how & LOUD && mine.has_readers; ++i)
        if (!is_ordered(c, w, others + i, space) && !both_atomic(c, how, others + i)) {
            tell_race(c, w, m.here, others + i, space == IN_LDS ? LDS_RACE : MEMORY_RACE, m.on, space, address, m.size);
            break;
        }
    *before = mine;
}

/* Global memory: a lane's bytes, grain by grain; content is what is there before a write. */
static void meet_memory(Context *c, Wave *w, const Instruction *what, int lane, const Buffer *buffer, u64 place, u64 size,
                        int how, const u8 *data) {
    if (!c->sanitizer || !(is_checked(c, MEMORY_RACE) || is_checked(c, SAME_VALUE))) return;
    Party *writer = c->sanitizer->writer[buffer - c->program->buffers];
    Party *others = c->sanitizer->others[buffer - c->program->buffers];
    if (!writer) return;
    const u64 grain = (u64)c->program->memory_grain;
    for (u64 i = place / grain * grain; i < place + size; i += grain) {
        u16 value = 0;
        int same = 0;
        if (data) {
            const u64 first = i > place ? i : place, last = i + grain < place + size ? i + grain : place + size;
            value = short_value(data + (first - place), last - first);
            same = 1;
            for (u64 b = first; b < last; ++b)
                same &= buffer->content[b] == data[b - place] && (!buffer->set || buffer->set[b]);
        }
        meet(c, w, writer + i / grain, others + OTHERS * (i / grain), what, lane, how, IN_MEMORY, buffer->address + i, value, same);
    }
    if (how == WRITES || how == CHANGES) w->watch.stores = 1;
}

/* Where an address is in the table of releases, or would be. */
static Release *release_slot(const Sanitizer *s, u64 address) {
    const u64 last = (u64)(s->release_room - 1);
    u64 slot = address / 4 * 0x9E3779B97F4A7C15ull >> 20 & last;
    while (s->release[slot].address && s->release[slot].address != address) slot = (slot + 1) & last;
    return s->release + slot;
}

static void grow_releases(Sanitizer *s) {
    Release *old = s->release;
    const i64 count = s->release_room;
    s->release_room = count ? 2 * count : 64;
    s->release = calloc((u64)s->release_room, sizeof(Release));
    for (i64 i = 0; i < count; ++i)
        if (old[i].address) *release_slot(s, old[i].address) = old[i];
    free(old);
}

/* A place by which waves tell each other; 0 if there is none, or no room for one. */
static Release *release_at(Context *c, u64 address, int makes) {
    Sanitizer *s = c->sanitizer;
    if (makes && 2 * (s->releases + 1) > s->release_room) {
        if (s->release_room < MOST_RELEASES) grow_releases(s);
        else makes = 0;
    }
    if (!s->release_room) return 0;
    Release *found = release_slot(s, address);
    if (found->address) return found;
    if (!makes) return 0;
    ++s->releases;
    found->address = address;
    return found;
}

/* An atomic or coherent access to memory: what it tells, and what it is told, if a cache is invalidated later. */
static void meet_release(Context *c, Wave *w, const Instruction *what, u64 address, int reads, int writes) {
    if (!c->sanitizer || !is_checked(c, MEMORY_RACE)) return;
    Watch *watch = &w->watch;
    if (reads) {
        const Release *found = release_at(c, address, 0);
        if (found) learn_all(&watch->seen, &found->told);
    }
    const int waited = w->issued[VM] == w->done[VM] && !(c->program->writes_back && watch->dirty);
    if (!writes || !waited || !watch->stores) return;
    Release *to = release_at(c, address, 1);
    if (!to) return;
    if (what->kind == GLOBAL_STORE || what->kind == BUFFER_STORE) to->told.count = 0;
    const Known mine = {(u32)c->number + 1, watch->base, watch->clock, (u32)w->number};
    learn(&to->told, &mine);
    learn_all(&to->told, &watch->known);
}

/* All waves of a workgroup have met: what each did before is ordered before what each does next. */
static void order_waves(Context *c) {
    const i64 waves = c->program->waves;
    u32 clock = 0;
    int dirty = 0, stores = 0;
    for (i64 i = 0; i < waves; ++i) {
        const Watch *watch = &c->wave[i].watch;
        if (watch->clock > clock) clock = watch->clock;
        dirty |= watch->dirty;
        stores |= watch->stores;
    }
    for (i64 i = 0; i < waves; ++i) {
        Wave *w = c->wave + i;
        w->watch.base = w->watch.clock = clock + 1;
        w->watch.dirty = dirty;
        w->watch.stores = stores;
        memcpy(w->watch.settled, w->done, sizeof w->done);
        if (i) learn_all(&c->wave[0].watch.known, &w->watch.known);
    }
    for (i64 i = 1; i < waves; ++i) learn_all(&c->wave[i].watch.known, &c->wave[0].watch.known);
}

/* What two threads of ours saw of one buffer: their workgroups are not ordered (there are no releases). */
static void meet_other(Context *c, const Sanitizer *other, i64 buffer, u64 size) {
    const u64 grain = (u64)c->program->memory_grain;
    const Party *mine[2] = {c->sanitizer->writer[buffer], c->sanitizer->others[buffer]};
    const Party *theirs[2] = {other->writer[buffer], other->others[buffer]};
    for (u64 i = 0; i < (size + grain - 1) / grain; ++i) {
        const Party *a[3] = {mine[0] + i, mine[1] + OTHERS * i, mine[1] + OTHERS * i + 1};
        const Party *b[3] = {theirs[0] + i, theirs[1] + OTHERS * i, theirs[1] + OTHERS * i + 1};
        if (!(a[0]->group | a[0]->has_readers) || !(b[0]->group | b[0]->has_readers)) continue;
        for (int k = 0; k < 9; ++k) {
            if ((k / 3 && k % 3) || (k / 3 && !a[0]->has_readers) || (k % 3 && !b[0]->has_readers)) continue;
            const Party *one = a[k / 3], *two = b[k % 3];
            if (!one->group || !two->group || one->group == two->group || both_atomic(c, one->how & 3, two)) continue;
            const int writes = k == 0, is_same = writes && one->value == two->value && !((one->how | two->how) & MIXED);
            if (!writes && !((k / 3 ? two : one)->how & LOUD)) continue;
            c->number = (i64)one->group - 1;
            Wave w = {.number = one->wave};
            Finding *found = note(c, &w, one->at, two->at, is_same ? SAME_VALUE : MEMORY_RACE, 1ull << (one->lane & 63));
            tell_party(c, found, two, IN_MEMORY, c->program->buffers[buffer].address + i * grain, grain);
        }
    }
}
