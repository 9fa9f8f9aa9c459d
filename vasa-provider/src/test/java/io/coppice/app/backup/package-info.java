/// Tests of backups that need no database.
@NullMarked
package io.coppice.app.backup;

import org.jspecify.annotations.NullMarked;
