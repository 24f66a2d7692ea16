package dev.topo.inspect.trace;

import dev.topo.inspect.log.FailureSign;
import dev.topo.model.io.InputText;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads how far each rank came: from dumps of PyTorch's Flight Recorder, a file for each rank, and
 * from the answer of NCCL's RAS as text or JSON ({@code nccl:src/ras/client_support.cc}).
 */
public final class FrontReader {
  private static final String EXPECTED =
      "a dump of PyTorch's Flight Recorder for each rank, its number last in the name, or the answer"
          + " of NCCL's RAS";

  /** The rank at the end of the name of a dump, which does not state it itself. */
  private static final Pattern RANK = Pattern.compile("(\\d{1,7})(?:\\.[a-z]\\w*)*$");

  /** Rank of a single dump whose name has none. */
  private static final int UNKNOWN = -1;

  private static final Pattern DUMP =
      Pattern.compile("\\s*\\{\\s*\"(" + String.join("|", FlightRecorderFile.FIELDS) + ")\"");

  private static final Pattern ANSWER =
      Pattern.compile(
          "(?m)^Job summary\\s+=+$|^#\\d+-\\d+ \\([0-9a-f]+\\) [A-Z]+$|\"communicators_count\"");

  private static final Pattern SIZE =
      Pattern.compile(" +(\\d+) +\\d+ +\\d+ +\\S+ +(\\d{1,9}) +\\d+ +[A-Z]+ +[A-Z]+");

  private static final Pattern TITLE = Pattern.compile("#(\\d+)-\\d+ \\(([0-9a-f]+)\\) [A-Z]+");
  private static final Pattern COUNTED =
      Pattern.compile(" +Communicator ranks have different (?:(\\w+) )?operation counts");

  private static final Pattern MANY =
      Pattern.compile(
          " +(?:(Missing) communicator data from )?(\\d{1,9}) ranks?(?: have (?:launched up to operation (\\d{1,18})|not launched any.*))?");

  private static final Pattern ONE =
      Pattern.compile(
          " +Rank (\\d{1,9})( has (?:launched up to operation (\\d{1,18})|not launched any operations))? --(?:.* on node (\\S+))?.*");

  /** A communicator, and how far some of its ranks came. */
  private record Place(String communicator, int size, long number, String call, boolean isDone) {}

  private final Map<Place, SortedMap<Integer, String>> ranks = new LinkedHashMap<>();

  /** Numbers of ranks that are not all listed. */
  private final Map<Place, Integer> counts = new HashMap<>();

  private FrontReader() {}

  /**
   * Reads the files if they all are such.
   *
   * @throws TopologyFormatException if one is damaged, or a dump's name has no rank
   */
  public static Optional<List<CallFront>> find(List<Path> files, Inputs inputs) {
    FrontReader reader = new FrontReader();
    Set<Integer> ranks = new HashSet<>();
    for (Path file : files) {
      if (Files.isDirectory(file)) {
        return Optional.empty();
      }
      String name = file.toString();
      byte[] bytes = inputs.bytes(file, EXPECTED);
      boolean isPickle = bytes.length > 0 && bytes[0] == (byte) PickleReader.FIRST_BYTE;
      String text = isPickle ? "" : InputText.printed(bytes);
      boolean isAnswer = ANSWER.matcher(text).find() && FailureSign.find(text, name).isEmpty();
      if (isAnswer && !text.stripLeading().startsWith("{")) {
        reader.text(text.lines().toList());
      } else if (isAnswer || isPickle || DUMP.matcher(text).lookingAt()) {
        InputStream in = new ByteArrayInputStream(bytes);
        try {
          Map<?, ?> content =
              (Map<?, ?>) (isPickle ? PickleReader.read(in, name) : JsonTrace.tree(in, name));
          Matcher rank = RANK.matcher(name);
          int number = rank.find() ? Integer.parseInt(rank.group(1)) : UNKNOWN;
          if (isAnswer) {
            reader.json(content);
          } else if (ranks.add(number) && (number != UNKNOWN || files.size() == 1)) {
            reader.dump(number, content);
          } else {
            throw new TopologyFormatException(
                name,
                "has no rank at the end of its name, or that of another: expected " + EXPECTED);
          }
        } catch (ClassCastException | NullPointerException e) {
          throw new TopologyFormatException(
              name, "has not the fields of one: expected " + EXPECTED, e);
        }
      } else {
        return Optional.empty();
      }
    }
    return files.isEmpty() ? Optional.empty() : Optional.of(reader.fronts());
  }

  private List<CallFront> fronts() {
    return ranks.entrySet().stream()
        .map(
            each -> {
              Place at = each.getKey();
              SortedMap<Integer, String> hosts = each.getValue();
              int count = Math.max(counts.getOrDefault(at, 0), hosts.size());
              return new CallFront(
                  at.communicator, at.size, at.number, at.call, at.isDone, count, hosts.tailMap(0));
            })
        .toList();
  }

  private void add(Place place, int rank, @Nullable Object host) {
    ranks
        .computeIfAbsent(place, key -> new TreeMap<>())
        .put(rank, host == null ? "" : String.valueOf(host));
  }

  /** The place of ranks in the calls of one operation, which is all that RAS counts. */
  private static Place counted(String group, int size, String operation, long number) {
    return new Place(
        operation.isEmpty() ? group : group + ", " + operation,
        size,
        number,
        operation + " " + number,
        true);
  }

  /** Adds the last call of a rank in each communicator. */
  private void dump(int rank, Map<?, ?> dump) {
    Map<Object, Place> lasts = new HashMap<>();
    if (dump.get("pg_config") instanceof Map<?, ?> configs) {
      configs.forEach(
          (id, config) -> {
            Map<?, ?> fields = (Map<?, ?>) config;
            int size =
                NumberList.parse(String.valueOf(fields.get("ranks")), TraceLimits.MAX_RANKS)
                    .flatMap(NumberList::ranks)
                    .map(List::size)
                    .orElse(0);
            lasts.put(id, new Place(fields.get("desc") + " (" + id + ")", size, 0, "none", true));
          });
    }
    for (Object each : list(dump.get("entries"))) {
      Map<?, ?> entry = (Map<?, ?>) each;
      List<?> group = list(entry.get("process_group"));
      if (entry.get("collective_seq_id") instanceof Long number
          && !group.isEmpty()
          && !Boolean.TRUE.equals(entry.get("is_p2p"))) {
        String call = String.valueOf(entry.get("profiling_name")).replaceFirst("^nccl:", "");
        lasts.computeIfPresent(
            group.get(0),
            (id, last) ->
                number < last.number
                    ? last
                    : new Place(
                        last.communicator,
                        last.size,
                        number,
                        call + " " + number,
                        "completed".equals(entry.get("state"))));
      }
    }
    lasts.values().forEach(last -> add(last, rank, null));
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static int rank(Map<?, ?> fields) {
    return ((Number) required(fields, "rank")).intValue();
  }

  private static Object required(Map<?, ?> fields, String name) {
    return Objects.requireNonNull(fields.get(name), name);
  }

  private void json(Map<?, ?> answer) {
    for (Object each : list(answer.get("communicators"))) {
      Map<?, ?> communicator = (Map<?, ?>) each;
      String hash = String.valueOf(communicator.get("hash"));
      int size = ((Number) required(communicator, "size")).intValue();
      for (Object one : list(communicator.get("ranks"))) {
        Map<?, ?> rank = (Map<?, ?>) one;
        ((Map<?, ?>) required(rank, "collective_counts"))
            .forEach(
                (operation, count) ->
                    add(
                        counted(hash, size, (String) operation, ((Number) count).longValue()),
                        rank(rank),
                        rank.get("host")));
      }
      for (Object one : list(communicator.get("missing_ranks"))) {
        Map<?, ?> rank = (Map<?, ?>) one;
        add(counted(hash, size, "", CallFront.SILENT), rank(rank), rank.get("host"));
      }
    }
  }

  private void text(List<String> lines) {
    Map<String, Integer> sizes = new TreeMap<>();
    String group = "";
    String operation = "";
    int size = 0;
    int open = 0;
    Place place = counted(group, size, operation, 0);
    for (String line : lines) {
      Matcher title = TITLE.matcher(line);
      Matcher row = SIZE.matcher(line);
      Matcher counted = COUNTED.matcher(line);
      Matcher many = MANY.matcher(line);
      Matcher one = ONE.matcher(line);
      if (row.matches()) {
        sizes.put(row.group(1), Integer.parseInt(row.group(2)));
      } else if (title.matches()) {
        group = "0x" + title.group(2);
        size = sizes.getOrDefault(title.group(1), 0);
        open = 0;
      } else if (counted.matches()) {
        operation = counted.group(1) == null ? "operation" : counted.group(1);
      } else if (many.matches()) {
        place =
            many.group(1) == null
                ? counted(group, size, operation, number(many.group(3)))
                : counted(group, size, "", CallFront.SILENT);
        open = Integer.parseInt(many.group(2));
        ranks.computeIfAbsent(place, key -> new TreeMap<>());
        counts.put(place, open);
      } else if (one.matches() && (one.group(2) != null || open-- > 0)) {
        add(
            one.group(2) == null ? place : counted(group, size, operation, number(one.group(3))),
            Integer.parseInt(one.group(1)),
            one.group(4));
      }
    }
  }

  private static long number(@Nullable String text) {
    return text == null ? 0 : Long.parseLong(text);
  }
}
