/// The pool's format on the device, version 1: codecs of buffers, and its specification.
@NullMarked
package io.coppice.engine.format;

import org.jspecify.annotations.NullMarked;
