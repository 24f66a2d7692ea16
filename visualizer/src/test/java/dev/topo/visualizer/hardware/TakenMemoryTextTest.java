package dev.topo.visualizer.hardware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.TakenMemory;
import dev.topo.hw.run.UsedDevice;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakenMemoryTextTest {
  @Test
  void eachStepIsARow() throws IOException {
    UsedDevice gpu = new UsedDevice(0, 0, 1, "host", 0, "0000:0b:00.0", "NVIDIA H100");
    RunEvent.Started started =
        new RunEvent.Started(22809, "libnccl.so.2", List.of(gpu), List.of(""), 1L << 28);
    Answer answer =
        TakenMemoryText.of(
            started,
            2,
            List.of(
                new TakenMemory("init", 426L << 20, 4096),
                new TakenMemory("all_reduce 256 MiB", 470L << 20, 8452)));
    StringBuilder text = new StringBuilder();
    answer.spoken("text").writeTo(text);
    assertEquals(
        """
        NCCL 2.28.9 took 896 MiB of the GPU of rank 0 (NVIDIA H100) of 2 in these steps.

          step                GPU MiB  host shared KiB  GPU bytes
          init                426      4096             446693376
          all_reduce 256 MiB  470      8452             492830720

        compare with: topo memory system.xml --gpus 0-1 --steps "init,all_reduce 256 MiB",
        or --against FILE with this output as FILE
        """,
        text.toString());
  }
}
