package io.coppice.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/// Loads the target's classes once more, so that they report to [Coverage] at the start of each
/// method, after each branch not taken and wherever branches lead.
final class CoverageLoader extends ClassLoader {

  private static final ClassDesc COVERAGE = ClassDesc.of(Coverage.class.getName());
  private static final MethodTypeDesc REACH =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private static final List<String> OURS =
      List.of("io.coppice.scsi.", "io.coppice.iscsi.", "io.coppice.fuzz.sample.");

  private final ClassFile files;

  CoverageLoader(ClassLoader parent) {
    super("coverage", parent);
    files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(parent)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (OURS.stream().noneMatch(name::startsWith)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = instrument(name, in.readAllBytes());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] instrument(String name, byte[] bytes) {
    ClassModel model = files.parse(bytes);
    ClassTransform probes =
        (to, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            String id = name + method.methodName() + method.methodType();
            to.transformMethod(method, MethodTransform.transformingCode(new Probes(id.hashCode())));
          } else {
            to.with(element);
          }
        };
    return files.transformClass(model, probes);
  }

  /// Puts calls into one method.
  private static final class Probes implements CodeTransform {
    private final int method;
    private int ordinal;
    private boolean due = true;

    Probes(int method) {
      this.method = method;
    }

    @Override
    public void accept(CodeBuilder to, CodeElement element) {
      if (element instanceof LabelTarget) {
        due = true;
      } else if (due && element instanceof Instruction) {
        due = false;
        int place = (method * 31 + ordinal++) * 0x9e3779b1 >>> 16;
        to.loadConstant(place).invokestatic(COVERAGE, "reach", REACH);
      }
      to.with(element);
      if (element instanceof BranchInstruction branch && !isGoto(branch.opcode())) {
        due = true;
      }
    }

    private static boolean isGoto(Opcode opcode) {
      return opcode == Opcode.GOTO || opcode == Opcode.GOTO_W;
    }
  }
}
