/// Reconciliation, each time that the database becomes reachable, before calls are answered:
/// operations that a crash cut short are settled, and the rows are made to agree with the pool.
///
/// Entry point: [io.coppice.vasa.recovery.Reconciliation].
@NullMarked
package io.coppice.vasa.recovery;

import org.jspecify.annotations.NullMarked;
