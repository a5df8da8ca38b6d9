/* What the sanitizer finds: one record for each check and pair of instructions, with how often it came.

   Without a sanitizer whatever is at fault ends the run, and the machine in Python tells what it was. */

enum {
    OUT_OF_BOUNDS, MISALIGNED, WRITES_INPUT, UNSET_REGISTER, UNSET_LDS, UNSET_MEMORY, LDS_RACE, LDS_LANES, MEMORY_RACE,
    MEMORY_LANES, SAME_VALUE, EARLY, BARRIER_MISSED, BARRIER_DIVERGES, NO_LANE, OVERFLOWS, NO_END, NOT_EXECUTED, CHECKS
};
enum { NOWHERE, IN_MEMORY, IN_LDS, IN_SCRATCH };              /* where an address is */
enum { MOST_FINDINGS = 4096 };

typedef struct {
    i64 check, instruction, other;                            /* numbers of instructions, -1 where there is none */
    i64 group, wave, lane, other_group, other_wave, other_lane;
    i64 space, size, detail, count, next;
    u64 address, lanes;
} Finding;

typedef struct { u64 address; Knowledge told; } Release;

typedef struct Sanitizer {
    Finding *finding;
    i64 findings;
    i64 *head;                                                /* by instruction: its first finding, -1 for none */
    Party **writer, **others;                                 /* of each writable buffer, by grain (parties.h) */
    Release *release;                                         /* by address, hashed */
    i64 releases, release_room;
} Sanitizer;

static int is_checked(const Context *c, int check) { return (int)(c->program->checks >> check & 1); }

/* The record of something new; 0 if it is known (and counted), or not looked for. */
static Finding *note(Context *c, const Wave *w, i64 instruction, i64 other, int check, u64 lanes) {
    Sanitizer *s = c->sanitizer;
    if (!is_checked(c, check)) return 0;
    for (i64 i = s->head[instruction]; i >= 0; i = s->finding[i].next)
        if (s->finding[i].check == check && s->finding[i].other == other) {
            ++s->finding[i].count;
            return 0;
        }
    if (s->findings == MOST_FINDINGS) return 0;
    Finding *found = s->finding + s->findings;
    *found = (Finding){check, instruction, other, c->number, w->number, lanes ? __builtin_ctzll(lanes) : -1, -1, -1, -1,
                       NOWHERE, 0, 0, 1, s->head[instruction], 0, lanes};
    s->head[instruction] = s->findings++;
    return found;
}

static i64 number_of(const Context *c, const Instruction *what) { return what - c->program->code; }

/* Something is wrong in some lanes: whether the run ends here; else they are left out of it. */
static int ends(Context *c, const Wave *w, const Instruction *what, int check, u64 lanes) {
    if (!c->sanitizer) return 1;
    note(c, w, number_of(c, what), -1, check, lanes);
    return 0;
}

static int ends_at(
    Context *c, const Wave *w, const Instruction *what, int check, int lane, int space, u64 address, u64 size) {
    if (!c->sanitizer) return 1;
    Finding *found = note(c, w, number_of(c, what), -1, check, lane < 0 ? 0 : 1ull << lane);
    if (found) found->space = space, found->address = address, found->size = (i64)size;
    return 0;
}
