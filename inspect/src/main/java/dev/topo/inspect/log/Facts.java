package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects facts about the log of one rank. */
final class Facts {
  /** The text for a missing value. */
  static final String NOTHING = "nothing";

  private final String source;
  private final List<Fact> facts = new ArrayList<>();

  Facts(String source) {
    this.source = source;
  }

  void add(Topic topic, String where, Object expected, Object found) {
    facts.add(new Fact(topic, source, where, expected.toString(), found.toString()));
  }

  /** Adds a fact for which topo has a value only under a condition. */
  void addIf(
      boolean isPresent, Topic topic, String where, Object expected, Supplier<Object> found) {
    add(topic, where, expected, isPresent ? found.get() : NOTHING);
  }

  /** Value of topo with as many decimals as NCCL prints. */
  static BigDecimal rounded(float value, int decimals) {
    return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN);
  }

  List<Fact> list() {
    return List.copyOf(facts);
  }
}
