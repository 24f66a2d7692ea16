package dev.topo.visualizer.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SplitAnswerTest {
  private static SplitAnswer.Part part(String label, String port, String busbw) {
    String name = "communicator " + label + " · node";
    Answer table = Answer.of("%s\n  rank %s  %s GB/s  %s\n".formatted(name, label, busbw, port));
    return new SplitAnswer.Part(
        label, table.saying(name + ": " + busbw + " by " + port + "."), Set.of(port));
  }

  private static String text(boolean isVerbose, SplitAnswer.Part... parts) throws IOException {
    StringBuilder out = new StringBuilder();
    SplitAnswer.of(List.of(parts), "text", isVerbose).spoken("text").writeTo(out);
    return out.toString();
  }

  @Test
  void communicatorsThatDifferInNamesOfDevicesAreShownOnce() throws IOException {
    assertEquals(
        """
        communicator 0-1 · node: 46 by mlx5_0.

        communicator 0-1 · node
          rank 0-1  46 GB/s  mlx5_0
        communicators 2,4: as communicators 0-1, with devices of their own (--verbose lists all)

        communicator 3 · node: 16 by mlx5_3.

        communicator 3 · node
          rank 3  16 GB/s  mlx5_3
        """,
        text(
            false,
            part("0-1", "mlx5_0", "46"),
            part("2", "mlx5_10", "46"),
            part("3", "mlx5_3", "16"),
            part("4", "mlx5_4", "46")));
  }

  @Test
  void eachIsShownWhereAllAreWanted() throws IOException {
    String text = text(true, part("0", "mlx5_0", "46"), part("1", "mlx5_1", "46"));
    assertEquals(2, text.lines().filter(line -> line.contains(" GB/s  mlx5_")).count(), text);
  }

  @Test
  void anotherMachineOrNumberIsAnotherAnswer() throws IOException {
    SplitAnswer.Part other =
        new SplitAnswer.Part("1", Answer.of("communicator 1 · node2\n"), Set.of("mlx5_0"));
    String text =
        text(
            false,
            new SplitAnswer.Part("0", Answer.of("communicator 0 · node\n"), Set.of("mlx5_0")),
            other,
            new SplitAnswer.Part("2", Answer.of("communicator 2 · node\n"), Set.of("mlx5_0")));
    assertEquals(
        """
        communicator 0 · node
        communicator 2: as communicator 0, with devices of their own (--verbose lists all)

        communicator 1 · node2
        """,
        text);
  }
}
