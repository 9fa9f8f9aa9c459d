package io.coppice.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.targetOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.unit.Offloads;
import io.coppice.vasa.fault.VasaException;
import java.nio.channels.FileChannel;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Who may know whom.
class ArchitectureTest {

  private static final JavaClasses OURS =
      new ClassFileImporter().withImportOption(new WithoutTests()).importPackages("io.coppice");

  /// Directions between the packages of one module: a line for each package that may know fewer
  /// than its module does, as `mayKnow("io.coppice.engine.format", "io.coppice.engine")`.
  private static final List<ArchRule> DIRECTIONS =
      List.of(
          mayKnow("io.coppice.kit"),
          mayKnow("io.coppice.harness", "io.coppice.driver.."),
          mayKnow("io.coppice.testcontainers", "io.coppice.driver.."),
          mayKnow("io.coppice.demo", "io.coppice.kit", "io.coppice.harness", "io.coppice.driver.."),
          mayKnow("io.coppice.sites", "io.coppice.harness", "io.coppice.driver.."),
          mayKnow(
              "io.coppice.demo.sites",
              "io.coppice.kit",
              "io.coppice.harness",
              "io.coppice.sites",
              "io.coppice.driver.."),
          mayKnow(
              "io.coppice.conformance",
              "io.coppice.kit",
              "io.coppice.harness",
              "io.coppice.driver.."));

  private static final List<ArchRule> RULES =
      List.of(
          slices()
              .matching("io.coppice.(**)")
              .that(
                  DescribedPredicate.describe(
                      "are written by hand", slice -> !slice.getDescription().contains("wsdl")))
              .should()
              .beFreeOfCycles()
              .because("a package that is part of a cycle cannot be understood, or deleted, alone"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.engine..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "io.coppice.scsi..",
                  "io.coppice.iscsi..",
                  "io.coppice.replication..",
                  "io.coppice.vasa..",
                  "io.coppice.app..")
              .because("the engine knows volumes, not who serves them"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.replication..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "io.coppice.scsi..",
                  "io.coppice.iscsi..",
                  "io.coppice.vasa..",
                  "io.coppice.app..")
              .because("replication moves volumes between pools, whoever serves them"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.scsi..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("io.coppice.iscsi..")
              .because("the device server is the same under any transport"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.iscsi..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("io.coppice.engine..")
              .because("the transport moves bytes for SCSI and never sees a volume"),
          noClasses()
              .that()
              .resideOutsideOfPackages("io.coppice.engine..", "io.coppice.app..")
              .and()
              .doNotHaveSimpleName("StoppedPool")
              .should()
              .dependOnClassesThat(
                  resideInAPackage("io.coppice.engine..")
                      .and(
                          not(
                              resideInAnyPackage(
                                  "io.coppice.engine",
                                  "io.coppice.engine.journal",
                                  "io.coppice.engine.range",
                                  "io.coppice.engine.status"))))
              .because("everybody but the composition root uses the engine through its API"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice..")
              .and()
              .resideOutsideOfPackages("io.coppice.vasa.soap..", "io.coppice.wsdl..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage("io.coppice.wsdl..", "jakarta.xml..")
              .because("the wire's types stop at the SOAP boundary"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice..")
              .and()
              .resideOutsideOfPackages(
                  "io.coppice.vasa.soap..", "io.coppice.app..", "io.coppice.wsdl..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("org.apache.cxf..")
              .because("only the SOAP boundary and its wiring know which SOAP stack this is"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.vasa..")
              .and()
              .resideOutsideOfPackage("io.coppice.vasa.soap..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "io.coppice.vasa.soap..", "io.coppice.admin..", "io.coppice.app..")
              .because("features are called by the edges and never call back up"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.api..")
              .should()
              .dependOnClassesThat(
                  resideInAPackage("io.coppice..")
                      .and(
                          not(
                              resideInAnyPackage(
                                  "io.coppice.api..",
                                  "io.coppice.engine.status",
                                  "io.coppice.scsi.directory"))))
              .because("the server and the command line share these types and nothing else"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.cli..")
              .should()
              .dependOnClassesThat(
                  resideInAnyPackage("io.coppice..", "org.springframework..")
                      .and(not(resideInAnyPackage("io.coppice.api..", "io.coppice.cli.."))))
              .because(
                  "the command line is a client: it knows the API and starts without a server"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice..")
              .and()
              .resideOutsideOfPackage("io.coppice.cli..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("io.coppice.cli..")
              .because("nothing of the server is made for one of its clients"),
          noClasses()
              .that()
              .resideOutsideOfPackage("io.coppice.app..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("io.coppice.app..")
              .because("the composition root is seen by nobody"),
          noClasses()
              .that()
              .resideInAnyPackage("io.coppice.vasa..", "io.coppice.admin..")
              .should()
              .dependOnClassesThat()
              .resideInAPackage("io.coppice.iscsi..")
              .because("the control plane reaches the data plane through the SCSI packages only"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.iscsi..")
              .should()
              .dependOnClassesThat(
                  resideInAPackage("io.coppice.scsi..")
                      .and(
                          not(
                              resideInAnyPackage(
                                  "io.coppice.scsi.transport", "io.coppice.scsi.secret"))))
              .because(
                  "a transport knows commands, responses and secrets, and nothing behind them"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.admin..")
              .should()
              .dependOnClassesThat(
                  assignableTo(StorageEngine.class)
                      .or(assignableTo(StorageException.class))
                      .or(assignableTo(LunDirectory.class))
                      .or(assignableTo(Offloads.class)))
              .because("REST calls features; of what lies below it sees values only"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.driver..")
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(
                  "io.coppice.engine..",
                  "io.coppice.scsi..",
                  "io.coppice.iscsi..",
                  "io.coppice.vasa..",
                  "io.coppice.wsdl..")
              .because("an independent check shares no codec with what it checks"),
          classes()
              .that()
              .resideInAPackage("io.coppice.engine.check..")
              .should()
              .onlyDependOnClassesThat()
              .resideInAnyPackage(
                  "io.coppice.engine.check..",
                  "io.coppice.engine.format..",
                  "io.coppice.engine.device..",
                  "java..",
                  "org.jspecify.annotations..")
              .because("the checker reads the format as it is written down, not as it is opened"),
          noClasses()
              .that()
              .resideInAPackage("io.coppice.engine..")
              .and()
              .resideOutsideOfPackages(
                  "io.coppice.engine.device..",
                  "io.coppice.engine.superblock..",
                  "io.coppice.engine.core..")
              .should()
              .dependOnClassesThat()
              .areAssignableTo(FileChannel.class)
              .because("file access sits behind BlockDevice, where a simulated twin can stand in"),
          noClasses()
              .that()
              .resideInAnyPackage("io.coppice.engine..", "io.coppice.scsi..", "io.coppice.vasa..")
              .should()
              .callMethod(Instant.class, "now")
              .orShould()
              .callMethod(System.class, "currentTimeMillis")
              .orShould()
              .callMethod(Clock.class, "systemUTC")
              .because("wall-clock time is injected, so that tests can choose it"),
          noClasses()
              .that()
              .resideOutsideOfPackage("io.coppice.wsdl..")
              .and()
              .doNotHaveSimpleName("FaultBeans")
              .should()
              .callConstructorWhere(
                  targetOwner(
                      resideInAPackage("io.coppice.wsdl.fault..")
                          .and(not(simpleName("ObjectFactory")))))
              .because("a fault gets its form on the wire in one place"),
          noCodeUnits()
              .that()
              .areDeclaredInClassesThat(
                  resideInAnyPackage("io.coppice.vasa..", "io.coppice.admin..")
                      .and(not(simpleName("FaultTranslation"))))
              .should(makeAFaultOf(StorageException.class, RefusedException.class))
              .because("what comes from below becomes a fault in one place"),
          classes()
              .that()
              .areAnnotatedWith("org.springframework.web.bind.annotation.RestControllerAdvice")
              .or()
              .areAnnotatedWith("org.springframework.web.bind.annotation.ControllerAdvice")
              .should()
              .haveSimpleName("ProblemTranslation")
              .because("a failure becomes an answer of REST in one place"),
          noFields()
              .should()
              .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
              .because("dependencies come through the constructor"),
          fields()
              .that()
              .areStatic()
              .and()
              .arePublic()
              .should()
              .beFinal()
              .because("a public static field that changes is a global variable"),
          classes()
              .that()
              .haveSimpleNameEndingWith("Impl")
              .or()
              .haveSimpleNameEndingWith("Manager")
              .or()
              .haveSimpleNameEndingWith("Util")
              .or()
              .haveSimpleNameEndingWith("Utils")
              .should()
              .resideInAPackage("io.coppice.wsdl..")
              .allowEmptyShould(true)
              .because("a name says what a thing is"));

  /// A package, and those of ours that it may depend on besides itself. A package stands for itself
  /// alone, or with `..` for all below it, too.
  private static ArchRule mayKnow(String one, String... others) {
    List<String> known = new ArrayList<>(List.of(others));
    known.add(one);
    return noClasses()
        .that()
        .resideInAPackage(one)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.coppice..")
                .and(not(resideInAnyPackage(known.toArray(String[]::new)))))
        .as("%s may know %s of ours".formatted(one, List.of(others)))
        .because("docs/architecture.md draws this direction and no other");
  }

  /// Catches one of these and makes a fault in the same breath.
  private static ArchCondition<JavaCodeUnit> makeAFaultOf(Class<?>... failures) {
    return new ArchCondition<>("make a fault of what they caught") {
      @Override
      public void check(JavaCodeUnit unit, ConditionEvents events) {
        boolean catches =
            unit.getTryCatchBlocks().stream()
                .flatMap(block -> block.getCaughtThrowables().stream())
                .anyMatch(caught -> Stream.of(failures).anyMatch(caught::isAssignableTo));
        boolean makes =
            unit.getAccessesFromSelf().stream()
                .anyMatch(access -> access.getTargetOwner().isEquivalentTo(VasaException.class));
        events.add(new SimpleConditionEvent(unit, catches && makes, unit.getDescription()));
      }
    };
  }

  @Test
  void theRulesSeeEveryModule() {
    assertThat(
            Stream.of(
                    "engine",
                    "scsi",
                    "iscsi",
                    "vasa.soap",
                    "vasa.volume",
                    "app",
                    "driver",
                    "testcontainers")
                .filter(name -> !OURS.containPackage("io.coppice." + name)))
        .as("packages that the rules did not see")
        .isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> rules() {
    return Stream.concat(RULES.stream(), DIRECTIONS.stream())
        .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> rule.check(OURS)));
  }
}
