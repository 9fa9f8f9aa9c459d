/// Copies: clones, copies of differences, copies in the background, and the bitmaps by which hosts
/// copy. Begin with [io.coppice.vasa.volume.copy.Clones].
@NullMarked
package io.coppice.vasa.volume.copy;

import org.jspecify.annotations.NullMarked;
