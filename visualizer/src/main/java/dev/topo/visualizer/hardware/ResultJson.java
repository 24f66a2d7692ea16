package dev.topo.visualizer.hardware;

import static java.util.stream.Collectors.joining;

import dev.topo.hw.run.CallResult;
import dev.topo.hw.run.LibraryLimits;
import dev.topo.hw.run.UsedDevice;
import dev.topo.hw.verify.MeasuredCall;
import dev.topo.hw.verify.MeasuredChoice;
import dev.topo.hw.verify.MeasuredChoice.Result;
import dev.topo.hw.verify.Verification;
import dev.topo.inspect.log.Fact;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.search.connect.Connection;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A verification as one file: the machines, what agrees and what does not, and every measurement.
 * {@code measurements[]} has for each size the collective, algorithm and protocol that ran, whether
 * they were forced, channels, bytes, times and busbw in place and out of place, what was predicted,
 * and what NCCL's tuning model says; times are medians of the rounds. {@code choices[]} compares
 * NCCL's choice for each size with the fastest other algorithm and protocol.
 */
public final class ResultJson {
  private record Verify(
      JobSummary job,
      String ncclLibrary,
      String ncclLibraryVersion,
      Map<String, String> settings,
      List<Device> devices,
      List<String> systems,
      List<Agreement> agreement,
      List<Difference> differences,
      List<String> notCompared,
      int rounds,
      List<Entry> measurements,
      List<Choice> choices) {}

  private record Device(int rank, String host, long pid, String busId, String name) {}

  private record Agreement(Fact.Topic topic, int equal, int compared) {}

  private record Difference(
      Fact.Topic topic, String source, String where, String nccl, String predicted) {}

  private record Entry(
      Operation collective,
      Algorithm algorithm,
      Protocol protocol,
      boolean forced,
      int channels,
      long bytes,
      double timeUs,
      double busbwGBps,
      OptionalLong wrong,
      double timeUsInPlace,
      double busbwGBpsInPlace,
      OptionalLong wrongInPlace,
      double spreadUs,
      OptionalDouble predictedUs,
      double ncclModelUs) {}

  private record Choice(
      Operation collective,
      long bytes,
      Algorithm algorithm,
      Protocol protocol,
      double timeUs,
      double noiseUs,
      Result result,
      Optional<Rival> faster,
      Optional<Double> lostPercent) {}

  private record Rival(Algorithm algorithm, Protocol protocol, double timeUs) {}

  private ResultJson() {}

  /** The file. */
  public static Answer of(Verification verification, NcclSettings settings) {
    Connection connection = verification.communicator().connection();
    List<UsedDevice> devices = verification.started().devices();
    return Json.document(
        "verify",
        new Verify(
            new JobSummary(
                devices.stream().map(UsedDevice::host).distinct().collect(joining(", ")),
                connection.nNodes(),
                connection.nRanks()),
            verification.started().library(),
            LibraryLimits.text(verification.started().ncclVersion()),
            new TreeMap<>(settings.values()),
            devices.stream()
                .map(one -> new Device(one.rank(), one.host(), one.pid(), one.busId(), one.name()))
                .toList(),
            verification.started().announcements().stream().distinct().toList(),
            verification.comparison().counts().entrySet().stream()
                .map(
                    one ->
                        new Agreement(
                            one.getKey(), one.getValue().equal(), one.getValue().compared()))
                .toList(),
            verification.comparison().differences().stream()
                .map(
                    one ->
                        new Difference(
                            one.topic(), one.source(), one.where(), one.expected(), one.found()))
                .toList(),
            verification.comparison().notCompared(),
            verification.measured().stream().mapToInt(one -> one.rounds().size()).max().orElse(0),
            verification.measured().stream().map(ResultJson::entry).toList(),
            verification.choices().stream().map(ResultJson::choice).toList()));
  }

  private static Choice choice(MeasuredChoice one) {
    return new Choice(
        one.chosen().collective(),
        one.chosen().sizeBytes(),
        one.chosen().algorithm(),
        one.chosen().protocol(),
        one.chosen().timeUs(),
        one.noiseUs(),
        one.result(),
        one.faster().map(rival -> new Rival(rival.algorithm(), rival.protocol(), rival.timeUs())),
        one.lostPercent());
  }

  private static Entry entry(MeasuredCall one) {
    CallResult outOfPlace = one.outOfPlace();
    CallResult inPlace = one.inPlace();
    return new Entry(
        one.collective(),
        one.algorithm(),
        one.protocol(),
        one.forced(),
        one.channels(),
        one.sizeBytes(),
        outOfPlace.timeUs(),
        outOfPlace.busbwGBps(),
        outOfPlace.wrong(),
        inPlace.timeUs(),
        inPlace.busbwGBps(),
        inPlace.wrong(),
        one.spreadUs(),
        one.predictedUs(),
        one.modelUs());
  }
}
