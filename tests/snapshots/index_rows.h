#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stdint.h>

// merged: 0 <= i0 < K*M; for all 1 <= M <= 4096, 8 <= K <= 2048, K % 8 == 0
// offset = 8*(i0 / K) + i0
// int32_t holds every value on the way: they lie between 0 and 8421367.

// A divisor as multiplier and shift (Granlund and Montgomery 1994), exact for 0 <= n < 2^31.
struct merged_divisor
{
    uint32_t multiplier;
    uint32_t shift;
};

static inline struct merged_divisor merged_make_divisor(uint32_t divisor)
{
    struct merged_divisor by = {0, 0};
    while (((uint64_t)1 << by.shift) < divisor)
    {
        ++by.shift;
    }
    by.multiplier = (uint32_t)(((((uint64_t)1 << by.shift) - divisor) << 32) / divisor + 1);
    return by;
}

static inline int32_t merged_divide(int32_t n, struct merged_divisor by)
{
    const uint32_t high = (uint32_t)(((uint64_t)(uint32_t)n * by.multiplier) >> 32);
    return (int32_t)((high + (uint32_t)n) >> by.shift);
}

// What depends on sizes alone: made once, by merged_make_sizes.
struct merged_sizes
{
    struct merged_divisor by_K;
};

// Whether sizes are as merged_make_sizes relies on.
static inline bool merged_sizes_hold(int64_t M, int64_t K)
{
    return (1 <= M) && (M <= 4096) && (8 <= K) && (K <= 2048) && (K % 8 == 0);
}

// Relied on, as merged_sizes_hold tells: 1 <= M <= 4096, 8 <= K <= 2048, K % 8 == 0.
static inline struct merged_sizes merged_make_sizes(int32_t M, int32_t K)
{
    (void)M;
    struct merged_sizes sizes;
    sizes.by_K = merged_make_divisor((uint32_t)K);
    return sizes;
}

static inline int32_t merged_offset(int32_t i0, const struct merged_sizes *sizes)
{
    return 8 * merged_divide(i0, sizes->by_K) + i0;
}

static inline bool merged_valid(int32_t i0, const struct merged_sizes *sizes)
{
    (void)i0; (void)sizes;
    return true;
}

#endif  // ROWS_H
