package io.coppice.app.tool.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The options of the command line of `doctor`.
///
/// @param name the name that vCenter uses, if it was given
record DoctorOptions(
    Optional<ServerAddress> vcenter, Optional<String> name, boolean json, List<String> settings) {

  DoctorOptions {
    settings = List.copyOf(settings);
  }

  /// @throws IllegalArgumentException if an argument is not known or lacks its value
  static DoctorOptions parse(List<String> args) {
    Optional<ServerAddress> vcenter = Optional.empty();
    Optional<String> name = Optional.empty();
    boolean json = false;
    List<String> settings = new ArrayList<>();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      int equals = arg.indexOf('=');
      String key = equals < 0 ? arg : arg.substring(0, equals);
      if (key.startsWith("--coppice.") || key.startsWith("--spring.config.")) {
        settings.add(arg);
      } else if (arg.equals("--json")) {
        json = true;
      } else if (List.of("--vcenter", "--name", "--home").contains(key)) {
        if (equals < 0 && i + 1 == args.size()) {
          throw new IllegalArgumentException("expected a value after " + key);
        }
        String value = equals < 0 ? args.get(++i) : arg.substring(equals + 1);
        switch (key) {
          case "--vcenter" -> vcenter = Optional.of(ServerAddress.parse(value, 443));
          case "--name" -> name = Optional.of(value);
          default -> settings.add("--coppice.home=" + value);
        }
      } else {
        throw new IllegalArgumentException("unknown argument \"" + arg + "\"");
      }
    }
    return new DoctorOptions(vcenter, name, json, settings);
  }
}
