/// The recycle bin: what is deleted stays there for a time and can be restored. Begin with
/// [io.coppice.vasa.volume.bin.RecycleBin].
@NullMarked
package io.coppice.vasa.volume.bin;

import org.jspecify.annotations.NullMarked;
