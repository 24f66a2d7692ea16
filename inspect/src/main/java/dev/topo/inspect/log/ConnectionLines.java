package dev.topo.inspect.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Collects the lines of a {@link ConnectionLog}. */
final class ConnectionLines {
  /**
   * Length, including the prefix, at which NCCL truncates a line ({@code ncclDebugLog}, {@code
   * nccl:src/debug.cc}).
   */
  private static final int MAX_LINE_LENGTH = 1023;

  private static final Pattern CHANNEL = Pattern.compile("Channel (\\d+)/(\\d+) :([ \\d]*)(.*)");

  /** {@code Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0}. */
  private static final Pattern PEER =
      Pattern.compile(
          "Channel \\d+(?:/\\d+)? : \\d+\\[[^\\]]*\\] -> \\d+\\[[^\\]]*\\](?: \\[\\w+\\])? via .*");

  private static final Pattern RING =
      Pattern.compile("Ring (\\d+) : (-?\\d+) -> (\\d+) -> (-?\\d+)");
  private static final String LINKS = "(-?\\d+)/(-?\\d+)/(-?\\d+)->(-?\\d+)->(-?\\d+)";
  private static final Pattern TREES = Pattern.compile("Trees .*");
  private static final Pattern TREE = Pattern.compile(" \\[(\\d+)\\] " + LINKS);
  private static final Pattern NVLS_HEAD = Pattern.compile("NVLS Head +(\\d+):([ \\d]+)");
  private static final Pattern NVLS_TREES = Pattern.compile("NVLS Trees :.*");
  private static final Pattern NVLS_TREE = Pattern.compile(" " + LINKS);
  private static final Pattern COLLNET = Pattern.compile("CollNet(Direct|Chain) .*");
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
  private boolean hasCollNet;
  private boolean hasPeers;
  private Optional<ConnectionLog.Counts> counts = Optional.empty();
  private Optional<Integer> p2pChunkBytes = Optional.empty();
  private boolean isTruncated;
  private final LineKinds kinds =
      new LineKinds()
          .with(PEER, line -> hasPeers = true)
          .with(CHANNEL, this::acceptChannel)
          .with(RING, this::acceptRing)
          .with(TREES, this::acceptTrees)
          .with(NVLS_HEAD, this::acceptNvlsHead)
          .with(NVLS_TREES, this::acceptNvlsTrees)
          .with(COLLNET, line -> hasCollNet = true)
          .with(COUNTS, this::acceptCounts)
          .with(CHUNK, line -> p2pChunkBytes = Optional.of(number(line, 1)));

  void accept(CharSequence line, int lineLength) {
    isTruncated = lineLength >= MAX_LINE_LENGTH;
    kinds.accept(line);
  }

  private static int number(Matcher line, int group) {
    return Integer.parseInt(line.group(group));
  }

  private static List<Integer> parseNumbers(String text) {
    return Arrays.stream(text.split(" +", 0))
        .filter(word -> !word.isEmpty())
        .map(Integer::valueOf)
        .toList();
  }

  private void acceptRing(Matcher ring) {
    rings.add(
        new ConnectionLog.Ring(number(ring, 1), number(ring, 2), number(ring, 3), number(ring, 4)));
  }

  private void acceptChannel(Matcher channel) {
    boolean isComplete = channel.group(4).isEmpty();
    if (isComplete || channel.group(4).equals("...")) {
      List<Integer> ranks = parseNumbers(channel.group(3));
      // The dots overwrite the end of the line, so a number next to them may lack digits.
      boolean mayLackDigits = !isComplete && !channel.group(3).endsWith(" ") && !ranks.isEmpty();
      channels.add(
          new ConnectionLog.ChannelOrder(
              number(channel, 1),
              number(channel, 2),
              mayLackDigits ? ranks.subList(0, ranks.size() - 1) : ranks,
              isComplete));
    }
  }

  /** Accepts a line of trees; the last tree of a truncated line may lack digits and is skipped. */
  private void acceptTrees(Matcher line) {
    Matcher tree = TREE.matcher(line.group());
    while (tree.find()) {
      if (!isTruncated || tree.end() < line.end()) {
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

  private void acceptNvlsHead(Matcher head) {
    nvlsHeads.add(new ConnectionLog.NvlsHead(number(head, 1), parseNumbers(head.group(2))));
  }

  private void acceptNvlsTrees(Matcher line) {
    Matcher tree = NVLS_TREE.matcher(line.group());
    for (int kind = 0; tree.find(); kind++) {
      nvlsTrees.add(tree(tree, kind, 1));
    }
  }

  private void acceptCounts(Matcher line) {
    int[] count = IntStream.rangeClosed(1, 5).map(group -> number(line, group)).toArray();
    counts =
        Optional.of(new ConnectionLog.Counts(count[0], count[1], count[2], count[3], count[4]));
  }

  ConnectionLog log() {
    return new ConnectionLog(
        channels, rings, trees, nvlsHeads, nvlsTrees, hasCollNet, counts, p2pChunkBytes, hasPeers);
  }
}
