/**
 * How a job is connected, in the forms of an answer: {@link dev.topo.output.connect.ConnectPart}
 * lists what can be selected. Rows are made as they are written, because a large job has millions.
 */
@NullMarked
package dev.topo.output.connect;

import org.jspecify.annotations.NullMarked;
