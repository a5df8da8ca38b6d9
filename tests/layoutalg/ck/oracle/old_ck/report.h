// Prints lengths and sampled offsets of a descriptor of old CK, one line a case.
#pragma once
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <type_traits>
#include <utility>

namespace {
using namespace ck;
constexpr int kSamples = 24;

inline unsigned drawn(int sample, int position)
{
    const unsigned seed = unsigned(sample) * 7919u + unsigned(position) * 104729u + 12345u;
    return (seed * 2654435761u) >> 7;
}

template <bool IsDescriptor, typename D, int... Is>
void points(const D& d, std::integer_sequence<int, Is...>)
{
    const int lengths[] = {[&] {
        if constexpr(IsDescriptor)
            return int(d.GetLength(ck::Number<Is>{}));
        else
            return int(d.GetTopDimensionLength(ck::Number<Is>{}));
    }()...};
    for(int length : lengths)
        std::printf(" %d", length);
    if constexpr(IsDescriptor)
        std::printf(" space %lld hidden %d", (long long)(d.GetElementSpaceSize()), int(D::GetNumOfHiddenDimension()));
    std::printf(" |");
    for(int s = 0; s < kSamples; ++s)
    {
        const auto at = ck::make_multi_index(int(drawn(s, Is) % unsigned(lengths[Is] > 1 ? lengths[Is] : 1))...);
        if constexpr(IsDescriptor)
        {
            const auto c = ck::make_tensor_coordinate(d, at);
            std::printf(" %d %d", int(c.GetOffset()), int(ck::coordinate_has_valid_offset(d, c)));
        }
        else
        {
            const auto bottom = d.CalculateBottomIndex(at);
            ck::static_for<0, D::GetNumOfBottomDimension(), 1>{}(
                [&](auto i) { std::printf("%s%d", i.value ? "/" : " ", int(bottom[i])); });
        }
    }
}

template <bool IsDescriptor, typename D>
void report(int number, const D& d)
{
    constexpr int rank = [] {
        if constexpr(IsDescriptor)
            return int(D::GetNumOfDimension());
        else
            return int(D::GetNumOfTopDimension());
    }();
    std::printf("%d: %d", number, rank);
    points<IsDescriptor>(d, std::make_integer_sequence<int, rank>{});
    std::printf("\n");
}

jmp_buf back;
void caught(int) { longjmp(back, 1); }

inline void guarded(int number, void (*test)())
{
    std::signal(SIGFPE, caught);
    std::signal(SIGSEGV, caught);
    if(setjmp(back) == 0)
    {
        try { test(); }
        catch(const std::exception& e) { std::printf("\n%d: throws %s\n", number, e.what()); }
    }
    else
        std::printf("\n%d: crashes\n", number);
    std::fflush(stdout);
}
} // namespace
#define SET(object, name, value) [](auto& o) { if constexpr(requires { o.name; }) o.name = value; }(object);
