package dev.topo.search.connect;

import dev.topo.model.graph.Channel;
import java.util.Arrays;

/** The GPUs of a channel on one node, both by place and by rank on their machine. Immutable. */
final class ChannelOrder {
  private final int[] ranks;
  private final int[] places;

  /** The order of a channel that passes every GPU of its node once. */
  ChannelOrder(Channel channel) {
    this.ranks = channel.ranks().stream().mapToInt(Integer::intValue).toArray();
    this.places = new int[Arrays.stream(ranks).max().orElse(-1) + 1];
    Arrays.fill(places, -1);
    for (int place = 0; place < ranks.length; place++) {
      places[ranks[place]] = place;
    }
  }

  int size() {
    return ranks.length;
  }

  int at(int place) {
    return ranks[place];
  }

  int first() {
    return ranks[0];
  }

  int last() {
    return ranks[ranks.length - 1];
  }

  int placeOf(int rank) {
    return places[rank];
  }
}
