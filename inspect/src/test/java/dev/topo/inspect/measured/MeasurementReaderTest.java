package dev.topo.inspect.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeasurementReaderTest {
  private static final String HEADING =
      "gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us,busbw_gbps\n";

  @Test
  void readsPairsAndNcclsChoiceAndPassesOverSends() {
    MeasuredRun read =
        MeasurementReader.read(
            HEADING
                + "4,all_gather,Ring,LL128,64,17.89,18.60,0.00\n"
                + "4,alltoall,,,64,17.89,18.60,0.00\n\n"
                + "2,reduce,,,1024,11,12,0.1\n",
            "x.csv");
    assertEquals(
        List.of(
            new Measurement(
                4,
                Collective.ALL_GATHER,
                Optional.of(new Pair(Algorithm.RING, Protocol.LL128)),
                OptionalInt.empty(),
                64,
                17.89,
                18.60),
            new Measurement(
                2, Collective.REDUCE, Optional.empty(), OptionalInt.empty(), 1024, 11, 12)),
        read.measurements());
    assertEquals(1, read.passedOver());
  }

  /** As spreadsheets and people write it. */
  @Test
  void quotesBlankLinesAndCommentsArePassedOver() {
    String text =
        "\n# of a run\n" + HEADING.replace("gpus", "\"gpus\"") + "\"4\",\"reduce\",,,64,1,1,0\n";
    assertEquals(64, MeasurementReader.read(text, "x.csv").measurements().get(0).sizeBytes());
    assertEquals(0, MeasurementReader.read(text, "x.csv").passedOver());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4,all_gather,Ring,LL,64,17.89,x,0|x.csv:2:31: time_inplace_us \"x\" is not a number",
        "4,allgathered,Ring,LL,64,1,1,0|x.csv:2:3: collective \"allgathered\" is not one of all_reduce,"
            + " all_gather, reduce_scatter, broadcast, reduce, alltoall, sendrecv, gather, scatter",
        "4,reduce,Ring,,64,1,1,0|x.csv:2:15: forced_protocol \"\" is not known; both pair columns must be"
            + " filled, or none",
        "4,reduce,,,64,1,1|x.csv:2:1: 7 columns, the heading has 8",
        "4,reduce,,,64,0,1,0|x.csv:2:1: 4 GPUs, 64 bytes, 0.0 and 1.0 us: expected 1 or more, and times of 0.001 to 1e12 us",
        "4,reduce,,,64,1e-320,1,0|x.csv:2:1: 4 GPUs, 64 bytes, 1.0E-320 and 1.0 us: expected 1 or more, and times of 0.001 to 1e12 us",
        "2.7,reduce,,,64,1,1,0|x.csv:2:1: gpus \"2.7\": expected a whole number, 1 or more",
        "4,reduce,,,1e99,1,1,0|x.csv:2:12: bytes \"1e99\": expected a whole number, 0 or more",
      })
  void saysWhatIsWrongAndWhere(String line, String message) {
    assertEquals(
        message,
        assertThrows(
                TopologyFormatException.class,
                () -> MeasurementReader.read(HEADING + line + "\n", "x.csv"))
            .getMessage());
  }

  @ParameterizedTest
  @CsvSource({"0", "-3", "1.5", "65"})
  void channelsAreThoseOfNccl(String channels) {
    String heading = HEADING.replace("busbw_gbps", "channels");
    assertEquals(
        "x.csv:2:21: channels \"" + channels + "\": expected a whole number, 1 to 64",
        assertThrows(
                TopologyFormatException.class,
                () ->
                    MeasurementReader.read(
                        heading + "4,reduce,,,64,1,1.0," + channels + "\n", "x.csv"))
            .getMessage());
  }

  @Test
  void aColumnStandsOnce() {
    assertEquals(
        "x.csv:1:12: the column gpus stands twice",
        assertThrows(
                TopologyFormatException.class,
                () -> MeasurementReader.read("gpus,bytes,gpus\n", "x.csv"))
            .getMessage());
  }

  @Test
  void namesAMissingColumn() {
    assertEquals(
        "x.csv:1:1: the heading has no column time_us or busbw_gbps, and none gpus (the number of"
            + " ranks)",
        assertThrows(
                TopologyFormatException.class,
                () -> MeasurementReader.read("collective,bytes\nreduce,8\n", "x.csv"))
            .getMessage());
  }

  private static final RunHints OF_EIGHT =
      new RunHints(Optional.empty(), OptionalInt.of(8), Optional.empty());

  @Test
  void threeColumnsAreEnoughWhereTheJobIsKnown() {
    MeasuredRun read =
        MeasurementReader.read(
            "bytes,collective,time_us\n64,all_reduce,12.5\n128,sendrecv,3\n", "x.csv", OF_EIGHT);
    Measurement first = read.measurements().get(0);
    assertEquals(8, first.nGpus());
    assertEquals(12.5, first.timeUs());
    assertEquals(12.5, first.inPlaceTimeUs());
    assertEquals(3, read.peers().get(0).timeUs());
  }

  @Test
  void aTimeCanBeABusbw() {
    MeasuredRun read =
        MeasurementReader.read(
            "collective,size,busbw,nodes\nall_reduce,8000000,100,2\n", "x.csv", OF_EIGHT);
    assertEquals(140, read.measurements().get(0).timeUs(), 1e-9, "8 MB by 7/4 at 100 GB/s");
    assertEquals(OptionalInt.of(2), read.nodes());
  }

  @Test
  void allWrongLinesAreNamedAtOnce() {
    String text =
        "collective,bytes,time_us\nall_reduce,64,x\nall_reduce,64,1\nalreduce,64,1\nreduce,-1,2\n";
    String message =
        assertThrows(
                TopologyFormatException.class,
                () -> MeasurementReader.read(text, "x.csv", OF_EIGHT))
            .getMessage();
    assertTrue(message.startsWith("x.csv:2:15: time_us \"x\" is not a number; line 4: "), message);
    assertTrue(
        message.contains("\"alreduce\" is not one of") && message.contains("; line 5: bytes"),
        message);
  }

  @Test
  void timesOfSeveralNumbersOfNodesAreRefused() {
    String text = "collective,bytes,time_us,nodes\nreduce,64,1,2\nreduce,64,1,4\n";
    assertEquals(
        "x.csv: has times of [2, 4] nodes: expected a file for each number",
        assertThrows(
                TopologyFormatException.class,
                () -> MeasurementReader.read(text, "x.csv", OF_EIGHT))
            .getMessage());
  }

  @Test
  void aCommaInQuotesIsNoSeparator() {
    String heading = HEADING.replace("busbw_gbps", "remark");
    MeasuredRun read =
        MeasurementReader.read(
            heading + "4,reduce,,,64,1,1,\"first, after a \"\"reset\"\"\"\n", "x.csv");
    assertEquals(64, read.measurements().get(0).sizeBytes());
    assertEquals(
        "x.csv:2:10: gpus \"x\" is not a number",
        assertThrows(
                TopologyFormatException.class,
                () ->
                    MeasurementReader.read(
                        "remark,gpus,collective,forced_algorithm,forced_protocol,bytes,time_us,time_inplace_us\n"
                            + "\"a, bcd\",x,reduce,,,64,1,1\n",
                        "x.csv"))
            .getMessage());
  }

  @Test
  void aQuoteMustBeClosed() {
    assertEquals(
        "x.csv:2:1: is not CSV: a quote is not closed",
        assertThrows(
                TopologyFormatException.class,
                () -> MeasurementReader.read(HEADING + "4,\"reduce,,,64,1,1,0\n", "x.csv"))
            .getMessage());
  }
}
