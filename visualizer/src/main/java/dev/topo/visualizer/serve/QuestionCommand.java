package dev.topo.visualizer.serve;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.operation.Operation;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.visualizer.view.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Builds the command line that gives the same answer as a question. */
final class QuestionCommand {
  private QuestionCommand() {}

  /**
   * Returns {@code topo whatif}, or {@code topo predict} if there are no edits.
   *
   * @param inputs the files that were read
   */
  static Invocation of(EvaluatedQuestion answered, Inputs inputs) {
    PageQuestion question = answered.question();
    boolean isEdited = !question.edits().isEmpty();
    List<String> words = new ArrayList<>(List.of(isEdited ? "whatif" : "predict"));
    if (isEdited || question.others().isEmpty()) {
      words.add(answered.machine().file().toString());
    }
    words.addAll(question.edits());
    words.addAll(job(answered));
    question
        .editedNodes()
        .filter(nodes -> isEdited)
        .ifPresent(nodes -> option(words, "--edited-nodes", nodes));
    question.network().ifPresent(network -> option(words, "--network", network));
    Operation operation = question.operation();
    words.addAll(List.of("--collective", operation.ncclTestsName(), "--sizes", question.sizes()));
    return topo(words, inputs);
  }

  /** Returns {@code topo memory} for the job before its edits. */
  static Invocation memory(EvaluatedQuestion answered, Inputs inputs) {
    PageQuestion question = answered.question();
    List<String> words = new ArrayList<>(List.of("memory"));
    if (question.others().isEmpty()) {
      words.add(answered.machine().file().toString());
    }
    words.addAll(job(answered));
    words.add("--steps");
    words.add(
        QuantityFormat.joined(
            ",", JobMemory.steps(Buffers.PLAIN, question.calls()), MemoryStep::label));
    return topo(words, inputs);
  }

  private static void option(List<String> words, String name, Object value) {
    words.addAll(List.of(name, String.valueOf(value)));
  }

  private static Invocation topo(List<String> words, Inputs inputs) {
    return Invocation.of("topo", Json.TOPO_VERSION, inputs, words.toArray(String[]::new));
  }

  private static List<String> job(EvaluatedQuestion answered) {
    PageQuestion question = answered.question();
    List<String> words = new ArrayList<>();
    if (!question.others().isEmpty()) {
      List<Path> hosts = answered.layout().hosts();
      for (int first = 0; first < hosts.size(); ) {
        int end = first;
        while (end < hosts.size() && hosts.get(end).equals(hosts.get(first))) {
          end++;
        }
        option(words, "--node", hosts.get(first) + "*" + (end - first));
        first = end;
      }
    } else if (question.nodes() > 1) {
      option(words, "--nodes", question.nodes());
    }
    if (question.domain() > 1) {
      option(words, "--nvlink-domain", question.domain());
    }
    question.split().ifPresent(split -> option(words, "--split", split));
    question.release().ifPresent(release -> option(words, "--nccl", release));
    question.settings().forEach(setting -> option(words, "--env", setting));
    return words;
  }
}
