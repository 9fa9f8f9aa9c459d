package io.coppice.house;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/// The classes that are no tests, wherever they lie: in a folder or in a jar.
final class WithoutTests implements ImportOption {

  @Override
  public boolean includes(Location location) {
    return Predefined.DO_NOT_INCLUDE_TESTS.includes(location) && !location.contains("-tests.jar");
  }
}
