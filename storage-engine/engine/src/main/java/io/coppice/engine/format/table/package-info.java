/// The tables of a checkpoint, from and to bytes. [io.coppice.engine.format.Chunk] says what stands
/// in them and in which order; a type here is one table, or one row of it, and writes and reads it.
///
/// Begin with [StateTables] and [BlockTables]: first all tables of the one, then those of the
/// other. Tables are written with every feature that this code knows, and read with those that the
/// pool has. This package knows values only: no device, no thread, no state. Whether rows fit each
/// other is not checked here.
@NullMarked
package io.coppice.engine.format.table;

import org.jspecify.annotations.NullMarked;
