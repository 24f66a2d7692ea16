package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.BuffersOption;
import dev.topo.cli.option.CallOptions;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.verdict.JobExplainer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select what {@code topo explain} explains. */
final class ExplainOptions {
  @Option(
      names = "--about",
      split = ",",
      paramLabel = "TOPIC",
      description =
          "Only this topic: choice, bound, channels, nics, search, devices (default: all).")
  private Set<Topic> topics = new LinkedHashSet<>();

  @Option(
      names = "--why-not",
      paramLabel = "ALTERNATIVE",
      description =
          "Show the cost of this alternative, or the rule that forbids it; may be repeated.")
  private List<String> alternatives = new ArrayList<>();

  @Mixin private BuffersOption buffers = new BuffersOption();
  @Mixin private CallOptions calls = new CallOptions();

  private enum Topic {
    choice,
    bound,
    channels,
    nics,
    search,
    devices
  }

  /** The option for the buffers of the call. */
  BuffersOption buffers() {
    return buffers;
  }

  /**
   * The call that is explained.
   *
   * @throws SettingException if the call consists of sends and receives, for which NCCL chooses no
   *     algorithm, and the user gives {@code --buffers} or {@code --why-not}
   */
  Call call() {
    Optional<PeerOperation> peer = calls.singlePeer();
    if (peer.isEmpty()) {
      return calls.singleCall();
    }
    refuseIf(
        buffers.isGiven() || !alternatives.isEmpty(),
        "--collective "
            + peer.get().ncclTestsName()
            + ": NCCL chooses no algorithm for it, expected no --buffers and no --why-not");
    return calls.call(peer.get(), calls.singleSize());
  }

  /** The values of {@code --why-not}, as given. */
  List<String> alternatives() {
    return alternatives;
  }

  /** True if the user names topics. */
  boolean hasTopics() {
    return !topics.isEmpty();
  }

  /** The topics that the user names; empty if all are to be explained. */
  Set<JobExplainer.Topic> topics() {
    return topics.stream()
        .map(topic -> JobExplainer.Topic.valueOf(topic.name().toUpperCase(Locale.ROOT)))
        .collect(Collectors.toSet());
  }

  /** True if a topic is to be explained: the user names it, or names none. */
  boolean wants(JobExplainer.Topic topic) {
    return topics.isEmpty() || topics().contains(topic);
  }

  /**
   * True if a part of the answer is about calls or their channels, which require at least two
   * ranks. Only the topics search and devices, and alternatives for the NIC of a GPU, are about the
   * machine alone.
   */
  boolean isAboutCalls() {
    boolean hasCallTopic = !EnumSet.of(Topic.search, Topic.devices).containsAll(topics);
    boolean hasCallAlternative =
        alternatives.stream().anyMatch(alternative -> !alternative.startsWith("nic="));
    boolean explainsAll = topics.isEmpty() && alternatives.isEmpty();
    return hasCallTopic || hasCallAlternative || explainsAll;
  }
}
