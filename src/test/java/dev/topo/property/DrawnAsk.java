package dev.topo.property;

import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.search.rules.NcclProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A question about one call at random.
 *
 * @param seed with which it was drawn
 * @param machine of all nodes
 * @param nodes number of nodes
 * @param nccl the release
 * @param settings settings of NCCL, as {@code NAME=VALUE}
 * @param operation what is called
 * @param bytes its size, not always one that leaves an element for each rank
 */
record DrawnAsk(
    long seed,
    DrawnMachine machine,
    int nodes,
    String nccl,
    List<String> settings,
    Operation operation,
    long bytes) {
  private static final int MOST_GPUS = 8;
  private static final int SIZES = 34;

  /** Some of them NCCL cannot use for some calls. */
  private static final List<String> SETTINGS =
      List.of(
          "NCCL_ALGO=Ring",
          "NCCL_ALGO=Tree",
          "NCCL_ALGO=NVLS",
          "NCCL_PROTO=LL128",
          "NCCL_PROTO=^LL",
          "NCCL_MAX_NCHANNELS=2",
          "NCCL_BUFFSIZE=65536",
          "NCCL_NTHREADS=256",
          "NCCL_NVLS_ENABLE=0",
          "NCCL_CROSS_NIC=1",
          "NCCL_P2P_DISABLE=1",
          "NCCL_SHM_DISABLE=1",
          "NCCL_PXN_DISABLE=1",
          "NCCL_IB_DISABLE=1",
          "NCCL_IB_MERGE_NICS=1",
          "NCCL_P2P_NET_CHUNKSIZE=1",
          "NCCL_P2P_NVL_CHUNKSIZE=2",
          "NCCL_CHUNK_SIZE=1",
          "NCCL_CHUNK_SIZE=65536");

  /** The question of a seed. */
  static DrawnAsk of(long seed) {
    // Neighbouring seeds begin alike without the factor.
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    DrawnMachine machine = DrawnMachine.draw(random);
    while (machine.parts().gpus().size() > MOST_GPUS) {
      machine = DrawnMachine.draw(random);
    }
    List<Operation> operations = Operation.all().stream().filter(Operation::isOneCall).toList();
    long size = 1L << random.nextInt(SIZES);
    return new DrawnAsk(
        seed,
        machine,
        machine.parts().ports().isEmpty() ? 1 : 1 + random.nextInt(2),
        random.nextInt(3) > 0
            ? NcclProfile.DEFAULT.version()
            : MachineEdits.pick(NcclProfile.versions(), random),
        random.nextBoolean() ? List.of() : List.of(MachineEdits.pick(SETTINGS, random)),
        MachineEdits.pick(operations, random),
        random.nextInt(3) == 0 ? size + random.nextLong(size) : size);
  }

  boolean isCollective() {
    return operation instanceof Collective;
  }

  Call call() {
    return Call.of(operation, bytes);
  }

  /** A command about it, with an answer as JSON. */
  List<String> command(String name, Path file) {
    List<String> words =
        new ArrayList<>(
            List.of(
                name,
                file.toString(),
                "--nodes=" + nodes,
                "--nccl=" + nccl,
                "--collective=" + operation.ncclTestsName(),
                "--sizes=" + bytes,
                "--format=json"));
    settings.forEach(setting -> words.add("--env=" + setting));
    return words;
  }

  /** The sweep of it alone. */
  String specification(Path file) {
    return """
        name: asks
        machines: [%s]
        nodes: [%d]
        nccl: [%s]
        collectives: [%s]
        sizes: [%d]
        axes: {settings: {set: %s}}
        """
        .formatted(
            file,
            nodes,
            nccl,
            operation.ncclTestsName(),
            bytes,
            settings.isEmpty() ? "" : "env " + settings.get(0));
  }

  /** The form of the page. */
  List<Map.Entry<String, String>> form(String id) {
    List<Map.Entry<String, String>> fields =
        new ArrayList<>(
            List.of(
                Map.entry("machine", id),
                Map.entry("nodes", String.valueOf(nodes)),
                Map.entry("release", nccl),
                Map.entry("collective", operation.ncclTestsName()),
                Map.entry("sizes", String.valueOf(bytes))));
    settings.forEach(setting -> fields.add(Map.entry("env", setting)));
    return fields;
  }

  /** The properties that repeat the case, and what it is. */
  @Override
  public String toString() {
    return "-Dtest.seed=%d -Dtest.iters=1: %s x %d, NCCL %s %s, %s of %d B"
        .formatted(seed, machine, nodes, nccl, settings, operation.ncclTestsName(), bytes);
  }
}
