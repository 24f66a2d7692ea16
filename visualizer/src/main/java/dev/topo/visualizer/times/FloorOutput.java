package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.verdict.BusbwFloor;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Floors of busbw as text, JSON and CSV. The text also has the floor of the largest AllReduce in
 * the words of other tools.
 *
 * @param floors the floors of the predicted calls; at least one
 */
public record FloorOutput(CommunicatorPredictions forecast, List<BusbwFloor> floors) {
  /** nccl-tests fails a run whose average busbw is below this part of NCCL_TESTS_MIN_BW. */
  private static final double PART_OF_MIN_BW = 0.9;

  private static final Columns<BusbwFloor> COLUMNS =
      Columns.of(BusbwFloor.class)
          .column("operation", floor -> floor.prediction().operation().label())
          .field("collective", floor -> floor.prediction().operation())
          .column("size", floor -> QuantityFormat.size(floor.prediction().sizeBytes()))
          .field("bytes", floor -> floor.prediction().sizeBytes())
          .column("busbw", floor -> BusbwWords.text(floor.prediction()))
          .unit("GB/s")
          .field("busbwGBps", floor -> floor.prediction().busbwGBps())
          .column("floor", FloorOutput::words)
          .field("floorGBps", BusbwFloor::gbps)
          .column("of 100 runs", BusbwFloor::supportedPercent)
          .field("percent", BusbwFloor::supportedPercent)
          .column("clusters", "clusters", BusbwFloor::clusters)
          .field("provisional", floor -> floor.isProvisional() && isAssumed(floor))
          .header("collective,bytes,busbw_gbps,floor_gbps,percent,clusters,provisional");

  /** The answer in a format. */
  public Answer in(String format) {
    Answer answer =
        switch (format) {
          case "json" ->
              Json.document(
                  "predict-floor",
                  Fields.of(FloorOutput.class)
                      .field("job", all -> PredictionOutput.job(forecast))
                      .caveats(all -> forecast.caveats())
                      .list("floors", FloorOutput::floors, COLUMNS.fields()),
                  this);
          case "csv" -> COLUMNS.csv(forecast.caveats(), floors.stream());
          default -> text();
        };
    return answer.saying(sentence());
  }

  /** The floor of the largest size of the first operation. */
  private BusbwFloor largest() {
    Operation first = floors.get(0).prediction().operation();
    return floors.stream()
        .filter(floor -> floor.prediction().operation() == first)
        .reduce((smaller, larger) -> larger)
        .orElseThrow();
  }

  private Answer text() {
    TextWriter out = new TextWriter();
    COLUMNS.table(2, floors).write(out);
    OptionalDouble gbps = largest().gbps();
    if (gbps.isPresent() && largest().prediction().operation() == Collective.ALL_REDUCE) {
      out.line(
          """

          a run of %s alone fails below it with
            nccl-tests  NCCL_TESTS_MIN_BW=%.0f (it allows 0.9 of that)
            NVSentinel  BW_THRESHOLD_GBPS=%.0f (preflight-nccl-allreduce)
            aicr        nccl-all-reduce-bw ">= %3$.0f"
            azurehpc-health-checks  check_nccl_allreduce %3$.1f""",
          largest().prediction().call().label(),
          gbps.getAsDouble() / PART_OF_MIN_BW,
          gbps.getAsDouble());
    }
    BasisFooter.write(out, forecast.limits(), false);
    return Answer.of(out);
  }

  private String sentence() {
    BusbwFloor floor = largest();
    String call = floor.prediction().call().label() + " on " + forecast.title();
    if (isAssumed(floor)) {
      return "No data earned a range for %s: its floor is %s.".formatted(call, words(floor));
    }
    return "%s of 100 healthy runs exceed %s in %s%s."
        .formatted(
            floor.supportedPercent(),
            words(floor),
            call,
            floor.supportedPercent() < floor.percent()
                ? "; %s support no more than that"
                    .formatted(floor.clusters() == 0 ? "own times" : floor.clusters() + " clusters")
                : "");
  }

  private static String words(BusbwFloor floor) {
    return floor.gbps().isEmpty()
        ? "not known"
        : BusbwWords.number(floor.gbps().getAsDouble())
            + " GB/s"
            + (isAssumed(floor) ? " (provisional: half of the prediction)" : "");
  }

  private static boolean isAssumed(BusbwFloor floor) {
    return floor.supportedPercent() == 0;
  }
}
