/// Whether the tests notice an engine that is wrong on purpose.
@NullMarked
package io.coppice.engine.mutation;

import org.jspecify.annotations.NullMarked;
