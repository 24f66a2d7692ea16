/**
 * The content of a report: the job with its machines, calls and measurements, and the names of its
 * devices. Start with {@link dev.topo.visualizer.report.subject.ReportSubject}. Knows no HTML.
 */
@NullMarked
package dev.topo.visualizer.report.subject;

import org.jspecify.annotations.NullMarked;
