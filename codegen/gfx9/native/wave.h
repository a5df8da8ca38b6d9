/* Types of the machine: instructions as records, waves with marked registers, faults.

   Registers of lanes (v, then a) stand in one file of rows of 64 words; a mark is a bit a lane. */
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

void *malloc(unsigned long);
#ifdef __linux__
int madvise(void *, unsigned long, int);
enum { MADV_HUGEPAGE = 14 };
#endif
void *calloc(unsigned long, unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
int memcmp(const void *, const void *, unsigned long);

enum { ALL_LANES = 255 };                                     /* in place of a lane: what a wave does once */
enum { LANES = 64, SCALARS = 128, VCC = 106, EXEC = 126, MOST_WAVES = 16 };
enum { NUMBER, ROW, SCALAR, M0, SCC, MASK, LANE, INDEXED, VSKIP }; /* banks of words */
enum { VM, LDS, SMEM, QUEUES };                               /* queues of s_waitcnt */
enum { VMCNT_END = 63, LGKMCNT_END = 15 };                    /* what its counters hold at most */
#define PRIVATE_SEGMENT 0x200000000000ull                     /* address of scratch memory as a buffer */
enum { RUNNING, WAITING, ENDED };
enum { FINE, FAULT, HANGS, PAUSED };
enum { SLICE = 1 << 17, MOST_TOGETHER = 1024 };               /* instructions at a time; workgroups at once */
enum {
    NOTHING, UNKNOWN, VECTOR, WAVE, FIRST_LANE, MATRIX, GLOBAL_LOAD, GLOBAL_STORE, GLOBAL_TO_LDS, BUFFER_LOAD,
    BUFFER_STORE, BUFFER_TO_LDS, SCALAR_LOAD, SCALAR_STORE, LDS_READ, LDS_WRITE, LDS_PERMUTE, LDS_PUSH, LDS_SWIZZLE,
    READ_LANE, WRITE_LANE, SWAP, ATOMIC, BUFFER_ATOMIC, LDS_ATOMIC, SCRATCH_LOAD, SCRATCH_STORE, WAIT, INVALIDATE,
    WRITE_BACK, BRANCH, BARRIER, END
};
enum { ALWAYS, SCC0, SCC1, VCCZ, VCCNZ, EXECZ, EXECNZ };      /* conditions of branches */
enum {
    SIGNED = 1, HIGH = 2, KEEPS_OTHER_HALF = 4, TRANSPOSED = 8, HAS_BASE = 16, HAS_OFFSET = 32, HAS_INDEX = 64,
    RETURNS = 128, COHERENT = 256
};
enum { READ = 1, LOADED = 2 };                                /* how an instruction uses registers */

typedef struct { i32 bank, index; u32 value; } Word;
typedef struct { i32 first, count, how; } Range;              /* scalars stand behind the rows */

typedef struct {
    i32 kind, row, sources, targets;
    Word source[12], target[6];
    u32 depends[6];
    i32 ranges, queue;
    Range range[8];
    i32 loaded, loads;                                        /* registers that will be loaded */
    i32 bytes, parts, flags, condition, jump, is_entry, wait[QUEUES], moved, move, elements, sum;
    i32 indexed, is_vector;                                   /* has words that M0 chooses; is skipped (s_setvskip) */
    i64 offset[2];
} Instruction;

typedef struct { u64 address, size; u8 *content, *set, *written; i64 writable; u64 alignment; } Buffer;

typedef void (*Row)(const u32 *const *, u32 *const *);

typedef struct { i32 lane[LANES]; u64 mask; i64 zeros; } Move;        /* from which lanes (lane_moves.py) */

struct Matrix;
typedef struct {
    const Instruction *code;
    const Row *rows;
    const struct Matrix *matrices;
    const Move *moves;
    const Buffer *buffers;
    i64 instructions, buffer_count, rows_of_lanes, lds_bytes, lds_alignment, grain, line_bytes, waves, m0_mask, most_steps;
    i64 scratch_bytes;                                        /* of a lane */
    i64 skips_races, skips_waits;                             /* checks that are left out */
    i64 may_wait;                                             /* for another workgroup, through memory */
    i64 checks, memory_grain, writes_back, is_compiled;       /* of the sanitizer (findings.h, parties.h, barriers.h) */
} Program;

typedef struct { u32 number, queue, is_write, size; u64 lanes; u32 at[LANES]; } Access;

/* What a wave knows to have been done by another workgroup: all before `base`, and by one wave up to `clock`. */
typedef struct { u32 group, base, clock, wave; } Known;
typedef struct { Known *all; i64 count, room; } Knowledge;

/* What the sanitizer keeps of a wave: where values come from (origins.h, sums.h), what is ordered (parties.h). */
typedef struct {
    i32 *origin, *loader;                                     /* of rows, then scalars */
    u64 *unset;                                               /* of pairs of scalars that are a mask: lanes never set */
    u64 *far, *half, *wrong;                                  /* lanes: sums that left 32 bits, and what came of them */
    i64 *exact;
    i32 *far_at;
    u64 start_exec;
    u32 base, clock, settled[QUEUES];
    i64 barrier_at;                                           /* the last that it came to */
    i64 idle, furthest;                                       /* memory accessed with no lane on; furthest since a barrier */
    int stores, dirty;                                        /* to memory: any, and any not written back */
    Knowledge known, seen;
} Watch;

typedef struct {
    u32 *row;                                                 /* rows x 64 */
    u64 *set;                                                 /* marks, a bit a lane */
    u32 *pending;                                             /* number << 2 | queue of a load */
    u32 scalar[SCALARS], m0, scc, skips;
    u8 scalar_set[SCALARS];
    u32 issued[QUEUES], done[QUEUES], loading[QUEUES];
    u8 *scratch, *scratch_set;                                /* lanes x bytes */
    Access *access;
    i64 accesses, room;
    i64 place, status, number;
    Watch watch;
} Wave;

typedef struct { u32 written, read; u16 writers, readers; u8 set; } Grain;  /* epochs, a bit a wave */

typedef struct { i64 instruction, part, count; u64 lanes, hash[2]; i64 at[LANES]; } Pattern;

/* An access to a grain of memory: by whom and when, and what was written there. Small, for there are many. */
typedef struct {
    union {
        u32 group;                                            /* of global memory: 1 more than its number, 0 for none */
        u32 number;                                           /* of the LDS: in the queue of s_waitcnt */
    };
    u32 clock;
    u32 at : 20, wave : 4, how : 4, queue : 2;
    u32 is_shared : 1, has_readers : 1;                       /* of a writer: another wrote the same in no order; was read */
    u16 value;
    u8 lane;
} Party;

struct Sanitizer;
typedef struct Context {
    const Program *program;
    struct Context *next;                                     /* of workgroups that run beside those of this one */
    struct Sanitizer *sanitizer;                              /* 0: what is at fault ends the run */
    Wave wave[MOST_WAVES];
    u8 *lds;
    Grain *grain;
    Party *lds_writer, *lds_others;                           /* of each grain, as the sanitizer sees it (parties.h) */
    u32 epoch, clock;                                         /* clock: at which this workgroup began */
    u64 *times;
    Pattern *pattern;
    i64 patterns, pattern_room;
    i64 *slot;                                                /* hash table of patterns, -1 where free */
    i64 slots;
    i64 *trace;                                               /* pairs: from, to */
    i64 spans, trace_room, traces;
    u64 atomics[2];                                           /* instructions: global, LDS */
    i64 steps, last_buffer, group, number, fault_wave, fault_instruction;  /* number: of the workgroup in the launch */
} Context;

static inline u64 exec_of(const Wave *w) { return w->scalar[EXEC] | (u64)w->scalar[EXEC + 1] << 32; }

static inline u64 all_if(int truth) { return truth ? ~0ull : 0; }

/* 64 words that are 0 or 1 as bits, and back */
static u64 packed(const u32 *restrict words) {
    u32 low = 0, high = 0;
    for (int l = 0; l < 32; ++l) low |= (words[l] != 0) << l;
    for (int l = 0; l < 32; ++l) high |= (u32)(words[l + 32] != 0) << l;
    return low | (u64)high << 32;
}

static void unpacked(u64 bits, u32 *restrict words) {
    const u32 low = (u32)bits, high = (u32)(bits >> 32);
    for (int l = 0; l < 32; ++l) words[l] = low >> l & 1;
    for (int l = 0; l < 32; ++l) words[l + 32] = high >> l & 1;
}

/* The row of a word, which M0 may choose. */
static inline i64 row_of(const Wave *w, const Word *word) {
    return word->index + (word->bank == INDEXED ? (i64)(w->m0 & 255) : 0);
}

/* One word of each lane; returns its marks. */
static u64 words_of(const Wave *w, const Word *from, u32 *restrict room, const u32 **found) {
    u32 value = from->value;
    u64 marks = ~0ull;
    *found = room;
    switch (from->bank) {
    case ROW:
    case INDEXED:
        *found = w->row + row_of(w, from) * LANES;
        return w->set[row_of(w, from)];
    case MASK:
        unpacked(w->scalar[from->index] | (u64)w->scalar[from->index + 1] << 32, room);
        if (w->scalar_set[from->index] & w->scalar_set[from->index + 1]) return ~0ull;
        return w->watch.unset ? ~w->watch.unset[from->index] : 0;
    case SCALAR:
        value = w->scalar[from->index];
        marks = all_if(w->scalar_set[from->index]);
        break;
    case M0: value = w->m0; break;
    case SCC: value = w->scc; break;
    case LANE:
        for (u32 l = 0; l < LANES; ++l) room[l] = l;
        return marks;
    }
    for (int l = 0; l < LANES; ++l) room[l] = value;
    return marks;
}

/* One word of the wave; adds to `set` whether it was set. */
static u32 word_of(const Wave *w, const Word *from, int *set) {
    switch (from->bank) {
    case SCALAR: *set &= w->scalar_set[from->index]; return w->scalar[from->index];
    case M0: return w->m0;
    case SCC: return w->scc;
    }
    return from->value;
}

/* Write the lanes that are switched on. */
static void write_row(Wave *w, i64 index, const u32 *restrict words, u64 marks, u64 exec) {
    u32 *restrict row = w->row + index * LANES;
    if (exec == ~0ull) {
        memcpy(row, words, LANES * sizeof(u32));
        w->set[index] = marks;
        return;
    }
    u32 on[LANES];
    unpacked(exec, on);
    for (int l = 0; l < LANES; ++l) row[l] = on[l] ? words[l] : row[l];
    w->set[index] = (w->set[index] & ~exec) | (marks & exec);
}

static void write_wave(Wave *w, const Word *to, u32 value, int set) {
    switch (to->bank) {
    case SCC: w->scc = value != 0; return;
    case M0: w->m0 = value; return;
    case VSKIP: w->skips = value != 0; return;
    }
    w->scalar[to->index] = value;
    w->scalar_set[to->index] = (u8)set;
}
