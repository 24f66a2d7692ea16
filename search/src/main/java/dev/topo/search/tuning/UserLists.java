package dev.topo.search.tuning;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.rules.NcclProfile;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The algorithms, protocols and symmetric kernels that the user lists (NCCL_ALGO, NCCL_PROTO and,
 * from 2.31 on, NCCL_SYM_KERNEL; {@code ncclTuningCostModelInit}, {@code
 * nccl:src/tuning/cost_model.cc}). From 2.31 on a list of algorithms or kernels leaves nothing of
 * the other to collectives for which any list names something. Immutable.
 */
public final class UserLists {
  /** The setting that lists symmetric kernels. */
  private static final String KERNELS = "NCCL_SYM_KERNEL";

  private static final String ALGORITHMS = "NCCL_ALGO";

  final ElementList algorithms;
  final ElementList protocols;
  private final ElementList kernels;
  private final AlgorithmRules rules;
  private final NcclSettings settings;

  private UserLists(AlgorithmRules rules, NcclSettings settings) {
    List<String> names =
        Arrays.stream(Algorithm.values())
            .filter(rules::hasAlgorithm)
            .map(Algorithm::label)
            .toList();
    List<String> protocolNames = Arrays.stream(Protocol.values()).map(Protocol::label).toList();
    NcclSettings listed = rules.listsKernels() ? settings : settings.without(List.of(KERNELS));
    this.algorithms = ElementList.of(ALGORITHMS, settings, names, rules.listsByCollective);
    this.protocols = ElementList.of("NCCL_PROTO", settings, protocolNames, rules.listsByCollective);
    this.kernels = ElementList.of(KERNELS, listed, rules.kernelNames, true);
    this.rules = rules;
    this.settings = settings;
  }

  /**
   * The lists in the settings.
   *
   * @throws dev.topo.model.job.SettingException if NCCL would not start with them
   */
  public static UserLists of(NcclProfile profile, NcclSettings settings) {
    return new UserLists(profile.tuning().algorithms, settings);
  }

  /** True if the version has lists of symmetric kernels. */
  public boolean listKernels() {
    return rules.listsKernels();
  }

  private boolean isAnythingNamedFor(Collective collective) {
    return Stream.of(algorithms, protocols, kernels).anyMatch(list -> list.isNamedFor(collective));
  }

  /** True if the user lists algorithms or kernels, which leaves nothing that is in no list. */
  private boolean leavesNothingElse() {
    return algorithms.isStated() || kernels.isStated();
  }

  boolean allowsAlgorithm(Collective collective, Algorithm algorithm) {
    if (listKernels()) {
      if (!isAnythingNamedFor(collective)) {
        return true;
      }
      if (!algorithms.isStatedFor(collective)) {
        return !leavesNothingElse();
      }
    }
    return algorithms.allows(collective, algorithm.number());
  }

  /** True if the settings of a version with lists of kernels allow a kernel. */
  public boolean allowsKernel(SymmetricKernel kernel) {
    Collective collective = kernel.collective();
    if (!isAnythingNamedFor(collective)) {
      return true;
    }
    return kernels.isStatedFor(collective)
        ? kernels.allows(collective, rules.kernelNames.indexOf(kernel.label()))
        : !leavesNothingElse();
  }

  /** The setting that does not allow a kernel, with its value. */
  public String excluding(SymmetricKernel kernel) {
    boolean byAlgorithms = algorithms.isStated() && !kernels.isStatedFor(kernel.collective());
    String name = byAlgorithms ? ALGORITHMS : KERNELS;
    return name + "=" + settings.text(name).orElse("");
  }
}
