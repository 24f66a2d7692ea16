package dev.topo.search.kernel;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.engine.ChannelPlan.ChannelLimits;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.SymmetricRules;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The settings on which kernels for symmetric windows depend.
 *
 * @param windows NCCL_WIN_ENABLE
 * @param cuMem NCCL_CUMEM_ENABLE; CUDA is assumed to support it
 * @param registration NCCL_LOCAL_REGISTER
 * @param nvls NCCL_NVLS_ENABLE
 * @param ctaPolicy NCCL_CTA_POLICY, 0 by default
 * @param gatherElements NCCL_SYM_CE_THRESHOLD
 * @param gathersAsStated whether NCCL_SYM_CE_THRESHOLD is set
 * @param multicastBytes NCCL_CE_COLL_AG_MULTICAST_THRESHOLD, below 0 for NCCL's choice
 * @param tma NCCL_SYM_TMA_ENABLE
 * @param kernels the kernels that NCCL_SYM_KERNEL, NCCL_ALGO and NCCL_PROTO allow
 * @param blocks NCCL_SYM_CTAS
 * @param minBlocks NCCL_MIN_CTAS
 * @param maxBlocks NCCL_MAX_CTAS
 * @param argumentBytes largest size of a kernel's arguments in bytes, limited by
 *     NCCL_WORK_ARGS_BYTES
 */
record WindowSettings(
    boolean windows,
    boolean cuMem,
    boolean registration,
    boolean nvls,
    int ctaPolicy,
    long gatherElements,
    boolean gathersAsStated,
    long multicastBytes,
    boolean tma,
    AllowedKernels kernels,
    OptionalInt blocks,
    int minBlocks,
    int maxBlocks,
    long argumentBytes) {
  private static final int CUMEM_WHERE_SUPPORTED = -2;

  /** Matches the policy of the copy engine in a list of names. */
  private static final Pattern ZERO_POLICY = Pattern.compile("(?i)(^|\\|)ZERO(\\||$)");

  static WindowSettings of(NcclSettings userSettings, NcclProfile profile) {
    NcclSettings settings = profile.complete(userSettings);
    SymmetricRules rules = profile.symmetric();
    ChannelLimits limits = ChannelLimits.of(settings, profile.connect());
    int blocks = Math.min(rules.maxBlocks, settings.integer("NCCL_SYM_CTAS", 0));
    long argumentBytes = settings.longInteger("NCCL_WORK_ARGS_BYTES", Long.MAX_VALUE);
    return new WindowSettings(
        settings.integer("NCCL_WIN_ENABLE", 0) != 0,
        hasCuMem(settings),
        settings.integer("NCCL_LOCAL_REGISTER", 1) != 0,
        settings.nvlsEnable() != 0,
        ctaPolicy(settings, rules),
        settings.longInteger("NCCL_SYM_CE_THRESHOLD", Long.MAX_VALUE),
        userSettings.text("NCCL_SYM_CE_THRESHOLD").filter(value -> !value.isEmpty()).isPresent(),
        settings.longInteger("NCCL_CE_COLL_AG_MULTICAST_THRESHOLD", -1),
        settings.integer("NCCL_SYM_TMA_ENABLE", 0) != 0,
        AllowedKernels.of(settings, profile),
        blocks > 0 ? OptionalInt.of(blocks) : OptionalInt.empty(),
        limits.minCtas(),
        limits.maxCtas(),
        argumentBytes < 0 ? rules.argumentBytes : Math.min(argumentBytes, rules.argumentBytes));
  }

  static boolean hasCuMem(NcclSettings settings) {
    int enable = settings.integer("NCCL_CUMEM_ENABLE", CUMEM_WHERE_SUPPORTED);
    return enable == CUMEM_WHERE_SUPPORTED || enable > 0;
  }

  /** The copy engine's policy if it is set, else 0; names count only in versions that have them. */
  private static int ctaPolicy(NcclSettings settings, SymmetricRules rules) {
    String number = String.valueOf(rules.copyEnginePolicy);
    return settings
        .text("NCCL_CTA_POLICY")
        .map(String::strip)
        .filter(
            value ->
                rules.policyNames
                    ? value.startsWith(number) || ZERO_POLICY.matcher(value).find()
                    : value.equals(number))
        .map(value -> rules.copyEnginePolicy)
        .orElse(0);
  }
}
