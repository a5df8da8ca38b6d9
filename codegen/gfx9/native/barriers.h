/* What the sanitizer looks at where waves meet, and where none of their lanes is on. */

/* A wave comes to a barrier: with the lanes that it began with, if it is one that all threads reach. */
static void meet_barrier(Context *c, Wave *w, const Instruction *what) {
    const u64 exec = exec_of(w), begun = w->watch.start_exec;
    w->watch.barrier_at = number_of(c, what);
    w->watch.furthest = -1;
    if (!exec) note(c, w, number_of(c, what), -1, NO_LANE, 0);
    else if (begun & ~exec) note(c, w, number_of(c, what), -1, BARRIER_DIVERGES, begun & ~exec);
}

/* Memory accessed while no lane is on: told at the end of the wave if none came on again. */
static void watch_lanes(Context *c, Wave *w, const Instruction *what) {
    const i64 here = number_of(c, what);
    const int accesses = what->bytes && what->is_vector;
    if (exec_of(w)) w->watch.idle = -1;
    else if (accesses && w->watch.idle < 0) w->watch.idle = here;
    if (accesses && exec_of(w) && here > w->watch.furthest) w->watch.furthest = here;
    if (what->kind == END && w->watch.idle >= 0) note(c, w, w->watch.idle, -1, NO_LANE, 0);
}

/* Waves wait at a barrier that another one has passed by and ended. The hardware does not wait for that one, and
   hand-written code relies on it for waves that have nothing to do there; HIP and Triton mean all threads. */
static void tell_missed(Context *c) {
    for (i64 i = 0; i < c->program->waves; ++i) {
        const Wave *ended = c->wave + i;
        if (ended->status != ENDED) continue;
        for (i64 k = 0; k < c->program->waves; ++k) {
            const Wave *waits = c->wave + k;
            const int went_on = ended->watch.furthest >= waits->place;
            if (waits->status != WAITING || !(went_on | (int)c->program->is_compiled)) continue;
            Finding *found = note(c, waits, waits->place - 1, ended->place - 1, BARRIER_MISSED, 0);
            if (found) found->other_group = c->number, found->other_wave = i;
            break;
        }
    }
}
