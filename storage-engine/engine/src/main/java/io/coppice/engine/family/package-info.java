/// versions
@NullMarked
package io.coppice.engine.family;

import org.jspecify.annotations.NullMarked;
