/// The command line: a client of the REST API.
///
/// [Coppice][io.coppice.cli.Coppice] is its entry point. It shares the types of `io.coppice.api`
/// with the server and nothing else, and needs the libraries picocli, Jackson and SnakeYAML only.
@NullMarked
package io.coppice.cli;

import org.jspecify.annotations.NullMarked;
