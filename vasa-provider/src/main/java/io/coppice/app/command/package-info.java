/// What the jar does when it is run: [io.coppice.app.command.Main].
@NullMarked
package io.coppice.app.command;

import org.jspecify.annotations.NullMarked;
