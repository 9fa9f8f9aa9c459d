/// The database: the embedded PostgreSQL with its programs and its life beside ours
/// ([io.coppice.app.database.EmbeddedPostgres]), and the link that waits for either database
/// ([io.coppice.app.database.DatabaseLink]). May depend on `app.setting`.
@NullMarked
package io.coppice.app.database;

import org.jspecify.annotations.NullMarked;
