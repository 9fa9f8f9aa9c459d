/// Two sites on one machine: providers with a pool and a database each, paired for replication, a
/// host at each, and an administrator's view of a replication group at either end.
///
/// Entry point: [io.coppice.sites.Site].
@NullMarked
package io.coppice.sites;

import org.jspecify.annotations.NullMarked;
