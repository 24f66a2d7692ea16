/*
 * Records every kernel of NCCL that a process launches: grid, threads, and the sends and receives in its arguments.
 *
 * LD_PRELOAD=launches.so; with PEER_CUPTI=1 and CUDA_INJECTION64_PATH=launches.so as well, by CUPTI. Lines go to the file PEER_RECORD;
 * peer_call names the call. The layout of the arguments is that of NCCL 2.25 to 2.30 (include/device.h: ncclDevKernelArgs,
 * ncclDevWorkBatch, ncclDevWorkP2p).
 */
#define _GNU_SOURCE
#include <cuda.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
  void *comm;
  uint64_t channels;
  uint8_t storage;
  uint32_t mask;
  void *works;
};

struct batch {
  uint32_t flags; /* jump to the channel's next batch: 14 bits, extended: 1, type: 2, function: 15 */
  uint32_t base;
  uint64_t offsets;
};

struct work {
  void *send, *receive;
  uint64_t sendBytes, receiveBytes;
  int32_t to, from;
  uint8_t allChannels, base, sendChannels, receiveChannels, sendChunk, receiveChunk, flags, unused;
};

_Static_assert(sizeof(struct arguments) == 32 && sizeof(struct batch) == 16 && sizeof(struct work) == 48, "layout");

typedef CUresult (*get_v2)(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);
typedef CUresult (*get_v1)(const char *, void **, int, cuuint64_t);
typedef CUresult (*launch_ex)(const CUlaunchConfig *, CUfunction, void **, void **);
typedef CUresult (*get_name)(const char **, CUfunction);
typedef CUresult (*get_device)(CUdevice *);

char peer_call[256] = "-";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static get_v2 realGet;
static get_v1 realGetOld;
static launch_ex realLaunch;
static FILE *out;

static void *driver(const char *name) {
  void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  static void *(*find)(void *, const char *);
  if (!find) find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (!find) find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  return library && find ? find(library, name) : NULL;
}

/* The top three bits below the leading one (u32fpDecode, include/bitops.h). */
static uint32_t chunk(uint8_t code) {
  uint32_t exponent = code >> 3, mantissa = (code & 7) | (exponent ? 8 : 0);
  return mantissa << (exponent ? exponent - 1 : 0);
}

static const struct work *at(const struct arguments *a, uint32_t offset) {
  const char *base = a->storage == 0 ? (const char *)a : (const char *)a->works;
  return (const struct work *)(base + (a->storage == 0 ? offset : offset & a->mask));
}

static size_t describe(char *text, size_t room, const struct arguments *a, size_t bytes) {
  const struct batch *batches = (const struct batch *)(a + 1);
  const size_t nBatches = (bytes - sizeof *a) / sizeof *batches;
  uint32_t known[4096];
  int nKnown = 0, block = 0;
  size_t used = 0;
  char previous[4096] = "", list[4096];
  int first = -1, before = -1;
#define SAY(...) used += used < room ? snprintf(text + used, room - used, __VA_ARGS__) : 0
  if (a->storage > 1) {
    SAY(" works-on-device\n");
    return used;
  }
  SAY(" batches");
  for (int channel = 0; channel <= 64; channel++) {
    size_t n = 0;
    list[0] = 0;
    if (channel < 64 && a->channels >> channel & 1) {
      for (size_t i = block++; i < nBatches;) {
        const struct batch *b = batches + i;
        const int type = b->flags >> 15 & 3;
        for (int bit = 0; bit < 64; bit++) {
          if (!(b->offsets >> bit & 1)) continue;
          if (type != 0) {
            n += n < 4000 ? snprintf(list + n, sizeof list - n, "c,") : 0;
            continue;
          }
          uint32_t offset = b->base + bit * sizeof(struct work);
          int k = 0;
          while (k < nKnown && known[k] != offset) k++;
          if (k == nKnown && nKnown < 4096) known[nKnown++] = offset;
          n += n < 4000 ? snprintf(list + n, sizeof list - n, "%d,", k) : 0;
        }
        if (n) list[n - 1] = b->flags >> 14 & 1 ? '+' : '|';
        if (!(b->flags & 0x3fff)) break;
        i += b->flags & 0x3fff;
      }
      if (n) list[n - 1] = 0;
    }
    if (strcmp(list, previous) != 0 || channel != before + 1) {
      if (first >= 0) SAY(" %d-%d:%s", first, before, previous);
      first = *list ? channel : -1;
      strcpy(previous, list);
    }
    before = channel;
  }
  SAY("\n");
  for (int k = 0; k < nKnown; k++) {
    const struct work *w = at(a, known[k]);
    SAY("work %d base %d of %d send %d bytes %lu channels %d chunk %u ll %d net %d ipc %d receive %d bytes %lu channels %d chunk %u ll %d net %d ipc %d\n",
        k, w->base, w->allChannels, w->to, w->sendBytes, w->sendChannels, chunk(w->sendChunk), w->flags & 1, w->flags >> 2 & 1, w->flags >> 4 & 1,
        w->from, w->receiveBytes, w->receiveChannels, chunk(w->receiveChunk), w->flags >> 1 & 1, w->flags >> 3 & 1, w->flags >> 5 & 1);
  }
  return used;
}

static void record(const CUlaunchConfig *config, CUfunction function, void **extra) {
  const void *buffer = NULL;
  size_t bytes = 0;
  for (int i = 0; extra && extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[i + 1];
    if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *(size_t *)extra[i + 1];
  }
  static get_name name;
  static get_device device;
  const char *kernel = "?";
  CUdevice gpu = -1;
  if (!buffer || bytes < sizeof(struct arguments)) return;
  pthread_mutex_lock(&lock);
  if (!name) name = (get_name)driver("cuFuncGetName");
  if (!device) device = (get_device)driver("cuCtxGetDevice");
  if (name) name(&kernel, function);
  if (getenv("RANK")) gpu = atoi(getenv("RANK")); /* two ranks may have one GPU */
  else if (device) device(&gpu);
  if (strstr(kernel, "nccl") || strcmp(kernel, "?") == 0) {
    static char text[1 << 16];
    const char *file = getenv("PEER_RECORD");
    size_t used = snprintf(text, sizeof text, "launch %s device %d kernel %s grid %u block %u channels %lx storage %d",
                           peer_call, gpu, kernel, config->gridDimX, config->blockDimX,
                           ((const struct arguments *)buffer)->channels, ((const struct arguments *)buffer)->storage);
    describe(text + used, sizeof text - used, buffer, bytes);
    if (!out) out = file ? fopen(file, "a") : stderr;
    if (out) {
      fputs(text, out);
      fflush(out);
    }
  }
  pthread_mutex_unlock(&lock);
}

static CUresult launch(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
  if (!parameters) record(config, function, extra);
  return realLaunch(config, function, parameters, extra);
}

static CUresult getOld(const char *, void **, int, cuuint64_t);
static CUresult get(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);

static void replace(const char *symbol, void **found, int version) {
  if (!found || !*found || !symbol) return;
  if (strcmp(symbol, "cuLaunchKernelEx") == 0 && *found != (void *)launch) {
    realLaunch = (launch_ex)*found;
    *found = (void *)launch;
  } else if (strcmp(symbol, "cuGetProcAddress") == 0 && version >= 12000 && *found != (void *)get) {
    realGet = (get_v2)*found;
    *found = (void *)get;
  } else if (strcmp(symbol, "cuGetProcAddress") == 0 && version < 12000 && *found != (void *)getOld) {
    realGetOld = (get_v1)*found;
    *found = (void *)getOld;
  }
}

static CUresult get(const char *symbol, void **found, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *status) {
  CUresult result = realGet(symbol, found, version, flags, status);
  if (result == CUDA_SUCCESS) replace(symbol, found, version);
  return result;
}

static CUresult getOld(const char *symbol, void **found, int version, cuuint64_t flags) {
  CUresult result = realGetOld(symbol, found, version, flags);
  if (result == CUDA_SUCCESS) replace(symbol, found, version);
  return result;
}

/* The CUDA runtime, also inside NCCL, takes the driver's functions from here. */
void *dlsym(void *handle, const char *name) {
  static void *(*find)(void *, const char *);
  if (!find) find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (!find) find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  void *found = find(handle, name);
  if (getenv("PEER_CUPTI")) return found;
  if (strcmp(name, "cuGetProcAddress_v2") == 0) replace("cuGetProcAddress", &found, 12000);
  else if (strcmp(name, "cuGetProcAddress") == 0) replace("cuGetProcAddress", &found, 11000);
  else replace(name, &found, 0);
  return found;
}

/* --- CUPTI instead, by CUDA_INJECTION64_PATH ---------------------------------------------------------------- */

struct callback { /* CUpti_CallbackData */
  int site;
  const char *function;
  const void *parameters;
};

struct launch_parameters {
  const CUlaunchConfig *config;
  CUfunction function;
  void **parameters;
  void **extra;
};

static void called(void *user, int domain, uint32_t id, const struct callback *data) {
  const struct launch_parameters *p = data->parameters;
  (void)user;
  if (domain == 1 && (id == 652 || id == 653) && data->site == 0 && !p->parameters) record(p->config, p->function, p->extra);
}

int InitializeInjection(void) {
  void *cupti = dlopen("libcupti.so.13", RTLD_NOW);
  if (!cupti) return 1;
  int (*subscribe)(void **, void *, void *) = (int (*)(void **, void *, void *))dlsym(cupti, "cuptiSubscribe");
  int (*enable)(uint32_t, void *, int, uint32_t) = (int (*)(uint32_t, void *, int, uint32_t))dlsym(cupti, "cuptiEnableCallback");
  void *subscriber = NULL;
  if (subscribe(&subscriber, (void *)called, NULL) == 0) {
    enable(1, subscriber, 1, 652);
    enable(1, subscriber, 1, 653);
  }
  return 1;
}
