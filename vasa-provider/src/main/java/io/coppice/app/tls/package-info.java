/// The certificates of the two ports: the files in the home folder, their renewal and the TLS
/// context that takes a new one. Begin with [io.coppice.app.tls.TlsFiles]. May depend on
/// `app.setting`.
@NullMarked
package io.coppice.app.tls;

import org.jspecify.annotations.NullMarked;
