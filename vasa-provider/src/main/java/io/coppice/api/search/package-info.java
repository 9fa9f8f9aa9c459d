/// The types of REST about searches. Begin with [SearchHit].
@NullMarked
package io.coppice.api.search;

import org.jspecify.annotations.NullMarked;
