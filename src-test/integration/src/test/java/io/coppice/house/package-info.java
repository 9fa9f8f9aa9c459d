/// The rules of the house, as tests: structure, tidiness, and documents that must equal the code.
@NullMarked
package io.coppice.house;

import org.jspecify.annotations.NullMarked;
