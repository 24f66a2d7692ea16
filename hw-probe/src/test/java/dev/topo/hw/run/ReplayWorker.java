package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A process in place of a worker that writes what NCCL once wrote on a machine, in the folder
 * REPLAY, and says that each collective took 100 us. With WRONG set, results are wrong. TIMES has
 * other times by the name of a variant ({@code Ring/LL=90,Tree/LL=80}), SPREAD how much the rounds
 * of a variant differ, VERSION the release of NCCL.
 */
public final class ReplayWorker {
  /** Those of the replayed job. */
  private static final int RANKS = 4;

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int GPUS = 4;

  private ReplayWorker() {}

  /** Replays. */
  public static void main(String[] args) throws IOException {
    JsonNode assignment =
        MAPPER.readTree(
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .readLine());
    Map<String, String> variables = System.getenv();
    Path folder = Path.of(variables.get("REPLAY"));
    copy(folder.resolve("topo.xml"), variables.get("NCCL_TOPO_DUMP_FILE"));
    copy(folder.resolve("graph.xml"), variables.get("NCCL_GRAPH_DUMP_FILE"));
    copy(folder.resolve("info.log"), variables.get("NCCL_DEBUG_FILE"));
    List<UsedDevice> devices = new ArrayList<>();
    for (int rank = 0; rank < GPUS; rank++) {
      String busId = "0000:00:0" + (6 + rank) + ".0";
      devices.add(new UsedDevice(rank, 0, 1, "host", rank, busId, "NVIDIA H200"));
    }
    String announcement = assignment.get("placement").get("announcement").asString();
    int version = Integer.parseInt(variables.getOrDefault("VERSION", "22809"));
    say(new RunEvent.Started(version, "libnccl.so.2", devices, List.of(announcement), 1L << 30));
    JsonNode request = assignment.get("request");
    int rounds = request.get("comparison").get("rounds").asInt();
    JsonNode variants = request.get("comparison").get("variants");
    for (JsonNode name : request.get("calls").get("collectives")) {
      RunCollective collective = RunCollective.valueOf(name.asString());
      say(new RunEvent.Step(collective + " of 1 MiB"));
      for (int round = 0; round < rounds; round++) {
        for (int variant = 0; variant < variants.size(); variant++) {
          if (has(variants.get(variant), collective)) {
            double timeUs = timeUs(variants.get(variant).get("name").asString(), round, rounds);
            say(new RunEvent.Measured(row(collective, timeUs, new Turn(variant, round))));
          }
        }
      }
    }
    say(new RunEvent.Ended(new MemoryUse(0, 0, 0)));
  }

  private static boolean has(JsonNode variant, RunCollective collective) {
    return StreamSupport.stream(variant.get("collectives").spliterator(), false)
        .anyMatch(one -> one.asString().equals(collective.name()));
  }

  private static double timeUs(String variant, int round, int rounds) {
    double timeUs = 100;
    for (String entry : System.getenv().getOrDefault("TIMES", "").split(",")) {
      if (entry.startsWith(variant + "=")) {
        timeUs = Double.parseDouble(entry.substring(variant.length() + 1));
      }
    }
    double spreadUs = Double.parseDouble(System.getenv().getOrDefault("SPREAD", "0"));
    return rounds == 1 ? timeUs : timeUs + spreadUs * (round / (rounds - 1.0) - 0.5);
  }

  private static Row row(RunCollective collective, double timeUs, Turn turn) {
    long wrong = System.getenv("WRONG") == null ? 0 : 1;
    double algbw = (1 << 20) / timeUs / 1000;
    double busbw = algbw * collective.operation().busbwFactor(RANKS);
    CallResult one =
        new CallResult(
            timeUs,
            0,
            algbw,
            busbw,
            OptionalLong.of(wrong),
            OptionalDouble.empty(),
            Optional.empty(),
            IterationTimes.NONE);
    return new Row(collective, 1 << 20, 1 << 18, DataType.FLOAT32, "sum", -1, one, one, turn);
  }

  private static void copy(Path from, String to) throws IOException {
    if (to != null) {
      Files.copy(from, Path.of(to));
    }
  }

  private static void say(RunEvent event) {
    System.err.println(
        "@topo " + MAPPER.writeValueAsString(Map.of(event.getClass().getSimpleName(), event)));
  }
}
