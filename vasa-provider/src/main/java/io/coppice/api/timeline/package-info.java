/// The types of REST about timelines: what volumes held at earlier moments. Begin with
/// [TimelineView].
@NullMarked
package io.coppice.api.timeline;

import org.jspecify.annotations.NullMarked;
