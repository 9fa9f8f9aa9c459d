/// Tests of backups that need no database.
@NullMarked
package io.coppice.app.tool.backup;

import org.jspecify.annotations.NullMarked;
