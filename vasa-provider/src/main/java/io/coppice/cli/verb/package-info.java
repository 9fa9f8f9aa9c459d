/// What a command is made of: nouns, verbs, their arguments and options, the calls that they make,
/// and how the answers are shown. Nothing here knows one noun or another, or the parser.
@NullMarked
package io.coppice.cli.verb;

import org.jspecify.annotations.NullMarked;
