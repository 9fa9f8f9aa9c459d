/// The files of the web UI, as its build has put them into the jar, and the page that every path
/// below `/ui` answers with. The sources of the UI are in `vasa-provider/ui`.
@NullMarked
package io.coppice.admin.ui;

import org.jspecify.annotations.NullMarked;
