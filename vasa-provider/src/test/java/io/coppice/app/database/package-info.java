/// The embedded database: how it comes to be, survives and is refused.
@NullMarked
package io.coppice.app.database;

import org.jspecify.annotations.NullMarked;
