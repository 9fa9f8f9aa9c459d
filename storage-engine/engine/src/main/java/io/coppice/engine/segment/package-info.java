/// segments
@NullMarked
package io.coppice.engine.segment;

import org.jspecify.annotations.NullMarked;
