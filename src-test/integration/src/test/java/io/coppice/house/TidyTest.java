package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// House rules that no tool knows.
class TidyTest {

  private static final int MAX_LINES_PER_FILE = 500;
  private static final int MAX_LINES_PER_METHOD = 70;
  private static final Pattern MARKER = Pattern.compile("\\b(TODO|FIXME|XXX)\\b(?!\\(#\\d+\\))");
  private static final Pattern METHOD =
      Pattern.compile(
          "^( {2}(?: {2})?)(?=\\S)(?!return|throw|else|new )(?!.*\\brecord\\b)(?!.*\\),$)[\\w@<>\\[\\], .?]+\\([^;]*$");

  @Test
  void noSourceFileIsLongerThanTheLimit() {
    assertThat(
            Repository.javaFiles().stream()
                .filter(file -> Repository.read(file).lines().count() > MAX_LINES_PER_FILE))
        .as("Java files of more than %d lines", MAX_LINES_PER_FILE)
        .isEmpty();
  }

  @Test
  void noMethodIsLongerThanTheLimit() {
    List<String> offenders = new ArrayList<>();
    for (Path file : Repository.javaFiles()) {
      offenders.addAll(longMethods(file));
    }

    assertThat(offenders).as("methods of more than %d lines", MAX_LINES_PER_METHOD).isEmpty();
  }

  private static List<String> longMethods(Path file) {
    List<String> found = new ArrayList<>();
    List<String> lines = Repository.read(file).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      Matcher start = METHOD.matcher(lines.get(i));
      if (start.find() && !lines.get(i).contains("=")) {
        String end = start.group(1) + "}";
        int last = i + 1;
        while (last < lines.size() && !lines.get(last).equals(end)) {
          last++;
        }
        if (last < lines.size() && last - i + 1 > MAX_LINES_PER_METHOD) {
          found.add(file.getFileName() + ":" + (i + 1) + " " + lines.get(i).strip());
        }
        i = last < lines.size() ? last : i;
      }
    }
    return found;
  }

  @Test
  void everyPackageOfMainCodeSaysWhatItIs() {
    Set<Path> silent = new TreeSet<>();
    for (Path file : Repository.javaFiles()) {
      Path folder = file.getParent();
      if (file.toString().contains("src/main/java")
          && !Files.exists(folder.resolve("package-info.java"))) {
        silent.add(folder);
      }
    }

    assertThat(silent).as("packages without package-info.java").isEmpty();
  }

  @Test
  void noMarkerStandsWithoutAnIssueNumber() {
    assertThat(
            Repository.javaFiles().stream()
                .filter(file -> !file.endsWith("TidyTest.java"))
                .filter(file -> MARKER.matcher(Repository.read(file)).find()))
        .as("files with a TODO, FIXME or XXX that names no issue")
        .isEmpty();
  }
}
