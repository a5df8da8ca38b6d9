/* What rows of arithmetic call: powers of two, halves, of which processors know little, floats of 8 bits. */
#include <stdint.h>

/* A number times a power of two, a lane at a time: clang 22 fails where AVX-512 would make several at once. */
static __attribute__((noinline)) double times_power(double number, int power) {
    return __builtin_ldexp(number, power);
}

/* The half nearest to a number: rounded to odd on the way, so that it is rounded once. */
static inline _Float16 half_of(double number) {
    union { float number; uint32_t bits; } found = {(float)number};
    if ((double)found.number == number || number != number) return (_Float16)found.number;
    if (__builtin_fabs((double)found.number) > __builtin_fabs(number)) found.bits -= 1;
    found.bits |= 1;
    return (_Float16)found.number;
}

/* a * b + c of halves: the product is exact, the sum is rounded to odd, so that it may be rounded again. */
static inline double fma_to_odd(double a, double b, double c) {
    const double product = a * b, total = product + c, part = total - product;
    const double error = (product - (total - part)) + (c - part);
    union { double number; uint64_t bits; } found = {total};
    if (error == 0 || error != error || total - total != 0 || found.bits & 1) return total;
    found.bits += (error < 0) == (total < 0) ? 1 : -1;
    return found.number;
}

/* f32 to the bits of a float of 8 bits, to nearest even: borders are halfway points above each number. */
static inline uint32_t to_small(
    const double *borders, const uint8_t *is_even, int count, uint32_t nan, uint32_t overflow, double value) {
    if (value != value) return nan;
    const double size = __builtin_fabs(value);
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (borders[middle] < size) low = middle + 1;
        else high = middle;
    }
    const int last = low < count ? low : count - 1;
    const uint32_t code = (uint32_t)(low + (borders[last] == size && !is_even[last]));
    const int is_large = code >= (uint32_t)count;
    const uint32_t found = is_large ? overflow : code;
    const uint32_t sign = __builtin_signbit(value) && (found || nan != 0x80) && !(is_large && nan == 0x80);
    return found | sign << 7;
}
