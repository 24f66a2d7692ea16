package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.calibration.KnownSpread;
import dev.topo.simulator.calibration.KnownSpread.Launch;
import dev.topo.simulator.evaluate.CommunicatorPredictions.Remark;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.network.NetworkFile.PublishedOperations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Remarks on the ranges of times between nodes: their origin, which is published runs or a fit of
 * the user, and the calls of a forecast without a known range.
 */
record NetworkRange(CommunicatorPredictions forecast, NetworkPredictor network) {
  /** The remarks, one sentence each. */
  List<Remark> remarks() {
    List<Remark> words = new ArrayList<>();
    stated().filter(range -> !hasNoMeasuredKind()).ifPresent(words::add);
    if (predictions().anyMatch(forecast::hasSlowerKind)) {
      words.add(
          Remark.limit(
              "by LL128 %s, which no option states; %s"
                  .formatted(KnownSpread.slowerKind(), KnownSpread.usualKind())));
    }
    notPublished(words);
    smallerThanPublished().ifPresent(words::add);
    return words;
  }

  private Optional<Remark> stated() {
    boolean isKnown = PublishedOperations.isKnown(network.calibration().name());
    if (network.basis().isPresent() && isKnown && forecast.nNodes() > network.mostNodes()) {
      return limit(
          "no range is known: published runs are of up to %s nodes (docs/accuracy.md)"
              .formatted(network.mostNodes()));
    }
    if (forecast.predictor().isMixed()) {
      return limit("no range is known: no run of machines of several kinds was published");
    }
    if (network.basis().isPresent() && !network.hasLinkedNodes()) {
      return limit(
          "no range is known: published runs are of nodes whose GPUs have NVLink (docs/accuracy.md)");
    }
    if (network.basis().isPresent() && network.isFirstEfa()) {
      return limit(
          "no range is known: EFA was fitted to p5, p5en and p6; before these aws-ofi-nccl lets NCCL use Simple only (NCCL_PROTO=Simple), with which a run of p4d took up to 1.5 times as long as predicted (docs/accuracy.md)");
    }
    if (network.basis().isPresent() && forecast.launch() == Launch.GRAPH) {
      return limit(
          "no range is known: on the one cluster with times of CUDA graphs (2 x 8 H200) these took 0.65 to 1.2 times as long as predicted, 0.8 in the median (docs/accuracy.md)");
    }
    List<OptionalDouble> spreads = spreads();
    if (!spreads.isEmpty() && spreads.stream().allMatch(OptionalDouble::isEmpty)) {
      return limit("no range is known for these calls (docs/accuracy.md)");
    }
    return network
        .rangeBasis()
        .flatMap(basis -> KnownSpread.percents(basis, forecast.launch()))
        .map(
            percents ->
                "the range holds 90 of 100 published runs of clusters that no fit has seen, by size divided by ranks: "
                    + percents)
        .map(Remark::basis)
        .or(() -> limit("no range is known (docs/accuracy.md)"));
  }

  private static Optional<Remark> limit(String text) {
    return Optional.of(Remark.limit(text));
  }

  /** The operations without a published time on this network. */
  private void notPublished(List<Remark> words) {
    if (network.basis().isEmpty()) {
      return;
    }
    List<Prediction> others =
        predictions()
            .filter(one -> one.call().operation() != PeerOperation.ALLTOALLV)
            .filter(one -> !network.isPublished(one.call().operation()))
            .toList();
    String none = ": no time between nodes is published, ";
    List<Prediction> without = others.stream().filter(one -> range(one).isEmpty()).toList();
    List<Prediction> with = others.stream().filter(one -> range(one).isPresent()).toList();
    String ranged = labels(with);
    boolean isOfSmall =
        !without.isEmpty()
            && ranged.equals(labels(without))
            && largest(without) < sizes(with).min().orElse(0);
    if (!ranged.isEmpty()) {
      words.add(
          Remark.limit(
              "%s%sthe range is %s times the widest of other operations%s (docs/accuracy.md)"
                  .formatted(
                      ranged,
                      none,
                      PrintfNumber.general((float) KnownSpread.UNSEEN),
                      isOfSmall
                          ? "; up to %s no range is known"
                              .formatted(QuantityFormat.size(largest(without)))
                          : "")));
    }
    if (!without.isEmpty() && !isOfSmall) {
      words.add(Remark.limit(labels(without) + none + "no range is known (docs/accuracy.md)"));
    }
  }

  private static String labels(List<Prediction> calls) {
    return calls.stream()
        .map(one -> one.call().operation().label())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static long largest(List<Prediction> calls) {
    return sizes(calls).max().orElse(0);
  }

  private static LongStream sizes(List<Prediction> calls) {
    return calls.stream().mapToLong(one -> one.call().sizeBytes());
  }

  private Optional<KnownSpread> range(Prediction one) {
    return network.range(
        one.call().operation(),
        one.call().sizeBytes(),
        forecast.launch(),
        KnownSpread.suffix(one.protocol()));
  }

  /** The sizes below all published ones, whose range is taken from similar calls. */
  private Optional<Remark> smallerThanPublished() {
    Map<String, Long> largest = new LinkedHashMap<>();
    predictions()
        .filter(
            one ->
                network.isPublished(one.call().operation())
                    && range(one).filter(range -> !range.isMeasured()).isPresent())
        .map(Prediction::call)
        .forEach(call -> largest.merge(call.operation().label(), call.sizeBytes(), Math::max));
    Map<Long, List<String>> operations =
        largest.keySet().stream()
            .collect(Collectors.groupingBy(largest::get, TreeMap::new, Collectors.toList()));
    String calls =
        QuantityFormat.joined(
            "; ",
            operations.entrySet(),
            entry ->
                "%s up to %s"
                    .formatted(
                        String.join(", ", entry.getValue()), QuantityFormat.size(entry.getKey())));
    return calls.isEmpty()
        ? Optional.empty()
        : limit(
            "%s: no such time on %s is published, the range is that of other numbers of nodes or networks (docs/accuracy.md)"
                .formatted(calls, forecast.nodeWords()));
  }

  private Stream<Prediction> predictions() {
    return Stream.concat(
        forecast.predictions().filter(p -> p.source() == Source.NETWORK),
        forecast.peers().stream());
  }

  /** The spreads of calls between nodes; without uneven calls, whose spread is never known. */
  private List<OptionalDouble> spreads() {
    return predictions()
        .filter(one -> one.call().operation() != PeerOperation.ALLTOALLV)
        .map(Prediction::spread)
        .toList();
  }

  /** True if no call is of a kind with a known range; other remarks cover those. */
  private boolean hasNoMeasuredKind() {
    boolean hasCalls = forecast.predictions().findAny().isPresent() || !forecast.peers().isEmpty();
    return hasCalls && spreads().isEmpty();
  }
}
