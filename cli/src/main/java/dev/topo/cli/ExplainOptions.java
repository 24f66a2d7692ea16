package dev.topo.cli;

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

/** The options for what is explained. */
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
    devices;

    private JobExplainer.Topic ofLibrary() {
      return JobExplainer.Topic.valueOf(name().toUpperCase(Locale.ROOT));
    }
  }

  /** The buffers of the call. */
  BuffersOption buffers() {
    return buffers;
  }

  /**
   * The call that is explained.
   *
   * @throws SettingException if NCCL has no choice for it that the user asks about
   */
  Call call() {
    Optional<PeerOperation> peer = calls.singlePeer();
    if (peer.isEmpty()) {
      return calls.singleCall();
    }
    if (buffers.isGiven() || !alternatives.isEmpty()) {
      throw new SettingException(
          "--collective "
              + peer.get().ncclTestsName()
              + ": NCCL chooses no algorithm for it, expected no --buffers and no --why-not");
    }
    return calls.call(peer.get(), calls.singleSize());
  }

  /** The alternatives that the user names. */
  List<String> alternatives() {
    return alternatives;
  }

  /** True if the user names topics. */
  boolean hasTopics() {
    return !topics.isEmpty();
  }

  /** The topics that the user names. */
  Set<JobExplainer.Topic> topics() {
    return topics.stream().map(Topic::ofLibrary).collect(Collectors.toSet());
  }

  /** True if a topic is explained: without names all are. */
  boolean wants(JobExplainer.Topic topic) {
    return topics.isEmpty() || topics().contains(topic);
  }

  /** True if some of the answer is about calls and their channels, which take several ranks. */
  boolean isAboutCalls() {
    boolean onlyMachine = EnumSet.of(Topic.search, Topic.devices).containsAll(topics);
    return alternatives.stream().anyMatch(alternative -> !alternative.startsWith("nic="))
        || !onlyMachine
        || (topics.isEmpty() && alternatives.isEmpty());
  }
}
