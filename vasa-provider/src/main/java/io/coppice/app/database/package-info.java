/// The database: the embedded PostgreSQL, its programs and its life beside ours. Entry point:
/// [io.coppice.app.database.EmbeddedPostgres].
@NullMarked
package io.coppice.app.database;

import org.jspecify.annotations.NullMarked;
