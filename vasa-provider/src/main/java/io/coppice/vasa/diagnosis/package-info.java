/// The diagnosis of latency: what hosts and the array did lately, and which cause follows from it.
///
/// Entry point: [io.coppice.vasa.diagnosis.Diagnoser]. Depends on the target's counters and the
/// engine's; nothing is stored.
@NullMarked
package io.coppice.vasa.diagnosis;

import org.jspecify.annotations.NullMarked;
