package dev.topo.simulator.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.SpecException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.JobMachines.HostFiles;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobRequest.CallContext;
import dev.topo.simulator.evaluate.JobResolver.ResolvedJob;
import dev.topo.simulator.evaluate.JobSpec.TimeSpec;
import dev.topo.simulator.evaluate.RankLayout.DomainSizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is stated about a job becomes its machines and requests. */
class JobResolverTest {
  private static final Path TOPOLOGIES =
      Path.of(System.getProperty("topo.root")).resolve("topologies");
  private static final Path H100 = TOPOLOGIES.resolve("dgx-h100.xml");
  private static final Path A100 = TOPOLOGIES.resolve("dgx-a100.xml");

  private final List<SpecText> notes = new ArrayList<>();
  private final JobResolver resolver = new JobResolver(new Files(), new Inputs(), notes::add);

  /** The topology files of the project. */
  private static final class Files implements HostFiles {
    private final TopologySource source =
        new TopologySource(new Inputs(), UnknownElements.REJECTED);

    @Override
    public XmlElement system(Path file) {
      return source.document(file).root();
    }

    @Override
    public Topology topology(Path file, GpuSelection gpus, NcclProfile profile) {
      return source.topology(file, gpus, profile, new Diagnostics());
    }

    @Override
    public Topology topology(XmlElement system, GpuSelection gpus, NcclProfile profile) {
      return source.topology(system, gpus, profile, new Diagnostics());
    }
  }

  private static JobSpec of(RankLayout layout) {
    return JobSpec.of(H100, 1).withLayout(layout);
  }

  private List<List<GpuNode>> gpus(JobSpec spec) {
    return resolver.resolve(spec).whole().machines().stream()
        .map(machine -> machine.topology().gpus())
        .toList();
  }

  private List<JobRequest> requests(JobSpec spec) {
    TimeResolver times = new TimeResolver(spec.times(), new Inputs(), notes::add);
    return resolver.resolve(spec).parts().stream()
        .map(part -> times.request(spec.rules().profile(), part))
        .toList();
  }

  private SpecException wrong(JobSpec spec) {
    return assertThrows(SpecException.class, () -> requests(spec));
  }

  @Test
  void equalMachinesAreOneObject() {
    JobPart part = resolver.resolve(JobSpec.of(H100, 3)).parts().get(0);
    assertEquals(24, part.job().nRanks());
    assertSame(part.job().machines().get(0), part.job().machines().get(2));
    assertSame(part.job(), part.whole());
    assertEquals("", part.label());
    RankLayout.Machines mixed = new RankLayout.Listed(List.of(H100, A100, H100));
    JobPart listed =
        resolver
            .resolve(
                of(new RankLayout(mixed, DomainSizes.NONE, Optional.empty(), Optional.empty())))
            .parts()
            .get(0);
    assertSame(listed.job().machines().get(0), listed.job().machines().get(2));
    assertEquals(List.of(H100, A100, H100), listed.files());
    assertTrue(notes.isEmpty(), notes::toString);
  }

  @Test
  void aSplitHasARequestForEachKindOfCommunicator() {
    JobSpec split = of(RankLayout.ofEqual(H100, 2).withSplit("DIV 8"));
    ResolvedJob job = resolver.resolve(split);
    assertEquals(1, job.parts().size());
    assertEquals(List.of(0, 1), job.parts().get(0).colors());
    assertEquals("0-1", job.parts().get(0).label());
    assertFalse(job.sharesHosts());
    assertTrue(resolver.resolve(of(RankLayout.ofEqual(H100, 2).withSplit("MOD 2"))).sharesHosts());
    JobRequest request = requests(split).get(0);
    assertEquals(8, request.job().nRanks());
    assertEquals(CallContext.USUAL, request.context());
    assertTrue(request.selectedCalibration().calibration().isPresent());
  }

  @Test
  void ranksByNumberAreThoseOfTheSameList() {
    RankLayout two = RankLayout.ofEqual(H100, 2);
    RankLayout stated =
        new RankLayout(
            two.machines(),
            DomainSizes.NONE,
            Optional.of(new RankLayout.StatedRanks("0,2,8,10", Path.of("none"))),
            Optional.empty());
    assertEquals(gpus(of(stated)), gpus(of(two.ofRanks(List.of(0, 2, 8, 10)))));
    assertEquals(2, gpus(of(stated)).size());
  }

  @Test
  void errorsNameTheFieldInWordsOfTheLibrary() {
    SpecException split = wrong(of(RankLayout.ofEqual(H100, 1).withSplit("0-99")));
    assertEquals(SpecField.SPLIT, split.field());
    assertTrue(String.valueOf(split.getMessage()).startsWith("groups: "), split.getMessage());
    DomainSizes three = new DomainSizes(List.of(3));
    RankLayout domains =
        new RankLayout(new RankLayout.Equal(H100, 2), three, Optional.empty(), Optional.empty());
    assertEquals(
        "NVLink domain 3: expected numbers that add up to the 2 nodes of the job",
        wrong(of(domains)).getMessage());
    TimeSpec.NamedFile none = new TimeSpec.NamedFile("lan", Path.of("lan"));
    assertEquals(
        "network lan: expected a file or one of rdma, slingshot, efa, sockets",
        wrong(JobSpec.of(H100, 2).withTimes(TimeSpec.USUAL.withNetwork(none))).getMessage());
  }
}
