/// The types of REST about the search for damage. Begin with [ScrubState].
@NullMarked
package io.coppice.api.scrub;

import org.jspecify.annotations.NullMarked;
