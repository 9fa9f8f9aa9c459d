/// The report of `coppice bench engine`: rows with aims, as Markdown and as a plot. Begin at
/// [io.coppice.bench.report.Report]. It depends on the kit alone.
@NullMarked
package io.coppice.bench.report;

import org.jspecify.annotations.NullMarked;
