package dev.topo.visualizer.structure;

import dev.topo.model.DeviceName;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.io.PlainText;
import dev.topo.search.engine.GraphLoad;
import dev.topo.search.engine.GraphLoad.LoadedLink;
import dev.topo.search.path.Domain;
import java.util.Optional;

/**
 * The link that the channels of a graph fill most; it limits their bandwidth.
 *
 * @param loaded the link and the load that the channels put on it
 * @param name the readable name of the link: {@code NVL GPU 0 to NVS 0-0}
 */
public record MostFilledLink(LoadedLink loaded, String name) {
  /** Returns the most filled link of a graph; empty if its channels use no link. */
  public static Optional<MostFilledLink> of(Domain domain, ChannelGraph graph) {
    return graph.nChannels() == 0 || GraphsText.isFallback(graph)
        ? Optional.empty()
        : new GraphLoad(domain, graph)
            .fullest()
            .map(
                loaded ->
                    new MostFilledLink(
                        loaded,
                        PlainText.oneLine(new DeviceName(domain.topology()).of(loaded.link()))));
  }
}
