/// The lag of replication groups, against what is promised of it.
///
/// Begin with [io.coppice.vasa.replication.lag.LagWatch]: it holds what groups and peers are
/// against what an administrator wants of them. Alerts, alarms, metrics and REST ask it.
@NullMarked
package io.coppice.vasa.replication.lag;

import org.jspecify.annotations.NullMarked;
