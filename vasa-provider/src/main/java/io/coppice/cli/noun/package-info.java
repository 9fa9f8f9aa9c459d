/// The nouns of the command line with their verbs: which call each makes, from which arguments, and
/// which columns its answers have. [Nouns][io.coppice.cli.noun.Nouns] lists them.
@NullMarked
package io.coppice.cli.noun;

import org.jspecify.annotations.NullMarked;
