package dev.topo.property;

import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A job at random: the machines of its nodes, and calls.
 *
 * @param seed with which it was drawn
 * @param machine of its nodes
 * @param first another machine in place of the first node; empty where all are equal
 * @param nodes number of nodes
 * @param nccl the release
 * @param settings settings of NCCL, as {@code NAME=VALUE}
 * @param collectives collectives of calls
 * @param sizes sizes of calls, ascending
 */
record DrawnJob(
    long seed,
    DrawnMachine machine,
    Optional<DrawnMachine> first,
    int nodes,
    String nccl,
    List<String> settings,
    List<Collective> collectives,
    List<Long> sizes) {
  private static final List<String> SETTINGS =
      List.of(
          "NCCL_ALGO=Ring",
          "NCCL_ALGO=Tree",
          "NCCL_PROTO=Simple",
          "NCCL_PROTO=^LL128",
          "NCCL_MAX_NCHANNELS=2",
          "NCCL_MIN_NCHANNELS=4",
          "NCCL_NVLS_ENABLE=0",
          "NCCL_CROSS_NIC=0",
          "NCCL_CROSS_NIC=1",
          "NCCL_BUFFSIZE=1048576",
          "NCCL_NTHREADS=256",
          "NCCL_P2P_LEVEL=PHB");

  private static final List<Integer> NODES = List.of(1, 1, 1, 2, 2, 2, 3, 4);

  DrawnJob {
    settings = List.copyOf(settings);
    collectives = List.copyOf(collectives);
    sizes = List.copyOf(sizes);
  }

  /** The job of a seed. */
  static DrawnJob of(long seed) {
    Random random = random(seed);
    DrawnMachine machine = DrawnMachine.draw(random);
    int nodes = machine.parts().ports().isEmpty() ? 1 : MachineEdits.pick(NODES, random);
    Optional<DrawnMachine> first =
        nodes > 1 && random.nextInt(3) == 0
            ? machine.with(MachineEdits.any(machine.parts(), random))
            : Optional.empty();
    String nccl =
        random.nextInt(5) == 0
            ? MachineEdits.pick(NcclProfile.versions(), random)
            : NcclProfile.DEFAULT.version();
    List<String> settings =
        random.nextInt(4) == 0 ? List.of(MachineEdits.pick(SETTINGS, random)) : List.of();
    return new DrawnJob(
        seed, machine, first, nodes, nccl, settings, collectives(random), sizes(random));
  }

  /** The job of a seed on machines whose GPUs have NVLink multicast. */
  static DrawnJob withMulticast(long seed) {
    Random random = random(seed);
    DrawnMachine machine = DrawnMachine.drawWithMulticast(random);
    return new DrawnJob(
        seed,
        machine,
        Optional.empty(),
        machine.parts().ports().isEmpty() ? 1 : MachineEdits.pick(NODES, random),
        NcclProfile.DEFAULT.version(),
        List.of(),
        List.of(Collective.ALL_REDUCE),
        sizes(random));
  }

  /** Numbers at random for what is done with it. */
  Random random() {
    return random(seed);
  }

  private static Random random(long seed) {
    // Neighbouring seeds begin alike without the factor.
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  private static List<Collective> collectives(Random random) {
    Collective other = MachineEdits.pick(List.of(Collective.values()), random);
    return other == Collective.ALL_REDUCE ? List.of(other) : List.of(Collective.ALL_REDUCE, other);
  }

  /** A small, a middle and a large one; not always powers of two. */
  private static List<Long> sizes(Random random) {
    List<Long> sizes = new ArrayList<>();
    for (int bits : List.of(8, 15, 22)) {
      long size = 1L << bits + random.nextInt(7);
      sizes.add(random.nextInt(4) == 0 ? size + 16 * random.nextInt((int) (size / 16)) : size);
    }
    return sizes;
  }

  /** Its calls. */
  List<CollectiveCall> calls() {
    return collectives.stream()
        .flatMap(collective -> sizes.stream().map(size -> CollectiveCall.of(collective, size)))
        .toList();
  }

  /** Its rules. */
  NcclProfile profile() {
    return NcclProfile.of(nccl);
  }

  /** The same job on equal other machines. */
  DrawnJob on(DrawnMachine other, int count) {
    return on(other, Optional.empty(), count);
  }

  /** The same job on other machines. */
  DrawnJob on(DrawnMachine other, Optional<DrawnMachine> otherFirst, int count) {
    return new DrawnJob(seed, other, otherFirst, count, nccl, settings, collectives, sizes);
  }

  /** The same job with a setting more. */
  DrawnJob with(String setting) {
    List<String> all = new ArrayList<>(settings);
    all.add(setting);
    return new DrawnJob(seed, machine, first, nodes, nccl, all, collectives, sizes);
  }

  /** What an evaluation takes; equal machines are one object. */
  Job job() {
    Machine equal = machine(machine);
    List<Machine> machines = new ArrayList<>(Collections.nCopies(nodes, equal));
    first.ifPresent(one -> machines.set(0, machine(one)));
    return new Job(machines);
  }

  /** With the settings as a command gives them: a default that is stated can merge ports. */
  private Machine machine(DrawnMachine one) {
    NcclProfile profile = profile();
    return new Machine(
        new TopologyReader(UnknownElements.REJECTED, profile)
            .map(one.document(), GpuSelection.ALL, new Diagnostics()),
        NcclSettings.parse(settings));
  }

  /** The evaluated job; empty where NCCL of this release would not start. */
  Optional<JobResult> result() {
    try {
      return Optional.of(new JobEvaluator().evaluate(JobRequest.of(job(), profile(), calls())));
    } catch (UnusableTopologyException | TopologyFormatException e) {
      return Optional.empty();
    }
  }

  /** Writes a machine below a folder. */
  static Path write(DrawnMachine machine, Path folder) {
    try {
      return Files.writeString(folder.resolve(machine.name()), XmlWriter.write(machine.document()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A command about its nodes, whose files are written below a folder, without calls. */
  List<String> command(String name, Path folder) {
    List<String> words = new ArrayList<>(List.of(name));
    Path file = write(machine, folder);
    if (first.isPresent()) {
      DrawnMachine other =
          new DrawnMachine("first-" + machine.name(), first.get().document(), List.of());
      words.addAll(List.of("--node", String.valueOf(write(other, folder))));
      words.addAll(List.of("--node", file + "*" + (nodes - 1)));
    } else {
      words.addAll(List.of(file.toString(), "--nodes", String.valueOf(nodes)));
    }
    return withRules(words);
  }

  /** Words with the options of release and settings. */
  List<String> withRules(List<String> words) {
    List<String> all = new ArrayList<>(words);
    if (!nccl.equals(NcclProfile.DEFAULT.version())) {
      all.addAll(List.of("--nccl", nccl));
    }
    settings.forEach(setting -> all.addAll(List.of("--env", setting)));
    return all;
  }

  /** Words with the options of some calls. */
  static List<String> withCalls(
      List<String> words, List<Collective> collectives, List<Long> sizes) {
    List<String> all = new ArrayList<>(words);
    all.addAll(
        List.of(
            "--collective",
            collectives.stream().map(Collective::ncclTestsName).collect(Collectors.joining(",")),
            "--sizes",
            sizes.stream().map(String::valueOf).collect(Collectors.joining(","))));
    return all;
  }

  /** Words with the options of its calls. */
  List<String> withCalls(List<String> words) {
    return withCalls(words, collectives, sizes);
  }

  /** The properties that repeat the case, and what it is. */
  @Override
  public String toString() {
    return "-Dtest.seed=%d -Dtest.iters=1: %s%s x %d, NCCL %s %s, %s of %s"
        .formatted(
            seed,
            first.map(one -> one + " and ").orElse(""),
            machine,
            first.isPresent() ? nodes - 1 : nodes,
            nccl,
            settings,
            collectives,
            sizes);
  }
}
