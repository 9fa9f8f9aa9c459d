/// An authorization server for tests. It runs in a process of its own and knows nothing of Coppice.
@NullMarked
package io.coppice.authorization;

import org.jspecify.annotations.NullMarked;
