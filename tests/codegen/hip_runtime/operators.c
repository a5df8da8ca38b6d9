// What programs take of a C++ library at run time, so that none need be built: memory, and the end of a failure.
#include <stdlib.h>

void *operator_new(size_t size) __asm__("_Znwm");
void operator_delete(void *place) __asm__("_ZdlPv");
void operator_delete_sized(void *place, size_t size) __asm__("_ZdlPvm");
void verbose_abort(const char *message, ...) __asm__("_ZNSt3__122__libcpp_verbose_abortEPKcz");

void *operator_new(size_t size) { return malloc(size); }
void operator_delete(void *place) { free(place); }
void operator_delete_sized(void *place, size_t size) { (void)size, free(place); }
void verbose_abort(const char *message, ...) { (void)message, abort(); }
