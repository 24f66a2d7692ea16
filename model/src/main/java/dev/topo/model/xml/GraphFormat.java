package dev.topo.model.xml;

import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.GraphKind;
import java.util.List;

/**
 * How an NCCL version writes graph files ({@code ncclTopoGetXmlFromGraphs}, {@code
 * nccl:src/graph/search.cc}).
 *
 * @param graphs the graphs of a file, in order
 * @param headsOnly whether a channel of the NVLS graph has its head only; otherwise it has as many
 *     GPUs as the node, all but the head of rank 0
 * @param hexadecimal whether device numbers are hexadecimal; otherwise they are decimal
 * @param ranks whether GPUs also have their ranks, which a reader then uses
 * @param collNetDirectId the number of the graph for CollNetDirect, which may equal that of another
 *     graph
 */
public record GraphFormat(
    List<GraphKind> graphs,
    boolean headsOnly,
    boolean hexadecimal,
    boolean ranks,
    int collNetDirectId) {
  public GraphFormat {
    graphs = List.copyOf(graphs);
  }

  public GraphFormat withGraphs(List<GraphKind> newGraphs) {
    return new GraphFormat(newGraphs, headsOnly, hexadecimal, ranks, collNetDirectId);
  }

  int id(GraphKind kind) {
    return kind == GraphKind.COLLNET_DIRECT ? collNetDirectId : kind.id();
  }

  String device(long number) {
    return hexadecimal ? PrintfNumber.hex(number) : String.valueOf(number);
  }

  long device(Attributes attributes) {
    return hexadecimal ? attributes.hex("dev", 0) : attributes.integer("dev");
  }
}
