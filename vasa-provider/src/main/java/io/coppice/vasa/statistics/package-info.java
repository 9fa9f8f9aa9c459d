/// Counters of I/O and space, and which of them a client wants (contract §5.10).
///
/// Entry point: [io.coppice.vasa.statistics.Statistics]. Depends on the target's counters and the
/// engine; nothing is stored.
@NullMarked
package io.coppice.vasa.statistics;

import org.jspecify.annotations.NullMarked;
