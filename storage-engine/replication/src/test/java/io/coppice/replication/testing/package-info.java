/// What tests of replication share: connections in memory that fail on purpose, and two pools.
@NullMarked
package io.coppice.replication.testing;

import org.jspecify.annotations.NullMarked;
