// HIP's runtime without a GPU: what it is asked for goes to a device at the other end of a socket.
//
// Memory lies in files that both ends map, so that the device reads and writes it where it lies. The device is
// told of allocations, code objects and launches, a line each, and answers with a line: "ok ..." or
// "error N". LAYOUTALG_HIP_DEVICE names the socket, LAYOUTALG_HIP_MEMORY the folder of the files.
#include "device_properties.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_KERNEL_FILE = 218,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    NOT_FOUND = 500,
    LAUNCH_FAILURE = 719
};
enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2, DEVICE_TO_DEVICE = 3, AS_POINTERS_SAY = 4 };
enum { MOST_ALLOCATIONS = 256, MOST_ARGUMENTS = 64, MOST_FUNCTIONS = 16, LINE = 1 << 14 };

typedef struct { char *start; size_t size; } allocation;
typedef struct { int number; } module;
typedef struct { int module, arguments; char name[512]; unsigned offsets[MOST_ARGUMENTS], sizes[MOST_ARGUMENTS]; } function;
typedef struct { double milliseconds; } event;
typedef struct { unsigned x, y, z; } dim3;

static const size_t FIRST_ADDRESS = (size_t)3 << 45, GAP = (size_t)1 << 33;  // a stray address hits nothing

static allocation allocations[MOST_ALLOCATIONS];
static double now;  // advanced by every launch
static int last_error;
static const double MILLISECONDS = 0.25;

// -- the socket ------------------------------------------------------------------------------------

static FILE *reading, *writing;

static int connected(void) {
    const char *path = getenv("LAYOUTALG_HIP_DEVICE");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int descriptor;
    if (reading) return 1;
    if (!path || strlen(path) >= sizeof address.sun_path) return 0;
    strcpy(address.sun_path, path);
    descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) return 0;
    reading = fdopen(descriptor, "r");
    writing = fdopen(dup(descriptor), "w");
    return reading && writing;
}

static int told(const char *request, char *answer) {  // the status; what follows "ok " is in `answer`
    int status;
    if (!connected()) return NO_DEVICE;
    fprintf(writing, "%s\n", request);
    fflush(writing);
    if (!fgets(answer, LINE, reading)) return LAUNCH_FAILURE;
    if (sscanf(answer, "error %d", &status) == 1) return status;
    memmove(answer, answer + 3, strlen(answer) - 2);
    return SUCCESS;
}

static int result(int status) {
    if (status) last_error = status;
    return status;
}

// -- the device ------------------------------------------------------------------------------------

int hipGetDeviceCount(int *count) {
    *count = connected();
    return result(*count ? SUCCESS : NO_DEVICE);
}

int hipSetDevice(int device) { return result(device ? INVALID_DEVICE : SUCCESS); }

int hipGetDevicePropertiesR0600(struct device_properties *found, int device) {
    char answer[LINE];
    int status = device ? INVALID_DEVICE : told("device", answer);
    if (status) return result(status);
    memset(found, 0, sizeof *found);
    found->warpSize = 64;
    sscanf(answer, "%255s %d %255[^\n]", found->gcnArchName, &found->multiProcessorCount, found->name);
    return SUCCESS;
}

int hipDriverGetVersion(int *version) { return *version = 71526333, SUCCESS; }
int hipRuntimeGetVersion(int *version) { return *version = 71526333, SUCCESS; }
int hipDeviceSynchronize(void) { return SUCCESS; }
int hipGetLastError(void) { int found = last_error; return last_error = SUCCESS, found; }
const char *hipGetErrorString(int status) { return status ? "an error of the device" : "no error"; }

// -- memory ----------------------------------------------------------------------------------------

static allocation *holding(const char *place, size_t size) {
    for (int i = 0; i < MOST_ALLOCATIONS; ++i)
        if (allocations[i].start && allocations[i].start <= place &&
            place + size <= allocations[i].start + allocations[i].size)
            return &allocations[i];
    return NULL;
}

int hipMalloc(void **found, size_t size) {
    char path[4096], request[LINE], answer[LINE];
    static int count;
    int descriptor, place = 0, status;
    while (place < MOST_ALLOCATIONS && allocations[place].start) ++place;
    if (!size || place == MOST_ALLOCATIONS) return result(OUT_OF_MEMORY);
    snprintf(path, sizeof path, "%s/%d.%d", getenv("LAYOUTALG_HIP_MEMORY"), (int)getpid(), count++);
    descriptor = open(path, O_RDWR | O_CREAT, 0600);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)size)) return result(OUT_OF_MEMORY);
    *found = mmap((void *)(FIRST_ADDRESS + (size_t)count * GAP), size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (*found == MAP_FAILED) return result(OUT_OF_MEMORY);
    memset(*found, 0xA5, size);  // as it happens to be
    snprintf(request, sizeof request, "malloc %zu %zu %s", (size_t)*found, size, path);
    status = told(request, answer);
    if (!status) allocations[place] = (allocation){*found, size};
    return result(status);
}

int hipFree(void *start) {
    allocation *held = start ? holding(start, 1) : NULL;
    char request[LINE], answer[LINE];
    if (!start) return SUCCESS;
    if (!held || held->start != start) return result(INVALID_VALUE);
    munmap(held->start, held->size);
    held->start = NULL;
    snprintf(request, sizeof request, "free %zu", (size_t)start);
    return result(told(request, answer));
}

int hipMemcpy(void *target, const void *source, size_t size, int kind) {
    int from = holding(source, size) != NULL, to = holding(target, size) != NULL;
    int as_said = kind == HOST_TO_DEVICE ? to && !from : kind == DEVICE_TO_HOST ? from && !to
                : kind == DEVICE_TO_DEVICE ? from && to : kind == AS_POINTERS_SAY;
    if (!as_said) return result(INVALID_VALUE);
    memmove(target, source, size);
    return SUCCESS;
}

int hipMemset(void *target, int value, size_t size) {
    if (!holding(target, size)) return result(INVALID_VALUE);
    memset(target, value, size);
    return SUCCESS;
}

// -- code ------------------------------------------------------------------------------------------

int hipModuleLoadData(module **found, const void *image) {
    const Elf64_Ehdr *head = image;
    char path[4096], request[LINE], answer[LINE];
    static int count;
    int status;
    FILE *file;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG)) return result(INVALID_KERNEL_FILE);
    snprintf(path, sizeof path, "%s/%d.%d.co", getenv("LAYOUTALG_HIP_MEMORY"), (int)getpid(), count++);
    file = fopen(path, "wb");
    if (!file) return result(OUT_OF_MEMORY);
    fwrite(image, 1, head->e_shoff + (size_t)head->e_shentsize * head->e_shnum, file);
    fclose(file);
    snprintf(request, sizeof request, "module %s", path);
    status = told(request, answer);
    if (status) return result(status);
    *found = malloc(sizeof **found);
    (*found)->number = atoi(answer);
    return SUCCESS;
}

int hipModuleUnload(module *loaded) {
    char request[LINE], answer[LINE];
    snprintf(request, sizeof request, "unload %d", loaded->number);
    free(loaded);
    return result(told(request, answer));
}

int hipModuleGetFunction(function **found, module *loaded, const char *name) {
    char request[LINE], answer[LINE], *rest = answer;
    int status, taken;
    function *made;
    snprintf(request, sizeof request, "function %d %.511s", loaded->number, name);
    status = told(request, answer);
    if (status) return result(status);
    made = calloc(1, sizeof *made);
    made->module = loaded->number;
    snprintf(made->name, sizeof made->name, "%.511s", name);
    for (; sscanf(rest, " %u:%u%n", &made->offsets[made->arguments], &made->sizes[made->arguments], &taken) == 2;
         rest += taken)
        ++made->arguments;
    *found = made;
    return SUCCESS;
}

// -- launches --------------------------------------------------------------------------------------

static size_t packed(const function *called, void **parameters, char *block) {
    size_t end = 0;
    for (int i = 0; i < called->arguments; ++i) {
        memcpy(block + called->offsets[i], parameters[i], called->sizes[i]);
        end = called->offsets[i] + called->sizes[i];
    }
    return end;
}

int hipModuleLaunchKernel(function *called, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned lds, void *stream, void **parameters,
                          void **extra) {
    char request[LINE], answer[LINE], block[4096] = {0};
    size_t size = 0;
    int length;
    if (!called || stream || (parameters && extra)) return result(INVALID_VALUE);
    if (parameters) size = packed(called, parameters, block);
    if (extra) {  // HIP_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END
        if (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != (void *)3) return result(INVALID_VALUE);
        size = *(size_t *)extra[3];
        if (size > sizeof block) return result(INVALID_VALUE);
        memcpy(block, extra[1], size);
    }
    length = snprintf(request, sizeof request, "launch %d %s %u %u %u %u %u %u %u ", called->module, called->name,
                      grid_x, grid_y, grid_z, block_x, block_y, block_z, lds);
    for (size_t i = 0; i < size; ++i)
        length += snprintf(request + length, sizeof request - (size_t)length, "%02x", (unsigned char)block[i]);
    now += MILLISECONDS;
    return result(told(request, answer));
}

int hipEventCreate(event **found) { return *found = calloc(1, sizeof **found), SUCCESS; }
int hipEventDestroy(event *held) { return free(held), SUCCESS; }
int hipEventSynchronize(event *held) { return result(held ? SUCCESS : INVALID_VALUE); }

int hipEventRecord(event *held, void *stream) {
    if (stream) return result(INVALID_VALUE);
    held->milliseconds = now;
    return SUCCESS;
}

int hipEventElapsedTime(float *found, event *start, event *stop) {
    *found = (float)(stop->milliseconds - start->milliseconds);
    return SUCCESS;
}

// -- what clang calls for kernels in a program -----------------------------------------------------

typedef struct { uint32_t magic, version; const void *image, *unused; } fat_binary;
typedef struct { const void *image; module *loaded; } registered_image;

static struct { const void *host; const char *name; registered_image *image; function *called; } registered[MOST_FUNCTIONS];
static struct { dim3 grid, block; size_t lds; void *stream; } configured;

void **__hipRegisterFatBinary(const fat_binary *held) {
    registered_image *found = calloc(1, sizeof *found);
    found->image = held->image;
    return (void **)found;
}

void __hipUnregisterFatBinary(void **held) { free(held); }

void __hipRegisterFunction(void **image, const void *host, char *name, const char *device_name, unsigned threads,
                           void *thread, void *block, void *block_dim, void *grid_dim, int *wave) {
    int place = 0;
    (void)name, (void)threads, (void)thread, (void)block, (void)block_dim, (void)grid_dim, (void)wave;
    while (registered[place].host) ++place;
    registered[place].host = host;
    registered[place].name = device_name;
    registered[place].image = (registered_image *)image;
}

int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds, void *stream) {
    configured.grid = grid, configured.block = block, configured.lds = lds, configured.stream = stream;
    return SUCCESS;
}

int __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *lds, void **stream) {
    *grid = configured.grid, *block = configured.block, *lds = configured.lds, *stream = configured.stream;
    return SUCCESS;
}

int hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **parameters, size_t lds, void *stream) {
    for (int i = 0; i < MOST_FUNCTIONS && registered[i].host; ++i) {
        registered_image *image = registered[i].image;
        int status = SUCCESS;
        if (registered[i].host != host) continue;
        if (!image->loaded) status = hipModuleLoadData(&image->loaded, image->image);
        if (!status && !registered[i].called)
            status = hipModuleGetFunction(&registered[i].called, image->loaded, registered[i].name);
        if (status) return status;
        return hipModuleLaunchKernel(registered[i].called, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     (unsigned)lds, stream, parameters, NULL);
    }
    return result(NOT_FOUND);
}
