package dev.topo.search.tuning;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.search.rules.AlgorithmRules;
import dev.topo.search.rules.LaunchRules;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.TuningRules;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.search.tuning.Tuner.Decision.Refusal;
import dev.topo.search.tuning.TuningModel.CostModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Chooses algorithm, protocol, channels and threads for calls as NCCL does: the fastest by its
 * model, and the first or, depending on the version, the last of equals ({@code getAlgoInfo},
 * {@code nccl:src/enqueue.cc}). The model of the communicator is computed once, a choice reads its
 * tables. Tuner plugins, buffers that the user has registered and the CTA policy are not modelled.
 * Immutable.
 */
public final class Tuner {

  private static final Algorithm[] ALGORITHMS = Algorithm.values();
  private static final Protocol[] PROTOCOLS = Protocol.values();

  private final CommFacts facts;
  private final int nRanks;
  private final TuningRules rules;
  private final NcclSettings settings;
  private final Map<String, String> harms;
  private final TuningModel model;
  private final ThreadLimits threadLimits;
  private final CostModel costs;

  /**
   * A tuner for a communicator.
   *
   * @throws dev.topo.model.job.SettingException if NCCL would not start with NCCL_ALGO or
   *     NCCL_PROTO
   */
  public Tuner(CommFacts facts, NcclSettings settings) {
    this.facts = facts;
    this.nRanks = facts.nRanks();
    this.rules = facts.profile().tuning();
    this.settings = settings;
    this.harms = settings.harms();
    this.model = new TuningModel(facts, settings);
    this.threadLimits = new ThreadLimits(facts, settings);
    this.costs = new CostModel(facts, model);
  }

  /** Bandwidths and latencies on which the choices are based. */
  public TuningModel model() {
    return model;
  }

  public ThreadLimits threadLimits() {
    return threadLimits;
  }

  /** The facts on which the choices are based. */
  public CommFacts facts() {
    return facts;
  }

  /** The sizes at which the slope of a ring's time changes. */
  List<Long> plateauBytes() {
    return costs.plateauBytes();
  }

  /**
   * The times of a call for every algorithm and protocol that can run it, in NCCL's order. Choices
   * of last resort are included only if there are no others.
   */
  public List<Estimate> estimates(CollectiveCall request) {
    if (discarded(request).isPresent()) {
      return List.of();
    }
    CollectiveCall call = request.whole(nRanks);
    List<Estimate> estimates = new ArrayList<>();
    for (Algorithm algorithm : ALGORITHMS) {
      for (Protocol protocol : PROTOCOLS) {
        float time = costs.timeUs(call, algorithm, protocol);
        if (costs.isWeighed(call, time)) {
          estimates.add(new Estimate(algorithm, protocol, time));
        }
      }
    }
    return estimates;
  }

  /** NCCL's decision for a call. */
  public Decision decide(CollectiveCall request) {
    Optional<Refusal> discarded = discarded(request);
    if (discarded.isPresent()) {
      return discarded.get();
    }
    CollectiveCall call = request.whole(nRanks);
    if (call.dataType().isFloat8()) {
      Optional<Refusal> refusal = refuseFloat8(call.collective());
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    Algorithm algorithm = Algorithm.TREE;
    Protocol protocol = Protocol.LL;
    float best = rules.tooLongUs;
    for (Algorithm a : ALGORITHMS) {
      for (Protocol p : PROTOCOLS) {
        float time = costs.timeUs(call, a, p);
        if (time >= 0 && rules.isTaken(time, best)) {
          algorithm = a;
          protocol = p;
          best = time;
        }
      }
    }
    return best < rules.tooLongUs ? choice(call, algorithm, protocol, best) : fallback(call);
  }

  /** The refusal of a call that NCCL discards; otherwise empty. */
  Optional<Refusal> discarded(CollectiveCall call) {
    return call.emptiness(nRanks).map(Refusal::discarded);
  }

  private Optional<Refusal> refuseFloat8(Collective collective) {
    AlgorithmRules algorithms = rules.algorithms;
    int sm = algorithms.float8Sm(collective);
    if (facts.minSm() >= sm) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(
            algorithms.hasFloat8()
                ? "%s of 8-bit floating point need GPUs of sm %s, the oldest has %s"
                    .formatted(collective.isReduction() ? "reductions" : "calls", sm, facts.minSm())
                : "NCCL " + facts.profile() + " has no 8-bit floating point"));
  }

  /** The fastest ring to which NCCL falls back if no pair can run the call, or a refusal. */
  private Decision fallback(CollectiveCall call) {
    Protocol protocol = Protocol.LL;
    float best = rules.tooLongUs;
    for (Protocol p : PROTOCOLS) {
      float time = costs.fallbackTimeUs(call, p);
      if (time >= 0 && time < best) {
        protocol = p;
        best = time;
      }
    }
    return best < rules.tooLongUs ? choice(call, Algorithm.RING, protocol, best) : refusal(call);
  }

  /**
   * The decision for a call whose algorithm and protocol a tuner plugin or the settings prescribe.
   */
  public Decision decide(CollectiveCall request, Algorithm algorithm, Protocol protocol) {
    Optional<Refusal> discarded = discarded(request);
    if (discarded.isPresent()) {
      return discarded.get();
    }
    CollectiveCall call = request.whole(nRanks);
    float time = costs.timeUs(call, algorithm, protocol);
    return time >= 0 && time < rules.tooLongUs
        ? choice(call, algorithm, protocol, time)
        : new Refusal(
            "%s cannot run with %s and %s here"
                .formatted(call.collective().label(), algorithm.label(), protocol.label()));
  }

  private Decision choice(
      CollectiveCall call, Algorithm algorithm, Protocol protocol, float timeUs) {
    String harm = harms.isEmpty() ? null : harms.get("NCCL_" + protocol.label() + "_BUFFSIZE");
    if (harm != null) {
      return new Refusal(harm);
    }
    if (facts.withoutPort().contains(algorithm.graph())) {
      Optional<String> fault = facts.profile().fault(NcclProfile.ABSENT_PORT);
      if (fault.isPresent()) {
        return new Refusal("%s fails by %s".formatted(algorithm.label(), fault.get()));
      }
    }
    LaunchShape shape = LaunchShape.of(facts, threadLimits, call.sizeBytes(), algorithm, protocol);
    return new Choice(algorithm, protocol, shape.channels(), shape.threads(), timeUs);
  }

  private Refusal refusal(CollectiveCall call) {
    StringBuilder reason =
        new StringBuilder("no algorithm and protocol can run ").append(call.collective().label());
    List<String> names =
        rules.algorithms.listsKernels()
            ? List.of("NCCL_ALGO", "NCCL_PROTO", "NCCL_SYM_KERNEL")
            : List.of("NCCL_ALGO", "NCCL_PROTO");
    for (String name : names) {
      settings
          .text(name)
          .ifPresent(
              v -> reason.append(settingsSeparator(reason)).append(name).append('=').append(v));
    }
    return new Refusal(reason.toString());
  }

  private static String settingsSeparator(StringBuilder reason) {
    return reason.indexOf("=") < 0 ? " with " : " and ";
  }

  /** NCCL's choice for a call, or its refusal. */
  public sealed interface Decision {
    /** The choice; empty if NCCL refuses the call. */
    Optional<Choice> choice();

    /**
     * NCCL runs the call.
     *
     * @param channels maximum number of channels; for small sizes the launch may use fewer
     * @param threads threads on each channel
     * @param timeUs predicted time of NCCL's cost model, in microseconds
     */
    record Choice(Algorithm algorithm, Protocol protocol, int channels, int threads, float timeUs)
        implements Decision {
      /** The algorithm and the protocol. */
      public Pair pair() {
        return new Pair(algorithm, protocol);
      }

      /** True if NCCL chooses it only for lack of alternatives; its model has no time for it. */
      public boolean isLastResort() {
        return timeUs >= CostModel.LAST_RESORT_US;
      }

      @Override
      public Optional<Choice> choice() {
        return Optional.of(this);
      }
    }

    /**
     * NCCL refuses the call, or discards it.
     *
     * @param reason the reason as text
     * @param isDiscarded whether it discards the call, which then succeeds
     */
    record Refusal(String reason, boolean isDiscarded) implements Decision {
      /** NCCL refuses the call for a reason. */
      public Refusal(String reason) {
        this(reason, false);
      }

      /** NCCL discards the call for a reason. */
      public static Refusal discarded(String reason) {
        return new Refusal(reason, true);
      }

      /** Subject and verb: {@code NCCL refuses}. */
      public String verb() {
        return isDiscarded ? "NCCL discards" : "NCCL refuses";
      }

      /** Outcome of the call: {@code refused}. */
      public String label() {
        return isDiscarded ? "discarded" : "refused";
      }

      /** The refusal as a sentence without a full stop. */
      public String sentence() {
        return verb() + " the call: " + reason;
      }

      @Override
      public Optional<Choice> choice() {
        return Optional.empty();
      }
    }
  }

  /**
   * The number of channels and threads of a call with a given algorithm and protocol, reduced until
   * each thread has enough work (end of {@code topoGetAlgoInfo}, {@code nccl:src/enqueue.cc}).
   *
   * @param channels maximum number of channels
   * @param threads threads on each channel
   */
  record LaunchShape(int channels, int threads) {
    static LaunchShape of(
        CommFacts facts,
        ThreadLimits limits,
        long sizeBytes,
        Algorithm algorithm,
        Protocol protocol) {
      LaunchRules rules = facts.profile().launch();
      int threads = limits.maxThreads(algorithm, protocol);
      int threshold = (int) limits.thresholdBytes(algorithm, protocol);
      return switch (algorithm) {
        case NVLS, NVLS_TREE -> new LaunchShape(nvlsChannels(facts, algorithm), threads);
        case COLLNET_DIRECT ->
            new LaunchShape(collNetChannels(facts, sizeBytes, threads, threshold), threads);
        case TREE, RING, COLLNET_CHAIN, PAT -> {
          int channels = channels(facts, algorithm);
          while (channels >= 2 && isTooSmall(sizeBytes, channels * threads * threshold)) {
            channels--;
          }
          while (threads % rules.halvedBlock == 0
              && isTooSmall(sizeBytes, channels * threads * threshold)) {
            threads /= 2;
          }
          yield new LaunchShape(channels, withExtraWarps(rules, threads, algorithm, protocol));
        }
      };
    }

    /**
     * True if a size is below the threshold of channels and threads. NCCL multiplies in 32 bits and
     * compares unsigned, which matters from 8192 ranks on.
     */
    private static boolean isTooSmall(long sizeBytes, int requiredBytes) {
      return Long.compareUnsigned(sizeBytes, requiredBytes) < 0;
    }

    /** PAT over NVLS uses at most the channels of NVLS, whatever the size. */
    private static int channels(CommFacts facts, Algorithm algorithm) {
      return algorithm == Algorithm.PAT && facts.hasPatOverNvls()
          ? Math.min(facts.callChannels(), facts.nvlsChannels())
          : facts.callChannels();
    }

    private static int nvlsChannels(CommFacts facts, Algorithm algorithm) {
      boolean limited = facts.profile().launch().nvlsWithinChannels;
      return limited && facts.nNodes() > 1 && algorithm == Algorithm.NVLS
          ? Math.min(facts.nvlsChannels(), facts.callChannels())
          : facts.nvlsChannels();
    }

    /**
     * Reduces channels in stages, to 16, 8, 4 and so on; midway through a stage the required work
     * per channel is halved.
     */
    private static int collNetChannels(
        CommFacts facts, long sizeBytes, int threads, int firstThreshold) {
      int heads = facts.collNet().map(CommFacts.CollNet::directHeads).orElse(0);
      int channels = facts.callChannels();
      int threshold = firstThreshold;
      for (int mark = facts.profile().launch().collNetFirstMark; mark >= 1; mark /= 2) {
        while (channels > mark && isTooSmall(sizeBytes, channels * threads * heads * threshold)) {
          if (channels == mark + mark / 2) {
            threshold /= 2;
          }
          channels--;
        }
      }
      return channels;
    }

    private static int withExtraWarps(
        LaunchRules rules, int threads, Algorithm algorithm, Protocol protocol) {
      // PAT and, in some versions, Tree use all threads of the kernel, whatever the limit is.
      if (algorithm == Algorithm.PAT
          || (algorithm == Algorithm.TREE && rules.treesUseWholeKernel)) {
        return rules.maxThreads;
      }
      int extraWarps =
          switch (algorithm) {
            case RING -> rules.ringExtraWarps;
            case TREE -> rules.treeExtraWarps;
            case COLLNET_DIRECT, COLLNET_CHAIN, NVLS, NVLS_TREE, PAT -> 0;
          };
      int withExtra =
          protocol == Protocol.SIMPLE ? threads + extraWarps * ThreadLimits.WARP : threads;
      return Math.max(withExtra, rules.minWarps * ThreadLimits.WARP);
    }
  }

  /**
   * The maximum number of threads of a channel, and the work of a thread above which NCCL uses more
   * threads or channels (first and last part of {@code ncclTopoTuneModel}, {@code
   * nccl:src/graph/tuning.cc}). Immutable.
   */
  public static final class ThreadLimits {
    /** Threads of a warp ({@code WARP_SIZE}, {@code nccl:src/include/device.h}). */
    static final int WARP = 32;

    private static final int UNSET = -2;
    private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,18})");

    private final int[][] max = new int[Algorithm.values().length][Protocol.values().length];
    private final long[][] threshold =
        new long[Algorithm.values().length][Protocol.values().length];

    ThreadLimits(CommFacts facts, NcclSettings settings) {
      LaunchRules rules = facts.profile().launch();
      ChannelGraph ring = facts.graph(Algorithm.RING);
      int wanted = settings.integer("NCCL_NTHREADS", UNSET);
      int wantedLl128 = settings.integer("NCCL_LL128_NTHREADS", UNSET);
      boolean slowRing = ring.bwIntra() * ring.nChannels() <= rules.slowRingGBps;
      for (Algorithm algorithm : Algorithm.values()) {
        int[] row = max[algorithm.number()];
        switch (algorithm) {
          case TREE, RING -> {
            boolean slow = slowRing && algorithm == Algorithm.RING;
            row[Protocol.LL.number()] =
                limit(wanted, rules.minThreads, rules.llThreads, rules.llThreads);
            row[Protocol.LL128.number()] =
                limit(wantedLl128, rules.ll128MinThreads, rules.ll128Threads, rules.ll128Threads);
            row[Protocol.SIMPLE.number()] =
                limit(
                    wanted,
                    rules.minThreads,
                    rules.simpleThreads,
                    slow ? rules.slowRingThreads : rules.simpleThreads);
          }
          case COLLNET_DIRECT, COLLNET_CHAIN, NVLS, NVLS_TREE ->
              row[Protocol.SIMPLE.number()] = rules.maxThreads;
          case PAT -> {}
        }
      }
      if (facts.nRanks() > 1) {
        setThresholds(rules, facts.nRanks());
        settings.text("NCCL_THREAD_THRESHOLDS").ifPresent(this::overrideThresholds);
      }
    }

    /** True if rings have the same threads as without settings. */
    public static boolean areUsual(CommFacts facts, NcclSettings settings) {
      int ring = Algorithm.RING.number();
      return Arrays.equals(
          new ThreadLimits(facts, settings).max[ring],
          new ThreadLimits(facts, NcclSettings.DEFAULTS).max[ring]);
    }

    /**
     * {@code getNthreads}: clamps the user's number to the range; {@code max} if it is not a
     * multiple of a warp.
     */
    private static int limit(int wanted, int min, int max, int byDefault) {
      if (wanted <= 0) {
        return byDefault;
      }
      if (wanted % WARP != 0) {
        return max;
      }
      return Math.max(min, Math.min(max, wanted));
    }

    private void setThresholds(LaunchRules rules, int nRanks) {
      for (Algorithm algorithm : Algorithm.values()) {
        threshold[algorithm.number()] = rules.thresholds();
        if (algorithm.isCollNet()) {
          threshold[algorithm.number()][Protocol.SIMPLE.number()] = rules.collNetThreshold;
        }
      }
      threshold[Algorithm.RING.number()][Protocol.LL.number()] *= nRanks;
    }

    /** Reads up to six numbers, for Tree and then for Ring; ends at the first other text. */
    private void overrideThresholds(String numbers) {
      Matcher matcher = NUMBER.matcher(numbers);
      for (Algorithm algorithm : new Algorithm[] {Algorithm.TREE, Algorithm.RING}) {
        for (Protocol protocol : Protocol.values()) {
          if (!matcher.lookingAt()) {
            return;
          }
          long value = Long.parseLong(matcher.group(1));
          if (value >= 0) {
            threshold[algorithm.number()][protocol.number()] = value;
          }
          matcher.region(matcher.end(), numbers.length());
        }
      }
    }

    /** Maximum number of threads of a channel; 0 for a pair for which NCCL sets no limit. */
    public int maxThreads(Algorithm algorithm, Protocol protocol) {
      return max[algorithm.number()][protocol.number()];
    }

    /** Bytes for each thread below which NCCL uses fewer channels or threads. */
    public long thresholdBytes(Algorithm algorithm, Protocol protocol) {
      return threshold[algorithm.number()][protocol.number()];
    }
  }
}
