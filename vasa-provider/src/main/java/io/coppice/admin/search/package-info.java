/// The search for objects by what people remember of them: names, parts of names and ids, addresses
/// and numbers. Begin with [io.coppice.admin.search.SearchController].
@NullMarked
package io.coppice.admin.search;

import org.jspecify.annotations.NullMarked;
