/** CSV and JSON whose faults have line, column and element. */
@NullMarked
package dev.topo.measured.format;

import org.jspecify.annotations.NullMarked;
