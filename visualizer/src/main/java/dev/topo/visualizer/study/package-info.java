/**
 * Comparisons and conclusions as text, JSON and CSV: changes and placements, advice, diagnoses,
 * workloads, sweeps, findings of lint. Start with {@link dev.topo.visualizer.study.WhatIfOutput}.
 */
@NullMarked
package dev.topo.visualizer.study;

import org.jspecify.annotations.NullMarked;
