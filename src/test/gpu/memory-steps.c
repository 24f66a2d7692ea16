/*
 * Measures the memory that NCCL takes by step: one rank of a job, on one GPU.
 *
 *   memory-steps FOLDER RANK RANKS DEVICE STEPS
 *
 * STEPS are separated by commas and written as `topo memory --steps` writes them. The ranks meet in FOLDER, which also gets rank 0's
 * ncclUniqueId. A line on stdout for each step: rank,step,fall of free GPU memory in bytes,growth of resident and of shared
 * resident memory of the process in KiB.
 */
#define _GNU_SOURCE
#include <cuda_runtime.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CUDA(call) check((call) != cudaSuccess, #call, __LINE__)
#define NCCL(call) checkNccl((call), #call, __LINE__)
#define BUFFER ((size_t)256 << 20)

static const char *folder;
static int rank, nRanks, barriers;
static cudaStream_t stream;
static char *plain[2], *allocated[2];
static ncclComm_t world, split, shared, halves;

static void check(int failed, const char *call, int line) {
  if (failed) {
    fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
}

static void checkNccl(ncclResult_t result, const char *call, int line) {
  if (result != ncclSuccess) {
    fprintf(stderr, "line %d: %s: %s\n", line, call, ncclGetErrorString(result));
    exit(1);
  }
}

static void fail(const char *what, const char *value) {
  fprintf(stderr, "%s: %s\n", what, value);
  exit(1);
}

/* Waits for all ranks, by a file of each rank for each barrier. */
static void barrier(void) {
  char name[512];
  snprintf(name, sizeof name, "%s/barrier.%d.%d", folder, barriers, rank);
  FILE *file = fopen(name, "w");
  check(file == NULL, name, __LINE__);
  fclose(file);
  for (int other = 0; other < nRanks; other++) {
    snprintf(name, sizeof name, "%s/barrier.%d.%d", folder, barriers, other);
    while (access(name, F_OK) != 0) usleep(1000);
  }
  barriers++;
}

static void uniqueId(ncclUniqueId *id) {
  char name[512];
  snprintf(name, sizeof name, "%s/id", folder);
  if (rank == 0) {
    NCCL(ncclGetUniqueId(id));
    FILE *file = fopen(name, "w");
    check(file == NULL || fwrite(id, sizeof *id, 1, file) != 1 || fclose(file) != 0, name, __LINE__);
  }
  barrier();
  if (rank != 0) {
    FILE *file = fopen(name, "r");
    check(file == NULL || fread(id, sizeof *id, 1, file) != 1, name, __LINE__);
    fclose(file);
  }
}

/* A line of /proc/self/status in KiB. */
static long status(const char *field) {
  char line[256];
  long kib = 0;
  FILE *file = fopen("/proc/self/status", "r");
  check(file == NULL, "/proc/self/status", __LINE__);
  while (fgets(line, sizeof line, file))
    if (strncmp(line, field, strlen(field)) == 0) kib = atol(line + strlen(field));
  fclose(file);
  return kib;
}

static size_t freeBytes(void) {
  size_t available, total;
  CUDA(cudaMemGetInfo(&available, &total));
  return available;
}

static int begins(const char **text, const char *with) {
  size_t length = strlen(with);
  if (strncmp(*text, with, length) != 0) return 0;
  *text += length;
  return 1;
}

static size_t bytesOf(const char *text) {
  char unit[8] = "";
  unsigned long number = 0;
  if (sscanf(text, "%lu %7s", &number, unit) < 2) fail("size", text);
  int shift = strcmp(unit, "KiB") == 0 ? 10 : strcmp(unit, "MiB") == 0 ? 20 : strcmp(unit, "B") == 0 ? 0 : -1;
  if (shift < 0 || ((size_t)number << shift) > BUFFER) fail("size", text);
  return (size_t)number << shift;
}

/* Sends and receives between all ranks, or from each to the next. */
static void peers(ncclComm_t comm, int all, size_t bytes) {
  int self, ranks;
  NCCL(ncclCommUserRank(comm, &self));
  NCCL(ncclCommCount(comm, &ranks));
  NCCL(ncclGroupStart());
  if (all) {
    size_t part = bytes / ranks;
    for (int peer = 0; peer < ranks; peer++) {
      NCCL(ncclSend(plain[0] + peer * part, part, ncclChar, peer, comm, stream));
      NCCL(ncclRecv(plain[1] + peer * part, part, ncclChar, peer, comm, stream));
    }
  } else {
    NCCL(ncclSend(plain[0], bytes, ncclChar, (self + 1) % ranks, comm, stream));
    NCCL(ncclRecv(plain[1], bytes, ncclChar, (self + ranks - 1) % ranks, comm, stream));
  }
  NCCL(ncclGroupEnd());
}

static void call(ncclComm_t comm, const char *text) {
  int ranks;
  NCCL(ncclCommCount(comm, &ranks));
  int own = strstr(text, " registered") != NULL || strstr(text, " symmetric") != NULL;
  char *from = own ? allocated[0] : plain[0], *to = own ? allocated[1] : plain[1];
  if (begins(&text, "all_reduce ")) {
    NCCL(ncclAllReduce(from, to, bytesOf(text) / 4, ncclFloat, ncclSum, comm, stream));
  } else if (begins(&text, "all_gather ")) {
    NCCL(ncclAllGather(from, to, bytesOf(text) / 4 / ranks, ncclFloat, comm, stream));
  } else if (begins(&text, "reduce_scatter ")) {
    NCCL(ncclReduceScatter(from, to, bytesOf(text) / 4 / ranks, ncclFloat, ncclSum, comm, stream));
  } else if (begins(&text, "broadcast ")) {
    NCCL(ncclBroadcast(from, to, bytesOf(text) / 4, ncclFloat, 0, comm, stream));
  } else if (begins(&text, "reduce ")) {
    NCCL(ncclReduce(from, to, bytesOf(text) / 4, ncclFloat, ncclSum, 0, comm, stream));
  } else if (begins(&text, "alltoall ")) {
    peers(comm, 1, bytesOf(text));
  } else if (begins(&text, "sendrecv ")) {
    peers(comm, 0, bytesOf(text));
  } else {
    fail("step", text);
  }
  CUDA(cudaStreamSynchronize(stream));
}

static void step(const char *text) {
  if (strcmp(text, "init") == 0) {
    ncclUniqueId id;
    uniqueId(&id);
    NCCL(ncclCommInitRank(&world, nRanks, id, rank));
  } else if (strcmp(text, "split") == 0) {
    NCCL(ncclCommSplit(world, 0, rank, &split, NULL));
  } else if (strcmp(text, "split share") == 0) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.splitShare = 1;
    NCCL(ncclCommSplit(world, 0, rank, &shared, &config));
  } else if (strcmp(text, "split halves") == 0) {
    NCCL(ncclCommSplit(world, rank % 2, rank, &halves, NULL));
  } else if (begins(&text, "ncclMemAlloc ")) {
    NCCL(ncclMemAlloc((void **)&allocated[0], BUFFER));
    NCCL(ncclMemAlloc((void **)&allocated[1], BUFFER));
  } else if (strcmp(text, "register") == 0) {
    void *handle;
    NCCL(ncclCommRegister(world, allocated[0], BUFFER, &handle));
    NCCL(ncclCommRegister(world, allocated[1], BUFFER, &handle));
  } else if (strcmp(text, "windows") == 0) {
    ncclWindow_t window;
    NCCL(ncclCommWindowRegister(world, allocated[0], BUFFER, &window, NCCL_WIN_COLL_SYMMETRIC));
    NCCL(ncclCommWindowRegister(world, allocated[1], BUFFER, &window, NCCL_WIN_COLL_SYMMETRIC));
  } else if (begins(&text, "split share ")) {
    call(shared, text);
  } else if (begins(&text, "split halves ")) {
    call(halves, text);
  } else if (begins(&text, "split ")) {
    call(split, text);
  } else {
    call(world, text);
  }
}

int main(int argc, char **argv) {
  if (argc != 6) fail("expected", "FOLDER RANK RANKS DEVICE STEPS");
  folder = argv[1];
  rank = atoi(argv[2]);
  nRanks = atoi(argv[3]);
  CUDA(cudaSetDevice(atoi(argv[4])));
  CUDA(cudaStreamCreate(&stream));
  for (int i = 0; i < 2; i++) CUDA(cudaMalloc((void **)&plain[i], BUFFER));
  CUDA(cudaDeviceSynchronize());
  char *steps = strdup(argv[5]), *rest = steps, *text;
  while ((text = strsep(&rest, ",")) != NULL) {
    barrier();
    size_t before = freeBytes();
    long rss = status("VmRSS:"), shmem = status("RssShmem:");
    barrier();
    step(text);
    CUDA(cudaDeviceSynchronize());
    barrier();
    printf("%d,%s,%ld,%ld,%ld\n", rank, text, (long)before - (long)freeBytes(), status("VmRSS:") - rss,
           status("RssShmem:") - shmem);
    fflush(stdout);
  }
  barrier();
  _exit(0);
}
