/// The pool on the device, format version 1: this page and the tables of the types it names are the
/// specification. Everything is little-endian; the unit is a block of 4096 bytes.
///
/// ```text
/// device:  [ring 0: 64 slots][ring 1: 64 slots][zone 0][zone 1] ... [zone n-1]
/// zone:    a segment: batches of the log, or nodes and chunks of checkpoints
/// batch:   [header: fields, records, zeros up to a block][payload blocks]
/// ```
///
/// - Every structure begins with a [io.coppice.engine.format.StructureHeader]: magic, version,
///   length, pool id, self address, CRC32C.
/// - A [io.coppice.engine.format.Superblock] of generation g stands in slot g mod 64 of both rings.
///   The highest intact generation counts.
/// - A *zone* is written once from its start and freed as a whole. What is in it is a *segment*; a
///   [io.coppice.engine.format.BlockAddress] names segment and block, and the segment table of the
///   checkpoint, or the header of a batch, says in which zone the segment lies. Segment ids are not
///   used again while a block in them lives.
/// - With the feature [io.coppice.engine.format.Superblock#RELOCATION] a block may lie elsewhere
///   than at its own place in the zone of its segment: where the last RELOCATE or MOVED record put
///   it, or the table of relocated blocks of the checkpoint says. Its address stays. A segment of
///   which every living block has moved may have no zone any more (zone -1). A zone is free when
///   its own segment has no living block at home and no moved block of any segment lies in it.
/// - With the feature [io.coppice.engine.format.Superblock#SURVIVORS] moved blocks may lie in zones
///   of *survivors*: segments of data that hold nothing else. Such a zone is a chain of pieces,
///   each a [io.coppice.engine.format.BatchHeader] under the magic
///   [io.coppice.engine.format.StructureHeader#SURVIVORS], RELOCATE records, padding, payload;
///   numbers from 1 without a gap, each with the header CRC of the piece before (the first: 0). The
///   chain is for those who ask what is stored in the zone. What *counts* are the MOVED records of
///   the log and the table of relocated blocks: a piece that neither names is void, and to open
///   needs no piece. Nothing is added to a zone of survivors after a restart.
/// - With the feature [io.coppice.engine.format.Superblock#TWINS] a segment of nodes and chunks has
///   a second zone, its *twin*: what is stored in the one is stored at the same block of the other
///   as well, byte for byte, with the self address of the first. It goes with the zone: the second
///   copy of a moved node is in the twin of the zone that it was moved to. A segment that an older
///   writer made, or for which there was no second zone, has none (-1).
/// - With the feature [io.coppice.engine.format.Superblock#MIRROR] there are two devices with the
///   same bytes at the same offsets, except that each superblock says which device it is on. A
///   device *holds everything* if the newest superblocks of both say so
///   ([io.coppice.engine.format.Superblock#whole]); the newest one on those that do counts. A
///   block, node, chunk or header that fails its check on one of them counts if it passes on the
///   other. A device that does not hold everything counts for nothing.
/// - The log is a chain of batches ([io.coppice.engine.format.BatchHeader]) of
///   [io.coppice.engine.format.LogRecord]s: numbers without a gap, each with the header CRC of the
///   one before. The next batch stands right behind, or at block 0 of the zone that the header
///   named. A header that does not read ends the log, unless a batch with a higher number follows
///   in that zone or the named one: that is damage.
/// - A batch is written when the one before is stable. So only the last one may be torn: it counts
///   if its payload matches the CRCs in its records.
/// - A checkpoint is a list of [io.coppice.engine.format.Chunk]s, last one first, whose bytes are
///   the tables, and the [io.coppice.engine.format.NodeImage]s that they name. Maps have 4 levels
///   of 512; an absent entry is a hole of its whole span. A map node is stored once however many
///   versions share it.
/// - A block lives as long as an entry places it: an entry whose *born* version owns the node it
///   stands in. Ids of versions that were merged into their child stand in the alias table. A block
///   with two or more placements stands in the table of counts.
/// - A block that was moved (RELOCATION) lives under the same condition. A RELOCATE or MOVED record
///   passes over blocks that do not live when it is applied, and over segments that are gone; since
///   blocks are reclaimed without a record, one may live in replay that no longer did when the
///   record was written.
/// - To open is to load the checkpoint of the newest superblock and to apply the log from its
///   `logStart`. Segments that neither names are free.
/// - Unknown incompatible feature bits, or another version, must not be opened.
///
/// This package knows buffers only: no device, no thread, no state.
@NullMarked
package io.coppice.engine.format;

import org.jspecify.annotations.NullMarked;
