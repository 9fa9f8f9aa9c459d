/// Space of volumes and containers. Begin with [io.coppice.vasa.volume.space.SpaceStatistics].
@NullMarked
package io.coppice.vasa.volume.space;

import org.jspecify.annotations.NullMarked;
