/// The types of REST about the ransomware watch. Begin with [WriteWatch].
@NullMarked
package io.coppice.api.watch;

import org.jspecify.annotations.NullMarked;
