/// Messages between two pools, from and to bytes.
///
/// Begin with [io.coppice.replication.message.LinkMessage]. Depends on the words of replication
/// only.
@NullMarked
package io.coppice.replication.message;

import org.jspecify.annotations.NullMarked;
