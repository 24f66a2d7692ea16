package dev.topo.simulator.sweep;

import dev.topo.inspect.measured.YamlNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Operation;
import dev.topo.simulator.workload.ScaleRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the calls and workloads of a specification. */
final class QuestionReader {
  private QuestionReader() {}

  /** All questions, single calls first; at least one. */
  static List<Question> questions(YamlNode.Fields spec) {
    List<Question> questions = new ArrayList<>(calls(spec));
    spec.find("workloads").ifPresent(node -> questions.addAll(workloads(node)));
    if (questions.isEmpty()) {
      throw spec.error("expected collectives with sizes, or workloads");
    }
    return questions;
  }

  private static List<Question> calls(YamlNode.Fields spec) {
    Optional<YamlNode> sizes = spec.find("sizes");
    Optional<YamlNode> collectives = spec.find("collectives");
    if (sizes.isPresent() != collectives.isPresent()) {
      throw spec.error("collectives and sizes: expected both or neither");
    }
    Question.Group group = group(spec);
    List<Question> calls = new ArrayList<>();
    for (YamlNode name : collectives.map(node -> node.items("collectives")).orElse(List.of())) {
      Operation operation = operation(name);
      for (long size : sizes(sizes.orElseThrow())) {
        calls.add(new Question.OneCall(operation, size, group));
      }
    }
    return calls;
  }

  private static List<Long> sizes(YamlNode node) {
    String text =
        node.items("sizes").stream()
            .map(file -> file.text("a size"))
            .collect(Collectors.joining(","));
    return SpecReader.accepted(node, () -> CallSizes.parse(text));
  }

  private static Operation operation(YamlNode node) {
    String name = node.text("a collective");
    return Operation.ofName(name)
        .orElseThrow(
            () ->
                node.error(
                    "expected one of "
                        + QuantityFormat.joined(", ", Operation.all(), Operation::ncclTestsName)));
  }

  private static List<Question> workloads(YamlNode node) {
    List<Question> workloads = new ArrayList<>();
    node.fields("workloads: a map from a name to calls or {traces: FILES}")
        .fields()
        .forEach((name, calls) -> workloads.add(workload(name, calls)));
    return workloads;
  }

  private static Question workload(String name, YamlNode node) {
    if (node instanceof YamlNode.Fields traces) {
      if (traces.find("collective").isPresent()) {
        throw node.error("workload " + name + ": expected a list of calls, or {traces: FILES}");
      }
      return traces(name, traces);
    }
    List<YamlNode> calls = node.items("calls, or {traces: FILES}");
    if (calls.isEmpty()) {
      throw node.error("workload " + name + ": expected calls, or {traces: FILES}");
    }
    return new Question.Workload(name, calls.stream().map(QuestionReader::call).toList());
  }

  private static Question traces(String name, YamlNode.Fields node) {
    node.requireOnly(SpecReader.keys("traces, scale"));
    String expected = "the traces of a job: a file, a list of files, or a pattern as rank*.json.gz";
    YamlNode traces = node.require("traces", "expected traces: FILES");
    List<String> files = traces.items(expected).stream().map(file -> file.text(expected)).toList();
    if (files.isEmpty()) {
      throw traces.error("expected " + expected);
    }
    return new Question.Traces(
        name,
        files,
        node.find("scale")
            .map(
                rule ->
                    SpecReader.accepted(rule, () -> ScaleRule.parse(rule.text("dp or dp=GROUP")))),
        traces.location());
  }

  private static Question.Call call(YamlNode node) {
    YamlNode.Fields call =
        node.fields("{collective: all_reduce, bytes: 256M, count: 1}")
            .requireOnly(SpecReader.keys("collective, bytes, count, group"));
    YamlNode bytes = call.require("bytes", "expected bytes");
    List<Long> sizes = sizes(bytes);
    if (sizes.size() != 1) {
      throw bytes.error("expected one size");
    }
    return new Question.Call(
        operation(call.require("collective", "expected collective")),
        sizes.get(0),
        group(call),
        call.find("count").map(count -> SpecReader.whole(count, 1, Integer.MAX_VALUE)).orElse(1));
  }

  private static Question.Group group(YamlNode.Fields fields) {
    return fields.find("group").map(QuestionReader::group).orElse(Question.Group.ALL);
  }

  private static Question.Group group(YamlNode node) {
    String expected = "expected all, node, or a split as MOD 8";
    try {
      return Question.Group.parse(node.text(expected));
    } catch (IllegalArgumentException e) {
      throw node.error(expected + " (" + e.getMessage() + ")");
    }
  }
}
