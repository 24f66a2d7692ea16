package dev.topo.visualizer.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.StepMemory;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemorySentenceTest {
  private static final long MIB = 1L << 20;

  private static MemorySaving saving(String text) {
    String[] part = text.split(" ");
    return new MemorySaving(
        part[0],
        Long.parseLong(part[1]) * MIB,
        part.length == 2 ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(part[2])));
  }

  /** 150 MiB where 100 are allowed; a setting is its name, MiB saved and the change of busbw. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "A 60 -0.02; B 80 -0.3; C 20 0 | with A it fits",
        "B 80 -0.3; A 50 -0.02 | with A it fits",
        "A 60 -0.02; B 80 0 | with B it fits, without loss of busbw",
        "A 60 0; B 80 0 | with B it fits, without loss of busbw",
        "A 60; B 80 -0.3 | with B it fits",
        "A 60 | with A it fits, at an unknown cost in busbw",
        "A 49 0; C 20 0 | no setting alone is enough, A saves most (49 MiB)"
      })
  void theCheapestSettingThatIsEnoughIsNamed(String savings, String advice) {
    MemoryStep init = MemoryStep.parse("init");
    MemoryAnswer answer =
        new MemoryAnswer(
            1,
            List.of(
                new StepMemory(
                    init, 0, List.of(new MemoryPart("buffers", MemoryPlace.GPU, 150 * MIB)))),
            true,
            List.of(0),
            List.of(),
            List.of());
    String sentence =
        MemorySentence.of(
            "it",
            answer,
            OptionalLong.of(100 * MIB),
            Stream.of(savings.split("; ")).map(MemorySentenceTest::saving).toList());
    assertEquals(
        "50 MiB more than the limit of 100 MiB: " + advice + ".",
        sentence.replaceFirst(".*(?=50 MiB more)", ""));
  }
}
