/// The objects of the REST API that are about other pools and replication to them.
@NullMarked
package io.coppice.api.replication;

import org.jspecify.annotations.NullMarked;
