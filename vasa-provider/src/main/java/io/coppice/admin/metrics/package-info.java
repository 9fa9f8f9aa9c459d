/// The metrics of this process, in the text formats of Prometheus, beside the API at `/metrics`,
/// `/metrics/volumes` and `/metrics/hosts`; `docs/metrics.md` lists them. Begin with
/// [io.coppice.admin.metrics.MetricsController].
///
/// A [io.coppice.admin.metrics.MetricSource] adds the figures of one part of the system to a
/// [io.coppice.admin.metrics.Sheet]. What may hang is asked through
/// [io.coppice.admin.metrics.SharedCalls]. May depend on `admin.access` and `admin.health`.
@NullMarked
package io.coppice.admin.metrics;

import org.jspecify.annotations.NullMarked;
