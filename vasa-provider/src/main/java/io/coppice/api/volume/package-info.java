/// The types of volumes, snapshots and virtual machines in REST.
@NullMarked
package io.coppice.api.volume;

import org.jspecify.annotations.NullMarked;
