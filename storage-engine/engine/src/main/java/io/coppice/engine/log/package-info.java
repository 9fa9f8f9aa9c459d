/// The log
@NullMarked
package io.coppice.engine.log;

import org.jspecify.annotations.NullMarked;
