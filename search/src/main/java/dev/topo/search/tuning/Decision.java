package dev.topo.search.tuning;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Protocol;
import java.util.Optional;

/** The choice of NCCL for a call, or its refusal. */
public sealed interface Decision {
  /** The choice; empty if NCCL refuses the call. */
  Optional<Choice> choice();

  /**
   * NCCL runs the call.
   *
   * @param channels most channels to use; for small sizes the launch may take fewer
   * @param threads threads on each channel
   * @param timeUs predicted time of NCCL's cost model, in microseconds
   */
  record Choice(Algorithm algorithm, Protocol protocol, int channels, int threads, float timeUs)
      implements Decision {
    /** True if NCCL runs it only because nothing else is left; its model has no time for it. */
    public boolean isLastResort() {
      return timeUs >= CostModel.LAST_RESORT_US;
    }

    @Override
    public Optional<Choice> choice() {
      return Optional.of(this);
    }
  }

  /**
   * NCCL refuses the call.
   *
   * @param reason the reason as text
   */
  record Refusal(String reason) implements Decision {
    /** The refusal in the words that every answer has for it, without a full stop. */
    public static String sentence(String reason) {
      return "NCCL refuses the call: " + reason;
    }

    @Override
    public Optional<Choice> choice() {
      return Optional.empty();
    }
  }
}
