// The instances that a library would build of it.
#pragma once

#include "ck/device_copy.hpp"

namespace ck {
namespace instance {

using device_copy_instances = std::tuple<DeviceCopy<_Float16, 64, 32>, DeviceCopy<float, 128, 32>>;

} // namespace instance
} // namespace ck
