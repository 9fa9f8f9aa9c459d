/// The demo of two sites: a virtual machine goes to a second provider when the first one is killed,
/// and comes home with what changed.
///
/// Entry point: [io.coppice.demo.sites.SitesDemo].
@NullMarked
package io.coppice.demo.sites;

import org.jspecify.annotations.NullMarked;
