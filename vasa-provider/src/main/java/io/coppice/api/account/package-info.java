/// Accounts of people and their sessions, as REST shows and takes them.
@NullMarked
package io.coppice.api.account;

import org.jspecify.annotations.NullMarked;
