/// `coppice bench replication`: how soon volumes run at the other site, how far it is behind, and
/// what goes over the link, with two real providers.
@NullMarked
package io.coppice.bench.replication;

import org.jspecify.annotations.NullMarked;
