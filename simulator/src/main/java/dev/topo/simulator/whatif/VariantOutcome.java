package dev.topo.simulator.whatif;

import dev.topo.inspect.edit.Variant;
import java.util.Optional;

/**
 * What comes of a variant.
 *
 * @param variant the variant
 * @param outcome what NCCL makes of it; empty if it gives up
 * @param reason why NCCL gives up, for people; empty if it does not
 */
public record VariantOutcome(Variant variant, Optional<WhatIfOutcome> outcome, String reason) {}
