package dev.topo.reference;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.Estimate;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file {@code tuning.nN.txt}: what NCCL's own code answers about the tuning of a job.
 *
 * @param header the facts about the communicator, by name
 * @param threads the lines about threads
 * @param model the lines about bandwidth and latency
 * @param choices the lines about calls
 */
record TuningAnswers(
    Map<String, String> header, List<Threads> threads, List<Model> model, List<Call> choices) {
  private static final Pattern FACT = Pattern.compile("([A-Za-z]\\w*) (-?\\d\\S*)");
  private static final Pattern COUNTED =
      Pattern.compile(
          "# (\\d+) coll channels, (\\d+) nvls channels, (\\d+) p2p channels, "
              + "(\\d+) p2p channels per peer, buffSizes (\\S+) p2pChunkSize (\\d+)");

  record Threads(Algorithm algorithm, Protocol protocol, int maxThreads, long threshold) {}

  record Model(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      float bandwidthGBps,
      float latencyUs) {}

  record Call(
      Collective collective,
      long sizeBytes,
      Optional<Decision.Choice> choice,
      List<Estimate> estimates) {}

  static TuningAnswers parse(List<String> lines) {
    TuningAnswers answers =
        new TuningAnswers(new HashMap<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "#" -> answers.addHeader(line);
        case "Threads" ->
            answers.threads.add(
                new Threads(
                    algorithm(words[1]),
                    protocol(words[2]),
                    Integer.parseInt(words[4]),
                    Long.parseLong(words[6])));
        case "Model" ->
            answers.model.add(
                new Model(
                    collective(words[1]),
                    algorithm(words[2]),
                    protocol(words[3]),
                    Float.parseFloat(words[5]),
                    Float.parseFloat(words[7])));
        case "Choice" -> answers.choices.add(call(words));
        default -> throw new IllegalArgumentException("unknown line: " + line);
      }
    }
    return answers;
  }

  private void addHeader(String line) {
    Matcher counted = COUNTED.matcher(line);
    if (counted.matches()) {
      header.put("p2pChannels", counted.group(3));
      header.put("p2pChannelsPerPeer", counted.group(4));
      header.put("buffSizes", counted.group(5));
      header.put("p2pChunkSize", counted.group(6));
      return;
    }
    Matcher fact = FACT.matcher(line);
    while (fact.find()) {
      header.put(fact.group(1), fact.group(2));
    }
  }

  private static Call call(String[] words) {
    Collective collective = collective(words[1]);
    long size = Long.parseLong(words[2]);
    if (words[3].equals("none")) {
      return new Call(collective, size, Optional.empty(), List.of());
    }
    Decision.Choice choice =
        new Decision.Choice(
            algorithm(words[4]),
            protocol(words[6]),
            Integer.parseInt(words[8]),
            Integer.parseInt(words[10]),
            Float.parseFloat(words[12]));
    List<Estimate> estimates = new ArrayList<>();
    for (int w = 14; w < words.length; w++) {
      String[] parts = words[w].split("[/=]", -1);
      estimates.add(
          new Estimate(algorithm(parts[0]), protocol(parts[1]), Float.parseFloat(parts[2])));
    }
    return new Call(collective, size, Optional.of(choice), estimates);
  }

  private static Collective collective(String label) {
    return Collective.ofLabel(label).orElseThrow();
  }

  private static Algorithm algorithm(String label) {
    return Algorithm.ofLabel(label).orElseThrow();
  }

  private static Protocol protocol(String label) {
    return Protocol.ofLabel(label).orElseThrow();
  }
}
