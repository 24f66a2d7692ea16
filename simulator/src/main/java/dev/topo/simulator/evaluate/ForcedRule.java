package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.SpecException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CallSizes.ByteSize;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.search.tuning.TunerRule;
import java.util.function.Supplier;

/** Parses the rules of {@code topo tune --force}. */
public final class ForcedRule {
  private static final String EXPECTED =
      "expected COLLECTIVE:MIN:MAX:ALGORITHM:PROTOCOL[:CHANNELS], as in all_gather:4M:8M:ring:ll128";

  private ForcedRule() {}

  /**
   * A rule that forces a pair for a range of sizes, on the given number of channels, or else on as
   * many as NCCL would give it.
   */
  public static TunerRule parse(String text, Communicator communicator) {
    String[] parts = text.split(":", -1);
    boolean hasChannels = parts.length == 6;
    if (parts.length < 5 || parts.length > 6 || (hasChannels && !parts[5].matches("\\d{1,4}"))) {
      throw wrong(text, EXPECTED);
    }
    Supplier<SettingException> unknown = () -> wrong(text, EXPECTED);
    Collective collective = Collective.ofLabel(parts[0].replace("_", "")).orElseThrow(unknown);
    long min = ByteSize.parse(parts[1]);
    long max = ByteSize.parse(parts[2]);
    Algorithm algorithm = Algorithm.ofLabel(parts[3].replace("_", "")).orElseThrow(unknown);
    Protocol protocol = Protocol.ofLabel(parts[4]).orElseThrow(unknown);
    Tuner tuner = communicator.tuner();
    Decision decision =
        tuner.decide(CollectiveCall.of(collective, max).exact(), algorithm, protocol);
    if (decision instanceof Decision.Refusal refusal) {
      throw wrong(text, refusal.reason());
    }
    CommFacts facts = communicator.facts();
    int channels;
    if (hasChannels) {
      int most = algorithm.isNvls() ? facts.nvlsChannels() : facts.nChannels();
      channels = Integer.parseInt(parts[5]);
      if (channels > most) {
        throw wrong(text, parts[5] + " channels: NCCL has " + most + " here");
      }
    } else {
      int atLargest = decision.choice().orElseThrow().channels();
      channels =
          tuner
              .decide(CollectiveCall.of(collective, min).exact(), algorithm, protocol)
              .choice()
              .filter(choice -> choice.channels() == atLargest)
              .map(choice -> atLargest)
              .orElse(TunerRule.OWN_CHANNELS);
    }
    try {
      return new TunerRule(
          collective,
          min,
          max,
          algorithm,
          protocol,
          channels,
          facts.nNodes(),
          facts.nRanks(),
          TunerRule.ANY,
          TunerRule.ANY);
    } catch (IllegalArgumentException e) {
      throw new SpecException(SpecField.FORCE, e, " %s: %s", text, e.getMessage());
    }
  }

  private static SettingException wrong(String text, String why) {
    return new SpecException(SpecField.FORCE, " %s: %s", text, why);
  }
}
