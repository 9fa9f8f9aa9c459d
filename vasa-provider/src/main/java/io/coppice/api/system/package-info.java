/// The types of the array, its health, tokens and events in REST.
@NullMarked
package io.coppice.api.system;

import org.jspecify.annotations.NullMarked;
