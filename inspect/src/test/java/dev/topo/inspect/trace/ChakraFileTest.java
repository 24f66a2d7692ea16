package dev.topo.inspect.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Made-up traces of two ranks by the schema of Chakra: two all-reduces of 16 MiB, which rank 1
 * waits 30 us longer in, an all-gather and a send.
 */
class ChakraFileTest {
  private static final Path SEEDS =
      Path.of(System.getProperty("topo.root"), "src/test/resources/fuzz");
  private static final List<Path> STEP =
      List.of(SEEDS.resolve("step.0.et"), SEEDS.resolve("step.1.et"));

  @TempDir private Path folder;

  @Test
  void callsOnTheGpuAreReadByGroup() {
    List<RankTrace> traces = TraceReader.read(STEP.get(1), 7, new Inputs());
    assertEquals(2, traces.size(), "two process groups");
    RankTrace first = traces.get(0);
    assertEquals(OptionalInt.of(1), first.rank(), "by the name of the file");
    assertEquals(3, first.size(), "without the call on the host");
    CallKind kind = first.kinds().get(0);
    assertEquals(Optional.of(Collective.ALL_REDUCE), kind.operation());
    assertEquals(16 << 20, kind.bytes());
    assertEquals(DataType.BFLOAT16, kind.dataType());
    assertEquals(244, first.durationUs(0), 1e-3);
    assertEquals(Optional.of(PeerOperation.SENDRECV), first.kinds().get(1).operation());
    assertEquals(DataType.FLOAT32, first.kinds().get(1).dataType());
  }

  /** A group of one known rank is no group of one rank. */
  @Test
  void ofOneTraceTheRanksAreNotKnown() {
    for (RankTrace trace : TraceFiles.read(STEP.subList(0, 1), new Inputs(), () -> {})) {
      assertEquals(List.of(), trace.kinds().get(0).group().ranks());
    }
  }

  @Test
  void damageIsNamedWithItsPosition() throws IOException {
    byte[] whole = Files.readAllBytes(STEP.get(0));
    Path cut = folder.resolve("cut.0.et");
    Files.write(cut, Arrays.copyOf(whole, whole.length - 3));
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> TraceReader.read(cut, 0, new Inputs()));
    assertTrue(
        e.getMessage()
            .matches(".*cut.0.et: byte \\d+: a message of \\d+ bytes, of which \\d+ are there"),
        e.getMessage());
  }

  /** Nothing is kept of fields that no one needs, and of those that are there again. */
  @Test
  void aMessageOfMillionsOfFieldsNeedsNoMemoryForThem() throws IOException {
    byte[] fields = new byte[12 << 20];
    for (int i = 0; i < fields.length; i += 3) {
      fields[i] = (byte) 0x98; // field 99
      fields[i + 1] = 6;
      fields[i + 2] = (byte) (i & 0x7f);
    }
    ByteArrayInputStream in = new ByteArrayInputStream(message(fields));
    long before = allocated();
    List<RankTrace> traces = ChakraFile.read(in, "x.et", 0);
    long bytes = allocated() - before;
    assertEquals(List.of(), traces);
    assertTrue(bytes < 1 << 20, bytes + " bytes for " + fields.length / 3 + " fields");
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  /** Metadata, and a message with its length as a varint of four bytes. */
  private static byte[] message(byte[] fields) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(HexFormat.of().parseHex("050a03302e31"));
    for (int i = 0; i < 4; i++) {
      all.write(fields.length >> 7 * i & 0x7f | (i < 3 ? 0x80 : 0));
    }
    all.writeBytes(fields);
    return all.toByteArray();
  }

  /** A call of the trace: its name, type 7, and attributes comm_size and comm_type. */
  @ParameterizedTest
  @CsvSource({
    "38ffffffffffffffffff01, 4864, duration_micros -1",
    "38808c8d9e02, 4864, duration_micros 600000000",
    "'', 688080808080808002, comm_size 1125899906842624",
    "'', 68ffffffffffffffffff01, comm_size -1",
  })
  void sizesAndTimesOutOfRangeAreRefusedWithTheirByte(String duration, String size, String what) {
    byte[] name = "comm_size".getBytes(StandardCharsets.UTF_8);
    byte[] value = HexFormat.of().parseHex(size);
    ByteArrayOutputStream node = new ByteArrayOutputStream();
    node.writeBytes(HexFormat.of().parseHex("1201781807" + duration));
    node.write(0x52);
    node.write(2 + name.length + value.length);
    node.write(0x0a);
    node.write(name.length);
    node.writeBytes(name);
    node.writeBytes(value);
    TopologyFormatException e =
        assertThrows(
            TopologyFormatException.class,
            () ->
                ChakraFile.read(new ByteArrayInputStream(message(node.toByteArray())), "x.et", 0));
    assertTrue(
        e.getMessage().matches("x.et: byte \\d+: node x: " + what + ", expected .*"),
        e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "group,operation,bytes,datatype,count\n",
        "# a step\ngroup,operation",
        "#\n\n0-7",
        "\n\n\n\n\n",
        "{\"traceEvents\": []}",
        "[]",
        "",
        "\ufeffgroup",
      })
  void textIsNoChakraTrace(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertFalse(
        ChakraFile.isChakra(
            Arrays.copyOf(bytes, Math.min(ChakraFile.SIGNATURE_BYTES, bytes.length))),
        text);
  }
}
