package dev.topo.inspect.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.trace.CallKind.LaunchSize;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceReaderTest {
  private static final String HEAD =
      "{\"distributedInfo\": {\"rank\": 1, \"world_size\": 2, \"nccl_version\": \"2.28.9\"},\n\"traceEvents\": [\n";

  @TempDir private Path folder;

  private List<RankTrace> read(String text) throws IOException {
    Path file = folder.resolve("t");
    Files.writeString(file, text);
    return TraceReader.read(file, 7, new Inputs());
  }

  private static String kernel(String name, double start, double duration, String arguments) {
    return "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"ts\": %s, \"dur\": %s, \"args\": {%s}}"
        .formatted(name, start, duration, arguments.replace('\'', '"'));
  }

  private static String call(String call, long in, long out, String more) {
    return ("'grid': [24, 1, 1], 'block': [544, 1, 1], 'Collective name': '%s', 'In msg nelems': %d, 'Out msg nelems': %d,"
            + " 'Group size': 2, 'dtype': 'BFloat16', 'Process Group Name': '3', 'Process Group Description': 'dp',"
            + " 'Process Group Ranks': '[0, 1]'%s")
        .formatted(call, in, out, more);
  }

  private CallKind kind(String call, long in, long out, String more) throws IOException {
    String event = kernel("ncclDevKernel_SendRecv(x)", 1, 2, call(call, in, out, more));
    return read(HEAD + event + "]}").get(0).kinds().get(0);
  }

  @Test
  void kernelsOfNcclAreCallsAndOthersAreComputation() throws IOException {
    String text =
        HEAD
            + String.join(
                ",\n",
                kernel("gemm", 100, 50, "'grid': [1]"),
                kernel(
                    "ncclDevKernel_AllReduce_PreMulSum_bf16_RING_LL(x)",
                    120,
                    60,
                    call("allreduce", 4096, 4096, "")),
                "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#3\", \"ts\": 1, \"dur\": 2}")
            + "]}";
    RankTrace trace = read(text).get(0);
    assertEquals(OptionalInt.of(1), trace.rank());
    assertEquals(Optional.of("2.28.9"), trace.ncclVersion());
    assertEquals(1, trace.size());
    assertEquals(30, trace.exposedUs());
    assertEquals(1, trace.steps());
    CallKind kind = trace.kinds().get(0);
    assertEquals(Optional.of(Collective.ALL_REDUCE), kind.operation());
    assertEquals(8192, kind.bytes());
    assertEquals(DataType.BFLOAT16, kind.dataType());
    assertEquals(ReductionOperator.PRE_MUL_SUM, kind.operator());
    assertEquals(Optional.of(new LaunchSize(24, 544)), kind.shape());
    assertEquals(List.of(0, 1), kind.group().ranks());
    assertEquals("dp", kind.group().title());
  }

  /** Sizes are those of nccl-tests: what all ranks have together. */
  @Test
  void theSizeOfACallIsThatOfTheLargerBuffer() throws IOException {
    assertEquals(400, kind("_allgather_base", 100, 200, "").bytes());
    assertEquals(400, kind("_reduce_scatter_base", 200, 100, "").bytes());
    assertEquals(200, kind("allreduce", 100, 100, "").bytes());
    assertEquals(200, kind("all_to_allv", 100, 100, "").bytes());
  }

  @Test
  void anAlltoallWithPartsThatDifferIsAnotherOperation() throws IOException {
    assertEquals(
        Optional.of(PeerOperation.ALLTOALL),
        kind("all_to_allv", 100, 100, ", 'In split size': '[]'").operation());
    // Splits count rows of the tensor.
    CallKind uneven = kind("all_to_allv", 1000, 900, ", 'In split size': '[3, 7]'");
    assertEquals(Optional.of(PeerOperation.ALLTOALLV), uneven.operation());
    assertEquals(List.of(600L, 1400L), uneven.sent());
  }

  /**
   * PyTorch launches one kernel for a group of them, of which the trace has notes and the launch.
   */
  @Test
  void sendsAndReceivesOfAGroupBelongToTheNextLaunch() throws IOException {
    String note =
        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"record_param_comms\", \"ts\": %d, \"dur\": 1, \"args\": {%s}}";
    String launch =
        "{\"ph\": \"X\", \"cat\": \"cuda_driver\", \"name\": \"cuLaunchKernelEx\", \"ts\": %d, \"dur\": 1, \"args\":"
            + " {\"correlation\": %d}}";
    RankTrace trace =
        read(HEAD
                + String.join(
                    ",",
                    note.formatted(1, call("send", 100, 100, ", 'Dst Rank': 0").replace('\'', '"')),
                    note.formatted(2, call("recv", 300, 300, ", 'Src Rank': 0").replace('\'', '"')),
                    launch.formatted(3, 7),
                    note.formatted(4, call("recv", 5, 5, ", 'Src Rank': 0").replace('\'', '"')),
                    launch.formatted(5, 8),
                    kernel("ncclDevKernel_SendRecv(x)", 20, 5, "'correlation': 7"),
                    kernel("ncclDevKernel_SendRecv(x)", 30, 5, "'correlation': 8"),
                    kernel("ncclDevKernel_SendRecv(x)", 40, 5, "'correlation': 9"))
                + "]}")
            .get(0);
    CallKind both = trace.kinds().get(trace.kindOf(0));
    assertEquals("send and recv", both.name());
    assertEquals(600, both.bytes());
    assertEquals(List.of(200L, 0L), both.sent());
    assertEquals(0, both.peer());
    assertEquals(10, trace.kinds().get(trace.kindOf(1)).bytes());
    assertEquals(Optional.empty(), trace.kinds().get(trace.kindOf(2)).operation());
  }

  @ParameterizedTest
  @CsvSource({
    "allreduce, all_reduce",
    "all_gather, all_gather",
    "_allgather_base, all_gather",
    "reduce_scatter_tensor, reduce_scatter",
    "_broadcast_oop, broadcast",
    "all_reduce_barrier, all_reduce",
    "nccl:all_to_all, alltoall",
    "nccl:send 0->1, sendrecv",
    "gather, gather",
    "allreduce_coalesced, ''",
    "something, ''"
  })
  void callsHavePyTorchsNames(String name, String operation) {
    assertEquals(
        operation, CallNames.operation(name).map(Operation::ncclTestsName).orElse(""), name);
  }

  @Test
  void inspectorHasATraceForEachCommunicator() throws IOException {
    String line =
        "{\"header\":{\"id\":\"0x%s\",\"rank\":1,\"n_ranks\":8,\"nnodes\":1},\"metadata\":{\"hostname\":\"a\"},"
            + "\"coll_perf\":{\"coll\":\"%s\",\"coll_sn\":1,\"coll_msg_size_bytes\":1024,\"coll_exec_time_us\":%d}}\n";
    List<RankTrace> traces =
        read(
            line.formatted("a", "AllGather", 50)
                + line.formatted("b", "AllReduce", 40)
                + line.formatted("a", "AllReduce", 30));
    assertEquals(2, traces.size());
    assertEquals(2, traces.get(0).size());
    assertEquals(8192, traces.get(0).kinds().get(0).bytes());
    assertEquals(1024, traces.get(0).kinds().get(1).bytes());
    assertEquals(50, traces.get(0).durationUs(0), 1e-3);
    assertEquals(0, traces.get(0).spanUs());
  }

  @Test
  void aTableHasCountsButNoTimes() throws IOException {
    RankTrace trace =
        read("# mine\ngroup,operation,bytes,datatype,count\n0-7,all_reduce,64M,bfloat16,12\n\"0,8\",alltoall,1K,half,3\n")
            .get(0);
    assertEquals(RankTrace.Times.NONE, trace.times());
    assertEquals(OptionalInt.of(9), trace.worldSize());
    assertEquals(12, trace.count(0));
    assertEquals(64 << 20, trace.kinds().get(0).bytes());
    assertEquals(List.of(0, 8), trace.kinds().get(1).group().ranks());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"traceEvents\": [{\"cat\": \"kernel\", \"ts\": 1x}]}|t:1:43: is not JSON",
        "{\"traceEvents\": [{\"cat\": \"kernel\", \"name\": \"a\"}]}|t:1:47: kernel a has no ts and dur",
        "{\"traceEvents\": 5}|t:1:17: expected a list",
        "{\"other\": 5}|t:1:12: has no traceEvents",
        "{\"traceEvents\": [{\"cat\": \"kernel\"|t:1:34: is not JSON",
        "{\"traceEvents\": [{\"ts\": \"later\"}]}|t:1:25: ts is \"later\", expected a number",
        "{\"distributedInfo\": {\"rank\": -3}}|t:1:30: rank is \"-3\", expected a whole number",
        "{\"header\": {\"id\": \"a\", \"rank\": 3, \"n_ranks\": 2}, \"coll_perf\": {}}|t:1:65: rank 3 of n_ranks 2",
        "0123456789012345678901234567890123456789012345|t:1:1: \"0123456789012345678901234567890123456789…\": expected",
        "group,operation|t:1:1: \"group,operation\": expected the heading group,operation,bytes,datatype,count of a table, or a trace of",
        "{\"traceEvents\": [{\"ts\": 1e300}]}|t:1:25: ts is \"1e300\", expected a number"
      })
  void damagedTracesFailAtTheirPlace(String text, String message) {
    TopologyFormatException e = assertThrows(TopologyFormatException.class, () -> read(text));
    String found = String.valueOf(e.getMessage()).replace(folder.toString() + "/", "");
    assertTrue(found.startsWith(message), found);
  }

  @ParameterizedTest
  @CsvSource({
    "'0-7,all_reduce,64Q,half,1', 2:16",
    "'0-7,all_reduce,64M,half,0', 2:25",
    "'0-7,all_reduce,64M,quarter,1', 2:20",
    "'0-7,all_most,64M,half,1', 2:5",
    "'0-x,all_reduce,64M,half,1', 2:1",
    "'0-7,all_reduce,64M,half', 2:1"
  })
  void damagedTablesFailAtTheirCell(String row, String place) {
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class,
            () -> read("group,operation,bytes,datatype,count\n" + row + "\n"));
    assertTrue(String.valueOf(e.getMessage()).contains("t:" + place + ": "), e.getMessage());
  }

  @Test
  void aZippedTraceThatEndsEarlyFailsInOneLine() throws IOException {
    Path whole =
        Path.of(System.getProperty("topo.root"))
            .resolve("src/test/resources/measured/h200-x2-workloads/moe.rank0.json.gz");
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = folder.resolve("cut.json.gz");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> TraceReader.read(cut, 0, new Inputs()));
    assertTrue(String.valueOf(e.getMessage()).contains("cut.json.gz:"), e.getMessage());
  }

  @Test
  void aDumpOfFlightRecorderInJsonIsReadAsItsPickle() throws IOException {
    RankTrace trace =
        read("{\"entries\": [{\"process_group\": [\"0\", \"dp\"], \"profiling_name\": \"nccl:all_reduce\","
                + " \"input_sizes\": [[1024, 2]], \"input_dtypes\": [\"Float\"], \"output_sizes\": [[1024, 2]],"
                + " \"duration_ms\": null, \"retired\": true}], \"nccl_version\": \"2.28.9\","
                + " \"pg_config\": {\"0\": {\"ranks\": \"[0, 1, 2]\"}}}")
            .get(0);
    assertEquals(Optional.of("2.28.9"), trace.ncclVersion());
    assertEquals(8192, trace.kinds().get(0).bytes());
    assertEquals(List.of(0, 1, 2), trace.kinds().get(0).group().ranks());
  }

  @Test
  void flightRecorderHasTheCallsOfARank() {
    RankTrace trace =
        TraceReader.read(
                Path.of(System.getProperty("topo.root"))
                    .resolve("src/test/resources/measured/h200-x2-workloads/ddp.rank0.flight.pkl"),
                0,
                new Inputs())
            .get(0);
    assertEquals(Optional.of("2.28.9"), trace.ncclVersion());
    assertEquals(OptionalInt.of(2), trace.worldSize());
    long calls = 0;
    for (int kind = 0; kind < trace.kinds().size(); kind++) {
      calls += trace.count(kind);
    }
    assertEquals(160, calls);
  }
}
