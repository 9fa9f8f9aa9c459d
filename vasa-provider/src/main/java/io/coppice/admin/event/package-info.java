/// The events of the array, as a list and as a stream. Begin with
/// [io.coppice.admin.event.EventController] and [io.coppice.admin.event.EventStreams].
@NullMarked
package io.coppice.admin.event;

import org.jspecify.annotations.NullMarked;
