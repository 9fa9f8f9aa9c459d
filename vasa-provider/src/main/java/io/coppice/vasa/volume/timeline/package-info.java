/// Timelines: what the journals of volumes tell of their past, and the way back to a moment. May
/// depend on `vasa.volume.store` and what is below it.
@NullMarked
package io.coppice.vasa.volume.timeline;

import org.jspecify.annotations.NullMarked;
