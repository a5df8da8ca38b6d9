# ruff: noqa: E501  C++ as it is written
"""Constant expressions over integers, by hand; what comes of each, a C++ compiler says."""

from __future__ import annotations

from tests.layoutalg.ck.integer_programs import Program

__all__ = ["CASES"]

WRITTEN = r"""
(0u - 1u) % 7
static_cast<index_t>(static_cast<int8_t>(300))
~0u >> 28
static_cast<index_t>(4294967303LL)
2147483647 + 1
-2147483647 - 2
(-2147483647 - 1) / -1
(-2147483647 - 1) % -1
-(-2147483647 - 1)
1 << 31
1 << 32
1 << -1
-1 << 4
-5 >> 1
1u << 31 << 1
uint8_t(1) << 31
1L << 63
1 << 3L
-1 < 0u
-1 < 0ul
-1L < 0u
uint8_t(200) + uint8_t(100)
true + true
-true
~true
'a' + 1
0x7fffffff
0x80000000
2147483648
0xffffffffffffffff
9223372036854775808u
18446744073709551616u
1lul
089
1'000'000
1f
0b2
10uz
static_cast<bool>(256)
static_cast<uint8_t>(-1.5)
static_cast<int>(3e10)
static_cast<int>(-2.9)
1.5 % 2
1 / 0
1u % 0u
number<3000000000>{} + 0
number<4294967295u>{} + 0
number<sizeof(int)>{} + 0
number<2.0>{} + 0
bool_constant<2>{} + 0
bool_constant<1>{} + 0
long_number<3>{} + 0
number<2147483647>{} + number<1>{}
number<65536>{} * number<65536>{}
constant<4000000000u>{} * constant<2u>{} + 0
-constant<1u>{} + 0
number<(1 << 4) >> 1>{}
number<((1 << 4) >> 1)>{} + 0
int8_t{300}
int8_t{-128}
uint8_t{-1}
bool{2}
index_t{3000000000}
index_t{2.0}
int32_t{1, 2}
float{16777217} == 0
uint16_t{}
constexpr int8_t v = 300; ## v
constexpr int8_t v{300}; ## v
constexpr uint8_t v = 260; ## v
constexpr index_t v = 5000000000; ## v
constexpr bool v = 256; ## v + 1
struct F { int8_t a; uint8_t b = 260; }; constexpr auto g() { return F{5}; } ## g().a + g().b
struct F { int8_t a; }; constexpr auto g() { return F{300}; } ## g().a
constexpr uint8_t f(int16_t x) { return x; } ## f(70000)
constexpr int8_t f(int x = 3000000000) { return {5}; } ## f()
constexpr int8_t f() { return {500}; } ## f()
constexpr unsigned f(uint8_t x = -1) { return x; } ## f() - 256u
template <typename T> constexpr T twice(T x, T y) { return x + y; } ## twice(1, 2u)
template <typename T> constexpr T twice(T x, T y) { return x + y; } ## twice<uint8_t>(200, 100u)
template <typename T> constexpr T twice(T x, T y) { return x + y; } ## twice(uint8_t(200), c_byte)
constexpr int g(int) { return 1; } constexpr int g(long) { return 2; } constexpr int g(unsigned) { return 3; } ## g(1) + 10 * g(1L) + 100 * g(1u) + 1000 * g(c_byte) + 10000 * g(true)
constexpr int g(int) { return 1; } constexpr int g(long) { return 2; } ## g(1ul)
constexpr int g(int) { return 1; } constexpr int g(bool) { return 2; } ## g(c_short) + 10 * g(1 < 2)
constexpr int g(int) { return 1; } constexpr int g(long) { return 2; } ## g(number<4>{}) + 10 * g(long_number<4>{})
template <index_t N> constexpr int h(number<N>) { return N; } ## h(constant<3u>{})
template <index_t N> constexpr int h(number<N>) { return N; } ## h(constant<3>{})
template <bool B> constexpr int h(bool_constant<B>) { return B; } ## h(number<1>{})
template <auto N> constexpr auto h(constant<N>) { return N - 4; } ## h(constant<3u>{})
template <index_t N> struct S {}; ## std::is_same_v<S<3>, S<3u>> + 2 * std::is_same_v<S<sizeof(int)>, S<4>> + 4 * std::is_same_v<S<true>, S<1>>
template <auto N> struct S {}; ## std::is_same_v<S<3>, S<3u>> + 2 * std::is_same_v<S<3L>, S<3LL>> + 4 * std::is_same_v<S<c_byte>, S<uint8_t(255)>>
template <index_t N, index_t M = 4> struct S {}; ## std::is_same_v<S<3>, S<3, 4>>
template <auto N> struct S { static constexpr int v = 0; }; template <> struct S<3u> { static constexpr int v = 1; }; template <> struct S<3> { static constexpr int v = 2; }; ## S<3>::v + 10 * S<3u>::v + 100 * S<3L>::v
template <size_t N> struct S { static constexpr int v = 0; }; template <> struct S<3> { static constexpr int v = 1; }; ## S<3>::v + 10 * S<3u>::v
template <uint8_t... Ns> constexpr auto sum() { return (Ns + ... + 0); } ## sum<200, 100>()
template <uint8_t... Ns> constexpr auto sum() { return (Ns + ... + 0); } ## sum<200, 300>()
template <index_t... Ns> constexpr auto all() { return (Ns && ...); } ## all<2, 3>()
template <index_t... Ns> constexpr auto f(sequence<Ns...>) { return (Ns * ...); } ## f(sequence<65536, 65536>{})
template <index_t... Ns> constexpr auto f(sequence<Ns...>) { return (Ns * ...); } ## f(sequence<3000000000>{})
template <size_t... Ns> constexpr auto f() { return (Ns - ...); } ## f<3, 5>()
template <typename T, T v> struct I { static constexpr auto value = v; }; ## I<uint8_t, 255>::value + I<bool, true>::value
template <typename T, T v> struct I { static constexpr auto value = v; }; ## I<uint8_t, 256>::value
enum E : uint8_t { a = 255, b }; ## b
enum E : uint8_t { a = 256 }; ## a
enum E { a = 2147483647, b }; ## b - 2147483649u
enum E { a = -1, b = 3000000000 }; ## a < 0u
enum class E { a = 3 }; ## E::a + 1
enum class E { a = 3 }; ## (E::a < E(4)) + 0
enum E { a = 5 }; ## static_cast<E>(9)
enum E { a = 5 }; ## static_cast<E>(7) + 0
enum E { a = 1, b = 1 }; ## (a == b) + 0
enum class E : int8_t { a }; ## static_cast<int>(E(300))
enum class E : int8_t { a }; ## static_cast<int>(E{300})
enum class E : int8_t { a }; constexpr int f() { int x = E::a; return x; } ## f()
enum E : int8_t { a }; constexpr int f() { E x = 3; return x; } ## f()
enum E : int8_t { a = 3 }; constexpr int f() { int x = a; x += a; return x; } ## f()
enum class E : int8_t { a }; ## sizeof(E)
constexpr int f() { uint8_t x = 250; x += 10; x++; return x; } ## f()
constexpr int f() { int8_t x = 127; x++; return x; } ## f()
constexpr int f() { int x = 2147483647; x++; return x; } ## f()
constexpr int f() { unsigned x = 0; --x; return x >> 24; } ## f()
constexpr int f() { bool b = false; b++; return b; } ## f()
constexpr int f() { bool b = false; b += 5; return b; } ## f()
constexpr int f() { int x = 3; x = 4000000000u; return x; } ## f()
constexpr int f() { int x = 100; x >>= 2; x <<= 1; return x; } ## f()
constexpr unsigned f() { unsigned s = 0; for(uint8_t i = 250; i >= 250; i++) s += i; return s; } ## f()
constexpr int f() { uint8_t a[3] = {1, 2, 255}; a[2] += 1; int s = 0; for(int8_t x : a) s += x; return s + sizeof(a); } ## f()
constexpr int f() { uint8_t a[2] = {1, 256}; return a[0]; } ## f()
constexpr int f() { int a[2] = {1, 2}; int s = 0; a[1] = 200; for(int8_t x : a) s += x; return s; } ## f()
constexpr auto f(bool c) { return c ? -1 : 0u; } ## f(true)
constexpr auto f(bool c) { return c ? -1 : sizeof(int); } ## f(true) > 0
constexpr auto f(bool c) { return c ? c_byte : c_short; } ## f(true)
constexpr auto f(bool c) { return c ? 'a' : 'b'; } ## f(true)
constexpr auto f(int n) { return n == 0 ? 0 : seven() / n; } ## f(0) - 1
constexpr auto f(int n) { return n == 0 ? 0 : same(n) / n; } ## f(0) - 1
constexpr long f(int n) { return n == 0 ? 1 : n * f(n - 1); } ## f(12)
constexpr int f(int n) { return n == 0 ? 1 : n * f(n - 1); } ## f(13)
constexpr auto f(bool c) { return c ? 1 : minus(); } ## f(true)
[](uint8_t x) { return x; }(300) + 0
[](auto x) -> int8_t { return x * 2; }(100)
sizeof(1 + c_byte) + 10 * sizeof(c_byte) + 100 * sizeof(1L) + 1000 * sizeof('a') + 10000 * sizeof(true)
std::is_same_v<decltype(c_byte + c_byte), int> + 2 * std::is_same_v<decltype(1u + 1L), long>
using u = unsigned; typedef long unsigned int lu; ## u(-1) + lu(-1)
(int short unsigned)(70000)
static_cast<long int long unsigned>(-1)
wchar_t(-1) < 0
using byte = unsigned _BitInt(8); ## sizeof(byte) + 10 * std::is_same_v<byte, _BitInt(8)>
using odd = _BitInt(17); typedef signed _BitInt(33) more; ## sizeof(odd) + 10 * sizeof(more) + 100 * sizeof(_BitInt(4))
sizeof(_BitInt(65)) + 100 * sizeof(_BitInt(8) unsigned) + 1000 * std::is_same_v<signed _BitInt(8), _BitInt(8)>
char16_t(-1) + 0
char32_t(-1) + 1
static_cast<char8_t>(300)
max(3, 5)
max(3, 5u)
max(number<3>{}, 5u)
max<uint8_t>(300, 7)
integer_divide_ceil(7, 2)
integer_divide_ceil(7u, 2)
integer_divide_ceil(2147483647, 2)
integer_divide_ceil(-7, 2)
integer_divide_ceil(7, 0)
integer_divide_ceil(number<7>{}, 2L)
gcd(12, 18L)
gcd(4294967308, 18)
lcm(4, 6u)
lcm(65536, 65537)
lcm(-4, 6)
lcm(0, 0)
constexpr auto f(int n) { return n == 0 ? 1 : integer_divide_ceil(8u, n); } ## f(0) - 2
1 ? 1 : 2.0
(1 ? free_low : free_high) < 0u
(c_true ? free_low : 3u) >> 28
byte_high + byte_low
!wide + !0u
~byte_low
-wide
constexpr int f() { Free x = free_low; x = 3; return x; } ## f()
constexpr int f() { Wide x = wide; x++; return x; } ## f()
(unsigned signed)(3)
(char int)(3)
(short long)(3)
(long long long)(3)
(int int)(3)
(unsigned char)(300)
(int signed)(3)
(long int unsigned long)(-1)
"""  # declarations, if there are any, before ##
CASES = [
    Program(declared.strip(), question.strip())
    for declared, _, question in (
        ("## " * ("##" not in row) + row).partition("##") for row in WRITTEN.strip().split("\n")
    )
]
