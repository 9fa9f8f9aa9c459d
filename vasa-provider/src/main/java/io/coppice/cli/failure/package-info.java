/// Failures of a command: what the process says and how it exits.
@NullMarked
package io.coppice.cli.failure;

import org.jspecify.annotations.NullMarked;
