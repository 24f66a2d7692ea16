package dev.topo.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A call of the command.
 *
 * @param usual whether it is tried without {@code -Dtopo.test.thorough=true} too
 * @param command its words, separated by blanks; {@code in/} has the inputs, {@code out/} the
 *     outputs
 * @param before the files in {@code out/} before the call, and the inputs that they are copies of
 */
record Scenario(boolean usual, String command, Map<String, String> before) {
  private static final String MACHINE = "rtx4090-2.xml";
  private static final String CALL = " --collective all_reduce --sizes 1M";
  private static final Pattern OUTPUT = Pattern.compile("(?:-o|--capture) out/(\\S+)");

  /** The inputs, in {@code in/} by their last names. */
  static final List<String> INPUTS =
      List.of(
          "topologies/rtx4090-2.xml",
          "topologies/l40s-4.xml",
          "topologies/fabric/fat-tree-64.conf",
          "topologies/fabric/round-robin.hosts",
          "topologies/dgx-h100.xml",
          "examples/h100-vm.edits",
          "src/test/resources/lint/graph-machine.xml",
          "src/test/resources/lint/graph-nets.xml",
          "src/test/resources/lint/missing-beside-nic.xml",
          "src/test/resources/lint/conf-line-end.conf",
          "examples/vm.lspci",
          "src/test/resources/measured/h200-x2.topo.xml",
          "src/test/resources/measured/h200-x4-run/x2.all_reduce.nccl-tests.txt",
          "src/test/resources/measured/h200-x4-probe/machine.tar.gz",
          "simulator/src/main/resources/dev/topo/simulator/calibration/h200-nvswitch.properties");

  /** The calls: each command that reads or writes files, with each kind of output. */
  static List<Scenario> all() {
    return List.of(
        usual("show in/rtx4090-2.xml"),
        usual("search in/rtx4090-2.xml in/l40s-4.xml --format xml --out-dir out/new"),
        usual("predict in/rtx4090-2.xml --format json -o out/predicted.json" + CALL),
        usual("diff in/fleet" + CALL),
        usual("lint out/fixed.xml --fix", "fixed.xml", "missing-beside-nic.xml"),
        usual("probe --sysfs-root in/machine.tar.gz -o out/machine.xml"),
        usual("draw in/rtx4090-2.xml -o out/machine.svg"),
        usual("sweep in/small.yaml --results out/results --jobs 1"),
        usual("search in/rtx4090-2.xml --format xml -o in/rtx4090-2.xml"),
        more("show in/rtx4090-2.xml --format json -o out/shown.json"),
        more("paths in/rtx4090-2.xml in/l40s-4.xml"),
        more("paths in/rtx4090-2.xml -o out/paths.txt"),
        more("search in/rtx4090-2.xml in/l40s-4.xml"),
        more("search in/graph-machine.xml --env NCCL_GRAPH_FILE=in/graph-nets.xml"),
        more("connect in/rtx4090-2.xml --nodes 2 --format tsv -o out/connected.tsv"),
        more(
            "connect in/rtx4090-2.xml --nodes 64 --fabric in/fat-tree-64.conf"
                + " --hosts @in/round-robin.hosts"),
        more("tune in/rtx4090-2.xml --format json -o out/tuned.json" + CALL),
        more("tune in/rtx4090-2.xml --format tuner" + CALL),
        more("explain in/rtx4090-2.xml -o out/explained.txt" + CALL),
        more("predict in/rtx4090-2.xml in/l40s-4.xml --format csv --out-dir out/new" + CALL),
        more(
            "predict in/h200-x2.topo.xml --collective all_reduce"
                + " --against in/x2.all_reduce.nccl-tests.txt"),
        more(
            "predict in/h200-x2.topo.xml --calibration in/h200-nvswitch.properties"
                + " --format json"
                + CALL),
        more("whatif in/dgx-h100.xml --edits in/one.edits" + CALL),
        more("whatif in/dgx-h100.xml --edits in/one.edits --format json -o out/what.json" + CALL),
        more("diff in/rtx4090-2.xml in/l40s-4.xml -o out/difference.txt" + CALL),
        more("diff in/fleet --format json -o out/fleet.json" + CALL),
        more("upgrade in/fleet --from 2.28.7 --to 2.28.9 --format html -o out/upgrade.html" + CALL),
        more("lint in/missing-beside-nic.xml in/conf-line-end.conf in/l40s-4.xml"),
        more("lint in/graph-nets.xml --kind GRAPH --machine in/graph-machine.xml"),
        more("lint in/missing-beside-nic.xml --format sarif -o out/found.sarif"),
        more("guest in/dgx-h100.xml --guest in/vm.lspci -o out/guest.xml"),
        more("draw in/rtx4090-2.xml --pattern ring -o out/ring.svg"),
        more(
            "chart in/x2.all_reduce.nccl-tests.txt --machine in/h200-x2.topo.xml"
                + " --collective all_reduce -o out/chart.svg"),
        more("report in/rtx4090-2.xml -o out/report.html"),
        more(
            "calibrate --calibration in/h200-nvswitch.properties --topology in/h200-x2.topo.xml"
                + " --against in/x2.all_reduce.nccl-tests.txt"),
        more(
            "calibrate in/x2.all_reduce.nccl-tests.txt --topology in/h200-x2.topo.xml"
                + " -o out/mine.calibration"),
        more("probe --sysfs-root in/captured"),
        more("probe --sysfs-root in/machine.tar.gz --merged-nics -v"),
        more("doctor --root in/image -o out/doctor.txt"),
        more("doctor --root in/image --program /bin/program --format json"));
  }

  private static Scenario usual(String command, String... before) {
    return of(true, command, before);
  }

  private static Scenario more(String command, String... before) {
    return of(false, command, before);
  }

  /** What is written by {@code -o} is there before. */
  private static Scenario of(boolean usual, String command, String... before) {
    if (before.length > 0) {
      return new Scenario(usual, command, Map.of(before[0], before[1]));
    }
    return OUTPUT
        .matcher(command)
        .results()
        .findFirst()
        .map(output -> new Scenario(usual, command, Map.of(output.group(1), MACHINE)))
        .orElse(new Scenario(usual, command, Map.of()));
  }

  /** Whether it would write over an input. */
  boolean isRefused() {
    return command.contains("-o in/");
  }

  /** The words of the command line. */
  List<String> words() {
    return Arrays.asList(command.split(" "));
  }

  @Override
  public String toString() {
    return command;
  }
}
