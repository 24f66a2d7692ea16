package dev.topo.inspect.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects the lines of a {@link ConnectionLog}. */
final class ConnectionLines {
  /** NCCL cuts a line here, prefix included ({@code ncclDebugLog}, {@code nccl:src/debug.cc}). */
  private static final int LONGEST_LINE = 1023;

  private static final Pattern CHANNEL = Pattern.compile("Channel (\\d+)/(\\d+) :([ \\d]*)(.*)");
  private static final Pattern PEER =
      Pattern.compile(
          "Channel (\\d+)(?:/\\d+)? : (\\d+)\\[[^\\]]*\\] -> (\\d+)\\[[^\\]]*\\](?: \\[\\w+\\])? via (.*)");
  private static final Pattern RING =
      Pattern.compile("Ring (\\d+) : (-?\\d+) -> (\\d+) -> (-?\\d+)");
  private static final String LINKS = "(-?\\d+)/(-?\\d+)/(-?\\d+)->(-?\\d+)->(-?\\d+)";
  private static final Pattern TREES = Pattern.compile(" \\[(\\d+)\\] " + LINKS);
  private static final Pattern NVLS_HEAD = Pattern.compile("NVLS Head +(\\d+):([ \\d]+)");
  private static final Pattern NVLS_TREE = Pattern.compile(" " + LINKS);
  private static final Pattern COUNTS =
      Pattern.compile(
          "(\\d+) coll channels, (\\d+) collnet channels, (\\d+) nvls channels,"
              + " (\\d+) p2p channels, (\\d+) p2p channels per peer");
  private static final Pattern CHUNK = Pattern.compile("P2P Chunksize set to (\\d+)");

  private final List<ConnectionLog.ChannelOrder> channels = new ArrayList<>();
  private final List<ConnectionLog.Ring> rings = new ArrayList<>();
  private final List<ConnectionLog.Tree> trees = new ArrayList<>();
  private final List<ConnectionLog.NvlsHead> nvlsHeads = new ArrayList<>();
  private final List<ConnectionLog.Tree> nvlsTrees = new ArrayList<>();
  private final List<String> collNet = new ArrayList<>();
  private final List<ConnectionLog.Peer> peers = new ArrayList<>();
  private Optional<ConnectionLog.Counts> counts = Optional.empty();
  private Optional<Integer> p2pChunkBytes = Optional.empty();

  void accept(String line, int lineLength) {
    if (line.startsWith("Channel ")) {
      acceptChannel(line);
    } else if (line.startsWith("Ring ")) {
      Matcher ring = RING.matcher(line);
      if (ring.matches()) {
        rings.add(
            new ConnectionLog.Ring(
                number(ring, 1), number(ring, 2), number(ring, 3), number(ring, 4)));
      }
    } else if (line.startsWith("Trees ")) {
      acceptTrees(line, lineLength >= LONGEST_LINE);
    } else if (line.startsWith("NVLS ")) {
      acceptNvls(line);
    } else if (line.startsWith("CollNetDirect ") || line.startsWith("CollNetChain ")) {
      collNet.add(line);
    } else {
      acceptNumbers(line);
    }
  }

  private static int number(Matcher line, int group) {
    return Integer.parseInt(line.group(group));
  }

  private static List<Integer> numbers(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String word : text.strip().split(" +", 0)) {
      if (!word.isEmpty()) {
        numbers.add(Integer.valueOf(word));
      }
    }
    return numbers;
  }

  private void acceptChannel(String line) {
    Matcher peer = PEER.matcher(line);
    if (peer.matches()) {
      peers.add(
          new ConnectionLog.Peer(number(peer, 1), number(peer, 2), number(peer, 3), peer.group(4)));
      return;
    }
    Matcher channel = CHANNEL.matcher(line);
    if (!channel.matches()) {
      return;
    }
    boolean complete = channel.group(4).isEmpty();
    if (complete || channel.group(4).equals("...")) {
      List<Integer> ranks = numbers(channel.group(3));
      // The dots stand on the last digits: a number that they touch may have lost some.
      boolean touched = !complete && !channel.group(3).endsWith(" ") && !ranks.isEmpty();
      channels.add(
          new ConnectionLog.ChannelOrder(
              number(channel, 1),
              number(channel, 2),
              touched ? ranks.subList(0, ranks.size() - 1) : ranks,
              complete));
    }
  }

  /** The last tree of a line that was cut may have lost digits. */
  private void acceptTrees(String line, boolean cut) {
    Matcher tree = TREES.matcher(line);
    while (tree.find()) {
      if (!cut || tree.end() < line.length()) {
        trees.add(tree(tree, number(tree, 1), 2));
      }
    }
  }

  private static ConnectionLog.Tree tree(Matcher line, int channel, int firstGroup) {
    return new ConnectionLog.Tree(
        channel,
        number(line, firstGroup),
        number(line, firstGroup + 1),
        number(line, firstGroup + 2),
        number(line, firstGroup + 3),
        number(line, firstGroup + 4));
  }

  private void acceptNvls(String line) {
    Matcher head = NVLS_HEAD.matcher(line);
    if (head.matches()) {
      nvlsHeads.add(new ConnectionLog.NvlsHead(number(head, 1), numbers(head.group(2))));
    } else if (line.startsWith("NVLS Trees :")) {
      Matcher tree = NVLS_TREE.matcher(line);
      for (int kind = 0; tree.find(); kind++) {
        nvlsTrees.add(tree(tree, kind, 1));
      }
    }
  }

  private void acceptNumbers(String line) {
    Matcher count = COUNTS.matcher(line);
    Matcher chunk = CHUNK.matcher(line);
    if (count.matches()) {
      counts =
          Optional.of(
              new ConnectionLog.Counts(
                  number(count, 1),
                  number(count, 2),
                  number(count, 3),
                  number(count, 4),
                  number(count, 5)));
    } else if (chunk.matches()) {
      p2pChunkBytes = Optional.of(number(chunk, 1));
    }
  }

  ConnectionLog log() {
    return new ConnectionLog(
        channels, rings, trees, nvlsHeads, nvlsTrees, collNet, counts, p2pChunkBytes, peers);
  }
}
