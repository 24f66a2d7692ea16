package dev.topo.cli.option.call;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.settings.SettingException;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.cost.CollectiveCall;
import dev.topo.search.cost.CommFacts;
import dev.topo.search.launch.Decision;
import dev.topo.search.tuning.csv.TunerRule;

/** Understands the rules of {@code topo tune --force}. */
public final class ForcedRule {
  private static final String EXPECTED =
      "expected COLLECTIVE:MIN:MAX:ALGORITHM:PROTOCOL[:CHANNELS], as in all_gather:4M:8M:ring:ll128";

  private ForcedRule() {}

  private static void checkChannels(
      String text, String[] parts, Algorithm algorithm, CommFacts facts) {
    boolean isNvls = algorithm.isNvls();
    int most = isNvls ? facts.nvlsChannels() : facts.nChannels();
    if (parts.length == 6 && parts[5].matches("[0-9]{1,9}") && Integer.parseInt(parts[5]) > most) {
      throw new SettingException(
          "--force " + text + ": " + parts[5] + " channels: NCCL has " + most + " here");
    }
  }

  /**
   * A rule that takes a pair for some sizes, on as many channels as NCCL would give it unless their
   * number is given, too.
   */
  public static TunerRule parse(String text, Communicator communicator) {
    String[] parts = text.split(":", -1);
    boolean hasChannels = parts.length == 6;
    if (parts.length < 5 || parts.length > 6 || (hasChannels && !parts[5].matches("\\d{1,4}"))) {
      throw new SettingException("--force " + text + ": " + EXPECTED);
    }
    Collective collective =
        Collective.ofLabel(parts[0].replace("_", ""))
            .orElseThrow(() -> new SettingException("--force " + text + ": " + EXPECTED));
    long min = ByteSize.parse(parts[1]);
    long max = ByteSize.parse(parts[2]);
    Algorithm algorithm =
        Algorithm.ofLabel(parts[3].replace("_", ""))
            .orElseThrow(() -> new SettingException("--force " + text + ": " + EXPECTED));
    Protocol protocol =
        Protocol.ofLabel(parts[4])
            .orElseThrow(() -> new SettingException("--force " + text + ": " + EXPECTED));
    Decision decision =
        communicator.tuner().decide(CollectiveCall.of(collective, max), algorithm, protocol);
    if (decision instanceof Decision.Refusal refusal) {
      throw new SettingException("--force " + text + ": " + refusal.reason());
    }
    int atLargest = decision.choice().orElseThrow().channels();
    boolean isSame =
        communicator
            .tuner()
            .decide(CollectiveCall.of(collective, min), algorithm, protocol)
            .choice()
            .filter(choice -> choice.channels() == atLargest)
            .isPresent();
    checkChannels(text, parts, algorithm, communicator.facts());
    int usual = isSame ? atLargest : TunerRule.OWN_CHANNELS;
    try {
      return new TunerRule(
          collective,
          min,
          max,
          algorithm,
          protocol,
          parts.length == 6 ? Integer.parseInt(parts[5]) : usual,
          communicator.facts().nNodes(),
          communicator.facts().nRanks(),
          TunerRule.ANY,
          TunerRule.ANY);
    } catch (IllegalArgumentException e) {
      throw new SettingException("--force " + text + ": " + e.getMessage(), e);
    }
  }
}
