/// How far replication groups are behind.
///
/// Begin with [io.coppice.vasa.replication.lag.LagWatch]: it holds the age of the newest replica of
/// a group against the RPO of its plan.
@NullMarked
package io.coppice.vasa.replication.lag;

import org.jspecify.annotations.NullMarked;
