/// The types of REST's requests and answers: those of every room here, the others in the rooms
/// beneath. The server writes them and the command line reads them; they know neither.
@NullMarked
package io.coppice.api;

import org.jspecify.annotations.NullMarked;
