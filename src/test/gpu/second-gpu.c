/*
 * Lets ranks of NCCL use one GPU as if each had its own: preloaded into all, it gives the process with RANK=N the N-th of
 * some bus ids as that of its GPU, and NVML the real one for each. NCCL refuses two ranks of a host on one bus id. With a
 * topology file that has all ids (NCCL_TOPO_FILE) and NCCL_IGNORE_DISABLED_P2P=2 it then uses P2P through the memory of the
 * GPU.
 *
 *   SECOND_GPU=0000:00:06.0,0000:00:07.0 LD_PRELOAD=second-gpu.so RANK=1 ...      (real id, id of rank 1, of rank 2 ...)
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef int busIdFunction(char *text, int length, int device);
typedef int handleFunction(const char *busId, void *handle);
typedef int entryFunction(const char *symbol, void **function, int version, unsigned long long flags, void *status);

static busIdFunction *busIdOfDriver;
static handleFunction *handleOfNvml;
static entryFunction *entryOfDriver;

static char copy[512], *ids[16];
static int count;

__attribute__((constructor)) static void readIds(void) {
  const char *all = getenv("SECOND_GPU");
  snprintf(copy, sizeof copy, "%s", all ? all : "");
  char *rest = copy, *one;
  while (count < 16 && (one = strsep(&rest, ",")) != NULL) ids[count++] = one;
}

/* The bus id of a rank, the real one for rank 0; NULL if there are fewer. */
static const char *id(int rank) {
  if (count < 2) {
    fprintf(stderr, "second-gpu: expected SECOND_GPU=REAL,OTHER...\n");
    exit(2);
  }
  return rank < count ? ids[rank] : NULL;
}

static int busId(char *text, int length, int device) {
  int result = busIdOfDriver(text, length, device);
  const char *rank = getenv("RANK");
  const char *own = rank && atoi(rank) > 0 ? id(atoi(rank)) : NULL;
  if (result == 0 && own) snprintf(text, length, "%s", own);
  return result;
}

/* Whether an id of NVML, whose domain may have eight digits, is that of a rank other than 0. */
static int isOther(const char *text) {
  const char *other;
  size_t length = strlen(text);
  for (int rank = 1; (other = id(rank)) != NULL; rank++) {
    size_t least = strlen(other);
    if (length >= least && strcasecmp(text + length - least, other) == 0) return 1;
  }
  return 0;
}

static int handle(const char *text, void *to) { return handleOfNvml(text && isOther(text) ? id(0) : text, to); }

static int entry(const char *symbol, void **function, int version, unsigned long long flags, void *status) {
  int result = entryOfDriver(symbol, function, version, flags, status);
  if (result == 0 && function && *function) {
    if (strcmp(symbol, "cuDeviceGetPCIBusId") == 0) {
      busIdOfDriver = (busIdFunction *)*function;
      *function = (void *)busId;
    } else if (strcmp(symbol, "cuGetProcAddress") == 0) {
      entryOfDriver = (entryFunction *)*function;
      *function = (void *)entry;
    }
  }
  return result;
}

#ifdef NEXT_DLSYM
void *NEXT_DLSYM(void *library, const char *name);
#endif

/* CUDA's runtime in NCCL is static: it finds the driver's functions by dlsym, and NCCL those of NVML. */
void *dlsym(void *library, const char *name) {
  static void *(*real)(void *, const char *);
#ifdef NEXT_DLSYM /* that of another library that looks at the same functions */
  real = NEXT_DLSYM;
#endif
  if (!real) real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
  if (!real) real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  void *found = real(library, name);
  if (!found) return NULL;
  if (strcmp(name, "cuGetProcAddress_v2") == 0) {
    entryOfDriver = (entryFunction *)found;
    return (void *)entry;
  }
  if (strcmp(name, "cuDeviceGetPCIBusId") == 0) {
    busIdOfDriver = (busIdFunction *)found;
    return (void *)busId;
  }
  if (strncmp(name, "nvmlDeviceGetHandleByPciBusId", strlen("nvmlDeviceGetHandleByPciBusId")) == 0) {
    handleOfNvml = (handleFunction *)found;
    return (void *)handle;
  }
  return found;
}
