/// Which provider a command talks to: its URL, its token and the root certificate that is pinned.
/// They come from options, variables, a profile that `login` has made, or a provider's home.
@NullMarked
package io.coppice.cli.profile;

import org.jspecify.annotations.NullMarked;
