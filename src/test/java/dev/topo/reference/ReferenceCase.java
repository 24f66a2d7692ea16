package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.GraphSource;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.FileOrder;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A topology file with what NCCL's own code answers for it.
 *
 * @param folder where the answers are
 * @param topologyFile the topology
 * @param profile the version that answered
 */
record ReferenceCase(Path folder, Path topologyFile, NcclProfile profile) {
  /** What a {@code SKIPPED} file may say is missing. */
  private static final Pattern STAGES = Pattern.compile("((?:(?:paths|n1|n2|n4) )+): (.*)");

  /** A case that the default version answered. */
  ReferenceCase(Path folder, Path topologyFile) {
    this(folder, topologyFile, NcclProfile.DEFAULT);
  }

  /**
   * Why NCCL's own code has no answer for a stage, {@code paths} or {@code n} and the number of
   * nodes.
   */
  Optional<String> skipped(String stage) {
    return has("SKIPPED")
        ? lines("SKIPPED").stream()
            .map(STAGES::matcher)
            .filter(line -> line.matches() && List.of(line.group(1).split(" ", -1)).contains(stage))
            .map(line -> line.group(2))
            .findFirst()
        : Optional.empty();
  }

  String name() {
    return folder.getFileName().toString();
  }

  /** Whether there is a file of this name. */
  boolean has(String file) {
    return Files.exists(folder.resolve(file));
  }

  String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of the topology file. */
  String topologyText() {
    try {
      return Files.readString(topologyFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> lines(String file) {
    return text(file).lines().toList();
  }

  /** The GPUs that {@code case.txt} names, or all where there is none. */
  GpuSelection selection() {
    return has("case.txt")
        ? lines("case.txt").stream()
            .filter(line -> line.startsWith("gpus "))
            .map(line -> line.substring("gpus ".length()).split(",", -1))
            .map(devs -> Stream.of(devs).map(Integer::valueOf).collect(Collectors.toSet()))
            .map(GpuSelection::of)
            .findFirst()
            .orElseThrow()
        : GpuSelection.ALL;
  }

  /**
   * The topology with the GPUs of the case, as a file of NCCL_TOPO_FILE in the set {@code joined};
   * all other sets take the order of the file, as of a dump. NCCL's code took all GPUs to have P2P
   * with each other.
   */
  Topology topology() {
    String text = topologyText().replaceAll("<gpu ", "<gpu p2p=\"" + "1".repeat(200) + "\" ");
    XmlDocument document =
        new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), topologyFile.toString());
    return folder.getParent().endsWith("joined")
        ? new TopologyReader(UnknownElements.REJECTED, profile)
            .map(document, selection(), new Diagnostics())
        : FileOrder.map(document, selection(), profile);
  }

  /** The graphs of the topology. */
  GraphSource graphs() {
    return SharedGraphs.GRAPHS;
  }

  /** The job of the machines that {@code nodes.txt} names; equal ones are one object. */
  Job mixedJob() {
    Map<String, Machine> machines = new HashMap<>();
    return new Job(
        lines("nodes.txt").stream()
            .map(file -> machines.computeIfAbsent(file.strip(), ReferenceCase::shipped))
            .toList());
  }

  private static Machine shipped(String file) {
    return new Machine(
        new TopologyReader().read(ReferenceSets.shipped(file), GpuSelection.ALL, new Diagnostics()),
        NcclSettings.DEFAULTS);
  }
}
