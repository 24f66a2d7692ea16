/*
 * What a host takes to launch the kernel of one GPU: the number for --launch-us.
 *
 * A thread for each GPU, or a process for each (second argument "processes", through fork), calls ncclAllReduce of 8 bytes 100 times without
 * waiting for the kernels; twenty repeats. Prints the median and the smallest and largest repeat, in microseconds, of a launch and of the
 * whole call. Multicast stays off: NCCL_NVLS_ENABLE=0.
 *
 * nvcc -o launch-time launch-time.c -lnccl -lpthread && ./launch-time 2 threads
 */
#define _GNU_SOURCE
#include <cuda_runtime.h>
#include <nccl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS 100
#define REPEATS 20
#define MOST_GPUS 16

struct shared {
  ncclUniqueId id;
  pthread_barrier_t barrier;
  double launch[MOST_GPUS][REPEATS];
  double call[MOST_GPUS][REPEATS];
};

static struct shared *all;
static int gpus;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void *rank(void *argument) {
  int r = (int)(long)argument;
  ncclComm_t comm;
  cudaStream_t stream;
  void *buffer;
  cudaSetDevice(r);
  if (ncclCommInitRank(&comm, gpus, all->id, r) != ncclSuccess) {
    fprintf(stderr, "launch-time: ncclCommInitRank of rank %d failed\n", r);
    exit(1);
  }
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&buffer, 1 << 20);
  for (int repeat = -1; repeat < REPEATS; repeat++) {
    cudaStreamSynchronize(stream);
    pthread_barrier_wait(&all->barrier);
    double begin = now();
    for (int c = 0; c < CALLS; c++) {
      ncclAllReduce(buffer, buffer, 2, ncclFloat, ncclSum, comm, stream);
    }
    double launched = now();
    cudaStreamSynchronize(stream);
    if (repeat >= 0) {
      all->launch[r][repeat] = (launched - begin) / CALLS;
      all->call[r][repeat] = (now() - begin) / CALLS;
    }
  }
  return NULL;
}

static int larger(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

static void print(const char *what, double values[MOST_GPUS][REPEATS]) {
  for (int r = 0; r < gpus; r++) {
    qsort(values[r], REPEATS, sizeof(double), larger);
    printf("%s,%d,%.2f,%.2f,%.2f\n", what, r, values[r][REPEATS / 2], values[r][0], values[r][REPEATS - 1]);
  }
}

int main(int count, char **arguments) {
  int processes = count > 2 && !strcmp(arguments[2], "processes");
  gpus = count > 1 ? atoi(arguments[1]) : 2;
  setenv("NCCL_NVLS_ENABLE", "0", 1);
  all = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_barrierattr_t kind;
  pthread_barrierattr_init(&kind);
  pthread_barrierattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&all->barrier, &kind, gpus);
  if (processes) {
    for (int r = 0; r < gpus; r++) {
      if (fork() == 0) {
        /* The process of rank 0 makes the id, as it listens for the others. */
        if (r == 0) ncclGetUniqueId(&all->id);
        pthread_barrier_wait(&all->barrier);
        rank((void *)(long)r);
        _exit(0);
      }
    }
    while (wait(NULL) > 0) {
    }
  } else {
    pthread_t threads[MOST_GPUS];
    ncclGetUniqueId(&all->id);
    for (long r = 0; r < gpus; r++) pthread_create(&threads[r], NULL, rank, (void *)r);
    for (int r = 0; r < gpus; r++) pthread_join(threads[r], NULL);
  }
  printf("what,rank,median_us,least_us,most_us\n");
  print("launch", all->launch);
  print("call", all->call);
  return 0;
}
