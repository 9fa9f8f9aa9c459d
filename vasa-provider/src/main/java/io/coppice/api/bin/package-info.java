/// Requests and answers about the recycle bin.
@NullMarked
package io.coppice.api.bin;

import org.jspecify.annotations.NullMarked;
