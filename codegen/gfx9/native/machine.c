/* Workgroups one after the other, their waves in turn, each as far as a barrier or its end.

   What is checked is what the machine in Python checks; it is asked again where something is at fault. Where
   waves may wait for each other through memory, one that goes on for long lets others go on. */
#include "wave.h"
#include "findings.h"
#include "origins.h"
#include "masks.h"
#include "sums.h"
#include "transfers.h"
#include "parties.h"
#include "scratch.h"
#include "memory.h"
#include "lanes.h"
#include "lds.h"
#include "matrix.h"
#include "atomic.h"
#include "barriers.h"
#include "sanitizer.h"

static void vector(Context *c, Wave *w, const Instruction *what) {
    const Program *p = c->program;
    u32 room[12][LANES], found[6][LANES];
    const u32 *in[12];
    u32 *out[6];
    u64 marks[12];
    u64 exec = exec_of(w);
    for (i32 i = 0; i < what->sources; ++i) marks[i] = words_of(w, what->source + i, room[i], &in[i]);
    if (what->moved) {
        const Move *move = p->moves + what->move;
        const u64 there = lanes_there(move, exec);
        for (i32 i = 0; i < what->moved; ++i) {
            marks[i] = moved(move, there, in[i], marks[i], room[i]);
            in[i] = room[i];
        }
        exec &= move->mask & (move->zeros ? ~0ull : there);
    }
    for (i32 i = 0; i < what->targets; ++i) out[i] = found[i];
    p->rows[what->row](in, out);
    if (w->watch.far) keep_exact(c, w, what, in, out, exec, LANES);
    for (i32 i = 0; i < what->targets; ++i) {
        const Word *to = what->target + i;
        u64 known = ~0ull;
        for (u32 of = what->depends[i]; of; of &= of - 1) known &= marks[__builtin_ctz(of)];
        if (what->sum == SELECT) { /* what is not chosen need not have been set */
            const u64 chosen = packed(in[2]);
            known = ((chosen & marks[1]) | (~chosen & marks[0])) & marks[2];
        }
        if (c->sanitizer && exec & ~known) computed_unset(c, w, what, to, exec & ~known);
        if (to->bank == MASK) {
            const u64 bits = packed(found[i]) & exec;
            w->scalar[to->index] = (u32)bits;
            w->scalar[to->index + 1] = (u32)(bits >> 32);
            w->scalar_set[to->index] = w->scalar_set[to->index + 1] = (known | ~exec) == ~0ull;
        } else {
            write_row(w, row_of(w, to), found[i], known, exec);
        }
    }
}

static void wave_arithmetic(Context *c, Wave *w, const Instruction *what) {
    const Program *p = c->program;
    u32 value[12], result[6];
    const u32 *in[12];
    u32 *out[6];
    u32 unset = 0;
    for (i32 i = 0; i < what->sources; ++i) {
        int set = 1;
        value[i] = word_of(w, what->source + i, &set);
        unset |= (u32)!set << i;
        in[i] = value + i;
    }
    for (i32 i = 0; i < what->targets; ++i) out[i] = result + i;
    p->rows[what->row](in, out);
    if (w->watch.far) keep_exact(c, w, what, in, out, ~0ull, 1);
    if (c->sanitizer && unset) {
        const u32 never = masked_unset(c, w, what, value, unset);
        for (i32 i = 0; i < what->targets; ++i) write_wave(w, what->target + i, result[i], !(never >> i & 1));
        return;
    }
    for (i32 i = 0; i < what->targets; ++i) write_wave(w, what->target + i, result[i], !(unset & what->depends[i]));
}

/* Whether a branch is taken; -1 where its condition was never set. */
static int is_taken(const Wave *w, const Instruction *what) {
    const u64 vcc = w->scalar[VCC] | (u64)w->scalar[VCC + 1] << 32;
    const int set = w->scalar_set[VCC] & w->scalar_set[VCC + 1];
    switch (what->condition) {
    case SCC0: return !w->scc;
    case SCC1: return w->scc != 0;
    case VCCZ: return set ? vcc == 0 : -1;
    case VCCNZ: return set ? vcc != 0 : -1;
    case EXECZ: return exec_of(w) == 0;
    case EXECNZ: return exec_of(w) != 0;
    }
    return 1;
}

static void note_span(Context *c, i64 from, i64 to) {
    if (c->spans == c->trace_room) {
        c->trace_room = 2 * c->trace_room + 64;
        c->trace = realloc(c->trace, (u64)c->trace_room * 2 * sizeof(i64));
    }
    c->trace[2 * c->spans] = from;
    c->trace[2 * c->spans++ + 1] = to;
}

static int execute(Context *c, Wave *w, const Instruction *what) {
    switch (what->kind) {
    case VECTOR: vector(c, w, what); return FINE;
    case WAVE: wave_arithmetic(c, w, what); return FINE;
    case MATRIX: multiply(c, w, what, c->program->matrices + what->row); return FINE;
    case FIRST_LANE: return first_lane(c, w, what);
    case GLOBAL_LOAD: return global_load(c, w, what);
    case GLOBAL_STORE: return global_store(c, w, what);
    case GLOBAL_TO_LDS: return global_to_lds(c, w, what);
    case UNKNOWN: return FAULT;
    case READ_LANE: return read_lane(c, w, what);
    case WRITE_LANE: return write_lane(c, w, what);
    case SWAP: swap_lanes(w, what); return FINE;
    case LDS_PUSH: return lds_push(c, w, what);
    case LDS_SWIZZLE: lds_swizzle(c, w, what); return FINE;
    case BUFFER_TO_LDS: return buffer_to_lds(c, w, what);
    case ATOMIC:
    case BUFFER_ATOMIC: return memory_atomic(c, w, what);
    case LDS_ATOMIC: return lds_atomic(c, w, what);
    case SCRATCH_LOAD:
    case SCRATCH_STORE: return scratch_transfer(c, w, what);
    case BUFFER_LOAD: return buffer_load(c, w, what);
    case BUFFER_STORE: return buffer_store(c, w, what);
    case SCALAR_LOAD: return scalar_load(c, w, what);
    case SCALAR_STORE: return scalar_store(c, w, what);
    case LDS_READ: return lds_read(c, w, what);
    case LDS_WRITE: return lds_write(c, w, what);
    case LDS_PERMUTE: return lds_permute(c, w, what);
    case WAIT: wait_for(w, what); return FINE;
    case INVALIDATE:
        if (c->sanitizer) learn_all(&w->watch.known, &w->watch.seen);
        return FINE;
    case WRITE_BACK: w->watch.dirty = 0; return FINE;
    }
    return FINE;
}

static const Word CONDITION = {MASK, VCC, 0};

/* Run a wave until it waits or ends; PAUSED where it went on for long and may wait for another. */
static int advance(Context *c, Wave *w) {
    const Program *p = c->program;
    i64 from = w->place;
    const int traces = c->traces && w->number == 0;
    const i64 pause = p->may_wait ? c->steps + SLICE : INT64_MAX;
    while (w->status == RUNNING) {
        if (c->steps > pause) {
            if (traces) note_span(c, from, w->place);
            return PAUSED;
        }
        if (w->place >= p->instructions || ++c->steps > p->most_steps) {
            c->fault_instruction = w->place;
            return w->place >= p->instructions ? FAULT : HANGS;
        }
        const Instruction *what = p->code + w->place;
        ++c->times[w->place];
        c->fault_instruction = w->place++;
        if (!p->skips_waits && ends_early(c, w, what)) return FAULT;
        if (what->indexed && is_bad_index(p, w, what)) return FAULT;
        if (w->skips && what->is_vector) continue;
        if (c->sanitizer) watch_lanes(c, w, what);
        if (what->kind < BRANCH) {
            if (execute(c, w, what) != FINE) return FAULT;
            if (traces && p->code[w->place].is_entry) {
                note_span(c, from, w->place);
                from = w->place;
            }
            continue;
        }
        if (traces) note_span(c, from, w->place);
        if (what->kind == END) w->status = ENDED;
        if (what->kind == BARRIER) {
            w->status = WAITING;
            if (c->sanitizer) meet_barrier(c, w, what);
        }
        if (what->kind == BRANCH) {
            const int taken = is_taken(w, what);
            if (taken < 0 && ends_unset(c, w, what, &CONDITION, 1, ~0ull)) return FAULT;
            if (taken > 0) w->place = what->jump;
        }
        from = w->place;
    }
    return FINE;
}

/* All waves wait or have ended: those that wait go on; whether there are any. */
static int pass_barrier(Context *c) {
    i64 waiting = 0;
    for (i64 i = 0; i < c->program->waves; ++i) waiting += c->wave[i].status == WAITING;
    if (waiting == 0) return 0;
    ++c->epoch;
    if (c->sanitizer) {
        tell_missed(c);
        order_waves(c);
    }
    for (i64 i = 0; i < c->program->waves; ++i) {
        Wave *w = c->wave + i;
        if (w->status == WAITING) w->status = RUNNING;
        for (i64 k = 0; k < w->accesses && !c->sanitizer; ++k) touch_again(c, w, w->access + k);
    }
    return 1;
}

static void begin(Context *c, const u32 *scalar, const u8 *scalar_set, const u32 *row, const u64 *set, i64 rows) {
    const Program *p = c->program;
    const i64 grains = (p->lds_bytes + p->grain - 1) / p->grain;
    memset(c->grain, 0, (u64)grains * sizeof(Grain));
    c->epoch = 1;
    u32 clock = 1; /* later than all that was before */
    for (i64 i = 0; i < p->waves && c->sanitizer; ++i)
        if (c->wave[i].watch.clock >= clock) clock = c->wave[i].watch.clock + 1;
    c->clock = clock;
    for (i64 i = 0; i < p->waves; ++i) {
        Wave *w = c->wave + i;
        memset(w->row, 0, (u64)p->rows_of_lanes * LANES * 4);
        memset(w->set, 0, (u64)p->rows_of_lanes * 8);
        memset(w->scratch_set, 0, (u64)p->scratch_bytes * LANES);
        memset(w->pending, 0, (u64)(p->rows_of_lanes + SCALARS) * 4);
        memcpy(w->scalar, scalar + i * SCALARS, sizeof w->scalar);
        memcpy(w->scalar_set, scalar_set + i * SCALARS, sizeof w->scalar_set);
        memcpy(w->row, row + i * rows * LANES, (u64)rows * LANES * 4);
        memcpy(w->set, set + i * rows, (u64)rows * 8);
        memset(w->issued, 0, sizeof w->issued);
        memset(w->done, 0, sizeof w->done);
        memset(w->loading, 0, sizeof w->loading);
        if (c->sanitizer) begin_watch(p, w, c->clock);
        w->m0 = w->scc = w->skips = 0;
        w->accesses = w->place = w->status = 0;
        w->number = i;
    }
}

Context *new_context(const Program *p, Sanitizer *sanitizer, i64 traces) {
    Context *c = malloc(sizeof(Context));
    memset(c, 0, sizeof *c);
    c->program = p;
    c->sanitizer = sanitizer;
    c->traces = traces;
    const i64 grains = (p->lds_bytes + p->grain - 1) / p->grain;
    c->lds = malloc((u64)(grains * p->grain) + 16);
    c->grain = malloc((u64)grains * sizeof(Grain) + 16);
    if (sanitizer) {
        c->lds_writer = calloc((u64)grains + 1, sizeof(Party));
        c->lds_others = calloc(OTHERS * (u64)grains + OTHERS, sizeof(Party));
    }
    c->times = malloc((u64)p->instructions * 8);
    memset(c->times, 0, (u64)p->instructions * 8);
    c->pattern_room = 256;
    c->pattern = malloc((u64)c->pattern_room * sizeof(Pattern));
    c->slots = 1024;
    c->slot = malloc((u64)c->slots * sizeof(i64));
    memset(c->slot, 0xFF, (u64)c->slots * sizeof(i64));
    for (i64 i = 0; i < p->waves; ++i) {
        c->wave[i].row = malloc((u64)p->rows_of_lanes * LANES * 4);
        c->wave[i].set = malloc((u64)p->rows_of_lanes * 8);
        c->wave[i].scratch = malloc((u64)p->scratch_bytes * LANES + 16);
        c->wave[i].scratch_set = malloc((u64)p->scratch_bytes * LANES + 16);
        memset(c->wave[i].scratch, 0, (u64)p->scratch_bytes * LANES + 16);
        c->wave[i].pending = malloc((u64)(p->rows_of_lanes + SCALARS) * 4);
        if (sanitizer) new_watch(p, &c->wave[i].watch);
    }
    return c;
}

/* A workgroup goes on until it ends, or until one of its waves went on for long. */
static int go_on(Context *c) {
    do {
        int pauses = 0;
        for (c->fault_wave = 0; c->fault_wave < c->program->waves; ++c->fault_wave) {
            const int code = advance(c, c->wave + c->fault_wave);
            if (code == PAUSED) pauses = 1;
            else if (code != FINE) return code;
        }
        if (pauses) return PAUSED;
    } while (pass_barrier(c));
    return FINE;
}

/* The first registers of the waves of workgroups, one after the other. */
typedef struct {
    i64 groups, rows;
    const i64 *numbers;
    const u32 *scalar, *row;
    const u8 *scalar_set;
    const u64 *set;
} Start;

static void start(Context *c, const Start *given, i64 group) {
    const i64 first = group * c->program->waves * SCALARS;
    c->group = group;
    c->number = given->numbers[group];
    c->steps = 0;
    begin(c, given->scalar + first, given->scalar_set + first, given->row, given->set, given->rows);
}

/* Run workgroups one after the other; where all that began wait for another, it begins beside them. */
int run_workgroups(
    Context *c, i64 groups, const i64 *numbers, const u32 *scalar, const u8 *scalar_set, const u32 *row, const u64 *set, i64 rows) {
    const Start given = {groups, rows, numbers, scalar, row, scalar_set, set};
    i64 next = 0, together = 1, left = groups;
    for (Context *one = c; one; one = one->next) one->group = -1;
    start(c, &given, next++);
    while (left) {
        int moves = 0;
        for (Context *one = c; one; one = one->next) {
            int code = FINE;
            while (one->group >= 0 && (code = go_on(one)) == FINE) {
                one->traces = 0;
                one->group = -1;
                moves = 1;
                if (--left && next < groups) start(one, &given, next++);
            }
            if (one->group < 0 || code == PAUSED) continue;
            c->group = one->group, c->fault_wave = one->fault_wave, c->fault_instruction = one->fault_instruction;
            return code;
        }
        if (moves || next == groups || together == MOST_TOGETHER) continue;
        Context *free_one = c;
        while (free_one->group >= 0 && free_one->next) free_one = free_one->next;
        if (free_one->group >= 0) {
            free_one->next = new_context(c->program, c->sanitizer, 0);
            free_one = free_one->next;
            ++together;
        }
        start(free_one, &given, next++);
    }
    return FINE;
}

/* The context of workgroups that were run beside those of another; 0 if there is none. */
Context *next_context(const Context *c) { return c->next; }

typedef struct { u64 *times; Pattern *pattern; i64 *trace; i64 patterns, spans, group, wave, instruction, atomics[2]; } Summary;

void summary_of(const Context *c, Summary *found) {
    *found = (Summary){c->times, c->pattern, c->trace, c->patterns, c->spans, c->group, c->fault_wave,
                       c->fault_instruction, {(i64)c->atomics[0], (i64)c->atomics[1]}};
}

/* For Python, which writes the records: how long it must think one is. */
i64 record_bytes(void) { return sizeof(Instruction); }

/* The registers of a wave as they are. */
void registers_of(const Context *c, i64 wave, u32 *row, u64 *set, u32 *scalar, u8 *scalar_set, u32 *scc) {
    const Wave *w = c->wave + wave;
    memcpy(row, w->row, (u64)c->program->rows_of_lanes * LANES * 4);
    memcpy(set, w->set, (u64)c->program->rows_of_lanes * 8);
    memcpy(scalar, w->scalar, sizeof w->scalar);
    memcpy(scalar_set, w->scalar_set, sizeof w->scalar_set);
    *scc = w->scc;
}

void free_context(Context *c) {
    if (c->next) free_context(c->next);
    free(c->lds_writer);
    free(c->lds_others);
    for (i64 i = 0; i < c->program->waves; ++i) {
        free(c->wave[i].row);
        free(c->wave[i].set);
        free(c->wave[i].scratch);
        free(c->wave[i].scratch_set);
        free(c->wave[i].pending);
        free(c->wave[i].access);
        free_watch(&c->wave[i].watch);
    }
    free(c->lds);
    free(c->grain);
    free(c->times);
    free(c->pattern);
    free(c->slot);
    free(c->trace);
    free(c);
}
