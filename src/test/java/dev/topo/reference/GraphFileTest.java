package dev.topo.reference;

import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.io.Inputs;
import dev.topo.model.xml.GraphFormat;
import dev.topo.model.xml.GraphReader;
import dev.topo.model.xml.GraphWriter;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Graph files that NCCL wrote are read and written back byte for byte. */
class GraphFileTest {
  private static final GraphFormat FORMAT = NcclProfile.DEFAULT.search().graphFormat;

  @Test
  void graphFilesOfNcclAreWrittenBackByteForByte() {
    List<ReferenceCase> cases = new ArrayList<>(ReferenceSets.own());
    cases.addAll(ReferenceSets.random());
    Agreement agreement = new Agreement("read and write, graphs of NCCL");
    for (ReferenceCase reference : cases) {
      GraphReader reader = new GraphReader(reference.topology(), FORMAT);
      for (String file : List.of("graph.n1.xml", "graph.n2.xml", "graph.n4.xml")) {
        if (reference.has(file)) {
          NodeGraphs graphs = reader.read(reference.folder().resolve(file), new Inputs());
          agreement.addEqual(
              reference.name() + "/" + file,
              reference.text(file),
              GraphWriter.write(graphs, reference.topology(), FORMAT));
        }
      }
    }
    agreement.finish();
  }
}
