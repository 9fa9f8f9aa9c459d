/// The connections of the two TLS ports, and their limits.
@NullMarked
package io.coppice.app.port;

import org.jspecify.annotations.NullMarked;
