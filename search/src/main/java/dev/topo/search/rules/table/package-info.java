/**
 * The format of rule files: {@link dev.topo.search.rules.table.RuleTable} reads keys and values,
 * also values by compute capability. Knows no key.
 */
@NullMarked
package dev.topo.search.rules.table;

import org.jspecify.annotations.NullMarked;
