/// The news that clients poll for: events and alarms, with ids that rise without a gap. Entry
/// points: [io.coppice.vasa.event.EventLog], [io.coppice.vasa.event.Alarms].
@NullMarked
package io.coppice.vasa.event;

import org.jspecify.annotations.NullMarked;
