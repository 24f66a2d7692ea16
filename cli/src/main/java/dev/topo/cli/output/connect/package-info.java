/**
 * How a job is connected, in the forms of an answer: {@link
 * dev.topo.cli.output.connect.ConnectPart} lists what can be selected. Rows are made as they are
 * written, because a large job has millions.
 */
@NullMarked
package dev.topo.cli.output.connect;

import org.jspecify.annotations.NullMarked;
