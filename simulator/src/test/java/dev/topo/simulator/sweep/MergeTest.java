package dev.topo.simulator.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeTest {
  @TempDir private Path folder;

  /** Without workloads, which take longest. */
  private static final String SPEC = Sweeps.SMALL.split("workloads:", -1)[0];

  private final SweepPlan plan = Sweeps.plan(SPEC);

  private Path shard(int index, int of, int copy) {
    return folder.resolve("%d-of-%d.%d".formatted(index, of, copy));
  }

  private Path run(int index, int of, int copy) throws IOException {
    Path path = shard(index, of, copy);
    Sweeps.folder(plan, path).lock(index, of).close();
    Sweeps.run(plan, path, new Shard(index, of), 1);
    return path;
  }

  private String failure(List<Path> folders) {
    return String.valueOf(
        assertThrows(
                TopologyFormatException.class,
                () -> new Merge(folders, new Inputs()).into(folder.resolve("target")))
            .getMessage());
  }

  @Test
  void shardsInAnyOrderSomeTwiceAreTheWholeRun() throws IOException {
    Path whole = folder.resolve("whole");
    Sweeps.run(plan, whole, Shard.ALL, 2);
    List<Path> shards = new ArrayList<>(List.of(run(3, 7, 1), run(3, 7, 2), run(1, 2, 1)));
    for (int index : List.of(7, 2, 5, 1, 6, 4)) {
      shards.add(run(index, 7, 1));
    }
    Merge.Merged merged = new Merge(shards, new Inputs()).into(folder.resolve("merged"));
    assertEquals(24 * 2, merged.rows());
    assertEquals(Sweeps.bytes(whole), Sweeps.bytes(folder.resolve("merged")));
  }

  @Test
  void aMissingShardIsNamed() throws IOException {
    String message = failure(List.of(run(1, 3, 1), run(3, 3, 1)));
    assertTrue(message.contains("2 of 6 parts are missing of shard 2/3: part-000001-"), message);
  }

  @Test
  void aForeignShardOrPartIsNamed() throws IOException {
    Path own = run(1, 2, 1);
    SweepPlan other = Sweeps.plan(SPEC.replace("16M", "32M"));
    Path foreign = folder.resolve("foreign");
    Sweeps.run(other, foreign, new Shard(2, 2), 1);
    String message = failure(List.of(own, foreign));
    assertTrue(message.contains(foreign + ": is of another sweep"), message);
    Path part = ResultFolder.open(foreign, new Inputs()).part(1);
    Files.copy(part, own.resolve(part.getFileName()));
    message = failure(List.of(own));
    assertTrue(message.contains(part.getFileName() + ": is a part of another sweep"), message);
  }

  @Test
  void aDamagedPartIsNamed() throws IOException {
    Path own = run(1, 1, 1);
    ResultFolder results = ResultFolder.open(own, new Inputs());
    byte[] bytes = Files.readAllBytes(results.part(3));
    Files.write(results.part(3), Arrays.copyOf(bytes, bytes.length / 2));
    String message = failure(List.of(own));
    assertTrue(message.contains(results.part(3) + ": is damaged"), message);
  }
}
