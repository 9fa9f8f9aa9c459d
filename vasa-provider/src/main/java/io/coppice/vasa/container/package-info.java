/// Storage containers: the places in which virtual volumes are created, each with a quota.
///
/// Entry point: [io.coppice.vasa.container.Containers]. Knows nothing of volumes; their space is
/// counted in `vasa.volume.space`.
@NullMarked
package io.coppice.vasa.container;

import org.jspecify.annotations.NullMarked;
