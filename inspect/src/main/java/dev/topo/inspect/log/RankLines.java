package dev.topo.inspect.log;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects the lines of a {@link RankLog}. */
final class RankLines {
  private static final Pattern COMM =
      Pattern.compile(
          "comm \\S+ rank (\\d+) nRanks (\\d+) nNodes (\\d+) localRanks (\\d+) localRank (\\d+).*");

  private final String source;
  private Optional<RankLog.Comm> comm = Optional.empty();
  private final GraphLines graphs = new GraphLines();
  private final ConnectionLines connections = new ConnectionLines();
  private final TuningLines tuning = new TuningLines();

  RankLines(String source) {
    this.source = source;
  }

  /** True if a line is the first about the rank's next communicator. */
  boolean startsNextCommunicator(CharSequence line) {
    boolean isRepeated = comm.isPresent() && COMM.matcher(line).matches();
    return isRepeated || (GraphLines.isFirstLine(line) && (graphs.hasSystem() || comm.isPresent()));
  }

  /** Accepts a line without its prefix; {@code lineLength} includes the prefix. */
  void accept(CharSequence line, int lineLength) {
    Matcher place = COMM.matcher(line);
    if (place.matches()) {
      comm =
          Optional.of(
              new RankLog.Comm(
                  Integer.parseInt(place.group(1)),
                  Integer.parseInt(place.group(2)),
                  Integer.parseInt(place.group(3)),
                  Integer.parseInt(place.group(4)),
                  Integer.parseInt(place.group(5))));
      return;
    }
    graphs.accept(line);
    connections.accept(line, lineLength);
    tuning.accept(line);
  }

  RankLog log() {
    return new RankLog(source, comm, graphs.log(), connections.log(), tuning.log());
  }
}
