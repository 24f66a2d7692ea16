package dev.topo.simulator.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.FleetReader;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.topology.TopologyReader;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.DiffJob.DiffMonitor;
import dev.topo.simulator.variant.Upgrade.VersionedJob;
import dev.topo.simulator.variant.UpgradePoint.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpgradeTest {
  private static final ReleaseRules OLD = ReleaseRules.of(NcclRelease.parse("2.28.7"));
  private static final ReleaseRules NEW = ReleaseRules.of(NcclRelease.parse("2.28.9"));

  @TempDir private Path folder;

  private static Path shipped(String name) {
    return Path.of(System.getProperty("topo.root"), "topologies", name + ".xml");
  }

  private static Upgrade upgrade(ReleaseRules from, ReleaseRules to) {
    return new Upgrade(from, to, new JobEvaluator());
  }

  private static VersionedJob job(Path file, int nodes) {
    return job(file, nodes, Collective.ALL_REDUCE);
  }

  private static VersionedJob job(Path file, int nodes, Collective collective) {
    List<CollectiveCall> calls =
        LongStream.iterate(1 << 10, size -> size <= 1L << 30, size -> 2 * size)
            .mapToObj(size -> CollectiveCall.of(collective, size))
            .toList();
    return profile ->
        JobRequest.of(
            Job.ofEqual(machine(file, profile, NcclSettings.DEFAULTS), nodes), profile, calls);
  }

  private static Machine machine(Path file, NcclProfile profile, NcclSettings settings) {
    return new Machine(
        new TopologyReader(UnknownElements.REJECTED, profile)
            .read(file, GpuSelection.ALL, new Diagnostics()),
        settings);
  }

  @Test
  void theSameRulesChangeNothing() {
    UpgradeResult result = upgrade(NEW, NEW).of("x", job(shipped("dgx-h100"), 4));
    assertTrue(result.isEqual());
    assertEquals(List.of(), result.main());
    assertEquals(4, result.nodes());
  }

  /** 2.28.7 differs from 2.28.9 in the network latency of NVLSTree: 14 instead of 20.9 us. */
  @Test
  void aLongerLatencyOfNvlsTreeIsAChangeOfChoice() {
    UpgradeResult result = upgrade(OLD, NEW).of("x", job(shipped("dgx-h100"), 4));
    assertFalse(result.isEqual());
    assertEquals(1, result.points().size(), result.points().toString());
    UpgradePoint point = result.points().get(0);
    assertEquals(Topic.CHOICE, point.topic());
    assertEquals("NVLSTree/Simple", point.before());
  }

  @Test
  void timesOfBothReleasesAreComparedThoseOfNcclsModelWithACaveat() {
    UpgradeResult result = upgrade(OLD, NEW).of("x", job(shipped("dgx-h100"), 4));
    assertFalse(result.change().busbw().isEmpty());
    assertEquals(1, UpgradeNotes.of(result).size());
    ReleaseRules older = ReleaseRules.of(NcclRelease.parse("2.21.5"));
    UpgradeResult noConstants =
        upgrade(older, NEW).of("x", job(shipped("dgx-1v"), 1, Collective.BROADCAST));
    assertEquals(
        Set.of(Source.NCCL_MODEL),
        noConstants.change().busbw().stream()
            .flatMap(busbw -> busbw.sources().stream())
            .collect(Collectors.toSet()));
    assertTrue(UpgradeNotes.of(noConstants).get(1).contains("may be one of the model alone"));
  }

  @Test
  void whatMattersMostIsFirst() {
    VersionedJob few =
        profile ->
            JobRequest.of(
                Job.ofEqual(
                    machine(
                        shipped("dgx-h100"),
                        profile,
                        NcclSettings.parse(List.of("NCCL_MAX_NCHANNELS=4"))),
                    1),
                profile,
                job(shipped("dgx-h100"), 1).by(profile).calls());
    UpgradeResult result = upgrade(NEW, NEW).of("x", job(shipped("dgx-h100"), 1), few);
    assertEquals(Topic.CHANNELS, result.main().get(0).topic());
    assertEquals("4", result.main().get(0).after());
    assertEquals(UpgradeResult.MAIN, result.main().size());
  }

  @Test
  void afileThatOneReaderRefusesIsAFailureOfThatRelease() {
    VersionedJob good = job(shipped("dgx-h100"), 1);
    TopologyFormatException fault =
        new TopologyFormatException(SourceLocation.of("x.xml"), "unknown");
    VersionedJob refused =
        profile -> {
          throw fault;
        };
    UpgradeResult result = upgrade(OLD, NEW).of("x", good, refused);
    assertEquals(Topic.START, result.main().get(0).topic());
    assertTrue(result.main().get(0).after().startsWith("fails: x.xml: unknown"));
    assertEquals("starts", upgrade(OLD, NEW).of("x", refused, good).main().get(0).after());
    assertEquals(
        fault,
        assertThrows(
            TopologyFormatException.class, () -> upgrade(OLD, NEW).of("x", refused, refused)));
  }

  @Test
  void equalNodesOfAFleetAreEvaluatedOnceAndCounted() throws IOException {
    for (int i = 0; i < 5; i++) {
      Files.copy(shipped("dgx-h100"), folder.resolve("h100-" + i + ".xml"));
    }
    Files.copy(shipped("dgx-1v"), folder.resolve("v100.xml"));
    Files.writeString(folder.resolve("broken.xml"), "<system");
    Inputs inputs = new Inputs();
    Fleet fleet =
        FleetReader.read(
            FleetReader.files(List.of(folder), inputs, FleetReader::isXml), inputs, file -> {});
    int[] evaluated = {0};
    DiffMonitor monitor =
        (step, total) ->
            new DiffMonitor.Task() {
              @Override
              public void next() {
                evaluated[0]++;
              }

              @Override
              public void close() {
                assertEquals(total, evaluated[0]);
              }
            };
    FleetUpgrade result =
        upgrade(OLD, NEW).ofFleet(Optional.of(folder), fleet, file -> job(file, 4), monitor);
    assertEquals(2, evaluated[0]);
    assertEquals(7, result.nFiles());
    assertEquals(5, result.nChanged());
    assertEquals(5, result.groups().get(0).files().size());
    assertTrue(result.groups().get(1).result().isEqual());
    assertEquals(1, result.unreadable().size());
  }
}
