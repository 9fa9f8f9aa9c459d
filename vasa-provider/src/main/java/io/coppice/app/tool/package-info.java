/// The commands of the jar: [io.coppice.app.tool.Main] runs the provider or a tool. The tools read
/// the settings and look at the pool and the database; nothing but `Main` knows them.
@NullMarked
package io.coppice.app.tool;

import org.jspecify.annotations.NullMarked;
