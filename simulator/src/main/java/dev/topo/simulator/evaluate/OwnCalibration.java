package dev.topo.simulator.evaluate;

import dev.topo.model.io.TextWriter;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.calibration.Calibration;
import dev.topo.simulator.calibration.CalibrationFile;
import dev.topo.simulator.calibration.NamedValue;
import dev.topo.simulator.calibration.OwnTimes;
import dev.topo.simulator.calibration.TimedCall;
import dev.topo.simulator.calibration.TimedCall.MeasuredCall;
import dev.topo.simulator.calibration.TimedCall.Parts;
import dev.topo.simulator.network.NetworkCalibration;
import dev.topo.simulator.network.NetworkFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * Times of the user's own machine, with the shipped calibrations that they correct. A file of it
 * has a line for each time. It holds for the constants that it was made with: their check sums are
 * in the file.
 *
 * @param name name of the calibration
 * @param origin what was measured
 * @param job release and settings of the measured job, as in {@code 2.28.9 NCCL_ALGO=Ring}
 * @param node the calibration of the nodes; empty if none fits the machine
 * @param network the calibration of the network; empty on one node
 * @param times the measured times
 */
public record OwnCalibration(
    String name,
    String origin,
    String job,
    Optional<Calibration> node,
    Optional<NetworkCalibration> network,
    OwnTimes times) {
  /** Most calls of a file: predictions solve equations in as many unknowns. */
  public static final int MOST_CALLS = 1000;

  private static final String NAME = "name";
  private static final String ORIGIN = "origin";
  private static final String JOB = "job";
  private static final String MACHINE = "machine";
  private static final String NODE = "node";
  private static final String NETWORK = "network";
  private static final String TIME = "time.";
  private static final String NONE = "none";

  private static final Pattern CALL =
      Pattern.compile(
          "(\\w{1,20}) (\\S{1,60}) (\\d{1,6}) (\\d{1,7}) (\\d{1,16})" + " (\\S{1,20})".repeat(5));

  private static final String EXPECTED =
      "operation, launch, nodes, ranks, bytes, measured and predicted us, and parts of the predicted"
          + " time, as in all_reduce Ring/LL 2 16 65536 41.5 39.2 0 0.9 0.05";

  /** Release and settings of a job, in a line. */
  public static String job(NcclProfile profile, NcclSettings settings) {
    return settings.values().entrySet().stream()
        .map(setting -> " " + setting)
        .sorted()
        .collect(Collectors.joining("", profile.version(), ""));
  }

  /** True if a text is such a file, rather than constants of a machine. */
  static boolean isOne(String text) {
    return text.lines().anyMatch(line -> line.startsWith(TIME));
  }

  /**
   * Parses a file.
   *
   * @param file its name for messages
   * @throws TopologyFormatException if a line is malformed, or if the file was made with other
   *     constants
   */
  public static OwnCalibration read(String text, String file) {
    Map<String, NamedValue> lines = NamedValue.read(text, file);
    List<MeasuredCall> calls = new ArrayList<>();
    for (NamedValue line : lines.values()) {
      if (line.name().startsWith(TIME)) {
        calls.add(call(line));
      } else if (!List.of(NAME, ORIGIN, JOB, MACHINE, NODE, NETWORK).contains(line.name())) {
        throw line.wrong("no line is called " + line.name());
      }
    }
    if (calls.size() > MOST_CALLS) {
      throw new TopologyFormatException(
          file, "%s times: expected up to %s".formatted(calls.size(), MOST_CALLS));
    }
    return new OwnCalibration(
        required(lines, NAME, file).value(),
        required(lines, ORIGIN, file).value(),
        required(lines, JOB, file).value(),
        base(required(lines, NODE, file))
            .map(line -> same(line, CalibrationFile.shipped(first(line)), CalibrationFile::write)),
        base(required(lines, NETWORK, file))
            .map(line -> same(line, NetworkFile.shipped(first(line)), NetworkFile::write)),
        new OwnTimes(required(lines, MACHINE, file).value(), calls));
  }

  private static NamedValue required(Map<String, NamedValue> lines, String name, String file) {
    return NamedValue.required(lines, name, file, "the line " + name + " is missing");
  }

  private static Optional<NamedValue> base(NamedValue line) {
    return line.value().equals(NONE) ? Optional.empty() : Optional.of(line);
  }

  private static String first(NamedValue line) {
    return line.value().split(" ", 2)[0];
  }

  private static <C> C same(NamedValue line, Optional<C> shipped, Function<C, String> writer) {
    C known =
        shipped.orElseThrow(() -> line.expected("the name of a calibration that comes with topo"));
    String text = writer.apply(known);
    if (!line.value().equals(first(line) + " " + checkSum(text))) {
      throw line.wrong(
          "was made with other constants of %s than this version of topo has: run topo calibrate again"
              .formatted(first(line)));
    }
    return known;
  }

  private static String checkSum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return TextWriter.format("%08x", sum.getValue());
  }

  private static MeasuredCall call(NamedValue line) {
    Matcher cells = CALL.matcher(line.value());
    if (!cells.matches()) {
      throw line.expected(EXPECTED);
    }
    try {
      return new MeasuredCall(
          new TimedCall(
              Operation.ofName(cells.group(1)).orElseThrow(IllegalArgumentException::new),
              cells.group(2),
              Integer.parseInt(cells.group(3)),
              Integer.parseInt(cells.group(4)),
              Long.parseLong(cells.group(5)),
              Double.parseDouble(cells.group(7)),
              new Parts(
                  Double.parseDouble(cells.group(8)),
                  Double.parseDouble(cells.group(9)),
                  Double.parseDouble(cells.group(10)))),
          Double.parseDouble(cells.group(6)));
    } catch (IllegalArgumentException e) {
      throw line.expected(EXPECTED);
    }
  }

  /** The text of a file. */
  public String write() {
    StringBuilder text = new StringBuilder();
    text.append(
        TextWriter.format(
            """
            name = %s
            origin = %s
            # release of NCCL and settings
            job = %s
            machine = %s
            # the constants that the times correct, with a check sum
            node = %s
            network = %s
            # operation, launch, nodes, ranks, bytes, measured us, predicted us, and the parts of the
            # predicted time: launch, latency, transfer
            """,
            name,
            origin,
            job,
            times.machine(),
            node.map(c -> c.name() + " " + checkSum(CalibrationFile.write(c))).orElse(NONE),
            network.map(c -> c.name() + " " + checkSum(NetworkFile.write(c))).orElse(NONE)));
    int number = 0;
    for (MeasuredCall measured : times.calls()) {
      TimedCall call = measured.call();
      number++;
      text.append(
          TextWriter.format(
              "%s%d = %s %s %d %d %d %.5g %.5g %.3f %.3f %.3f\n",
              TIME,
              number,
              call.operation().ncclTestsName(),
              call.launch(),
              call.nodes(),
              call.ranks(),
              call.bytes(),
              measured.timeUs(),
              call.predictedUs(),
              call.parts().launch(),
              call.parts().latency(),
              call.parts().transfer()));
    }
    return text.toString();
  }
}
