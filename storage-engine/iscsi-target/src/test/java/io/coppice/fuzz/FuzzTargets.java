package io.coppice.fuzz;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/// All targets, of classes that report to [Coverage].
final class FuzzTargets {

  private static final List<String> SOURCES =
      List.of(
          "io.coppice.scsi.DecoderFuzz",
          "io.coppice.scsi.directory.pool.RecordFuzz",
          "io.coppice.scsi.CommandFuzz",
          "io.coppice.iscsi.login.LoginFuzz",
          "io.coppice.iscsi.ConnectionFuzz");

  private FuzzTargets() {}

  /// New ones; the caller closes them.
  static List<FuzzTarget> all() throws ReflectiveOperationException {
    return from(new CoverageLoader(FuzzTargets.class.getClassLoader()), SOURCES);
  }

  /// Those of some classes.
  static List<FuzzTarget> from(ClassLoader loader, List<String> sources)
      throws ReflectiveOperationException {
    List<FuzzTarget> all = new ArrayList<>();
    for (String source : sources) {
      Method targets = Class.forName(source, true, loader).getDeclaredMethod("targets");
      targets.setAccessible(true);
      for (Object target : (List<?>) targets.invoke(null)) {
        all.add((FuzzTarget) target);
      }
    }
    return all;
  }
}
