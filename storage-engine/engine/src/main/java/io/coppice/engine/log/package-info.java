/// The log: one order of everything that changes a pool, written by one thread at a time.
///
/// Entry points: [io.coppice.engine.log.Committer] takes commands, makes them stable in batches and
/// then applies them, which is the acknowledgement; [io.coppice.engine.log.LogReplay] reads them
/// again. Each command itself knows how it changes the state. Depends on `format`, `device` and
/// `thread`.
@NullMarked
package io.coppice.engine.log;

import org.jspecify.annotations.NullMarked;
