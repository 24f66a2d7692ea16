package dev.topo.accuracy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.transfer.PeerKernel;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.search.transfer.PeerRound;
import dev.topo.search.transfer.Traffic;
import dev.topo.search.transfer.Transfer;
import dev.topo.search.transfer.TransferPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the sends and receives that real NCCL put into the arguments of its kernels with ours.
 * {@code src/test/gpu/collect-peers.sh} and {@code collect-releases.sh} make the archives; two
 * ranks on two GPUs or on one.
 */
class PeersOnGpusTest {
  private static final Pattern LAUNCH =
      Pattern.compile(
          "launch (.*) device (\\d) .* grid (\\d+) block (\\d+) channels (\\S+) storage (\\d) batches(.*)");
  private static final Pattern BATCHES = Pattern.compile(" (\\d+)-(\\d+):(\\S+)");
  private static final String ARGUMENTS = "0";

  /** A launch: what follows from its channels, and each pair of transfers that it describes. */
  private record Launch(String kernel, List<String> transfers) {}

  /** A call of a rank, with the launches that were seen. */
  private record Call(String name, int rank, List<Launch> launches) {}

  /** The calls of a run, and how many kernels and transfers of them are as predicted. */
  private record Count(int runs, int calls, int kernels, int transfers) {
    Count plus(Count other) {
      return new Count(
          runs + other.runs,
          calls + other.calls,
          kernels + other.kernels,
          transfers + other.transfers);
    }
  }

  @Test
  void theDocumentSaysWhatKernelsSendAndReceive() throws IOException {
    AccuracyFile table = new AccuracyFile("nccl,job,runs,calls,kernels,transfers");
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put("one-host", "one host, 2 GPUs, a process for each");
    titles.put("one-process", "one process for both GPUs");
    titles.put("nccl-tests", "sendrecv, alltoall, gather and scatter of nccl-tests, one process");
    titles.put("two-hosts", "2 hosts (NCCL_HOSTID), 2 GPUs");
    addRows(table, "h200-x2-peers.tar.gz", NcclProfile.DEFAULT, titles);
    Map<String, String> onOneGpu = new LinkedHashMap<>();
    onOneGpu.put("one-host", "one host, " + CheckedArchive.ONE_GPU);
    onOneGpu.put("two-hosts", "2 hosts (NCCL_HOSTID), " + CheckedArchive.ONE_GPU);
    for (String release : CheckedArchive.releases("sends and receives")) {
      addRows(table, CheckedArchive.peersOf(release), NcclProfile.of(release), onOneGpu);
    }
    CheckedArchive.check("nccl-peers.csv", table);
  }

  private static void addRows(
      AccuracyFile table, String archive, NcclProfile profile, Map<String, String> titles)
      throws IOException {
    Map<String, Map<String, String>> runs =
        CheckedArchive.folders(CheckedArchive.unpacked(archive));
    titles.forEach(
        (prefix, title) -> {
          Count count =
              runs.entrySet().stream()
                  .filter(run -> run.getKey().startsWith(prefix))
                  .map(
                      run ->
                          compare(
                              run.getKey(), run.getValue(), topology(runs, run.getKey()), profile))
                  .reduce(new Count(0, 0, 0, 0), Count::plus);
          table.add(profile, title, count.runs, count.calls, count.kernels, count.transfers);
        });
  }

  /** Only the first runs have a dump of the machine; all are on the same one. */
  private static String topology(Map<String, Map<String, String>> runs, String run) {
    return run.startsWith("two-hosts")
        ? runs.get("two-hosts-01").get("topology.0.xml")
        : runs.get("one-host-01").get("topology.0.xml");
  }

  private static Count compare(
      String name, Map<String, String> files, String topology, NcclProfile profile) {
    Connection connection =
        Connection.of(
            new Job(machines(name, files.get("settings.txt"), topology, profile)),
            GraphSearch::findAll,
            profile);
    PeerPlanner planner = new PeerPlanner(connection);
    int kernels = 0;
    int transfers = 0;
    List<Call> calls =
        files.entrySet().stream()
            .filter(file -> file.getKey().startsWith("launches"))
            .flatMap(file -> calls(operation(file.getKey()), file.getValue()).stream())
            .filter(call -> !call.name.startsWith("with-all-reduce"))
            .toList();
    for (Call call : calls) {
      List<Launch> predicted = launches(planner.call(call.rank, traffics(call)));
      assertEquals(
          predicted,
          call.launches,
          () -> profile + ", " + name + ", rank " + call.rank + ": " + call.name);
      kernels += predicted.size();
      transfers += predicted.stream().mapToInt(one -> one.transfers.size()).sum();
    }
    files.forEach(
        (file, text) -> {
          if (file.endsWith(".log")) {
            assertEquals(counts(connection), countsOf(text), name);
            assertEquals(
                Set.of(connection.transport(0, 1).name()), transportsOf(text), name + "/" + file);
          }
        });
    return new Count(1, calls.size(), kernels, transfers);
  }

  private static List<Machine> machines(
      String run, String settings, String topology, NcclProfile profile) {
    List<Machine> machines = new ArrayList<>();
    for (String busId : run.startsWith("two-hosts") ? List.of("06", "07") : List.of("06")) {
      byte[] xml =
          topology
              .replace("0000:00:06.0", "0000:00:" + busId + ".0")
              .getBytes(StandardCharsets.UTF_8);
      machines.add(
          new Machine(
              new TopologyReader(UnknownElements.REJECTED, profile)
                  .map(new XmlReader().read(xml, run), GpuSelection.ALL, new Diagnostics()),
              NcclSettings.parse(settings.lines().toList())));
    }
    return machines;
  }

  private static String counts(Connection connection) {
    return "P2P Chunksize set to %d, %d p2p channels, %d p2p channels per peer"
        .formatted(
            connection.bufferSizes(0).p2pChunk(),
            connection.p2pChannels(0).nChannels(),
            connection.p2pChannels(0).nChannelsPerPeer());
  }

  private static String countsOf(String log) {
    return log.lines()
        .flatMap(
            line ->
                Stream.of("P2P Chunksize set", " p2p channels, ")
                    .filter(line::contains)
                    .map(
                        words ->
                            line.substring(line.indexOf(words) - (words.startsWith(" ") ? 2 : 0))))
        .map(String::strip)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** The words after {@code via} in {@code Channel 00/1 : 0[0] -> 1[1] via P2P/CUMEM}. */
  private static Set<String> transportsOf(String log) {
    return log.lines()
        .filter(line -> line.contains(" via "))
        .map(line -> line.substring(line.indexOf(" via ") + 5).split("/", 2)[0])
        .collect(Collectors.toSet());
  }

  /** The operation of {@code launches.sendrecv.txt}, of nccl-tests. */
  private static Optional<PeerOperation> operation(String file) {
    return Operation.ofName(file.replaceAll("launches\\.|\\.txt", ""))
        .filter(PeerOperation.class::isInstance)
        .map(PeerOperation.class::cast);
  }

  private static List<Call> calls(Optional<PeerOperation> operation, String text) {
    List<Call> calls = new ArrayList<>();
    Map<Integer, Call> open = new TreeMap<>();
    List<String> transfers = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.startsWith("work ")) {
        transfers.add(transfers(line.split(" ", -1)));
        continue;
      }
      Matcher launch = LAUNCH.matcher(line);
      if (!launch.matches()) {
        throw new IllegalArgumentException(line);
      }
      int rank = Integer.parseInt(launch.group(2));
      String name = operation.map(PeerOperation::ncclTestsName).orElse(launch.group(1));
      Call call = open.get(rank);
      if (call == null || !call.name.equals(name) || operation.isPresent()) {
        call = new Call(name, rank, new ArrayList<>());
        open.put(rank, call);
        calls.add(call);
      }
      transfers = new ArrayList<>();
      call.launches.add(new Launch(kernel(launch), transfers));
    }
    return calls;
  }

  private static String kernel(Matcher launch) {
    int batches =
        BATCHES
            .matcher(launch.group(7))
            .results()
            .mapToInt(
                range ->
                    (Integer.parseInt(range.group(2)) - Integer.parseInt(range.group(1)) + 1)
                        * range.group(3).split("[|+]", -1).length)
            .sum();
    return kernel(
        Integer.parseInt(launch.group(3)),
        Integer.parseInt(launch.group(4)),
        Long.parseUnsignedLong(launch.group(5), 16),
        batches,
        launch.group(6).equals(ARGUMENTS));
  }

  private static String kernel(
      int blocks, int threads, long channels, int batches, boolean inArguments) {
    return blocks + " x " + threads + " on " + channels + ", " + batches + ", " + inArguments;
  }

  /**
   * A round begins on a channel; NCCL up to 2.27 states it beyond their number, kernels wrap it.
   */
  private static String transfers(String[] words) {
    int channels = Integer.parseInt(words[5]);
    return "%d of %d".formatted(Integer.parseInt(words[3]) % channels, channels)
        + transfer(words, "send", 7)
        + transfer(words, "receive", 21);
  }

  private static String transfer(String[] words, String direction, int at) {
    return words[at + 4].equals("0")
        ? ""
        : transfer(
            direction,
            words[at],
            words[at + 2],
            words[at + 8].equals("1") ? Protocol.LL : Protocol.SIMPLE,
            words[at + 4],
            words[at + 6]);
  }

  private static String transfer(
      String direction,
      Object peer,
      Object bytes,
      Protocol protocol,
      Object channels,
      Object chunk) {
    return ", %s %s: %s by %s on %s in %s"
        .formatted(direction, peer, bytes, protocol, channels, chunk);
  }

  private static List<Launch> launches(TransferPlan call) {
    List<Launch> launches = new ArrayList<>();
    int first = 0;
    for (PeerKernel kernel : call.kernels()) {
      long channels = kernel.channels().stream().mapToLong(channel -> 1L << channel).sum();
      launches.add(
          new Launch(
              kernel(
                  kernel.channels().size(),
                  kernel.threads(),
                  channels,
                  kernel.batches(),
                  kernel.inArguments()),
              call.rounds().subList(first, first + kernel.rounds()).stream()
                  .map(PeersOnGpusTest::transfers)
                  .toList()));
      first += kernel.rounds();
    }
    return launches;
  }

  private static String transfers(PeerRound round) {
    Function<String, Function<Transfer, String>> text =
        direction ->
            t ->
                transfer(
                    direction, t.peer(), t.bytes(), t.protocol(), t.nChannels(), t.chunkBytes());
    return "%d of %d".formatted(round.firstChannel(), round.allChannels())
        + round.send().map(text.apply("send")).orElse("")
        + round.receive().map(text.apply("receive")).orElse("");
  }

  /** What the calls of {@code src/test/gpu/peer-calls.c} send. */
  private static List<Traffic> traffics(Call call) {
    String[] words = call.name.split(" ", -1);
    if (words.length == 1) {
      return List.of(ofNcclTests(call));
    }
    long a = Long.parseLong(words[1]);
    long b = Long.parseLong(words[2]);
    return switch (words[0]) {
      case "sendrecv", "registered-sendrecv" ->
          List.of((from, to) -> from == to ? Traffic.NONE : a);
      case "send" -> List.of((from, to) -> from == 0 && to == 1 ? a : Traffic.NONE);
      case "alltoall", "nccl-alltoall" -> List.of((from, to) -> a);
      case "gather" -> List.of((from, to) -> to == 0 ? a : Traffic.NONE);
      case "scatter" -> List.of((from, to) -> from == 0 ? a : Traffic.NONE);
      case "uneven" -> List.of((from, to) -> from == to ? Traffic.NONE : from == 0 ? a : b);
      case "group" -> Collections.nCopies((int) a, (from, to) -> from == to ? Traffic.NONE : b);
      default -> throw new IllegalArgumentException(call.name);
    };
  }

  /** A call of the size that was seen; in place nothing is copied within a GPU. */
  private static Traffic ofNcclTests(Call call) {
    PeerOperation operation = (PeerOperation) Operation.ofName(call.name).orElseThrow();
    List<String> seen = call.launches.get(0).transfers;
    Matcher size = Pattern.compile("\\d: (\\d+) by").matcher(seen.get(0));
    if (!size.find()) {
      throw new IllegalArgumentException(seen.get(0));
    }
    long part = Long.parseLong(size.group(1));
    boolean copies = seen.stream().anyMatch(one -> one.contains("send " + call.rank + ":"));
    Traffic traffic =
        Traffic.of(operation, operation == PeerOperation.SENDRECV ? part : 2 * part, 2, 0);
    return (from, to) -> from == to && !copies ? Traffic.NONE : traffic.bytes(from, to);
  }
}
