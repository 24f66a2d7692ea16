package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;
import static dev.topo.hw.javacpp.Native.groupEnd;
import static dev.topo.hw.javacpp.Native.groupStart;
import static dev.topo.hw.javacpp.Native.nccl;

import dev.topo.hw.run.AlternatingRun;
import dev.topo.hw.run.Average;
import dev.topo.hw.run.GpuGroup;
import dev.topo.hw.run.GpuJob;
import dev.topo.hw.run.LibraryLimits;
import dev.topo.hw.run.Peers;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.Registration;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunFailure.Reason;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.UsedDevice;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclUniqueId;
import org.bytedeco.javacpp.PointerPointer;

/**
 * Opens the GPUs of this process through CUDA and NCCL. The rendezvous address of the processes is
 * {@code NCCL_COMM_ID}, which NCCL reads from the environment.
 */
final class JavacppGpuJob {
  static final int NO_COLOR = -1;
  private static final IntUnaryOperator ALL = rank -> 0;

  /** Size of a {@code double}, the largest element type. */
  private static final int LARGEST_ELEMENT_BYTES = 8;

  private static final long GIB = 1L << 30;
  private static final long GIB_PER_RESERVED_GIB = 16;
  private static final long MAX_RESERVED_GIB = 4;

  private final RunRequest request;
  private final ProcessPlacement placement;
  private final int version;
  private final List<NcclGpu> gpus = new ArrayList<>();

  /**
   * Opens the GPUs, creates the communicators and allocates the buffers.
   *
   * @throws RunFailure if a library or a GPU is missing
   */
  static GpuJob open(RunRequest request, ProcessPlacement placement) {
    return new JavacppGpuJob(request, placement).job();
  }

  private JavacppGpuJob(RunRequest request, ProcessPlacement placement) {
    this.placement = placement;
    Native.load();
    version = Native.version();
    int sm = openDevices(request);
    this.request = new LibraryLimits(version, sm).limit(request, placement);
  }

  private GpuJob job() {
    MemoryGauge gauge = new MemoryGauge(gpus);
    Optional<NcclPeers> ncclPeers = connect();
    Peers peers = ncclPeers.isPresent() ? ncclPeers.get() : Peers.ALONE;
    List<UsedDevice> devices = DeviceReport.gather(gpus, placement, peers);
    List<String> announcements = peers.gather(placement.announcement());
    boolean hasThirdBuffer =
        request.repetition().checks() > 0 || request.comparison().hasVariants();
    long limit = bufferLimit(gauge.smallestTotal(), hasThirdBuffer);
    long bufferBytes =
        (long) peers.combine(Math.min(limit, request.calls().sweep().maxBytes()), Average.MIN);
    gauge.mark();
    long allocated = bufferBytes + (long) request.use().misalignment() * LARGEST_ELEMENT_BYTES;
    gpus.forEach(gpu -> gpu.allocate(allocated));
    gauge.mark();
    register(allocated);
    Optional<JavacppReplay> replay =
        request.replay().map(plan -> JavacppReplay.open(request, plan, gpus, peers, version));
    if (replay.isPresent() && bufferBytes < request.calls().sweep().maxBytes()) {
      throw new RunFailure(
          Reason.MISSING,
          "the largest call of the job needs two buffers of %s bytes, GPUs have room for two of %s"
              .formatted(request.calls().sweep().maxBytes(), bufferBytes));
    }
    return new GpuJob(
        request,
        version,
        devices,
        announcements,
        peers,
        bufferBytes,
        groups(),
        replay.map(gpus -> gpus),
        gauge::use,
        () -> {
          replay.ifPresent(JavacppReplay::close);
          close(ncclPeers);
        });
  }

  /** Opens the GPUs; returns the lowest compute capability among them. */
  private int openDevices(RunRequest request) {
    int sm = Integer.MAX_VALUE;
    int[] count = new int[1];
    int result = cudart.cudaGetDeviceCount(count);
    if (result != cudart.cudaSuccess || count[0] == 0) {
      throw new RunFailure(
          Reason.MISSING, "no GPU: " + Native.text(cudart.cudaGetErrorString(result)));
    }
    int first = placement.firstDevice().orElse(placement.localIndex() * request.use().gpus());
    if (first + request.use().gpus() > count[0]) {
      if (request.replay().isPresent()) {
        throw new RunFailure(
            Reason.MISSING,
            "the traced job has %s ranks, %s GPUs found: expected one for each rank"
                .formatted(placement.size(), count[0]));
      }
      throw new RunFailure(
          Reason.MISSING,
          TextWriter.format(
              "GPUs %d to %d are asked for (processes of this host times -t times -g), %d found",
              first, first + request.use().gpus() - 1, count[0]));
    }
    for (int i = 0; i < request.use().gpus(); i++) {
      NcclGpu gpu = new NcclGpu(first + i, version, request.use().defaultStream());
      gpus.add(gpu);
      sm = Math.min(sm, gpu.sm());
    }
    return sm;
  }

  /** Creates the communicators; returns the one between the processes. */
  private Optional<NcclPeers> connect() {
    ncclUniqueId id = new ncclUniqueId();
    nccl(nccl.ncclGetUniqueId(id), "ncclGetUniqueId");
    int perProcess = request.use().gpus();
    int firstRank = placement.index() * perProcess;
    ncclConfig_t config = NcclConfig.likeNcclTests(version);
    List<ncclComm> world = new ArrayList<>();
    groupStart();
    for (int i = 0; i < perProcess; i++) {
      gpus.get(i).select();
      ncclComm comm = new ncclComm();
      world.add(comm);
      nccl(
          nccl.ncclCommInitRankConfig(
              comm, placement.size() * perProcess, id, firstRank + i, config),
          "ncclCommInitRankConfig");
    }
    groupEnd(" of ncclCommInitRankConfig");
    List<ncclComm> joined = world;
    if (placement.split().isPresent()) {
      joined = split(world, rank -> placement.color());
    }
    if (request.comparison().hasVariants()) {
      for (AlternatingRun.Variant variant : request.comparison().variants()) {
        join(NativeEnvironment.with(variant.settings(), () -> split(world, ALL)));
      }
    } else {
      join(joined);
    }
    if (placement.size() == 1) {
      return Optional.empty();
    }
    List<ncclComm> firsts = split(world, rank -> rank % perProcess == 0 ? 0 : NO_COLOR);
    return Optional.of(
        new NcclPeers(
            gpus.get(0),
            firsts.get(0),
            placement.index(),
            placement.size(),
            request.timeLimitSeconds()));
  }

  private void join(List<ncclComm> comms) {
    for (int i = 0; i < comms.size(); i++) {
      gpus.get(i).join(comms.get(i));
    }
  }

  private List<ncclComm> split(List<ncclComm> world, IntUnaryOperator color) {
    int firstRank = placement.index() * request.use().gpus();
    return split(
        gpus,
        world,
        firstRank,
        color,
        IntUnaryOperator.identity(),
        NcclConfig.likeNcclTests(version));
  }

  /**
   * Splits the communicators of some GPUs; the result is a null pointer for a GPU without a part.
   *
   * @param firstRank the rank of the first GPU; the others follow
   * @param color returns the part of a rank, {@link #NO_COLOR} for none
   * @param key returns the sort key of a rank within its part
   */
  static List<ncclComm> split(
      List<NcclGpu> gpus,
      List<ncclComm> world,
      int firstRank,
      IntUnaryOperator color,
      IntUnaryOperator key,
      ncclConfig_t config) {
    // NCCL fills these in when the group ends.
    List<PointerPointer<ncclComm>> places = new ArrayList<>();
    groupStart();
    for (int i = 0; i < world.size(); i++) {
      gpus.get(i).select();
      PointerPointer<ncclComm> place = new PointerPointer<>(1);
      places.add(place);
      int rank = firstRank + i;
      nccl(
          nccl.ncclCommSplit(
              world.get(i), color.applyAsInt(rank), key.applyAsInt(rank), place, config),
          "ncclCommSplit");
    }
    groupEnd(" of ncclCommSplit");
    List<ncclComm> parts = new ArrayList<>();
    places.forEach(place -> parts.add(new ncclComm(place.get())));
    return parts;
  }

  /**
   * The largest size of the two buffers of a GPU ({@code run}, {@code nccl-tests:src/common.cu},
   * 2.19.6): some memory is left free, with checks also for a third buffer. Results are compared on
   * the host here, but the sizes then match those of nccl-tests. In a comparison the communicators
   * of all variants use that space.
   */
  private static long bufferLimit(long memoryBytes, boolean hasThirdBuffer) {
    long units = (memoryBytes + GIB_PER_RESERVED_GIB * GIB - 1) / (GIB_PER_RESERVED_GIB * GIB);
    long reserved = Math.min(units, MAX_RESERVED_GIB) * GIB;
    return Math.max(0, (memoryBytes - reserved - GIB) / (hasThirdBuffer ? 3 : 2));
  }

  private void register(long bufferBytes) {
    if (request.use().registration() == Registration.NONE) {
      return;
    }
    for (int variant = 0; variant < gpus.get(0).variants(); variant++) {
      int of = variant;
      groupStart();
      gpus.forEach(gpu -> gpu.register(request.use().registration(), bufferBytes, of));
      groupEnd(" of the registration");
    }
  }

  private List<GpuGroup> groups() {
    List<GpuGroup> groups = new ArrayList<>();
    int perThread = request.use().gpusPerThread();
    for (int thread = 0; thread < request.use().threads(); thread++) {
      groups.add(
          new JavacppGpuGroup(gpus.subList(thread * perThread, (thread + 1) * perThread), version));
    }
    return groups;
  }

  /**
   * Closes the GPUs. All buffers are deregistered first: NCCL deregisters them through the proxies
   * of peers, which end with their communicators, and crashes without a proxy ({@code
   * ncclIpcDeregBuffer}, {@code nccl:src/transport/p2p.cc}).
   */
  private void close(Optional<NcclPeers> peers) {
    Registration registration = request.use().registration();
    gpus.forEach(gpu -> gpu.deregister(registration));
    if (registration != Registration.NONE) {
      peers.ifPresent(NcclPeers::meet);
    }
    gpus.forEach(NcclGpu::release);
    peers.ifPresent(NcclPeers::close);
    cuda(cudart.cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
}
