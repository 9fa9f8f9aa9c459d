/// The application as a whole: started in this process over an in-memory pool and an embedded
/// database, and called over TLS.
@NullMarked
package io.coppice.app;

import org.jspecify.annotations.NullMarked;
