package dev.topo.inspect.log;

import dev.topo.model.Labels;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects the lines of a {@link TuningLog}. The table comes in blocks of several algorithms. */
final class TuningLines {
  private static final Pattern HEADING = Pattern.compile("  Algorithm   \\|(.*)");
  private static final Pattern THREADS = Pattern.compile(" Max NThreads \\|([ \\d|]*)");
  private static final Pattern ROW = Pattern.compile(" *([A-Z]\\w+) \\|([- \\d./|]*)");
  private static final Pattern CELL = Pattern.compile(" *(-?\\d+\\.\\d)/ *(-?\\d+\\.\\d) ");
  private static final Pattern THRESHOLDS = Pattern.compile("threadThresholds ([-\\d/| ]+)");
  private static final Pattern CHOICE =
      Pattern.compile(
          "(\\w+): (\\d+) Bytes -> Algo (\\w+) proto (\\w+) channel\\{Lo\\.\\.Hi\\}=\\{(\\d+)\\.\\.(\\d+)\\}");
  private static final Pattern KERNEL =
      Pattern.compile(
          "(\\w+) \\[Symmetric\\]: (\\d+) Bytes -> Kernel (\\w+) nchannels (\\d+) nthreads (\\d+)(?: nWorks (\\d+))?");
  private static final int PROTOCOLS = Protocol.values().length;

  private List<Algorithm> block = List.of();
  private final List<TuningLog.MaxThreads> threads = new ArrayList<>();
  private final List<TuningLog.Model> model = new ArrayList<>();
  private List<Long> thresholds = List.of();
  private final List<TuningLog.Choice> choices = new ArrayList<>();
  private final List<TuningLog.Kernel> kernels = new ArrayList<>();
  private final LineKinds kinds =
      new LineKinds()
          .with(CHOICE, this::acceptChoice)
          .with(KERNEL, this::acceptKernel)
          .with(HEADING, this::acceptHeading)
          .with(THREADS, line -> acceptThreads(cells(line.group(1))))
          .with(ROW, this::acceptRow)
          .with(THRESHOLDS, this::acceptThresholds);

  void accept(CharSequence line) {
    kinds.accept(line);
  }

  private void acceptHeading(Matcher line) {
    block =
        cells(line.group(1)).stream().map(Algorithm::ofLabel).flatMap(Optional::stream).toList();
  }

  private void acceptThresholds(Matcher line) {
    thresholds = Arrays.stream(line.group(1).split("[/| ]+", 0)).map(Long::valueOf).toList();
  }

  private static List<String> cells(String row) {
    return Arrays.stream(row.split("\\|", 0))
        .filter(cell -> !cell.isBlank())
        .map(String::strip)
        .toList();
  }

  private boolean isComplete(List<String> cells) {
    return cells.size() == block.size() * PROTOCOLS;
  }

  private Algorithm algorithm(int cell) {
    return block.get(cell / PROTOCOLS);
  }

  private static Protocol protocol(int cell) {
    return Protocol.values()[cell % PROTOCOLS];
  }

  private void acceptThreads(List<String> cells) {
    for (int c = 0; isComplete(cells) && c < cells.size(); c++) {
      threads.add(
          new TuningLog.MaxThreads(algorithm(c), protocol(c), Integer.parseInt(cells.get(c))));
    }
  }

  private void acceptRow(Matcher line) {
    Optional<Collective> collective = Collective.ofLabel(line.group(1));
    List<String> cells = cells(line.group(2));
    for (int c = 0; collective.isPresent() && isComplete(cells) && c < cells.size(); c++) {
      Matcher cell = CELL.matcher(cells.get(c) + " ");
      if (cell.matches()) {
        BigDecimal latency = new BigDecimal(cell.group(1));
        BigDecimal bandwidth = new BigDecimal(cell.group(2));
        model.add(
            new TuningLog.Model(collective.get(), algorithm(c), protocol(c), latency, bandwidth));
      }
    }
  }

  private void acceptChoice(Matcher line) {
    Optional<Collective> collective = Collective.ofLabel(line.group(1));
    Optional<Algorithm> algorithm =
        Labels.exact(Algorithm.values(), Algorithm::name, line.group(3));
    Optional<Protocol> protocol = Labels.exact(Protocol.values(), Protocol::name, line.group(4));
    if (collective.isPresent() && algorithm.isPresent() && protocol.isPresent()) {
      choices.add(
          new TuningLog.Choice(
              collective.get(),
              Long.parseLong(line.group(2)),
              algorithm.get(),
              protocol.get(),
              Integer.parseInt(line.group(5)),
              Integer.parseInt(line.group(6))));
    }
  }

  private void acceptKernel(Matcher line) {
    Optional<Collective> collective = Collective.ofLabel(line.group(1));
    if (collective.isPresent()) {
      kernels.add(
          new TuningLog.Kernel(
              collective.get(),
              Long.parseLong(line.group(2)),
              line.group(3),
              Integer.parseInt(line.group(4)),
              Integer.parseInt(line.group(5)),
              line.group(6) == null ? 1 : Integer.parseInt(line.group(6))));
    }
  }

  TuningLog log() {
    return new TuningLog(threads, model, thresholds, choices, kernels);
  }
}
