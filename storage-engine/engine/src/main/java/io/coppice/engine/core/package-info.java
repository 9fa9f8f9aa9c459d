/// wiring
@NullMarked
package io.coppice.engine.core;

import org.jspecify.annotations.NullMarked;
