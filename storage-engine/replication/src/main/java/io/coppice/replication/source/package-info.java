/// The sending end of cycles.
///
/// Begin with [io.coppice.replication.source.CycleSender].
@NullMarked
package io.coppice.replication.source;

import org.jspecify.annotations.NullMarked;
