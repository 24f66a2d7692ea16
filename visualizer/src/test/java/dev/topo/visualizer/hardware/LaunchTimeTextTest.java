package dev.topo.visualizer.hardware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.run.LaunchTime;
import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.UsedDevice;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaunchTimeTextTest {
  @Test
  void theFirstLineHasTheMedianOfAllStarts() throws IOException {
    UsedDevice gpu = new UsedDevice(0, 0, 1, "host", 0, "0000:0b:00.0", "NVIDIA H200");
    RunEvent.Started started =
        new RunEvent.Started(22809, "libnccl.so.2", List.of(gpu), List.of(""), 8);
    Answer answer =
        LaunchTimeText.of(
            started,
            2,
            "a process for each GPU",
            new LaunchTime(
                List.of(
                    new LaunchTime.Start(9.92, 7.5, 10.19),
                    new LaunchTime.Start(7.94, 6.59, 10.57),
                    new LaunchTime.Start(11.44, 9.75, 16.19))));
    assertEquals(
        """
        A launch by NCCL 2.28.9 takes 9.9 us here (median of 3 starts, 7.9 to 11.4).

        2 x NVIDIA H200, a process for each GPU; AllReduce of 8 B, the slowest rank
          start  median us  shortest  longest
          1      9.92       7.50      10.19
          2      7.94       6.59      10.57
          3      11.44      9.75      16.19

        state it with: topo predict system.xml --launch-us 9.9
        """,
        written(answer.spoken("text")));
    assertEquals(
        "A launch by NCCL 2.28.9 takes 9.9 us here (median of 3 starts, 7.9 to 11.4).\n",
        written(answer.inBrief()));
  }

  private static String written(Answer answer) throws IOException {
    StringBuilder text = new StringBuilder();
    answer.writeTo(text);
    return text.toString();
  }
}
