/// Helpers of the tests of replication: connections in memory that fail on purpose, and pools.
@NullMarked
package io.coppice.replication.testing;

import org.jspecify.annotations.NullMarked;
