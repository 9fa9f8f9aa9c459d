/// Exports of snapshots that end by themselves. Entry point:
/// [io.coppice.vasa.export.temporary.TemporaryExports]. May depend on `vasa.export` and on volumes
/// and their clones.
@NullMarked
package io.coppice.vasa.export.temporary;

import org.jspecify.annotations.NullMarked;
