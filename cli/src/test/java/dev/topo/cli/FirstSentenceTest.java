package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.cli.fixture.CliRun;
import dev.topo.model.fixture.Thorough;
import dev.topo.visualizer.view.Answer.Sentence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
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
        "diagnose examples/one-nic.txt|Only 1 of 8 NICs carries data between nodes (80 % likely): AllReduce of 4 GiB reaches 89 GB/s busbw of ",
        "diagnose examples/healthy.txt|Nothing is wrong: 13 sizes, the median ",
        "diagnose examples/sockets.log|Data between nodes goes over TCP, as NCCL's log states; check NCCL_NET",
        "diagnose examples/pairs.csv|Host node5 makes its pairs 50 % slower (99 % sure): all its 7 runs are slow; healthy ones reach 80 GB/s.",
        "workload examples/fsdp.rank0.json.gz examples/fsdp.rank1.json.gz --machine examples/h200-x2.xml|Communication takes 27.19 ms of the 55.95 ms of a step, 80 % of it waiting for late ranks, most often rank 0; 14.71 ms exposed; no call is slower",
        "lint topologies/hgx-h100-vm-flat.xml|1 warning, 1 note: line 1, <system>: has 8 GPUs and 8 NICs directly below their CPUs, as in a virtual machine; fix below.",
        "lint topologies/dgx-h100.xml|No error found: NCCL reads this file as it is, a machine with 8 GPUs (sm 90), NVSwitch, 8 ports of 50 GB/s, 2 CPUs",
        "lint examples/vm.xml|Nothing wrong, 2 notes: line 20, <cpu>: affinity=",
        "guest topologies/dgx-h100.xml --guest examples/vm.lspci --format text|Set NCCL_TOPO_FILE in the guest to this file: GPUs then reach NICs over PIX with GPUDirect RDMA instead of PHB without it (assumed); rings carry",
        "doctor|NCCL would",
        "search topologies/dgx-h100.xml --nodes 2|NCCL finds 8 rings of 48 GB/s on each node of dgx-h100 x 2, 384 GB/s to the network",
        "show topologies/dgx-h100.xml|dgx-h100: 8 GPUs (sm 90), NVSwitch, 8 ports of 50 GB/s, 2 CPUs (Intel Sapphire Rapids).",
        "paths topologies/dgx-1v.xml|The paths of dgx-1v: NVL and NVB between GPUs, PIX to the nearest ports.",
        "paths topologies/gh200.xml|The paths of gh200: none between GPUs, ",
        "connect topologies/dgx-1v.xml|dgx-1v: 12 channels for rings and trees over NVL (fullest: NVL GPU 0 to GPU 1); no NVLS without an NVSwitch, no CollNet; ",
        "tune topologies/dgx-h100.xml --sizes 64K,64M|AllReduce on dgx-h100: Ring/LL to 1.1 MiB, then NVLS/Simple; rings over NVL. 4 other operations below.",
        "tune topologies/dgx-h100.xml --buffers symmetric|AllReduce on dgx-h100, with symmetric buffers: AllReduce_AGxLLMC_R to 16 KiB, then AllReduce_RSxLDMC_AGxSTMC from 32 KiB. 4 other",
        "tune topologies/dgx-h100.xml --collective alltoall --sizes 1M,1G|AlltoAll on dgx-h100: P2P/LL to 1 MiB, then P2P/Simple from 1 GiB, on at most 8 channels",
        "explain topologies/dgx-a100.xml --nodes 4|AllReduce of 64 MiB on dgx-a100 x 4: NCCL runs Ring/LL128 on 16 channels over NVL, PIX to NICs, 963 us by its own model, the shortest; Tree/LL128",
        "predict topologies/dgx-1v.xml|AllReduce of 1 GiB on dgx-1v: 120 GB/s busbw (80 to 180) by NCCL's own model, limited by NVL GPU 0 to GPU 1; no machine with sm 70 and NVLink without NVSwitch was measured",
        "predict topologies/dgx-1v.xml --sizes 8|AllReduce of 8 B on dgx-1v takes 15 (9.9 to 23) us by NCCL's own model, most of it latency; no machine with sm 70 and NVLink without NVSwitch was measured",
        "predict topologies/hgx-b200.xml --nodes 2 --sizes 16G --collective all_reduce|AllReduce of 16 GiB on hgx-b200 x 2: 640 GB/s busbw (540 to 760) by NVLSTree/Simple, limited by the NICs over PIX (400 GB/s a node, mlx5_0 fullest).",
        "predict topologies/dgx-h100.xml --nodes 4 --sizes 1G --collective alltoall|AlltoAll of 1 GiB on dgx-h100 x 4: 55 GB/s busbw (46 to 66), limited by the NICs (400 GB/s a node, mlx5_0 fullest).",
        "predict topologies/dgx-h100.xml --nodes 3 --env NCCL_ALGO=Tree|AllGather, ReduceScatter, Broadcast and Reduce fail, as NCCL refuses them; AllReduce of 1 GiB on dgx-h100 x 3: 320 GB/s busbw",
        "predict topologies/dgx-h100.xml --nodes 1,8 --collective all_reduce|AllReduce of 1 GiB on dgx-h100: 465 GB/s busbw (450 to 485) on 1 node, ",
        "predict src/test/resources/measured/h200-x4.topo.xml --against src/test/resources/measured/h200-x4-run/verify.json|verify.json on h200-x4.topo: none of 306 times is slower than tolerated, 302 are in the predicted range; nearest its limit is Broadcast",
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
  @ValueSource(
      strings = {
        "diagnose examples/one-nic.txt",
        "diagnose examples/pairs.csv",
        "workload examples/fsdp.rank0.json.gz examples/fsdp.rank1.json.gz --machine examples/h200-x2.xml",
        "predict topologies/dgx-h100.xml",
        "predict topologies/dgx-h100.xml --nodes 1,2,4,8",
        "predict topologies/dgx-h100.xml --nodes 1:1024:2 --collective all_reduce",
        "advise topologies/dgx-h100.xml",
        "guest topologies/dgx-h100.xml --guest examples/vm.lspci --format text",
        "memory topologies/gb200-tray.xml --nodes 18 --nvlink-domain 18",
        "memory topologies/pcie-6-uneven.xml",
        "diff topologies/dgx-a100.xml topologies/dgx-h100.xml",
        "search topologies/hgx-b200.xml --nodes 4",
        "tune topologies/hgx-b200.xml --nodes 4",
        "upgrade topologies/hgx-b200.xml --nodes 4 --from 2.27.5 --to 2.28.9",
        "doctor",
      })
  void whatFollowsFitsAScreen(String command) {
    List<String> lines = run(command).out().lines().skip(2).toList();
    assertTrue(lines.size() <= 25, lines.size() + " lines");
    lines.forEach(line -> assertTrue(line.length() <= LONGEST_LINE, line));
  }

  private static List<String> jobs() {
    return Thorough.orEvery(
        2,
        0,
        List.of(
            "topologies/dgx-h100.xml",
            "topologies/gb200-tray.xml --nodes 18 --nvlink-domain 18",
            "topologies/hgx-b200.xml --nodes 4",
            "topologies/dgx-a100.xml --nodes 2",
            "topologies/pcie-6-uneven.xml",
            "topologies/v100-4-mesh.xml"),
        "jobs for the length of first sentences");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void firstSentencesAreShort(String job) {
    for (String question :
        List.of(
            "predict",
            "tune",
            "explain",
            "advise",
            "search",
            "connect",
            "memory",
            "upgrade --from 2.27.5 --to 2.30.7",
            "whatif")) {
      CliRun run =
          question.equals("whatif")
              ? run("whatif " + job, "env NCCL_MAX_CTAS=8", "-q")
              : run(question + " " + job, "-q");
      assertShort(run);
    }
    String file = job.split(" ", -1)[0];
    assertShort(run("lint " + file, "-q"));
    assertShort(run("diff " + file + " topologies/dgx-2.xml", "-q"));
  }

  private static void assertShort(CliRun run) {
    String sentence = run.out().strip();
    assertTrue(!sentence.isEmpty(), run.err());
    assertTrue(
        Sentence.words(sentence) <= Sentence.MOST_WORDS,
        Sentence.words(sentence) + " words: " + sentence);
  }

  /** Two machines whose answers have different causes: the causes are named, not only numbers. */
  @ParameterizedTest
  @CsvSource({
    "predict,dgx-a100 --nodes 2,hgx-b300 --nodes 2",
    "predict,a100-4-slingshot,dgx-2",
    "predict,a100-4-slingshot --nodes 8,gh200-4 --nodes 8",
    "predict,a100-pcie-4-bridged --nodes 8,dgx-1v --nodes 8",
    "tune,a100-4-slingshot,dgx-a100",
    "tune,dgx-1v --nodes 4,dgx-a100 --nodes 4",
    "explain,a100-4-slingshot --nodes 4,l40s-4 --nodes 4",
    "search,a100-4-slingshot,dgx-2",
    "connect,dgx-1v,l40s-4",
    "connect,hgx-h100-vm-flat --nodes 4,dgx-h100 --nodes 4",
  })
  void answersWithOtherCausesDifferInWords(String command, String one, String other) {
    assertNotEquals(causes(command, one), causes(command, other));
  }

  /** The sentence without the machine's name and without numbers. */
  private static String causes(String command, String job) {
    String machine = job.split(" ", -1)[0];
    String sentence =
        run(command + " topologies/" + job.replaceFirst(machine, machine + ".xml"), "-q").out();
    assertTrue(sentence.contains(machine), sentence);
    return sentence.replace(machine, "").replaceAll("[0-9]+([.][0-9]+)?", "#");
  }

  /** What differs between machines is said, and not only how much. */
  @Test
  void sentencesOfDifferentMachinesDifferInWords() {
    Set<String> told = new HashSet<>();
    for (String machine :
        List.of(
            "dgx-h100.xml",
            "dgx-h100.xml --nodes 2",
            "dgx-1v.xml",
            "l40s-4.xml",
            "l40s-4.xml --nodes 2",
            "gh200-4.xml --nodes 8",
            "gb200-tray.xml --nodes 4 --nvlink-domain 4",
            "rtx4090-2.xml",
            "hgx-h100-sharp.xml --nodes 4 --env NCCL_COLLNET_ENABLE=1",
            "dgx-a100.xml --env NCCL_MAX_CTAS=2")) {
      String sentence =
          run("predict topologies/" + machine, "-q", "--collective", "all_reduce").out().strip();
      assertEquals(1, sentence.lines().count(), sentence);
      String words = sentence.replaceFirst(".*? on [^:]*", "").replaceAll("[0-9.]+", "N");
      assertTrue(told.add(words), sentence);
    }
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
            "With env NCCL_MAX_CTAS=8, communication of a step: 5.36 ms → 10.5 ms (9.5 to 12.5 ms), exposed 5.13 ms → 10.5 ms; AllGather of 96.1 MiB takes 2.1 times as long, on 8 channels instead of 24."),
        first);
  }
}
