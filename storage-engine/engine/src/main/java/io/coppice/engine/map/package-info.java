/// maps
@NullMarked
package io.coppice.engine.map;

import org.jspecify.annotations.NullMarked;
