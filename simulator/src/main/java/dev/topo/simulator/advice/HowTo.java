package dev.topo.simulator.advice;

import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.TunerRule;
import java.util.ArrayList;
import java.util.List;

/** Instructions that apply an alternative. */
public final class HowTo {
  private static final String POOL =
      """
      backend = dist.group.WORLD._get_backend(torch.device("cuda", local_rank))
      pool = torch.cuda.MemPool(backend.mem_allocator)
      with torch.cuda.use_mem_pool(pool):
          buffer = torch.empty(size, dtype=torch.bfloat16, device="cuda")
      """;

  private HowTo() {}

  /**
   * Lists the changes that apply an alternative.
   *
   * @param facts facts about the communicator
   */
  public static List<Instruction> of(Alternative best, CommFacts facts) {
    List<Instruction> instructions = new ArrayList<>(settings(best.setup()));
    best.forced()
        .ifPresent(
            pair ->
                instructions.add(
                    new Instruction(Permission.TUNER, rule(best, pair, facts).toString())));
    if (best.setup().buffers() != Buffers.PLAIN) {
      instructions.add(new Instruction(Permission.CODE, buffers(best.setup().buffers())));
    }
    return instructions;
  }

  /** Lists the lines of {@code nccl.conf} for a setup. */
  public static List<Instruction> settings(Setup setup) {
    return setup.settings().values().entrySet().stream()
        .map(
            setting ->
                new Instruction(Permission.SETTINGS, setting.getKey() + "=" + setting.getValue()))
        .toList();
  }

  private static TunerRule rule(Alternative best, Pair pair, CommFacts facts) {
    return new TunerRule(
        (Collective) best.call().operation(),
        best.call().sizeBytes(),
        best.call().sizeBytes(),
        pair.algorithm(),
        pair.protocol(),
        TunerRule.OWN_CHANNELS,
        facts.nNodes(),
        facts.nRanks(),
        TunerRule.ANY,
        TunerRule.ANY);
  }

  /** Describes how to allocate and register buffers. */
  public static String buffers(Buffers buffers) {
    return switch (buffers) {
      case PLAIN -> "plain buffers";
      case REGISTERED ->
          "both buffers from ncclMemAlloc, registered with ncclCommRegister (nccl-tests -R 1)";
      case SYMMETRIC ->
          "both buffers from ncclMemAlloc, in windows of ncclCommWindowRegister with NCCL_WIN_COLL_SYMMETRIC"
              + " (nccl-tests -R 2)";
    };
  }

  /**
   * The lines of a PyTorch program that allocate and register buffers; none for plain buffers.
   * Symmetric windows need PyTorch 2.9.
   */
  public static List<String> pytorch(Buffers buffers) {
    String register =
        switch (buffers) {
          case PLAIN -> "";
          case REGISTERED -> POOL + "backend.register_mem_pool(pool)";
          case SYMMETRIC -> POOL + "backend.register_mem_pool(pool, symm=True)";
        };
    return register.lines().toList();
  }
}
