/// What the fuzzer is tried out on.
@NullMarked
package io.coppice.fuzz.sample;

import org.jspecify.annotations.NullMarked;
