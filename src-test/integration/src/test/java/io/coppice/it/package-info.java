/// The whole system by its wires: a provider process, real clients, real kills.
@NullMarked
package io.coppice.it;

import org.jspecify.annotations.NullMarked;
