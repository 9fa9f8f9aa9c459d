/// Commands that are no verb of a noun: `login`, `logout`, `profile` and `status`.
@NullMarked
package io.coppice.cli.command;

import org.jspecify.annotations.NullMarked;
