package dev.topo.inspect.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces that are damaged or hostile: each is refused where it is wrong, and none is half read. */
class TraceDamageTest {
  private static final String HEAD =
      "{\"distributedInfo\": {\"rank\": 0, \"world_size\": 2},\n\"traceEvents\": [\n";
  private static final String CALL =
      "{'ph': 'X', 'cat': 'kernel', 'name': 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)', 'ts': 100, 'dur': 50, 'args': {"
          + "'Collective name': 'allreduce', 'In msg nelems': 8, 'Out msg nelems': 8, 'Group size': 2, 'dtype': 'BFloat16',"
          + " 'Process Group Name': '3', 'Process Group Ranks': '[0, 1]'}}";
  private static final String TRACE = HEAD + CALL.replace('\'', '"') + "\n]}\n";
  private static final String INSPECTOR =
      "{'header': {'id': '0x7f', 'rank': 0, 'n_ranks': 2}, 'coll_perf': {'coll': 'AllGather', 'coll_msg_size_bytes': 4096,"
          + " 'coll_exec_time_us': 31}}\n";
  private static final String TABLE =
      "# a step\ngroup,operation,bytes,datatype,count\n0-1,all_reduce,64M,bfloat16,12\n";

  @TempDir private Path folder;

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  private List<RankTrace> read(byte[] content) throws IOException {
    return TraceReader.read(file("t", content), 0, new Inputs());
  }

  private void refused(byte[] content, String start) {
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> read(content), start);
    String found = String.valueOf(e.getMessage()).replace(folder.toString() + "/", "");
    assertTrue(found.startsWith(start), found);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] packed(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }

  /** The content of a trace, without the name of its file. */
  private static String summary(List<RankTrace> traces) {
    return traces.stream()
        .map(
            trace ->
                trace.rank() + " " + trace.worldSize() + " " + trace.kinds() + " " + trace.size())
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'dur': 50, |''|t:3:276: kernel ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x) has no dur, expected both",
        "'dur': 50|'dur': -1|t:3:286: kernel ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x): dur is -1.0, expected 0 or more",
        "[0, 1]|[-1, 0]|t:3:277: Process Group Ranks is \"[-1, 0]\", expected a list of whole numbers from 0 to 1048576",
        "[0, 1]|[0, 100000000000000000000000]|t:3:277: Process Group Ranks is \"[0, 1000000",
        "[0, 1]|[0, 0]|t:3:277: Process Group Ranks is \"[0, 0]\", expected each rank once",
        "[0, 1]|[0, 1, 2]|t:3:289: \"Process Group Ranks\" is \"[0, 1, 2]\" and \"Group size\" 2, expected as many ranks",
        "[0, 1]|0, 1|t:3:277: Process Group Ranks is \"0, 1\", expected a list",
        "'In msg nelems': 8|'In msg nelems': 2305843009213693952|t:3:165: In msg nelems is \"2305843009213693952\", expected",
        "'Out msg nelems': 8|'Out msg nelems': -1|t:3:186: Out msg nelems is \"-1\", expected a whole number from 0 to",
        "'Group size': 2|'Group size': 1e23|t:3:203: Group size is \"1e23\", expected a number",
        "'Group size': 2|'Group size': 2000000|t:3:203: Group size is \"2000000\", expected a whole number from 0 to 1048576",
        "'dtype'|'In split size': '[1, x]', 'dtype'|t:3:223: In split size is \"[1, x]\", expected a list of whole numbers",
      })
  void whatANumberCannotBeIsRefusedAtItsPlace(String part, String by, String message) {
    String damaged = CALL.replace(part, by.equals("''") ? "" : by);
    refused(bytes(HEAD + damaged.replace('\'', '"') + "\n]}\n"), message);
  }

  @Test
  void oneGroupHasOneNumberOfRanks() {
    String other = CALL.replace("'Group size': 2", "'Group size': 4").replace("[0, 1]", "[]");
    String two = TRACE.replace("\n]}", ",\n" + other.replace('\'', '"') + "\n]}");
    refused(bytes(two), "t:4:282: group \"3\" has 4 ranks, and 2 elsewhere: expected one number");
    String declared =
        TRACE.replace(
            "\"world_size\": 2",
            "\"world_size\": 8, \"pg_config\": [{\"pg_name\": \"3\", \"ranks\": [0, 1, 2]}]");
    refused(
        bytes(declared), "t:3:286: group \"3\" has 2 ranks, and 3 elsewhere: expected one number");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"rank\": 0|\"rank\": 2|t:1:48: rank is 2 and world_size 2, expected a rank below it",
        "{\"distributedInfo\"|{\"traceEvents\": [], \"distributedInfo\"|t:2:16: \"traceEvents\" is there twice",
        "{\"distributedInfo\"|{\"distributedInfo\": {}, \"distributedInfo\"|t:1:44: \"distributedInfo\" is there twice",
      })
  void aTraceHasOneHeadAndOneListOfEvents(String part, String by, String message) {
    refused(bytes(TRACE.replace(part, by)), message);
  }

  @Test
  void nothingFollowsATrace() throws IOException {
    refused(bytes(TRACE + TRACE), "t:5:1: more JSON follows the trace, expected one trace");
    refused(bytes(TRACE + "x"), "t:5:1: is not JSON: Unrecognized token 'x'");
    refused(bytes("[]\n[]"), "t:2:1: more JSON follows the trace");
    refused(
        bytes(INSPECTOR.replace('\'', '"') + TRACE),
        "t:5:2: an object has no header, expected one of NCCL Inspector");
    byte[] packed = packed(bytes(TRACE));
    byte[] garbage = Arrays.copyOf(packed, packed.length + 1);
    refused(garbage, "t:5:1: cannot be read (byte %d: 0x00 follows".formatted(packed.length));
    assertEquals(summary(read(packed)), summary(read(bytes(TRACE + " \r\n\t\n"))));
  }

  /** A trace in two members of gzip is read as a whole, where `gzip -c >>` added the second. */
  @Test
  void allMembersOfGzipAreRead() throws IOException {
    byte[] whole = bytes(TRACE);
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    members.write(packed(Arrays.copyOf(whole, 100)));
    members.write(packed(Arrays.copyOfRange(whole, 100, whole.length)));
    assertEquals(summary(read(whole)), summary(read(members.toByteArray())));
  }

  @Test
  void aTraceThatIsCutAnywhereIsRefused() throws IOException {
    byte[] whole = bytes(TRACE.strip());
    byte[] packed = packed(whole);
    for (int length = 0; length < whole.length; length++) {
      refused(Arrays.copyOf(whole, length), "t");
    }
    for (int length = 2; length < packed.length; length++) {
      refused(Arrays.copyOf(packed, length), "t");
    }
    byte[] inspector = bytes(INSPECTOR.strip().replace('\'', '"'));
    for (int length = 0; length < inspector.length; length++) {
      refused(Arrays.copyOf(inspector, length), "t");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {TABLE, "trace", "inspector"})
  void aByteOrderMarkAndWindowsLineEndsChangeNothing(String text) throws IOException {
    String content =
        text.equals("trace")
            ? TRACE
            : text.equals("inspector") ? INSPECTOR.replace('\'', '"') : text;
    String expected = summary(read(bytes(content)));
    assertEquals(expected, summary(read(bytes("\ufeff" + content))));
    assertEquals(expected, summary(read(bytes("\ufeff" + content.replace("\n", "\r\n")))));
    assertEquals(expected, summary(read(packed(bytes("\ufeff" + content)))));
    refused(
        content.getBytes(StandardCharsets.UTF_16),
        "t:1:1: is not UTF-8 text, expected a trace of PyTorch's profiler");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "4096|1152921504606846976|t:1:111: coll_msg_size_bytes is \"1152921504606846976\", expected a whole number from 0 to",
        "4096|17592186044416|t:1:151: coll_msg_size_bytes is 17592186044416 for each of 2 ranks, expected at most 17592186044416",
        "'coll_msg_size_bytes': 4096,|''|t:1:113: coll_perf has no coll, coll_msg_size_bytes or coll_exec_time_us",
        ", 'coll_exec_time_us': 31|''|t:1:116: coll_perf has no coll, coll_msg_size_bytes or coll_exec_time_us, expected all",
        "31}|600000000}|t:1:148: coll_exec_time_us is 6.0E8, expected 0 to ten minutes",
        "'n_ranks': 2|'n_ranks': 2000000|t:1:49: n_ranks is \"2000000\", expected a whole number from 0 to 1048576",
      })
  void whatInspectorCannotWriteIsRefused(String part, String by, String message) {
    String damaged = INSPECTOR.replace(part, by.equals("''") ? "" : by);
    refused(bytes(damaged.replace('\'', '"')), message);
  }

  /** The time of one call was taken for the next one that has none. */
  @Test
  void nothingOfACallIsThatOfTheOneBefore() {
    String second = INSPECTOR.replace("'coll': 'AllGather', ", "");
    refused(bytes((INSPECTOR + second).replace('\'', '"')), "t:2:120: coll_perf has no coll,");
  }

  @Test
  void oneCommunicatorHasOneNumberOfRanks() throws IOException {
    String other = INSPECTOR.replace("'rank': 0, 'n_ranks': 2", "'rank': 1, 'n_ranks': 4");
    refused(
        bytes((INSPECTOR + other).replace('\'', '"')),
        "t:2:141: communicator 0x7f has n_ranks 4, and 2 before: expected one number");
    Path one = file("one", bytes(INSPECTOR.replace('\'', '"')));
    Path two = file("two", bytes(other.replace('\'', '"')));
    assertEquals(
        two + ": group 0x7f has 4 ranks, and 2 in " + one + ": expected one number",
        message(List.of(one, two)));
  }

  private static String message(List<Path> files) {
    return String.valueOf(
        assertThrows(
                TopologyFormatException.class, () -> TraceFiles.read(files, new Inputs(), () -> {}))
            .getMessage());
  }

  /** One process may have several GPUs; the calls of one rank are in one file. */
  @Test
  void ranksOfOneFileAreTracesOfTheirOwn() throws IOException {
    String other = INSPECTOR.replace("'rank': 0", "'rank': 1");
    List<RankTrace> traces = read(bytes((INSPECTOR + other + INSPECTOR).replace('\'', '"')));
    assertEquals(
        List.of(OptionalInt.of(0), OptionalInt.of(1)),
        traces.stream().map(RankTrace::rank).toList());
    assertEquals(List.of(2, 1), traces.stream().map(RankTrace::size).toList());
    Path one = file("one", bytes(INSPECTOR.replace('\'', '"')));
    Path two = file("two", bytes((INSPECTOR + INSPECTOR).replace('\'', '"')));
    assertEquals(
        two + ": is of rank 0 of group 0x7f as " + one + " is, expected a trace for each rank",
        message(List.of(one, two)));
    Path seeds = Path.of(System.getProperty("topo.root"), "src/test/resources/fuzz");
    Path copy = file("copy.0.et", Files.readAllBytes(seeds.resolve("step.0.et")));
    assertTrue(
        message(List.of(seeds.resolve("step.0.et"), copy)).contains("is of rank 0 of group "));
  }

  /** A line of 150 bytes has a million ranks, of which a job has one list for each communicator. */
  @Test
  @EnabledIfSystemProperty(named = "topo.test.thorough", matches = "true")
  void memoryOfRanksIsBounded() {
    String lines =
        IntStream.range(10, 50)
            .mapToObj(
                i ->
                    INSPECTOR
                        .replace("0x7f", "0x" + i)
                        .replace("'n_ranks': 2", "'n_ranks': 1048576"))
            .collect(Collectors.joining());
    refused(
        bytes(lines.replace('\'', '"')),
        "t:20:147: more than 512 MiB of calls and values, expected the trace of a rank");
  }

  @Test
  void whatIsKeptIsCounted() {
    KeptMemory kept = new KeptMemory(what -> new TopologyFormatException("t", what));
    kept.reserve(512L << 20);
    assertThrows(TopologyFormatException.class, () -> kept.reserve(1));
  }

  @Test
  void aTableOfManyRanksOrBytesIsRefused() throws IOException {
    refused(
        bytes(TABLE + "0-9999999,all_reduce,1M,half,1\n"),
        "t:4:1: \"0-9999999\": '0-9999999': more than 1048576 ranks");
    refused(
        packed(new byte[(16 << 20) + 1]),
        "t: has more than 16777216 bytes, and does not begin as a trace");
    refused(
        bytes(TABLE + "0-1,all_reduce,8E,half,1\n"), "t:4:16: \"8E\": expected a size such as 16M");
  }

  /** Parts of the lists that PyTorch cuts are not known. */
  @Test
  void aListThatIsCutIsNotTakenForTheWhole() throws IOException {
    String call =
        CALL.replace("'Group size': 2", "'Group size': 3")
            .replace("[0, 1]", "[0, 1, ...]")
            .replace("allreduce", "all_to_allv")
            .replace("'dtype'", "'In split size': '[3, 4, ...]', 'dtype'");
    RankTrace trace = read(bytes(HEAD + call.replace('\'', '"') + "\n]}\n")).get(0);
    CallKind kind = trace.kinds().get(0);
    assertEquals(List.of(), kind.group().ranks());
    assertEquals(List.of(), kind.sent());
    assertEquals(List.of(KernelEvent.CUT_NOTE), trace.notes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "I8|L2305843009213693952L|t: entries[0].input_sizes has more than 1099511627776 elements, expected a dump",
        "I8|I1048576;aI1048577;aI1|t: entries[0].input_sizes has more than 1099511627776 elements",
        "I8|I-1|t: entries[0].input_sizes has the length -1, not a number of 0 or more",
        "[0, 1]|[-1, 0]|t: pg_config[\"0\"].ranks is \"[-1, 0]\", not a list of ranks, each once",
        "[0, 1]|[1, 1]|t: pg_config[\"0\"].ranks is \"[1, 1]\", not a list of ranks, each once",
        "nccl:all_reduce|nccl:send 0->100000000000000000000000|t: entries[0].profiling_name is \"send 0->1000000",
      })
  void whatADumpOfFlightRecorderCannotSayIsRefused(String part, String by, String message) {
    String dump =
        "\u0080\u0002(dVpg_config\n(dV0\n(dVranks\nV[0, 1]\nsssVentries\n((dVprofiling_name\nVnccl:all_reduce\n"
            + "sVprocess_group\n(V0\nVdp\nlsVinput_sizes\n((lI8\nalsVinput_dtypes\n(VBFloat16\nlsls.";
    assertTrue(dump.contains(part));
    byte[] damaged =
        dump.replace(part, by.replace(';', '\n')).getBytes(StandardCharsets.ISO_8859_1);
    refused(damaged, message);
  }
}
