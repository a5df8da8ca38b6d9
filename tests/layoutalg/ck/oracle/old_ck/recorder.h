// A buffer that prints where it is accessed, in elements; the thread is the one that the program says.
#pragma once
#include <cstdio>

namespace ck {
template <typename T, bool IsHeard = true>
struct Recorder
{
    using type = T;
    static constexpr bool IsDynamicBuffer() { return true; }
    static constexpr bool IsStaticBuffer() { return false; }
    static constexpr AddressSpaceEnum GetAddressSpace() { return AddressSpaceEnum::Lds; }
    template <typename X>
    X Get(index_t offset, bool) const
    {
        if(IsHeard)
            std::printf(" %d", int(offset));
        return X{};
    }
    template <typename X>
    void Set(index_t offset, bool, const X&)
    {
        if(IsHeard)
            std::printf(" %d", int(offset));
    }
    template <InMemoryDataOperationEnum, typename X>
    void Update(index_t offset, bool, const X&)
    {
        if(IsHeard)
            std::printf(" %d", int(offset));
    }
};

template <typename F>
void for_every_thread(const char* name, int count, F f)
{
    for(the_thread = 0; the_thread < count; ++the_thread)
    {
        std::printf("%s %d:", name, the_thread);
        f();
        std::printf("\n");
    }
}
} // namespace ck
