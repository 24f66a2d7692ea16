/*
 * Sends and receives of many sizes through NCCL, for launches.c to record.
 *
 *   peer-calls one-host|two-hosts|one-process OUT MOST_BYTES all|some
 *
 * Two ranks on two GPUs, or on one with SECOND_GPU (second-gpu.c); all sizes or some. OUT gets a record (launches.RANK.txt) of each process; its log is NCCL_DEBUG_FILE's business.
 */
#define _GNU_SOURCE
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CUDA(call) check((call) != cudaSuccess, #call, __LINE__)
#define NCCL(call) checkNccl((call), #call, __LINE__)

extern char peer_call[] __attribute__((weak));

struct rank {
  int rank;
  ncclComm_t comm;
  cudaStream_t stream;
  char *send, *receive;
};

static struct rank ranks[2];
static int nLocal;

static void check(int failed, const char *call, int line) {
  if (failed) {
    fprintf(stderr, "line %d: %s: %s\n", line, call, cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
}

static void checkNccl(ncclResult_t result, const char *call, int line) {
  if (result != ncclSuccess && result != ncclInProgress) {
    fprintf(stderr, "line %d: %s: %s\n", line, call, ncclGetErrorString(result));
    exit(1);
  }
}

/* Two ranks may have one GPU. */
static int device(int rank) { return getenv("SECOND_GPU") ? 0 : rank; }

static void begin(const char *name, size_t a, size_t b) {
  if (peer_call) snprintf(peer_call, 256, "%s %zu %zu", name, a, b);
  NCCL(ncclGroupStart());
}

static void finish(void) {
  NCCL(ncclGroupEnd());
  for (int i = 0; i < nLocal; i++) {
    CUDA(cudaSetDevice(device(ranks[i].rank)));
    CUDA(cudaStreamSynchronize(ranks[i].stream));
  }
}

#define EACH for (struct rank *r = ranks; r < ranks + nLocal && (cudaSetDevice(device(r->rank)), 1); r++)

static void sendTo(struct rank *r, int peer, size_t at, size_t bytes) {
  NCCL(ncclSend(r->send + at, bytes, ncclInt8, peer, r->comm, r->stream));
}

static void receiveFrom(struct rank *r, int peer, size_t at, size_t bytes) {
  NCCL(ncclRecv(r->receive + at, bytes, ncclInt8, peer, r->comm, r->stream));
}

static void sizes(size_t b, int patterns) {
  begin("sendrecv", b, b);
  EACH {
    sendTo(r, 1 - r->rank, 0, b);
    receiveFrom(r, 1 - r->rank, 0, b);
  }
  finish();
  begin("alltoall", b, b);
  EACH for (int p = 0; p < 2; p++) {
    sendTo(r, p, p * b, b);
    receiveFrom(r, p, p * b, b);
  }
  finish();
  if (patterns == 2) return;
  begin("send", b, 0);
  EACH {
    if (r->rank == 0) sendTo(r, 1, 0, b);
    else receiveFrom(r, 0, 0, b);
  }
  finish();
  begin("gather", b, 0);
  EACH {
    sendTo(r, 0, 0, b);
    if (r->rank == 0) for (int p = 0; p < 2; p++) receiveFrom(r, p, p * b, b);
  }
  finish();
  begin("scatter", b, 0);
  EACH {
    if (r->rank == 0) for (int p = 0; p < 2; p++) sendTo(r, p, p * b, b);
    receiveFrom(r, 0, 0, b);
  }
  finish();
}

static void uneven(size_t a, size_t b) {
  begin("uneven", a, b);
  EACH {
    sendTo(r, 1 - r->rank, 0, r->rank == 0 ? a : b);
    receiveFrom(r, 1 - r->rank, 0, r->rank == 0 ? b : a);
  }
  finish();
}

static void group(int count, size_t b) {
  begin("group", count, b);
  EACH for (int i = 0; i < count; i++) {
    sendTo(r, 1 - r->rank, i * b, b);
    receiveFrom(r, 1 - r->rank, i * b, b);
  }
  finish();
}

static void withCollective(size_t b) {
  begin("with-all-reduce", b, b);
  EACH {
    NCCL(ncclAllReduce(r->send, r->receive, 262144, ncclFloat, ncclSum, r->comm, r->stream));
    sendTo(r, 1 - r->rank, 1 << 20, b);
    receiveFrom(r, 1 - r->rank, 1 << 20, b);
  }
  finish();
}

typedef ncclResult_t (*all_to_all)(const void *, void *, size_t, ncclDataType_t, ncclComm_t, cudaStream_t);

static void ownAllToAll(size_t b) {
  all_to_all call = (all_to_all)dlsym(RTLD_DEFAULT, "ncclAlltoAll");
  if (!call) call = (all_to_all)dlsym(RTLD_DEFAULT, "ncclAllToAll");
  if (!call) return;
  begin("nccl-alltoall", b, b);
  EACH NCCL(call(r->send, r->receive, b, ncclInt8, r->comm, r->stream));
  finish();
}

static void registered(size_t most) {
  void *handles[2][2];
  EACH {
    NCCL(ncclCommRegister(r->comm, r->send, 2 * most, &handles[r - ranks][0]));
    NCCL(ncclCommRegister(r->comm, r->receive, 2 * most, &handles[r - ranks][1]));
  }
  static const size_t some[] = {8, 65536, 524288, 524289, 1 << 20, 16 << 20, 64 << 20};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    if (some[i] > most) continue;
    begin("registered-sendrecv", some[i], some[i]);
    EACH {
      sendTo(r, 1 - r->rank, 0, some[i]);
      receiveFrom(r, 1 - r->rank, 0, some[i]);
    }
    finish();
  }
  EACH {
    NCCL(ncclCommDeregister(r->comm, handles[r - ranks][0]));
    NCCL(ncclCommDeregister(r->comm, handles[r - ranks][1]));
  }
}

static void work(size_t most, int all) {
  static const size_t odd[] = {0, 1, 12, 100, 4097, 8193, 16383, 16385, 65537, 98304, 100000, 131073, 262145, 393216, 524289, 1048577, 3 << 20, 10000000, (16 << 20) + 4,
                               100 << 20, (256 << 20) + 4, (512UL << 20) + 4};
  EACH {
    CUDA(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
    NCCL(ncclMemAlloc((void **)&r->send, 2 * most + (4 << 20)));
    NCCL(ncclMemAlloc((void **)&r->receive, 2 * most + (4 << 20)));
  }
  for (size_t b = 8; b <= most; b *= all ? 2 : 4) sizes(b, all ? 5 : 2);
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    if (odd[i] <= most) sizes(odd[i], all ? 5 : 2);
  }
  uneven(8, 1 << 20);
  uneven(1 << 20, 1000);
  uneven(65536, 16 << 20 <= most ? 16 << 20 : most);
  uneven(0, 4 << 20);
  static const int counts[] = {2, 3, 8, 9, 17, 40, 100};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    group(counts[i], 8);
    if ((size_t)counts[i] << 18 <= 2 * most) group(counts[i], 1 << 18);
  }
  withCollective(65536);
  withCollective(8 << 20 <= most ? 8 << 20 : most);
  ownAllToAll(4096);
  ownAllToAll(8 << 20 <= most ? 8 << 20 : most);
  registered(most);
  EACH NCCL(ncclCommDestroy(r->comm));
}

static int child(int rank, const char *mode, const char *out, size_t most, int all, const char *file) {
  char path[4096];
  ncclUniqueId id;
  snprintf(path, sizeof path, "%s/launches.%d.txt", out, rank);
  setenv("PEER_RECORD", path, 1);
  snprintf(path, sizeof path, "%s/rank%d.log", out, rank);
  setenv("NCCL_DEBUG_FILE", path, 1);
  snprintf(path, sizeof path, "%s/topology.%d.xml", out, rank);
  setenv("NCCL_TOPO_DUMP_FILE", path, 1);
  snprintf(path, sizeof path, "%d", rank);
  setenv("RANK", path, 1);
  snprintf(path, sizeof path, "host%d", rank);
  if (strcmp(mode, "two-hosts") == 0) setenv("NCCL_HOSTID", path, 1);
  if (rank == 0) {
    NCCL(ncclGetUniqueId(&id));
    snprintf(path, sizeof path, "%s/part", out);
    FILE *f = fopen(path, "w");
    fwrite(&id, sizeof id, 1, f);
    fclose(f);
    rename(path, file);
  } else {
    while (access(file, R_OK) != 0) usleep(10000);
    FILE *f = fopen(file, "r");
    if (fread(&id, sizeof id, 1, f) != 1) return 1;
    fclose(f);
  }
  nLocal = 1;
  ranks[0].rank = rank;
  CUDA(cudaSetDevice(device(rank)));
  NCCL(ncclCommInitRank(&ranks[0].comm, 2, id, rank));
  work(most, all);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const char *mode = argv[1], *out = argv[2];
  size_t most = strtoull(argv[3], NULL, 0);
  int all = strcmp(argv[4], "all") == 0;
  char file[4096];
  if (strcmp(mode, "one-process") == 0) {
    ncclComm_t comms[2];
    int devices[2] = {0, 1};
    snprintf(file, sizeof file, "%s/launches.txt", out);
    setenv("PEER_RECORD", file, 1);
    snprintf(file, sizeof file, "%s/rank.log", out);
    setenv("NCCL_DEBUG_FILE", file, 1);
    snprintf(file, sizeof file, "%s/topology.xml", out);
    setenv("NCCL_TOPO_DUMP_FILE", file, 1);
    NCCL(ncclCommInitAll(comms, 2, devices));
    nLocal = 2;
    for (int i = 0; i < 2; i++) ranks[i] = (struct rank){.rank = i, .comm = comms[i]};
    work(most, all);
    return 0;
  }
  snprintf(file, sizeof file, "%s/id", out);
  for (int i = 0; i < 2; i++) {
    if (fork() == 0) _exit(child(i, mode, out, most, all, file));
  }
  int status, failed = 0;
  while (wait(&status) > 0) failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  unlink(file);
  return failed;
}
