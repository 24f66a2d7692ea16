package dev.topo.reference;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import dev.topo.search.topology.RankFusion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** Domains of the reference that are joined from the files of single hosts. */
final class JoinedHosts {
  private JoinedHosts() {}

  static List<ReferenceCase> cases() {
    Path reference = ReferenceSets.folder("mnnvl");
    Path gb200 = ReferenceSets.shipped("gb200-tray.xml");
    Path gb300 = reference.resolve("gb300-tray/topo.xml");
    List<ReferenceCase> cases = new ArrayList<>();
    for (int trays : new int[] {2, 4, 9, 18}) {
      cases.add(joined(reference.resolve("gb200-" + trays + "trays"), gb200, trays, gpu -> true));
    }
    cases.add(joined(reference.resolve("gb200-4trays-1gpu"), gb200, 4, gpu -> gpu.dev() == 0));
    cases.add(
        joined(
            reference.resolve("gb200-4trays-15gpu"),
            gb200,
            4,
            gpu -> gpu.host() != 2 || gpu.dev() != 3));
    cases.add(joined(reference.resolve("gb300-4trays"), gb300, 4, gpu -> true));
    cases.add(
        new ReferenceCase(
            reference.resolve("gb200-4trays-2nic"),
            file(NvlinkDomain.fuse(Collections.nCopies(4, withTwoPorts(gb200))))));
    List<HostGpu> dealt = new ArrayList<>();
    for (int rank = 0; rank < 16; rank++) {
      dealt.add(new HostGpu(rank % 4, rank / 4));
    }
    cases.add(
        new ReferenceCase(
            reference.resolve("gb200-4trays-cyclic"),
            file(RankFusion.inRankOrder(fused(gb200, 4), dealt))));
    return cases;
  }

  private static XmlElement withTwoPorts(Path tray) {
    EditedMachine whole =
        EditedMachine.of(new XmlReader().read(tray, new Inputs()), NcclSettings.DEFAULTS);
    return new EditApplier(file -> new XmlReader().read(file, new Inputs()), machine -> {})
        .apply(whole, EditParser.parse("remove net:mlx5_1 net:mlx5_3; net:mlx5_2.dev=1", "edit"))
        .machine()
        .root();
  }

  /** A domain of equal hosts. */
  static ReferenceCase whole(Path answers, Path host, int hosts) {
    return joined(answers, host, hosts, gpu -> true);
  }

  static XmlElement fused(Path host, int hosts) {
    return NvlinkDomain.fuse(
        Collections.nCopies(hosts, new XmlReader().read(host, new Inputs()).root()));
  }

  static ReferenceCase joined(Path answers, Path host, int hosts, Predicate<HostGpu> taken) {
    return new ReferenceCase(answers, file(NvlinkDomain.only(fused(host, hosts), taken)));
  }

  private static Path file(XmlElement system) {
    try {
      Path file = Files.createTempFile("domain", ".xml");
      file.toFile().deleteOnExit();
      Files.writeString(file, text(system));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(XmlElement system) {
    return XmlWriter.write(new XmlDocument(List.of(), system, List.of()));
  }
}
