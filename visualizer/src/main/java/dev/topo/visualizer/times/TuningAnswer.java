package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.transfer.TransferTable;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * NCCL's choices for the calls of a communicator, as text, JSON or CSV.
 *
 * @param title what to call its machines
 * @param calls a call of each collective with each size
 * @param peers operations of sends and receives
 * @param sizes the sizes of both, ascending
 */
public record TuningAnswer(
    String title,
    Communicator communicator,
    List<CollectiveCall> calls,
    List<PeerOperation> peers,
    List<Long> sizes) {
  /** Copies the lists. */
  public TuningAnswer {
    calls = List.copyOf(calls);
    peers = List.copyOf(peers);
    sizes = List.copyOf(sizes);
  }

  /** The choices for ranges of sizes, collective by collective. */
  public static Map<Collective, List<SizeRange>> ranges(
      Communicator communicator, List<CollectiveCall> calls, List<Long> sizes) {
    SwitchPoints points = new SwitchPoints(communicator.tuner());
    Map<Collective, List<SizeRange>> ranges = new LinkedHashMap<>();
    for (CollectiveCall call : calls) {
      ranges.computeIfAbsent(
          call.collective(),
          collective -> points.ranges(call.withSize(0), sizes.get(0), sizes.get(sizes.size() - 1)));
    }
    return ranges;
  }

  /** The choices, with plain buffers. */
  public Answer choices(String format) {
    return switch (format) {
      case "json" -> TuningJson.json(title, communicator, calls).saying(sentence());
      case "csv" -> TuningJson.csv(communicator, calls);
      default -> text().saying(sentence());
    };
  }

  private String sentence() {
    return TuneHeadline.of(title, communicator.connection(), ranges(communicator, calls, sizes));
  }

  private Answer text() {
    return TuningText.of(title, communicator, ranges(communicator, calls, sizes));
  }

  /**
   * How the operations of sends and receives are divided, after the choices for collectives.
   *
   * @param notes takes what sends nothing, a line for each operation
   */
  public Answer transfers(String format, Consumer<String> notes) {
    List<TransferRow> rows = rows(notes);
    if (format.equals("json")) {
      return TuningJson.jsonWithTransfers(title, communicator, calls, rows)
          .saying(transferSentence(rows));
    }
    if (format.equals("csv")) {
      return TuningJson.csvOfTransfers(rows);
    }
    Answer text = TransferText.of(title, communicator.connection(), rows);
    return (calls.isEmpty() ? text : Answer.join(List.of(text(), text), "\n"))
        .saying(transferSentence(rows));
  }

  /** Where collectives are asked for, too, they come first. */
  private String transferSentence(List<TransferRow> rows) {
    String ofPeers = TuneHeadline.ofTransfers(title, rows);
    return calls.isEmpty() ? ofPeers : sentence() + " " + ofPeers;
  }

  private List<TransferRow> rows(Consumer<String> notes) {
    TransferTable table = new TransferTable(communicator.connection());
    List<TransferRow> rows = new ArrayList<>();
    for (PeerOperation peer : peers) {
      List<String> empty = new ArrayList<>();
      for (long size : sizes) {
        List<TransferRow> found = table.rows(peer, size);
        rows.addAll(found);
        if (found.isEmpty()) {
          empty.add(QuantityFormat.size(size));
        }
      }
      if (!empty.isEmpty()) {
        notes.accept(
            "note: %s of %s sends nothing: nccl-tests sends parts of 16 bytes or more"
                .formatted(peer.ncclTestsName(), String.join(", ", empty)));
      }
    }
    return rows;
  }

  /** Kernels and copies that run with other buffers, kind by kind. */
  public Answer paths(String format, List<Buffers> kinds) {
    CallPaths paths = CallPaths.of(communicator);
    List<List<CallPath>> ofKinds =
        kinds.stream()
            .map(kind -> calls.stream().map(call -> paths.of(call, kind)).toList())
            .toList();
    List<CallPath> callPaths = ofKinds.stream().flatMap(List::stream).toList();
    String sentence = TuneHeadline.ofPaths(title, ofKinds);
    return switch (format) {
      case "json" -> TuningJson.jsonOfPaths(title, communicator, callPaths).saying(sentence);
      case "csv" -> TuningJson.csvOfPaths(communicator, callPaths);
      default -> CallPathText.of(title, communicator, ofKinds).saying(sentence);
    };
  }
}
