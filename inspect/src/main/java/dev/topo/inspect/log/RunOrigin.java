package dev.topo.inspect.log;

import dev.topo.model.QuantityFormat;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Facts about the run of an input, as far as its text states them: a log of NCCL, the output of
 * nccl-tests, or both in one.
 *
 * @param versions distinct releases of NCCL, as {@code 2.28.9}
 * @param usesSockets whether NCCL used its network Socket
 * @param sizes distinct sizes of the communicators in the log
 */
public record RunOrigin(List<String> versions, boolean usesSockets, List<CommSize> sizes) {
  /** Run without known facts. */
  public static final RunOrigin UNKNOWN = new RunOrigin(List.of(), false, List.of());

  /** Digits of {@code NCCL_VERSION}: at least 2000. */
  private static final String NUMBER = "[1-9]\\d{3,8}";

  private static final String RELEASE = "\\d{1,9}(?:\\.\\d{1,9}){1,3}";

  /** {@code NCCL version 2.18.1+cuda12.1}: NCCL's first line. */
  private static final Pattern VERSION = Pattern.compile("\\bNCCL version (" + RELEASE + ")");

  /** Version in {@code # nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809}. */
  private static final Pattern LIBRARY = Pattern.compile("\\bnccl-library=(" + NUMBER + ")\\b");

  /** Lines of {@code nccl:src/plugin/net.cc} and {@code nccl:src/transport/net.cc}. */
  private static final Pattern SOCKET =
      Pattern.compile("via NET/Socket|Using network Socket|NET plugin Socket to comm");

  /**
   * Interfaces reported by the network Socket; some releases report them beside another network.
   */
  private static final Pattern SOCKET_FOUND = Pattern.compile("NCCL INFO NET/Socket *:");

  private static final Pattern OTHER_NETWORK =
      Pattern.compile(
          "via NET/(?!Socket)\\w|Using network (?!Socket)\\w|NET plugin (?!Socket)\\S+ to comm"
              + "|NET/IB : Using");

  private static final Pattern PLACE =
      Pattern.compile("\\bnRanks (\\d{1,9}) nNodes (\\d{1,9}) localRanks (\\d{1,9})\\b");

  /** Number of ranks as logged by releases without a line for the rank's place. */
  private static final Pattern INIT =
      Pattern.compile("ncclCommInit\\w* comm \\S+ rank \\d+ nranks (\\d{1,9})\\b");

  /** Ring over all ranks that NCCL did not cut. */
  private static final Pattern RING =
      Pattern.compile("NCCL INFO Channel \\d+/\\d+ :([ \\d]*\\d) *$");

  /**
   * Size of a communicator.
   *
   * @param nNodes number of nodes; empty if not logged
   * @param localRanks ranks on one node; empty if not logged
   */
  public record CommSize(int nRanks, OptionalInt nNodes, OptionalInt localRanks) {
    /** In words: {@code 16 ranks on 2 nodes of 8 GPUs}. */
    @Override
    public String toString() {
      return QuantityFormat.count(nRanks, "rank")
          + (nNodes.isPresent() ? " on " + QuantityFormat.count(nNodes.getAsInt(), "node") : "")
          + (localRanks.isPresent()
              ? " of " + QuantityFormat.count(localRanks.getAsInt(), "GPU")
              : "");
    }

    /** True if this can be the size of a job; values that are not logged match any. */
    boolean isOf(CommSize job) {
      return nRanks == job.nRanks
          && (nNodes.isEmpty() || nNodes.equals(job.nNodes))
          && (localRanks.isEmpty() || localRanks.equals(job.localRanks));
    }
  }

  public RunOrigin {
    versions = List.copyOf(versions);
    sizes = List.copyOf(sizes);
  }

  /** Origin described by a text. */
  public static RunOrigin of(String text) {
    return of(text.lines());
  }

  /** Origin described by lines. */
  static RunOrigin of(Stream<? extends CharSequence> lines) {
    Set<String> versions = new LinkedHashSet<>();
    Set<CommSize> places = new LinkedHashSet<>();
    Set<CommSize> rankCounts = new LinkedHashSet<>();
    boolean[] found = new boolean[3];
    lines.forEach(
        line -> {
          find(VERSION, line, match -> versions.add(match.group(1)));
          find(LIBRARY, line, match -> versions.add(NcclRelease.parse(match.group(1)).toString()));
          if (line.toString().contains("NCCL INFO")) {
            found[0] |= SOCKET.matcher(line).find();
            found[1] |= SOCKET_FOUND.matcher(line).find();
            found[2] |= OTHER_NETWORK.matcher(line).find();
            find(PLACE, line, match -> places.add(place(match)));
            find(INIT, line, match -> rankCounts.add(ranks(number(match, 1))));
            find(
                RING,
                line,
                match -> rankCounts.add(ranks(match.group(1).strip().split(" +").length)));
          }
        });
    return new RunOrigin(
        List.copyOf(versions),
        found[0] || found[1] && !found[2],
        List.copyOf(places.isEmpty() ? rankCounts : places));
  }

  /** Origin with only the release of NCCL known, {@code 2.28.9} or {@code 22809}. */
  public static RunOrigin ofVersion(String version) {
    if (version.matches(NUMBER)) {
      return new RunOrigin(List.of(NcclRelease.parse(version).toString()), false, List.of());
    }
    boolean isRelease = version.matches(RELEASE);
    return isRelease ? new RunOrigin(List.of(version), false, List.of()) : UNKNOWN;
  }

  /**
   * Rules for the release of the run; empty if the text names none or several, or one older than
   * all rules.
   */
  public Optional<ReleaseRules> rules() {
    return Optional.of(versions)
        .filter(found -> found.size() == 1)
        .flatMap(found -> NcclRelease.find(found.get(0)))
        .filter(release -> release.compareTo(ReleaseRules.oldest()) >= 0)
        .map(ReleaseRules::of);
  }

  /** Returns this origin with the releases of another one added. */
  public RunOrigin with(RunOrigin other) {
    Set<String> joined = new LinkedHashSet<>(versions);
    joined.addAll(other.versions);
    return new RunOrigin(List.copyOf(joined), usesSockets, sizes);
  }

  private static void find(Pattern pattern, CharSequence line, Consumer<Matcher> consumer) {
    Matcher matcher = pattern.matcher(line);
    if (matcher.find()) {
      consumer.accept(matcher);
    }
  }

  private static int number(Matcher line, int group) {
    return Integer.parseInt(line.group(group));
  }

  private static CommSize place(Matcher line) {
    return new CommSize(
        number(line, 1), OptionalInt.of(number(line, 2)), OptionalInt.of(number(line, 3)));
  }

  private static CommSize ranks(int count) {
    return new CommSize(count, OptionalInt.empty(), OptionalInt.empty());
  }
}
