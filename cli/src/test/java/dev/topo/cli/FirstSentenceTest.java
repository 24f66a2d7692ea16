package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** What an answer comes down to is its first line as a text, and a field of its JSON. */
class FirstSentenceTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final int LONGEST_LINE = 120;

  private static CliRun run(String command, String... more) {
    List<String> words = new ArrayList<>();
    for (String word : command.split(" ")) {
      words.add(word.contains("/") && !word.contains("=") ? ROOT.resolve(word).toString() : word);
    }
    words.addAll(List.of(more));
    return CliRun.of(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "diagnose examples/one-nic.txt|Only 1 of 8 NICs carries data between nodes (99 % likely): AllReduce of 4 GiB reaches 89 GB/s busbw of ",
        "diagnose examples/healthy.txt|Nothing is wrong: 13 sizes, the median ",
        "diagnose examples/sockets.log|Data between nodes goes over TCP, as NCCL's log states; check NCCL_NET",
        "diagnose examples/pairs.csv|Host node5 makes its pairs 50 % slower (99 % sure): all its 7 runs are slow; healthy ones reach 80 GB/s.",
        "workload examples/fsdp.rank0.json.gz examples/fsdp.rank1.json.gz --machine examples/h200-x2.xml|Communication takes 27.19 ms of the 55.95 ms of a step, 14.71 ms of it exposed: 80 % of it waits for late ranks, most for rank 0; no call is slower",
        "lint topologies/hgx-h100-vm-flat.xml|1 warning, 1 note: line 1, <system>: has 8 GPUs and 8 NICs directly below their CPUs, as in a virtual machine; fix: topo guest HOST.xml --guest FILE writes",
        "lint topologies/dgx-h100.xml|NCCL reads this file as it is: nothing found.",
        "lint examples/vm.xml|Nothing wrong, 1 note: line 1, <system>: has no gpu; NCCL finds GPUs",
        "guest topologies/dgx-h100.xml --guest examples/vm.lspci --format text|Set NCCL_TOPO_FILE in the guest to this file first: its GPUs then reach their NICs by PIX with GPUDirect RDMA instead of PHB without (assumed), rings",
        "doctor|NCCL would",
      })
  void isTheAnswer(String command, String begin) {
    CliRun run = run(command);
    List<String> lines = run.out().lines().toList();
    assertTrue(lines.get(0).startsWith(begin), run.out() + run.err());
    assertTrue(lines.get(0).endsWith("."), lines.get(0));
    assertEquals("", lines.get(1), "an empty line follows the sentence");
    CliRun json = run(command.replace(" --format text", ""), "--format", "json");
    assertEquals(lines.get(0), JsonMapper.shared().readTree(json.out()).get("answer").asString());
  }

  @ParameterizedTest
  @CsvSource({
    "diagnose examples/one-nic.txt",
    "diagnose examples/pairs.csv",
    "workload examples/fsdp.rank0.json.gz examples/fsdp.rank1.json.gz --machine examples/h200-x2.xml",
  })
  void whatFollowsFitsAScreen(String command) {
    List<String> lines = run(command).out().lines().skip(2).toList();
    assertTrue(lines.size() <= 25, lines.size() + " lines");
    lines.forEach(line -> assertTrue(line.length() <= LONGEST_LINE, line));
  }

  @Test
  void theChangeOfAStepIsSaidWithItsRangeAndReason() {
    String first =
        run(
                "workload examples/fsdp.rank0.json.gz --machine examples/h200-x2.xml",
                "--whatif",
                "env NCCL_MAX_CTAS=8")
            .out();
    assertTrue(
        first.startsWith(
            "With env NCCL_MAX_CTAS=8, communication of a step: 5.36 ms → 10.74 ms (9.59 to 12.03 ms), exposed 5.13 ms → 10.51 ms; AllGather of 96.1 MiB takes 2.1 times as long, on 8 channels instead of 24."),
        first);
  }
}
