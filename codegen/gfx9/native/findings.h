/* What the sanitizer finds: one record for each check and pair of instructions, with how often it came.

   Without a sanitizer whatever is at fault ends the run, and the machine in Python tells what it was. */

enum {
    OUT_OF_BOUNDS, MISALIGNED, WRITES_INPUT, UNSET_REGISTER, UNSET_LDS, UNSET_MEMORY, LDS_RACE, LDS_LANES, MEMORY_RACE,
    MEMORY_LANES, SAME_VALUE, EARLY, BARRIER_MISSED, BARRIER_DIVERGES, NO_LANE, OVERFLOWS, CHECKS
};
enum { NOWHERE, IN_MEMORY, IN_LDS, IN_SCRATCH };              /* where an address is */

typedef struct {
    i64 check, instruction, other;                            /* numbers of instructions, -1 where there is none */
    i64 group, wave, lane, other_group, other_wave, other_lane;
    i64 space, size, count, next;
    i64 how;                                                  /* the other accesses: READS and so on (parties.h) */
    i64 loaded, queue, met;                                   /* of EARLY: the register, its queue, who met it; or -1 */
    u64 address, lanes;
} Finding;

typedef struct { u64 address; Knowledge told; } Release;

typedef struct Sanitizer {
    Finding *finding;
    i64 findings, finding_room;
    i64 *head;                                                /* by instruction: its first finding, -1 for none */
    Party **writer, **others;                                 /* of each writable buffer, by grain (parties.h) */
    Release *release;                                         /* by address, hashed */
    i64 releases, release_room;
} Sanitizer;

static int is_checked(const Context *c, int check) { return (int)(c->program->checks >> check & 1); }

/* Room for one more record of an instruction. */
static Finding *add_finding(Sanitizer *s, const Finding *new) {
    if (s->findings == s->finding_room) {
        s->finding_room = 2 * s->finding_room + 64;
        s->finding = realloc(s->finding, (u64)s->finding_room * sizeof(Finding));
    }
    Finding *found = s->finding + s->findings;
    *found = *new;
    found->next = s->head[new->instruction];
    s->head[new->instruction] = s->findings++;
    return found;
}

/* The record of a check and a pair of instructions; 0 if there is none yet. */
static Finding *known_finding(const Sanitizer *s, int check, i64 instruction, i64 other) {
    for (i64 i = s->head[instruction]; i >= 0; i = s->finding[i].next)
        if (s->finding[i].check == check && s->finding[i].other == other) return s->finding + i;
    return 0;
}

/* The record of something new; 0 if it is known (and counted), or not looked for. */
static Finding *note(Context *c, const Wave *w, i64 instruction, i64 other, int check, u64 lanes) {
    Sanitizer *s = c->sanitizer;
    if (!is_checked(c, check)) return 0;
    Finding *known = known_finding(s, check, instruction, other);
    if (known) {
        ++known->count;
        return 0;
    }
    const Finding found = {
        .check = check, .instruction = instruction, .other = other, .group = c->number, .wave = w->number,
        .lane = lanes ? __builtin_ctzll(lanes) : -1, .other_group = -1, .other_wave = -1, .other_lane = -1,
        .space = NOWHERE, .count = 1, .loaded = -1, .queue = -1, .met = -1, .lanes = lanes,
    };
    return add_finding(s, &found);
}

static i64 number_of(const Context *c, const Instruction *what) { return what - c->program->code; }

/* Something is wrong in some lanes: whether the run ends here; else they are left out of it. */
static int ends(Context *c, const Wave *w, const Instruction *what, int check, u64 lanes) {
    if (!c->sanitizer) return 1;
    note(c, w, number_of(c, what), -1, check, lanes);
    return 0;
}

static void put_place(Finding *found, int space, u64 address, u64 size) {
    if (found) found->space = space, found->address = address, found->size = (i64)size;
}

static int ends_at(
    Context *c, const Wave *w, const Instruction *what, int check, int lane, int space, u64 address, u64 size) {
    if (!c->sanitizer) return 1;
    put_place(note(c, w, number_of(c, what), -1, check, lane < 0 ? 0 : 1ull << lane), space, address, size);
    return 0;
}
