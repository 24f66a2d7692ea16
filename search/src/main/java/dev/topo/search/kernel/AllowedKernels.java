package dev.topo.search.kernel;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.EnablingRules.UserLists;
import java.util.Optional;

/**
 * The symmetric kernels that the settings allow: up to 2.30 the one that NCCL_SYM_KERNEL names,
 * from 2.31 on those allowed by the lists of kernels and algorithms. Immutable.
 */
record AllowedKernels(Optional<String> value, UserLists lists) {
  private static final String ALL = "^";

  /**
   * The kernels that the settings allow.
   *
   * @throws SettingException if NCCL would not start with them
   */
  static AllowedKernels of(NcclSettings settings, NcclProfile profile) {
    return new AllowedKernels(settings.text("NCCL_SYM_KERNEL"), UserLists.of(profile, settings));
  }

  /** True if NCCL_SYM_KERNEL is set, to any value. */
  boolean isStated() {
    return value.isPresent();
  }

  /** The setting that restricts NCCL up to 2.30 to one kernel or none. */
  Optional<String> named() {
    return value.filter(name -> !name.equals(ALL)).map(name -> "NCCL_SYM_KERNEL=" + name);
  }

  /**
   * The setting that restricts a collective to this kernel and does not affect other collectives.
   */
  String forcing(SymmetricKernel kernel) {
    String collective = lists.listKernels() ? kernel.collective().label() + ":" : "";
    return "NCCL_SYM_KERNEL=" + collective + kernel.label();
  }

  /** The setting that excludes a kernel. */
  Optional<String> excluding(SymmetricKernel kernel) {
    if (lists.listKernels()) {
      return lists.allowsKernel(kernel) ? Optional.empty() : Optional.of(lists.excluding(kernel));
    }
    return named().filter(setting -> !setting.equals("NCCL_SYM_KERNEL=" + kernel.label()));
  }
}
