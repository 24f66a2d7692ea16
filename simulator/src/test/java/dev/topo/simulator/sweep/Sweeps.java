package dev.topo.simulator.sweep;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Small sweeps for tests. */
public final class Sweeps {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private Sweeps() {}

  /** 24 variants of 6 designs in 6 parts. */
  public static final String SMALL =
      """
      name: small
      machines: [hgx-h200-4nic.xml]
      axes:
        nics: {"4": , "3": 'remove net:mlx5_3', "2": 'remove net:mlx5_2 net:mlx5_3'}
        speed: {fast: 'net:*.speed=400000', slow: 'net:*.speed=100000'}
      nodes: [1, 4]
      fabrics: {wide: wide, rail: {leaf: rail, ports: 2, oversubscription: 2}}
      collectives: [all_reduce, alltoall]
      sizes: 16M
      workloads:
        step:
          - {collective: all_gather, bytes: 64M, count: 3}
          - {collective: all_reduce, bytes: 1M, count: 2, group: node}
      """;

  /** The plan of a specification beside the shipped topologies. */
  public static SweepPlan plan(String spec) {
    return new SweepPlan(
        SpecReader.parse(spec, "small.yaml"),
        new SpecFiles(ROOT.resolve("topologies"), new Inputs()),
        ReleaseRules.DEFAULT,
        "test");
  }

  /** A folder for the results of a plan. */
  public static ResultFolder folder(SweepPlan plan, Path path) {
    return ResultFolder.make(path, SweepInfo.of(plan, "test"), plan.spec().source(), new Inputs());
  }

  /** Makes the parts of a shard that are not there. */
  public static SweepRunner.Done run(SweepPlan plan, Path path, Shard shard, int threads) {
    ResultFolder folder = folder(plan, path);
    List<Integer> left =
        shard.parts(plan.chunks()).stream().filter(part -> !folder.parts().contains(part)).toList();
    return new SweepRunner(plan, new JobEvaluator(), SpecText::toString)
        .run(left, folder, threads, () -> {});
  }

  /** The files of a folder with their bytes. */
  public static Map<String, String> bytes(Path folder) throws IOException {
    Map<String, String> bytes = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        bytes.put(
            String.valueOf(file.getFileName()),
            Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
      }
    }
    return bytes;
  }
}
