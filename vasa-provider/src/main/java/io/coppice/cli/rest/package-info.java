/// The REST API as a client sees it: calls, answers, problems, the pinned certificate, and calls
/// written as lines of `curl`.
@NullMarked
package io.coppice.cli.rest;

import org.jspecify.annotations.NullMarked;
