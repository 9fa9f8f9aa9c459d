/// The ransomware watch: what is written to each volume, whether that stands out, and what is done
/// about it. It is a hint and proves nothing. Begin with [VolumeWatches], then [WatchAnswers].
@NullMarked
package io.coppice.vasa.watch;

import org.jspecify.annotations.NullMarked;
