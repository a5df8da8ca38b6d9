// Stands for ck/utility/get_id.hpp: the numbers of threads on the host, where a program counts them itself.
#pragma once
#include "ck/ck.hpp"
#define ON_BOTH __attribute__((host)) __attribute__((device)) inline

namespace ck {
inline int the_thread = 0;
ON_BOTH constexpr index_t get_warp_size() { return 64; }
ON_BOTH index_t get_thread_local_1d_id() { return the_thread; }
ON_BOTH index_t get_thread_global_1d_id() { return the_thread; }
ON_BOTH index_t get_warp_local_1d_id() { return the_thread / 64; }
ON_BOTH index_t get_block_1d_id() { return 0; }
ON_BOTH index_t get_grid_size() { return 1; }
ON_BOTH index_t get_block_size() { return 256; }
} // namespace ck
