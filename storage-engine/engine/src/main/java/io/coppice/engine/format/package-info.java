/// The structures of a pool on the device, format version 1, from and to bytes. The specification
/// is `docs/on-disk-format.md`; what the types of this package say of themselves, their tables of
/// fields above all, stands there word for word.
///
/// ```text
/// device:  [ring 0: 64 slots][ring 1: 64 slots][zone 0][zone 1] ... [zone n-1]
/// zone:    a segment: batches of the log, or nodes and chunks of checkpoints, or survivors
/// batch:   [header: fields, records, zeros up to a block][payload blocks]
/// ```
///
/// The rows of the tables are in [io.coppice.engine.format.table]. This package knows buffers only:
/// no device, no thread, no state.
@NullMarked
package io.coppice.engine.format;

import org.jspecify.annotations.NullMarked;
