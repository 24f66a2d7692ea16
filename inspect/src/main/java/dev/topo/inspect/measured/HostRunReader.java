package dev.topo.inspect.measured;

import dev.topo.inspect.measured.HostRun.Rate;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads runs between named hosts: output of nccl-tests (text or JSON, any program, one run or
 * several), a table {@code a,b,bytes,busbw_gbps}, or a square table of rates. The port is that of
 * NCCL_IB_HCA in the file or in NCCL's log within it, or else one in the name of the file or its
 * folder.
 */
public final class HostRunReader {
  private static final String EXPECTED =
      "output of nccl-tests with its lines \"# Rank 0 … on HOST device …\", or CSV with the columns a, b and"
          + " busbw_gbps or time_us";

  private static final Pattern RANK =
      Pattern.compile(
          "#\\s*Rank\\s+(\\d{1,9})\\s+(?:Group\\s+(\\d{1,6})\\s+)?Pid\\s+\\d+\\s+on\\s+(\\S+)\\s+device");
  private static final Pattern TEST =
      Pattern.compile("# Collective test starting: (?:\\S*/)?(\\S+)");

  /**
   * Row of nccl-tests: size, count, type, operator, root, then time, algbw, busbw and #wrong once
   * or twice.
   */
  private static final Pattern ROW =
      Pattern.compile(
          "(?:^|[\\s:>\\]])(\\d{1,18})\\s+\\d+\\s+(?:u?int\\d+|half|float|double|bfloat16|f8e\\dm\\d|fp8\\w*)\\s+"
              + "(?:(?!\\d|-\\d)\\S+\\s+)?(?:-?\\d+\\s+)?(\\d+\\.?\\d*)\\s+(\\d+\\.\\d+)\\s+(\\d+\\.\\d+)\\s+(\\S+)"
              + "(?:\\s+(\\d+\\.?\\d*)\\s+\\d+\\.\\d+\\s+\\d+\\.\\d+\\s+(\\S+))?.*");

  private static final Pattern SETTING =
      Pattern.compile("NCCL_IB_HCA(?: set (?:by environment )?to |=)[\"'=^]*([\\w:,.-]+)");

  /** NCCL's list of ports in the log, if there is only one. */
  private static final Pattern ONLY_PORT =
      Pattern.compile("NET/IB\\s*: Using \\[0\\]([\\w.-]+?)(?::\\d+)?/(?:IB|RoCE)(?!.*\\[1\\])");

  private static final Pattern NAMED_PORT =
      Pattern.compile(
          "(?i)(?<![a-z0-9])((?:mlx\\d_|rail[-_]?|nic[-_]?|hca[-_]?|ib|efa_?|rdma)\\d{1,3})(?![a-z0-9])");

  private final String file;
  private final Optional<String> namedPort;
  private final List<HostRun> runs = new ArrayList<>();
  private final Set<String> hosts = new LinkedHashSet<>();
  private final List<Rate> rates = new ArrayList<>();
  private Optional<String> port = Optional.empty();
  private String test = "";
  private int ranks;
  private int wrong;
  private boolean isSplit;

  private HostRunReader(String file) {
    this.file = file;
    this.namedPort = named(Path.of(file));
  }

  /**
   * Reads the runs of a file.
   *
   * @throws TopologyFormatException if it cannot be read or names no hosts
   */
  public static List<HostRun> read(Path file, Inputs inputs) {
    return read(inputs.text(file, EXPECTED), file.toString());
  }

  /**
   * Reads the runs of a text.
   *
   * @param file name of the file for messages
   */
  public static List<HostRun> read(String text, String file) {
    HostRunReader reader = new HostRunReader(file);
    if (text.stripLeading().startsWith("{")) {
      return List.of(reader.json(JsonTree.read(text, file)));
    }
    if (!RANK.matcher(text).find() && HostRunTable.isOne(text)) {
      return HostRunTable.read(text, file);
    }
    text.lines().forEach(reader::line);
    reader.end();
    if (reader.runs.isEmpty()) {
      throw new TopologyFormatException(file, "names no hosts: expected " + EXPECTED);
    }
    return List.copyOf(reader.runs);
  }

  private void line(String line) {
    Matcher rank = RANK.matcher(line);
    Matcher started = TEST.matcher(line);
    if (started.find()) {
      end();
      test = started.group(1);
    } else if (rank.find()) {
      if (ranks > 0
          && rank.group(1).equals("0")
          && (rank.group(2) == null || rank.group(2).equals("0"))) {
        String currentTest = test;
        end();
        test = currentTest;
      }
      isSplit |= rank.group(2) != null && !rank.group(2).equals("0");
      hosts.add(rank.group(3));
      ranks++;
    } else {
      port(line);
      Matcher row = ROW.matcher(line);
      if (row.find()) {
        row(row);
      }
    }
  }

  private void port(String line) {
    for (Pattern pattern : List.of(SETTING, ONLY_PORT)) {
      Matcher matcher = pattern.matcher(line);
      if (port.isEmpty() && matcher.find()) {
        port = Optional.of(matcher.group(1).replaceFirst(":\\d+$", ""));
      }
    }
  }

  private void row(Matcher row) {
    long bytes = Long.parseLong(row.group(1));
    double time = Double.parseDouble(row.group(2));
    double inPlace = row.group(6) == null ? 0 : Double.parseDouble(row.group(6));
    if (bytes == 0 || time <= 0) {
      return;
    }
    if (isWrong(row.group(5)) || row.group(7) != null && isWrong(row.group(7))) {
      wrong++;
      return;
    }
    rate(bytes, time, inPlace, Double.parseDouble(row.group(3)), Double.parseDouble(row.group(4)));
  }

  private static boolean isWrong(String cell) {
    return cell.matches("\\d+(\\.\\d+)?(e[+-]?\\d+)?") && Double.parseDouble(cell) >= 1;
  }

  /** Adds a rate, computed from the time: printed bandwidths have only two decimals. */
  private void rate(long bytes, double timeUs, double inPlaceUs, double algbw, double busbw) {
    double factor = algbw >= 1 ? busbw / algbw : 1;
    double mean = inPlaceUs > 0 ? (timeUs + inPlaceUs) / 2 : timeUs;
    rates.add(new Rate(bytes, bytes / mean / 1e3 * factor));
  }

  private void end() {
    if (!hosts.isEmpty()) {
      // The groups of a split run at the same time, so the rows belong to no group alone.
      runs.add(
          new HostRun(
              file,
              (test.isEmpty() ? "" : test + " on ") + QuantityFormat.count(ranks, "rank"),
              List.copyOf(hosts),
              port.or(() -> namedPort).map(List::of).orElse(List.of()),
              isSplit ? List.of() : rates,
              wrong));
      hosts.clear();
      rates.clear();
      port = Optional.empty();
    }
    test = "";
    ranks = 0;
    wrong = 0;
    isSplit = false;
  }

  private HostRun json(JsonTree tree) {
    if (!tree.has("results") || !tree.has("config")) {
      throw tree.wrong("has no results[] and config, expected " + EXPECTED);
    }
    for (JsonTree device : tree.get("config").get("devices").entries()) {
      hosts.add(device.get("hostname").text());
      isSplit |= device.integer("group", 0) > 0;
      ranks++;
    }
    tree.texts("env").forEach(this::port);
    tree.entries("args").stream()
        .findFirst()
        .map(JsonTree::text)
        .ifPresent(program -> test = program.substring(program.lastIndexOf('/') + 1));
    for (JsonTree row : tree.entries("results")) {
      JsonTree out = row.get("out_of_place");
      long bytes = row.get("size").integer();
      boolean isWrong =
          out.number("nwrong").orElse(0) >= 1
              || row.has("in_place") && row.get("in_place").number("nwrong").orElse(0) >= 1;
      if (isWrong) {
        wrong++;
      } else if (bytes > 0) {
        rate(
            bytes,
            out.get("time").number(),
            row.has("in_place") ? row.get("in_place").number("time").orElse(0) : 0,
            out.number("alg_bw").orElse(0),
            out.number("bus_bw").orElse(0));
      }
    }
    end();
    if (runs.isEmpty()) {
      throw tree.wrong("names no hosts: expected config.devices[].hostname");
    }
    return runs.get(0);
  }

  private static Optional<String> named(Path file) {
    Path parent = file.getParent();
    for (Path part : parent == null ? List.of(file) : List.of(file, parent)) {
      Path name = part.getFileName();
      Matcher matcher =
          NAMED_PORT.matcher(name == null ? "" : name.toString().replaceFirst("\\.\\w+$", ""));
      if (matcher.find()) {
        return Optional.of(matcher.group(1));
      }
    }
    return Optional.empty();
  }
}
