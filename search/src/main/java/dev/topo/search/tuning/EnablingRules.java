package dev.topo.search.tuning;

import dev.topo.model.Link.PathType;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.rules.AlgorithmRules.RingFallback;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.PathRules;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which algorithms and protocols a communicator may use: those that NCCL implements, the hardware
 * supports and the user allows (third part of {@code ncclTopoTuneModel}, {@code
 * nccl:src/graph/tuning.cc}).
 */
public final class EnablingRules {
  /** The value of NCCL_PAT_ENABLE for automatic selection. */
  private static final int PAT_WHERE_IT_FITS = 2;

  private static final List<Algorithm> WITHOUT_COLLNET =
      List.of(Algorithm.TREE, Algorithm.RING, Algorithm.NVLS, Algorithm.NVLS_TREE);

  private final CommFacts facts;
  private final AlgorithmRules rules;
  private final UserLists lists;
  private final boolean pat;
  private final boolean ll128OverC2c;

  EnablingRules(CommFacts facts, NcclSettings userSettings) {
    NcclSettings settings = facts.profile().complete(userSettings);
    this.facts = facts;
    this.rules = facts.profile().tuning().algorithms;
    this.lists = UserLists.of(facts.profile(), settings);
    this.pat = isPatOn(facts, settings);
    this.ll128OverC2c = settings.integer("NCCL_LL128_C2C", 1) != 0;
  }

  /**
   * Checks that a version of NCCL starts with these settings.
   *
   * @throws dev.topo.model.job.SettingException if it does not start because of a list
   */
  public static void check(NcclProfile profile, NcclSettings settings) {
    UserLists.of(profile, settings);
  }

  private static boolean isPatOn(CommFacts facts, NcclSettings settings) {
    int wanted = settings.integer("NCCL_PAT_ENABLE", PAT_WHERE_IT_FITS);
    if (facts.minSm() < facts.profile().tuning().algorithms.patSm) {
      return false;
    }
    if (!facts.hasPatOverNvls()) {
      return wanted == PAT_WHERE_IT_FITS ? facts.nNodes() == facts.nRanks() : wanted != 0;
    }
    boolean overNvls =
        facts.nvls() && facts.localRanks().stream().allMatch(ranks -> ranks == facts.nvlsHeads());
    return overNvls && (wanted == PAT_WHERE_IT_FITS ? facts.nNodes() > 1 : wanted != 0);
  }

  /** True if NCCL implements a pair and, for PAT, the communicator may use it. */
  boolean hasKernel(Collective collective, Algorithm algorithm, Protocol protocol) {
    return rules.hasPair(collective, algorithm, protocol) && (algorithm != Algorithm.PAT || pat);
  }

  /** True if the user allows an algorithm, or the version ignores the user's exclusion. */
  boolean allowsAlgorithm(Collective collective, Algorithm algorithm) {
    boolean ignored =
        (algorithm == Algorithm.RING || algorithm == Algorithm.TREE)
            && ignoresAlgorithms(collective);
    return ignored || lists.allowsAlgorithm(collective, algorithm);
  }

  /**
   * True if a list of algorithms is ignored because all of them need in-network reduction, which
   * the communicator lacks. Only versions that fall back to rings do so, to accept lists with
   * CollNet only.
   */
  private boolean ignoresAlgorithms(Collective collective) {
    return rules.ringFallback != RingFallback.NONE
        && facts.collNet().isEmpty()
        && WITHOUT_COLLNET.stream()
            .noneMatch(a -> lists.algorithms.allows(collective, a.number()) && isPossible(a));
  }

  /** True if NCCL uses a disabled ring when no other pair can run a call. */
  boolean fallsBack(Collective collective, Protocol protocol) {
    boolean fits =
        switch (rules.ringFallback) {
          case NONE -> false;
          case ALLOWED_PROTOCOLS -> isProtocolEnabled(collective, Algorithm.RING, protocol);
          case ANY_PROTOCOL -> true;
        };
    return fits && !isEnabled(collective, Algorithm.RING, protocol);
  }

  /** True if the settings list protocols for a collective, which disables the rules of LL128. */
  boolean statesProtocols(Collective collective) {
    return lists.protocols.isStatedFor(collective);
  }

  boolean isEnabled(Collective collective, Algorithm algorithm, Protocol protocol) {
    return allowsAlgorithm(collective, algorithm)
        && isPossible(algorithm)
        && isProtocolEnabled(collective, algorithm, protocol);
  }

  /** True if the communicator meets the requirements of an algorithm. */
  boolean isPossible(Algorithm algorithm) {
    boolean collNet = facts.collNet().isPresent();
    return switch (algorithm) {
      case TREE, RING, PAT -> true;
      case COLLNET_DIRECT -> collNet && (facts.nvSwitch() || rules.collNetDirectWithoutSwitch);
      case COLLNET_CHAIN -> collNet && canChain();
      case NVLS -> collNet || facts.nNodes() == 1;
      case NVLS_TREE -> facts.nNodes() > 1;
    };
  }

  /** True if all chains reach the network from heads, or the version does not require it. */
  private boolean canChain() {
    return !rules.chainsFromHeads
        || facts.collNet().map(CommFacts.CollNet::chainsFromHeads).orElse(true);
  }

  boolean isProtocolEnabled(Collective collective, Algorithm algorithm, Protocol protocol) {
    return (protocol == Protocol.LL128 && !statesProtocols(collective))
        ? isLl128Safe(facts.graph(algorithm))
        : lists.protocols.allows(collective, protocol.number());
  }

  /**
   * LL128 is correct only where 128-byte stores arrive undivided. That depends on every link of the
   * path; a list of protocols in the settings overrides the check. NCCL's exception for CUDA 11.8
   * is not modelled.
   */
  private boolean isLl128Safe(ChannelGraph graph) {
    PathRules paths = facts.profile().paths();
    return paths.isWithin(graph.typeInter(), farthestLl128())
        && paths.isWithin(graph.typeIntra(), rules.ll128Intra)
        && isLl128Mixture()
        && isLl128Generation();
  }

  /** True if LL128 is correct on the oldest GPUs of the communicator. */
  boolean isLl128Generation() {
    return rules.ll128Sm.contains(facts.minSm());
  }

  /** True if LL128 is correct between the oldest and the newest GPUs of the communicator. */
  boolean isLl128Mixture() {
    return facts.minSm() == facts.maxSm() || facts.minSm() >= rules.ll128MixedSm;
  }

  /** The farthest path to the network on which LL128 is correct. */
  PathType farthestLl128() {
    return rules.ll128Inter(facts.minSm(), ll128OverC2c);
  }

  /**
   * The algorithms, protocols and symmetric kernels that the user lists (NCCL_ALGO, NCCL_PROTO and,
   * from 2.31 on, NCCL_SYM_KERNEL; {@code ncclTuningCostModelInit}, {@code
   * nccl:src/tuning/cost_model.cc}). From 2.31 on a list of algorithms excludes all kernels, and
   * vice versa, for collectives for which any list has an entry. Immutable.
   */
  public static final class UserLists {
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
      this.algorithms = ElementList.of(ALGORITHMS, settings, names, rules.listsByCollective);
      this.protocols =
          ElementList.of("NCCL_PROTO", settings, protocolNames, rules.listsByCollective);
      this.kernels =
          ElementList.of(
              KERNELS,
              rules.listsKernels() ? settings : NcclSettings.DEFAULTS,
              rules.kernelNames,
              true);
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
      return Stream.of(algorithms, protocols, kernels)
          .anyMatch(list -> list.isNamedFor(collective));
    }

    /**
     * True if the user lists algorithms or kernels, which excludes everything that is not listed.
     */
    private boolean excludesUnlisted() {
      return algorithms.isStated() || kernels.isStated();
    }

    boolean allowsAlgorithm(Collective collective, Algorithm algorithm) {
      if (listKernels()) {
        if (!isAnythingNamedFor(collective)) {
          return true;
        }
        if (!algorithms.isStatedFor(collective)) {
          return !excludesUnlisted();
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
          : !excludesUnlisted();
    }

    /** The setting that excludes a kernel, as {@code NAME=value}. */
    public String excluding(SymmetricKernel kernel) {
      boolean byAlgorithms = algorithms.isStated() && !kernels.isStatedFor(kernel.collective());
      String name = byAlgorithms ? ALGORITHMS : KERNELS;
      return name + "=" + settings.text(name).orElse("");
    }

    /**
     * The value of NCCL_ALGO, NCCL_PROTO or NCCL_SYM_KERNEL: which elements each collective may use
     * ({@code parseList}, {@code nccl:src/graph/tuning.cc}). {@code ring,tree} allows two elements
     * and no other, {@code ^tree} all but one. Such a list applies to all collectives, or to one
     * whose name precedes it: {@code ring;allreduce:tree,ring;broadcast:^tree}. The last list for a
     * collective applies.
     */
    static final class ElementList {
      private final String setting;
      private final String value;
      private final List<String> elements;
      private final boolean knownNamesOnly;

      /** The elements that are allowed for a collective, if the user states any. */
      private final Map<Collective, BitSet> stated = new EnumMap<>(Collective.class);

      /** The collectives for which a list has an element. */
      private final Set<Collective> named = EnumSet.noneOf(Collective.class);

      private ElementList(
          String setting, String value, List<String> elements, boolean knownNamesOnly) {
        this.setting = setting;
        this.value = value;
        this.elements = elements;
        this.knownNamesOnly = knownNamesOnly;
      }

      /**
       * The list in a setting; all elements are allowed if it is not set.
       *
       * @param byCollective whether lists may be for one collective and names must be known; if
       *     not, the value is one list, in which unknown names are ignored
       * @throws SettingException if NCCL would not start with it
       */
      static ElementList of(
          String setting, NcclSettings settings, List<String> elements, boolean byCollective) {
        String value = settings.text(setting).orElse("");
        ElementList list = new ElementList(setting, value, elements, byCollective);
        if (!byCollective) {
          if (settings.text(setting).isPresent()) {
            list.applyToAll(value);
          }
          return list;
        }
        List<String> entries = tokens(value, ";");
        for (int e = 0; e < entries.size(); e++) {
          // NCCL compares the position in the text: after a leading semicolon no entry is the
          // first.
          list.apply(entries.get(e), e == 0 && !value.startsWith(";"));
        }
        return list;
      }

      /** True if a collective may use the element with this number. */
      boolean allows(Collective collective, int element) {
        BitSet allowed = stated.get(collective);
        return allowed == null || allowed.get(element);
      }

      /** True if the user states a list, even one for no collective. */
      boolean isStated() {
        return !value.isEmpty();
      }

      /** True if the user states anything for a collective. */
      boolean isStatedFor(Collective collective) {
        return stated.containsKey(collective);
      }

      /** True if a list names an element for a collective; {@code ^} alone names none. */
      boolean isNamedFor(Collective collective) {
        return named.contains(collective);
      }

      /** Like C's {@code strtok}: consecutive separators count as one. */
      private static List<String> tokens(String text, String separator) {
        return Stream.of(text.split(separator, -1)).filter(token -> !token.isEmpty()).toList();
      }

      private void apply(String entry, boolean first) {
        List<String> parts = tokens(entry, ":");
        if (parts.isEmpty()) {
          throw bad("entry '" + entry + "'", "a list as in ring,tree or allreduce:ring,tree");
        }
        if (parts.size() == 1) {
          if (!first) {
            throw bad("entry '" + entry + "'", "a collective before every list but the first");
          }
          applyToAll(parts.get(0));
          return;
        }
        Optional<Collective> collective = Collective.ofLabel(parts.get(0));
        apply(
            parts.get(1),
            collective.orElseThrow(
                () ->
                    bad(
                        "collective '" + parts.get(0) + "'",
                        Arrays.stream(Collective.values()).map(Collective::label).toList())));
      }

      private void applyToAll(String list) {
        for (Collective collective : Collective.values()) {
          apply(list, collective);
        }
      }

      private void apply(String list, Collective collective) {
        boolean except = list.startsWith("^");
        BitSet allowed = new BitSet();
        List<String> names = tokens(except ? list.substring(1) : list, ",");
        names.forEach(name -> addNumber(name, allowed));
        if (!names.isEmpty()) {
          named.add(collective);
        }
        if (except) {
          allowed.flip(0, elements.size());
        }
        stated.put(collective, allowed);
      }

      private void addNumber(String name, BitSet numbers) {
        IntStream.range(0, elements.size())
            .filter(e -> elements.get(e).equalsIgnoreCase(name))
            .findFirst()
            .ifPresentOrElse(
                numbers::set,
                () -> {
                  if (knownNamesOnly) {
                    throw bad("element '" + name + "'", elements);
                  }
                });
      }

      private SettingException bad(String what, Object expected) {
        return new SettingException(
            "setting " + setting + "=" + value + ": " + what + ", expected " + expected);
      }
    }
  }
}
