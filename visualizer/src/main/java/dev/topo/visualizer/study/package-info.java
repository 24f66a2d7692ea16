/**
 * Comparisons and conclusions as text, JSON and CSV: changes, placements, advice, diagnoses,
 * workloads, sweeps and findings of lint. Start with {@link
 * dev.topo.visualizer.study.WhatIfOutput}.
 */
@NullMarked
package dev.topo.visualizer.study;

import org.jspecify.annotations.NullMarked;
